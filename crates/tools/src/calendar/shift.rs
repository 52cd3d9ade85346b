//! `calendar.move`: another time for an appointment, for one time of a repeating one, or for all of them.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use jiff::civil::{DateTime, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Zoned};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::add::{SHOWN, conflicts, kept_fields, overlap_words};
use super::book::{Book, answered};
use super::cancel::one_or_all;
use super::event::{About, Event, Record, Unlike, When};
use super::expand::later;
use super::find::{self, Wanted};
use super::moment::{self, Point};
use super::occur::Occurrence;
use super::rule::{End, Every, Rule};
use super::say;
use crate::declare::{parse, partly, returning, spec};
use crate::errors;
use crate::phrase::ago;

pub(super) struct Move {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The id, or words of the title.
    #[schemars(length(min = 1))]
    event: String,
    /// The day it is on now, or a range such as `2026-11-20/2026-11-22`.
    on: Option<String>,
    /// The new start: a moment, or a date that leaves the time of day as it is.
    start: Option<String>,
    /// The new end.
    end: Option<String>,
    /// The new length, such as `PT1H30M`.
    duration: Option<String>,
    /// Instead of `start`, how much later, such as `PT30M` or `-P1D`.
    by: Option<String>,
    /// Move every time of a repeating appointment.
    all: Option<bool>,
}

/// What becomes of an appointment.
enum Change {
    /// All of it is at another time.
    Whole(When),
    /// One time of it is otherwise.
    One { at: DateTime, when: When },
    /// Every time is otherwise, as this one is.
    Every { at: DateTime, when: When },
}

impl Move {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let effect = Effect::Write { reversible: true, repeat: Repeat::SameKey, external: false, targets: Vec::new() };
        let about = "Moves an appointment to another time or makes it longer or shorter. Asks back where several fit.";
        // What would lie beyond the end of time has an id and nothing to say.
        let returns = partly(find::or_question(kept_fields(json!({"was": "string"}))));
        Self { spec: returning(spec::<Arguments>("calendar.move", about, effect), returns), book }
    }
}

#[async_trait]
impl Tool for Move {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let arguments: Arguments = parse(&self.spec, arguments)?;
        let (home, now) = (&self.book.home, self.book.now(call.now));
        let wrong = |problem| errors::bad_argument(&self.spec, problem);
        let records = self.book.records(&self.spec).await?;
        if let Some(result) = answered(&records, &call.key) {
            return Ok(result);
        }
        let on = arguments.on.as_deref().map(|on| moment::stretch("on", on, home)).transpose().map_err(wrong)?;
        let wanted = Wanted { event: Some(&arguments.event), on: on.as_ref() };
        let found = find::find(&records, &wanted, home, &now);
        let all = arguments.all == Some(true);
        let old = match found.as_slice() {
            [] => return Ok(find::none(&records, &wanted, home, &now)),
            [one] if one.event.repeats() && on.is_none() && !all => return Ok(one_or_all(one, home, &now, "move")),
            [one] => one,
            [first, rest @ ..] if all && rest.iter().all(|other| other.event.uid == first.event.uid) => first,
            _ => return Ok(find::which(&found, home, &now)),
        };
        let when = new_time(&arguments, old, home).and_then(|when| when.reachable(home)).map_err(wrong)?;
        let change = match (old.event.repeats(), all) {
            (false, _) => Change::Whole(when),
            (true, true) => Change::Every { at: old.at, when },
            (true, false) => Change::One { at: old.at, when },
        };
        let mut event = old.event.clone();
        change.apply(&mut event).map_err(wrong)?;
        let result = self.book.unsent(result(&change, &event, old, &records, home, &now));
        let (mut refused, id) = (None, old.id());
        let kept = self.book.change(&self.spec, &id, |record| {
            let mut record = record.filter(|record| record.gone.is_none())?;
            if record.answered(&call.key).is_none() {
                refused = change.apply(&mut record.event).err();
                record.touch(&call.key, &result, call.now);
            }
            refused.is_none().then_some(record)
        });
        match kept.await? {
            true => Ok(result),
            false => Err(errors::failed(&self.spec, refused.unwrap_or_else(|| "it was cancelled meanwhile".into()))),
        }
    }
}

