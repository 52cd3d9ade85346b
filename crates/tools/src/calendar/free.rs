//! `calendar.free`: the time that no appointment takes up, and whether a certain time is free.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use jiff::civil::Time;
use jiff::{SignedDuration, Zoned};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::Book;
use super::expand::later;
use super::find::stretch;
use super::moment::{self, Point, midnight};
use super::occur::{self, Occurrence};
use super::say;
use crate::declare::{fields, list, parse, returning, spec};
use crate::errors;
use crate::phrase::{clock, day, duration, listed};

/// The most days that are looked at.
const DAYS: usize = 62;
/// The most stretches that are said aloud.
const SAID: usize = 20;
/// Less than this is no free time unless it is asked for.
const LEAST: SignedDuration = SignedDuration::from_mins(15);

pub(super) struct Free {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The first day, or a moment; now when left out.
    from: Option<String>,
    /// The last day, included, or a moment; the end of that day, or an hour later, when left out.
    to: Option<String>,
    /// How much time is needed, such as `PT1H`.
    duration: Option<String>,
    /// When a day begins; `08:00` when left out.
    day_start: Option<String>,
    /// When a day ends; `20:00` when left out.
    day_end: Option<String>,
}

/// What is asked about.
enum Question {
    /// Whether the person has this time.
    Exactly(Zoned, Zoned),
    /// When the person has time.
    Within(Vec<(Zoned, Zoned)>),
}

impl Free {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let about = "Tells when the user has time between two days or moments, or whether a certain time is free.";
        let slots = list(fields(json!({"start": "string", "end": "string"}), json!({})));
        let busy = list(Occurrence::declared());
        let returns = fields(json!({"free": "boolean", "slots": slots, "busy": busy, "said": "string"}), json!({}));
        Self { spec: returning(spec::<Arguments>("calendar.free", about, Effect::Read), returns), book }
    }

    fn question(&self, arguments: &Arguments, needed: SignedDuration, now: &Zoned) -> Result<Question, String> {
        let home = &self.book.home;
        let from = arguments.from.as_deref().map(|from| Point::parse("from", from, home)).transpose()?;
        let to = arguments.to.as_deref().map(|to| Point::parse("to", to, home)).transpose()?;
        let day = (arguments.day_start.as_deref(), arguments.day_end.as_deref());
        let from = from.unwrap_or_else(|| Point::Day(now.date()));
        let begin = from.begin(home)?.with_time_zone(home.clone());
        let hour = if arguments.duration.is_some() { needed } else { SignedDuration::from_hours(1) };
        let end = match (&from, &to) {
            (_, Some(to)) => to.end(home)?,
            (Point::Day(_), None) => from.end(home)?,
            (Point::Moment(_), None) => begin.checked_add(hour).map_err(|_| "`from` is too far away".to_owned())?,
        };
        let end = end.with_time_zone(home.clone());
        if begin >= end {
            return Err("`to` is before `from`".into());
        }
        let moments = matches!(from, Point::Moment(_)) && !matches!(to, Some(Point::Day(_)));
        let short = end.duration_since(&begin) <= SignedDuration::from_hours(24);
        let whole = arguments.duration.is_none() || end.duration_since(&begin) <= needed;
        if moments && short && whole && day == (None, None) {
            return Ok(Question::Exactly(begin, end));
        }
        let hours = match moments && short && day == (None, None) {
            true => (Time::midnight(), None),
            false => (
                moment::time_of_day("day_start", day.0.unwrap_or("08:00"))?.unwrap_or(Time::midnight()),
                moment::time_of_day("day_end", day.1.unwrap_or("20:00"))?,
            ),
        };
        // What is over is no use to anybody.
        let begin = if begin < *now && *now < end { now.clone() } else { begin };
        self.days(&begin, &end, hours).map(Question::Within)
    }

    fn days(&self, begin: &Zoned, end: &Zoned, hours: (Time, Option<Time>)) -> Result<Vec<(Zoned, Zoned)>, String> {
        let home = &self.book.home;
        if hours.1.is_some_and(|close| close <= hours.0) {
            return Err("`day_end` is before `day_start`".into());
        }
        let mut days = Vec::new();
        let mut date = begin.date();
        while midnight(date, home)? < *end {
            let far = |_| "`to` is too far away".to_owned();
            let next = later(date, 1).ok_or("`to` is too far away")?;
            let open = date.to_datetime(hours.0).to_zoned(home.clone()).map_err(far)?;
            let close = match hours.1 {
                Some(close) => date.to_datetime(close).to_zoned(home.clone()).map_err(far)?,
                None => midnight(next, home)?,
            };
            let (open, close) = (open.max(begin.clone()), close.min(end.clone()));
            if open < close {
                days.push((open, close));
            }
            if days.len() > DAYS {
                return Err(format!("that is more than {DAYS} days"));
            }
            date = next;
        }
        Ok(days)
    }
}

