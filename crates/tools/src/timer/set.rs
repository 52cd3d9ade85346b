//! `timer.set` and `timer.remind`: something is to ring. Its id follows from the key of the call, so it is set once.

use std::sync::Arc;

use async_trait::async_trait;
use domain::id::RunId;
use domain::name::Name;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use jiff::civil::Time;
use jiff::{SignedDuration, Zoned};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::Book;
use super::record::{Kind, Record, State};
use super::when::{When, when};
use crate::declare::{and, fields, parse};
use crate::{errors, phrase};

/// The longest name, in characters.
const NAME: usize = 80;
/// The longest text of a reminder, in characters.
const TEXT: usize = 500;
/// When a reminder for a day comes that names no time; the answer says so.
const MORNING: Time = Time::constant(9, 0, 0, 0);

pub(super) struct Set {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetArguments {
    /// How long from now, for example `PT10M`; this or `at`.
    duration: Option<String>,
    /// When, for example `2026-11-15T19:00:00+01:00[Europe/Oslo]`; this or `duration`.
    at: Option<String>,
    /// What the user calls it.
    name: Option<String>,
    /// How often, for example `FREQ=WEEKLY;BYDAY=MO,WE`; once when left out.
    recurrence: Option<String>,
    /// A timer runs down, an alarm rings at a moment; which one follows from `duration` or `at` when left out.
    kind: Option<SetKind>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SetKind {
    Timer,
    Alarm,
}

impl Set {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description =
            "Sets a timer or an alarm that rings after a duration or at a moment, once or again and again.";
        Self { spec: super::spec::<SetArguments>("timer.set", description, super::write(true), told_fields()), book }
    }
}

#[async_trait]
impl Tool for Set {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let SetArguments { duration, at, name, recurrence, kind } = parse(&self.spec, arguments)?;
        let refused = |problem| errors::bad_argument(&self.spec, problem);
        let now = self.book.now(call);
        let when = when(&now, duration.as_deref(), at.as_deref(), recurrence.as_deref(), None).map_err(refused)?;
        let name = name.map(|name| cleaned(&name, NAME)).filter(|name| !name.is_empty());
        let kind = match (kind, when.length) {
            (Some(SetKind::Timer), _) | (None, Some(_)) => Kind::Timer,
            (Some(SetKind::Alarm), _) | (None, None) => Kind::Alarm,
        };
        let record = record(call, kind, &when, recurrence);
        let record = Record { name, ..record };
        let result = told(&record, &when, &now);
        self.book.add(&self.spec, call, record, result).await
    }

    async fn names(&self) -> Vec<Name> {
        self.book.names(&self.spec).await
    }
}

pub(super) struct Remind {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RemindArguments {
    /// What to remind the user of, for example `take an umbrella`.
    #[schemars(length(min = 1))]
    text: String,
    /// How long from now, for example `PT10M`; this or `at`.
    duration: Option<String>,
    /// When, for example `2026-11-15T19:00:00+01:00[Europe/Oslo]`, or a day, for nine in the morning; this or `duration`.
    at: Option<String>,
    /// How often, for example `FREQ=DAILY`; once when left out.
    recurrence: Option<String>,
}

impl Remind {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description = "Reminds the user of something after a duration or at a moment, once or again and again.";
        Self {
            spec: super::spec::<RemindArguments>("timer.remind", description, super::write(true), told_fields()),
            book,
        }
    }
}

#[async_trait]
impl Tool for Remind {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let RemindArguments { text, duration, at, recurrence } = parse(&self.spec, arguments)?;
        let refused = |problem| errors::bad_argument(&self.spec, problem);
        let text = cleaned(&text, TEXT);
        if text.is_empty() {
            return Err(refused("`text` is empty: what is the reminder about?".into()));
        }
        let now = self.book.now(call);
        let when =
            when(&now, duration.as_deref(), at.as_deref(), recurrence.as_deref(), Some(MORNING)).map_err(refused)?;
        let record = record(call, Kind::Reminder, &when, recurrence);
        let record = Record { text: Some(text), ..record };
        let result = told(&record, &when, &now);
        self.book.add(&self.spec, call, record, result).await
    }
}

/// A text on one line, without control characters, that is not too long.
pub(super) fn cleaned(text: &str, max: usize) -> String {
    // The marks that turn the direction of writing would turn the rest of our sentence too.
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let words = text.split(|c: char| c.is_whitespace() || c.is_control() || turns(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    crate::words::capped(words.join(" ").trim_matches(['"', '“', '”']).trim(), max)
}

/// The longest name a timer may have, put in order.
pub(super) fn name(text: &str) -> String {
    cleaned(text, NAME)
}

fn record(call: &CallContext, kind: Kind, when: &When, recurrence: Option<String>) -> Record {
    let run = RunId::of_intent(&call.key);
    Record {
        id: run.to_string(),
        kind,
        name: None,
        text: None,
        length: when.length,
        recurrence,
        zone: when.zone.clone(),
        begun: when.begun,
        due: when.due,
        state: State::Running,
        run,
        missed: None,
        done: Vec::new(),
    }
}

fn told_fields() -> Value {
    and(Record::declared(), fields(json!({"said": "string"}), json!({})))
}

fn told(record: &Record, when: &When, now: &Zoned) -> Value {
    let due = record.due.to_zoned(now.time_zone().clone());
    let moment = phrase::moment(&due, now);
    let often = when.rule.as_ref().map(|rule| match rule.period() {
        Some(_) => format!("{}, first {moment}", rule.words()),
        None => format!("{} at {}, first {}", rule.words(), phrase::clock(&due, now), phrase::day(&due, now)),
    });
    let time = match (&often, when.length) {
        (Some(often), _) => often.clone(),
        (None, Some(length)) if length < SignedDuration::from_hours(24) => {
            format!("in {}", phrase::duration(length))
        }
        (None, _) => moment.clone(),
    };
    let said = match (record.kind, &record.text, &record.name) {
        (Kind::Reminder, Some(text), _) => format!("I will remind you {time}: {text}"),
        (kind, _, name) => {
            let name = name.as_ref().map_or(String::new(), |name| format!(" “{name}”"));
            let time = match time.strip_prefix("in ") {
                Some(length) => format!("{length}, until {}", phrase::clock(&due, now)),
                None => time.trim_start_matches("on ").to_owned(),
            };
            let kind = if kind == Kind::Timer { "Timer" } else { "Alarm" };
            format!("{kind}{name} set for {time}.")
        }
    };
    let mut result = record.view(now);
    result["said"] = said.into();
    result
}