/// When an occurrence is to be instead.
fn new_time(arguments: &Arguments, old: &Occurrence<'_>, home: &TimeZone) -> Result<When, String> {
    let Arguments { start, end, duration, by, .. } = arguments;
    if start.is_some() && by.is_some() {
        return Err("give `start` or `by`, not both".into());
    }
    if start.is_none() && by.is_none() && end.is_none() && duration.is_none() {
        return Err("say when it is to be: `start`, `by`, `end` or `duration`".into());
    }
    let zone = old.about.when.zone(home);
    let begin = match (start, by) {
        (Some(text), _) => match (Point::parse("start", text, home)?, &old.about.when) {
            (Point::Day(day), When::Days { .. }) => Point::Day(day),
            (Point::Day(day), When::Hours { .. }) => {
                let wall = day.to_datetime(old.start.with_time_zone(home.clone()).time());
                Point::Moment(wall.to_zoned(home.clone()).map_err(|_| "`start` is too far away".to_owned())?)
            }
            (moment, _) => moment,
        },
        (None, Some(by)) => {
            let by = moment::length("by", by)?;
            let far = |_| "`by` leads too far away".to_owned();
            match &old.about.when {
                When::Days { .. } if !moment::whole_days_only(&by) => {
                    return Err("whole days move by days, such as `P1D`; for hours give `start` a time".into());
                }
                When::Days { .. } => Point::Day(old.start.date().checked_add(by).map_err(far)?),
                When::Hours { .. } => Point::Moment(old.start.checked_add(by).map_err(far)?),
            }
        }
        (None, None) if old.all_day() => Point::Day(old.start.date()),
        (None, None) => Point::Moment(old.start.clone()),
    };
    // The appointment stays in its zone, whatever zone the new time was given in.
    let begin = match begin {
        Point::Moment(moment) => Point::Moment(moment.with_time_zone(zone)),
        day => day,
    };
    let end = end.as_deref().map(|end| Point::parse("end", end, home)).transpose()?;
    if end.is_some() || duration.is_some() {
        return moment::when(&begin, end.as_ref(), duration.as_deref(), home);
    }
    match (&begin, &old.about.when) {
        (Point::Day(first), When::Days { days, .. }) => Ok(When::Days { first: *first, days: *days }),
        (Point::Moment(start), When::Hours { length, .. }) => {
            let end = start.checked_add(*length).map_err(|_| "`start` is too far away".to_owned())?;
            moment::hours(start, &end, home)
        }
        _ => moment::when(&begin, None, None, home),
    }
}

impl Change {
    fn apply(&self, event: &mut Event) -> Result<(), String> {
        match self {
            Change::Whole(when) => event.about.when = when.clone(),
            Change::One { at, when } => {
                let known = event.unlike.iter().position(|unlike| unlike.at == *at);
                let about = known.map_or_else(|| event.about.clone(), |known| event.unlike.remove(known).about);
                event.unlike.push(Unlike { at: *at, about: About { when: when.clone(), ..about } });
            }
            Change::Every { at, when } => move_all(event, *at, when)?,
        }
        Ok(())
    }
}

fn move_all(event: &mut Event, at: DateTime, when: &When) -> Result<(), String> {
    let days = i64::from((when.wall().date() - at.date()).get_days());
    let time = when.wall().time();
    let moved = |wall: DateTime| later(wall.date(), days).map(|day| day.to_datetime(time));
    let far = || "that leads too far away".to_owned();
    if let Some(text) = &event.rule {
        let rule: Rule = text.parse().map_err(|_| "it repeats in a way that cannot be moved here".to_owned())?;
        let later_by = when.wall().duration_since(at);
        event.rule = Some(moved_rule(rule, days, later_by)?.to_string());
    }
    event.about.when = when.beginning(moved(event.about.when.wall()).ok_or_else(far)?);
    for wall in event.except.iter_mut().chain(&mut event.also) {
        *wall = moved(*wall).ok_or_else(far)?;
    }
    for unlike in &mut event.unlike {
        unlike.at = moved(unlike.at).ok_or_else(far)?;
    }
    Ok(())
}

