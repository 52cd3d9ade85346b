//! `calendar.add`: a new appointment, and what it gets in the way of. Its id comes from the key of the call.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Zoned};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::{Book, answered};
use super::event::{About, Event, Record, id_of, uid_for};
use super::moment::{self, Point};
use super::occur::{self, Occurrence};
use super::rule::Rule;
use super::say;
use crate::declare::{and, fields, list, parse, partly, returning, spec};
use crate::errors;
use crate::phrase::{ago, listed};
use crate::words::capped;

/// How far ahead what repeats is looked at for conflicts.
const AHEAD: SignedDuration = SignedDuration::from_hours(24 * 90);
/// The most conflicts that are named, and that are in a result.
const NAMED: usize = 3;
pub(super) const SHOWN: usize = 20;

pub(super) struct Add {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What it is.
    #[schemars(length(min = 1))]
    title: String,
    /// A moment such as `2026-11-20T19:00:00+01:00[Europe/Oslo]`, or a date for a whole day.
    start: String,
    /// When it ends, written like `start`; the last day for whole days.
    end: Option<String>,
    /// Instead of `end`, how long it lasts, such as `PT1H30M`; an hour or a day when left out.
    duration: Option<String>,
    /// When it comes again, as an RRULE such as `FREQ=WEEKLY;BYDAY=MO`.
    recurrence: Option<String>,
    /// Where it is.
    place: Option<String>,
    /// What else there is to know.
    notes: Option<String>,
    /// Who else comes.
    people: Option<Vec<String>>,
    /// The zone of `start` and `end` where they name none; the user's own when left out.
    zone: Option<String>,
}

impl Add {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let effect = Effect::Write { reversible: true, repeat: Repeat::SameKey, external: false, targets: Vec::new() };
        let about = "Puts an appointment into the user's calendar, once or repeating, and says what it overlaps.";
        // What lies beyond the end of time has an id and nothing to say.
        let returns = and(fields(json!({"id": "string"}), json!({})), partly(kept_fields(json!({"past": "boolean"}))));
        Self { spec: returning(spec::<Arguments>("calendar.add", about, effect), returns), book }
    }
}

#[async_trait]
impl Tool for Add {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let arguments: Arguments = parse(&self.spec, arguments)?;
        let records = self.book.records(&self.spec).await?;
        if let Some(result) = answered(&records, &call.key) {
            return Ok(result);
        }
        let home = &self.book.home;
        let event = event(arguments, &call.key, home).map_err(|problem| errors::bad_argument(&self.spec, problem))?;
        let result = self.book.unsent(result(&event, &records, home, &self.book.now(call.now)));
        let record = Record::new(event, call.now);
        self.book
            .change(&self.spec, &record.id(), |there| match there {
                Some(there) if there.answered(&call.key).is_some() => None,
                Some(_) | None => {
                    let mut record = record.clone();
                    record.touch(&call.key, &result, call.now);
                    Some(record)
                }
            })
            .await?;
        Ok(result)
    }
}

fn event(arguments: Arguments, key: &str, home: &TimeZone) -> Result<Event, String> {
    let title = capped(&one_line(&arguments.title), 300);
    if title.is_empty() {
        return Err("`title` must say what it is".into());
    }
    let zone = moment::zone(arguments.zone.as_deref(), home)?;
    let start = Point::parse("start", &arguments.start, &zone)?;
    let end = arguments.end.as_deref().map(|end| Point::parse("end", end, &zone)).transpose()?;
    let mut when = moment::when(&start, end.as_ref(), arguments.duration.as_deref(), home)?;
    let rule = match arguments.recurrence.as_deref().map(str::trim).filter(|rule| !rule.is_empty()) {
        None => None,
        Some(text) => {
            let rule: Rule = text.parse().map_err(|problem| format!("`recurrence`: {problem}"))?;
            let first = occur::first_day(&rule, &when, home).ok_or("`recurrence` never comes true from `start` on")?;
            when = when.beginning(first);
            Some(rule.settled(&when, home).to_string())
        }
    };
    let when = when.reachable(home)?;
    let text =
        |text: Option<String>| text.map(|text| capped(plain(&text).trim(), 10_000)).filter(|text| !text.is_empty());
    let people = arguments.people.unwrap_or_default();
    let about = About {
        place: text(arguments.place).map(|place| one_line(&place)),
        notes: text(arguments.notes),
        people: people.iter().map(|name| one_line(name)).filter(|name| !name.is_empty()).take(100).collect(),
        ..About::new(&title, when)
    };
    Ok(Event { rule, ..Event::once(&uid_for(key), about) })
}

