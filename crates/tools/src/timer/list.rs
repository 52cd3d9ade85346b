//! `timer.list` and `timer.status`: what is set, how long it has to go, and what was missed since yesterday.

use std::sync::Arc;

use async_trait::async_trait;
use domain::name::{Name, NameKind};
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use jiff::{SignedDuration, Zoned};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::Book;
use super::choice::Choice;
use super::record::{Kind, Record, State};
use crate::declare::{fields, list, parse};
use crate::{errors, phrase};

/// How long something that was missed is worth a word.
const RECENT: SignedDuration = SignedDuration::from_hours(24);
/// The most timers that one sentence names.
const NAMED: usize = 8;

pub(super) struct List {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Only these.
    kind: Option<Kind>,
}

impl List {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description = "Tells which timers, alarms and reminders are set and how long they have to go.";
        Self { spec: super::spec::<Arguments>("timer.list", description, Effect::Read, told_fields()), book }
    }
}

#[async_trait]
impl Tool for List {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { kind } = parse(&self.spec, arguments)?;
        let now = self.book.now(call);
        let mut records = self.book.all(&self.spec).await?;
        records.retain(|record| kind.is_none_or(|kind| record.kind == kind));
        let live: Vec<&Record> = records.iter().filter(|record| record.is_live()).collect();
        let recent = |record: &&Record| {
            record.missed.is_some_and(|missed| missed.rung.duration_until(call.now) <= RECENT)
                && !matches!(record.state, State::Cancelled { .. })
        };
        let missed: Vec<&Record> = records.iter().filter(recent).collect();
        Ok(told(&live, &missed, kind, &now))
    }
}

pub(super) struct Status {
    spec: ToolSpec,
    book: Arc<Book>,
}

impl Status {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description = "Tells how long one timer has to go; without arguments all of them.";
        let returns = super::one_or_question(told_fields());
        Self { spec: super::spec::<Choice>("timer.status", description, Effect::Read, returns), book }
    }
}

#[async_trait]
impl Tool for Status {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let choice: Choice = parse(&self.spec, arguments)?;
        let now = self.book.now(call);
        let records = self.book.all(&self.spec).await?;
        let live: Vec<&Record> = records.iter().filter(|record| record.is_live()).collect();
        let fitting = choice.fitting(&live, &now).map_err(|problem| errors::bad_argument(&self.spec, problem))?;
        match fitting.is_empty() && !choice.is_open() {
            true => Ok(choice.nothing(&live, &now)),
            false => Ok(told(&fitting, &[], None, &now)),
        }
    }
}

impl Book {
    /// What people call the timers that are set.
    pub(super) async fn names(&self, spec: &ToolSpec) -> Vec<Name> {
        let records = self.all(spec).await.unwrap_or_default();
        let live = records.iter().filter(|record| record.is_live());
        live.filter_map(|record| {
            Some(Name {
                kind: NameKind::Timer,
                id: record.id.clone(),
                name: record.called()?.to_owned(),
                aliases: Vec::new(),
                domain: None,
                class: Some(record.kind.word().to_owned()),
                within: None,
            })
        })
        .collect()
    }
}

fn told_fields() -> Value {
    let timers = || list(Record::declared());
    fields(json!({"timers": timers(), "missed": timers(), "said": "string"}), json!({}))
}

fn told(live: &[&Record], missed: &[&Record], kind: Option<Kind>, now: &Zoned) -> Value {
    let word = kind.map_or("timer", Kind::word);
    let mut sentences = vec![match live {
        [] if kind.is_none() => "No timers, alarms or reminders are set.".to_owned(),
        [] => format!("No {word}s are set."),
        [only] => format!("The {}: {}.", only.label(now), only.standing(now)),
        several => {
            let mut each: Vec<String> = several
                .iter()
                .take(NAMED)
                .map(|record| format!("the {}, {}", record.label(now), record.standing(now)))
                .collect();
            if several.len() > NAMED {
                each.push(format!("{} more", several.len() - NAMED));
            }
            let things = match several.iter().all(|record| record.kind == several[0].kind) {
                true => format!("{}s", several[0].kind.word()),
                false => "timers, alarms and reminders".into(),
            };
            format!("{} {things} are set: {}.", several.len(), each.join("; "))
        }
    }];
    let late = |record: &&Record| {
        let due = record.missed.map_or(record.due, |missed| missed.due).to_zoned(now.time_zone().clone());
        format!("the {} was due {}", record.label(now), phrase::moment(&due, now))
    };
    if !missed.is_empty() {
        let each: Vec<String> = missed.iter().map(late).collect();
        sentences.push(format!("Missed while Agentwright was not running: {}.", each.join("; ")));
    }
    let views = |records: &[&Record]| records.iter().map(|record| record.view(now)).collect::<Vec<_>>();
    json!({"timers": views(live), "missed": views(missed), "said": sentences.join(" ")})
}