#[async_trait]
impl Tool for Free {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let arguments: Arguments = parse(&self.spec, arguments)?;
        let now = self.book.now(call.now);
        let wrong = |problem| errors::bad_argument(&self.spec, problem);
        let needed = needed(arguments.duration.as_deref(), &now).map_err(wrong)?;
        let question = self.question(&arguments, needed, &now).map_err(wrong)?;
        let records = self.book.records(&self.spec).await?;
        let home = &self.book.home;
        let windows = match &question {
            Question::Exactly(from, to) => vec![(from.clone(), to.clone())],
            Question::Within(days) => days.clone(),
        };
        let (mut slots, mut busy, mut beside) = (Vec::new(), Vec::new(), Vec::new());
        for (from, to) in &windows {
            let (taken, noted): (Vec<_>, Vec<_>) =
                occur::between(&records, home, from, to).into_iter().partition(|occurrence| occurrence.about.is_busy());
            slots.extend(gaps(from, to, &taken).into_iter().filter(|(from, to)| to.duration_since(from) >= needed));
            busy.extend(taken);
            beside.extend(noted);
        }
        busy.dedup_by(|a, b| a.event.uid == b.event.uid && a.at == b.at);
        beside.dedup_by(|a, b| a.event.uid == b.event.uid && a.at == b.at);
        let said = match &question {
            Question::Exactly(from, to) => exact_words(from, to, &busy, &now),
            Question::Within(_) => slot_words(&windows, &slots, needed, &now),
        };
        let free = match question {
            Question::Exactly(..) => busy.is_empty(),
            Question::Within(_) => !slots.is_empty(),
        };
        Ok(json!({
            "free": free,
            "slots": slots.iter().map(|(from, to)| json!({"start": from.to_string(), "end": to.to_string()})).collect::<Vec<_>>(),
            "busy": busy.iter().map(|occurrence| occurrence.shown(home)).collect::<Vec<_>>(),
            "said": with_beside(said, &beside, &now),
        }))
    }
}

fn needed(text: Option<&str>, now: &Zoned) -> Result<SignedDuration, String> {
    let Some(text) = text else { return Ok(LEAST) };
    let span = moment::length("duration", text)?;
    let length = span.to_duration(now).map_err(|_| "`duration` is too long".to_owned())?;
    match length.is_positive() {
        true => Ok(length),
        false => Err("`duration` must be more than nothing".into()),
    }
}

/// What is left of a stretch of time; `taken` is in order.
fn gaps(from: &Zoned, to: &Zoned, taken: &[Occurrence<'_>]) -> Vec<(Zoned, Zoned)> {
    let home = from.time_zone();
    let mut gaps = Vec::new();
    let mut free = from.clone();
    for occurrence in taken {
        let start = occurrence.start.with_time_zone(home.clone());
        if start > free {
            gaps.push((free.clone(), start.min(to.clone())));
        }
        free = free.max(occurrence.end.with_time_zone(home.clone()));
    }
    if free < *to {
        gaps.push((free, to.clone()));
    }
    gaps
}

fn exact_words(from: &Zoned, to: &Zoned, busy: &[Occurrence<'_>], now: &Zoned) -> String {
    let time = format!("{} from {} to {}", day(from, now), clock(from, now), closing(to, now));
    match busy {
        [] => format!("Yes, you are free {time}."),
        busy => {
            let names = busy.iter().take(5).map(|busy| format!("“{}” is {}", busy.about.title, say::when(busy, now)));
            format!("No, you are not free {time}: {}.", listed(&names.collect::<Vec<_>>(), "and"))
        }
    }
}

fn slot_words(windows: &[(Zoned, Zoned)], slots: &[(Zoned, Zoned)], needed: SignedDuration, now: &Zoned) -> String {
    let Some(((first, _), (_, last))) = windows.first().zip(windows.last()) else {
        return "There is no such time left.".into();
    };
    let stretch = stretch(first, last, now);
    if slots.is_empty() {
        return format!("You have no {} free {stretch}.", duration(needed));
    }
    if slots == windows && slots.len() > 1 {
        return format!("You are free {stretch}.");
    }
    let mut said = format!("You are free {stretch}:");
    let mut days: Vec<(String, Vec<String>)> = Vec::new();
    for (from, to) in slots.iter().take(SAID) {
        let date = say::capital(say::bare(&day(from, now)));
        let hours = format!("{}–{}", clock(from, now), closing(to, now));
        match days.last_mut() {
            Some((last, list)) if *last == date => list.push(hours),
            _ => days.push((date, vec![hours])),
        }
    }
    if let [(_, hours)] = days.as_slice() {
        return format!("You are free {stretch}: {}.", listed(hours, "and"));
    }
    for (date, hours) in days {
        said += &format!("\n- {date} {}", listed(&hours, "and"));
    }
    match slots.len().saturating_sub(SAID) {
        0 => said,
        more => said + &format!("\nand {more} more."),
    }
}

/// The end of a stretch of time; of a whole day it is not the beginning of the next.
fn closing(to: &Zoned, now: &Zoned) -> String {
    if to.time() == Time::midnight() { "24:00".into() } else { clock(to, now) }
}

/// Whole days and the like take up no time, but nobody wants to forget them.
fn with_beside(said: String, beside: &[Occurrence<'_>], now: &Zoned) -> String {
    let names: Vec<String> = beside.iter().take(3).map(|occurrence| say::named(occurrence, now)).collect();
    let gap = if said.contains('\n') { "\n" } else { " " };
    match names.is_empty() {
        true => said,
        false => format!("{said}{gap}There is also {}.", listed(&names, "and")),
    }
}