fn result(event: &Event, records: &[Record], home: &TimeZone, now: &Zoned) -> Value {
    let Some(first) = occur::first(event, home) else { return json!({"id": id_of(&event.uid)}) };
    let conflicts = conflicts(event, &first, records, home);
    let mut said = format!("“{}” is in your calendar {}", event.about.title, say::when(&first, now));
    if !first.all_day() {
        said += &format!(", for {}", say::lasting(&first));
    }
    if let Some(rule) = occur::understood(event) {
        said += &format!(", {}", say::rule(&rule, now));
    }
    said += ".";
    if first.end < *now {
        said += &format!(" That was {}.", ago(&first.start, now));
    } else if first.start < *now && !first.all_day() {
        said += " It has already begun.";
    }
    said += &overlap_words(&conflicts, now);
    let mut result = first.shown(home);
    if first.end < *now {
        result["past"] = json!(true);
    }
    result["conflicts"] = conflicts.iter().take(SHOWN).map(|conflict| conflict.shown(home)).collect();
    result["said"] = json!(said);
    result
}

/// The schema of an appointment that was put somewhere.
pub(super) fn kept_fields(besides: Value) -> Value {
    let conflicts = list(Occurrence::declared());
    let kept = fields(json!({"conflicts": conflicts, "said": "string"}), json!({"synchronised": "boolean"}));
    and(and(Occurrence::declared(), kept), fields(json!({}), besides))
}

/// Says what an appointment overlaps, or nothing.
pub(super) fn overlap_words(conflicts: &[Occurrence<'_>], now: &Zoned) -> String {
    let mut names: Vec<String> = conflicts.iter().take(NAMED).map(|conflict| say::named(conflict, now)).collect();
    match conflicts.len().saturating_sub(NAMED) {
        0 if names.is_empty() => return String::new(),
        0 => {}
        more => names.push(format!("{more} more")),
    }
    format!(" It overlaps {}.", listed(&names, "and"))
}

/// What else takes up the time of an appointment, for repeating ones within the next months.
pub(super) fn conflicts<'r>(
    event: &Event,
    first: &Occurrence<'_>,
    records: &'r [Record],
    home: &TimeZone,
) -> Vec<Occurrence<'r>> {
    let to = match event.repeats() {
        true => first.start.checked_add(AHEAD).unwrap_or_else(|_| first.end.clone()),
        false => first.end.clone(),
    };
    let own = occur::occurrences(event, home, &first.start, &to.max(first.end.clone()));
    let last = own.iter().map(|occurrence| &occurrence.end).max().unwrap_or(&first.end);
    let mut others = occur::between(records, home, &first.start, last);
    others.retain(|other| {
        let overlap = |own: &Occurrence<'_>| own.about.is_busy() && other.overlaps(&own.start, &own.end);
        other.event.uid != event.uid && other.about.is_busy() && own.iter().any(overlap)
    });
    others
}

/// The text on one line, with single spaces.
pub(super) fn one_line(text: &str) -> String {
    plain(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without what only moves cursors.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n").chars().filter(|letter| !letter.is_control() || matches!(letter, '\n' | '\t')).collect()
}