fn moved_rule(mut rule: Rule, days: i64, by: SignedDuration) -> Result<Rule, String> {
    rule.end = match rule.end {
        End::Day(last) => End::Day(later(last, days).unwrap_or(last)),
        End::Wall(last) => End::Wall(last.checked_add(by).unwrap_or(last)),
        End::Moment(last) => End::Moment(last.checked_add(by).unwrap_or(last)),
        end @ (End::Never | End::Count(_)) => end,
    };
    if days == 0 {
        return Ok(rule);
    }
    let by_weekday = matches!(rule.every, Every::Day | Every::Week) && rule.month_days.is_empty();
    let fixed = !rule.days.is_empty() || !rule.month_days.is_empty() || !rule.year_days.is_empty();
    if !rule.months.is_empty() || !rule.positions.is_empty() || (fixed && !by_weekday) {
        return Err("its days follow a rule that cannot be moved to other days; cancel it and add it anew".into());
    }
    let turned = |weekday: Weekday| weekday.wrapping_add(days);
    rule.days.iter_mut().for_each(|day| day.weekday = turned(day.weekday));
    rule.week_start = turned(rule.week_start);
    Ok(rule)
}

fn result(
    change: &Change,
    event: &Event,
    old: &Occurrence<'_>,
    records: &[Record],
    home: &TimeZone,
    now: &Zoned,
) -> Value {
    let (when, at) = match change {
        Change::Whole(when) => (when, when.wall()),
        Change::One { at, when } => (when, *at),
        Change::Every { when, .. } => (when, when.wall()),
    };
    let Some((start, end)) = when.span(home) else { return json!({"id": old.id()}) };
    let about = About { when: when.clone(), ..old.about.clone() };
    let new = Occurrence { event, about: &about, at, start, end };
    let single = Event::once(&event.uid, about.clone());
    let conflicts = conflicts(&single, &new, records, home);
    let all = if matches!(change, Change::Every { .. }) { ", and all the others likewise" } else { "" };
    let mut said = match old.start == new.start {
        true => format!("{} now lasts {}{all}.", say::named(&new, now), say::lasting(&new)),
        false => moved_words(old, &new, all, now),
    };
    if new.end < *now {
        said += &format!(" That was {}.", ago(&new.start, now));
    }
    said += &overlap_words(&conflicts, now);
    let mut result = new.shown(home);
    result["was"] = old.shown(home)["start"].clone();
    result["conflicts"] = conflicts.iter().take(SHOWN).map(|conflict| conflict.shown(home)).collect();
    result["said"] = json!(said);
    result
}

fn moved_words(old: &Occurrence<'_>, new: &Occurrence<'_>, all: &str, now: &Zoned) -> String {
    let (title, was, is) = (&old.about.title, say::when(old, now), say::when(new, now));
    match was.starts_with("from ") || is.starts_with("from ") {
        true => format!("“{title}” is now {is}, not {was}{all}."),
        false => format!("Moved “{title}” from {} to {}{all}.", say::bare(&was), say::bare(&is)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weekly_rule_moves_with_its_days_and_its_end() {
        let rule: Rule = "FREQ=WEEKLY;INTERVAL=2;UNTIL=20261231;BYDAY=MO,SU".parse().expect("a rule");
        let moved = moved_rule(rule, 1, SignedDuration::from_hours(24)).expect("moved");
        assert_eq!(moved.to_string(), "FREQ=WEEKLY;INTERVAL=2;UNTIL=20270101;BYDAY=TU,MO;WKST=TU");
        let rule: Rule = "FREQ=MONTHLY;BYDAY=-1FR".parse().expect("a rule");
        assert!(moved_rule(rule.clone(), 1, SignedDuration::from_hours(24)).is_err());
        assert_eq!(moved_rule(rule.clone(), 0, SignedDuration::from_hours(1)), Ok(rule));
    }
}
