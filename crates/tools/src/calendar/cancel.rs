//! `calendar.cancel`: one appointment, one time of a repeating one, or all that fit.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use jiff::Zoned;
use jiff::civil::DateTime;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::{Book, answered};
use super::event::Record;
use super::find::{self, Wanted};
use super::moment;
use super::occur::Occurrence;
use super::say;
use crate::declare::{fields, list, parse, returning, spec};
use crate::errors;
use crate::phrase::listed;

/// The most that one call cancels.
const MOST: usize = 100;
/// The most that are named.
const NAMED: usize = 8;

pub(super) struct Cancel {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The id, or words of the title; anything when left out.
    event: Option<String>,
    /// The day it is on, or a range of days such as `2026-11-20/2026-11-22`.
    on: Option<String>,
    /// The day of the one time of a repeating appointment that is cancelled.
    occurrence: Option<String>,
    /// Cancel everything that fits, and repeating ones altogether unless days are given.
    all: Option<bool>,
}

/// What becomes of one record.
#[derive(Debug, Clone, PartialEq)]
struct Loss {
    id: String,
    /// The times that are cancelled; none for the whole appointment.
    at: Option<Vec<DateTime>>,
}

impl Cancel {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let effect = Effect::Write { reversible: false, repeat: Repeat::SameKey, external: false, targets: Vec::new() };
        let about = "Cancels an appointment, one time of a repeating one, or all on some days. Asks back where several \
                     fit.";
        let loss = json!({"id": "string", "at": {"type": ["array", "null"], "items": {"type": "string"}}});
        let cancelled = json!({
            "cancelled": list(Occurrence::declared()), "losses": list(fields(loss, json!({}))),
            "synchronised": "boolean",
        });
        let returns = find::or_question(fields(cancelled, json!({})));
        Self { spec: returning(spec::<Arguments>("calendar.cancel", about, effect), returns), book }
    }

    async fn carry_out(&self, losses: &[Loss], result: &Value, call: &CallContext) -> Result<(), ToolError> {
        for loss in losses {
            let change = |record: Option<Record>| {
                let mut record = record.filter(|record| record.answered(&call.key).is_none())?;
                match &loss.at {
                    None => record.gone = Some(call.now),
                    Some(times) => times.iter().for_each(|at| leave_out(&mut record, *at)),
                }
                record.touch(&call.key, result, call.now);
                Some(record)
            };
            self.book.change(&self.spec, &loss.id, change).await?;
        }
        Ok(())
    }
}

#[async_trait]
impl Tool for Cancel {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let arguments: Arguments = parse(&self.spec, arguments)?;
        let (home, now) = (&self.book.home, self.book.now(call.now));
        let records = self.book.records(&self.spec).await?;
        if let Some(result) = answered(&records, &call.key) {
            // A crash may have come between the first of several and the last.
            self.carry_out(&losses_of(&result), &result, call).await?;
            return Ok(result);
        }
        let event = arguments.event.as_deref().map(str::trim).filter(|event| !event.is_empty());
        let day = arguments.occurrence.as_deref().or(arguments.on.as_deref());
        let on =
            day.map(|day| moment::stretch(if arguments.occurrence.is_some() { "occurrence" } else { "on" }, day, home));
        let on = on.transpose().map_err(|problem| errors::bad_argument(&self.spec, problem))?;
        if event.is_none() && on.is_none() {
            return Err(errors::bad_argument(&self.spec, "say which appointment: `event`, `on`, or both"));
        }
        let wanted = Wanted { event, on: on.as_ref() };
        let found = find::find(&records, &wanted, home, &now);
        let all = arguments.all == Some(true);
        match found.as_slice() {
            many if all && many.len() > MOST => {
                let mut question = find::which(many, home, &now);
                question["said"] =
                    json!(format!("That would cancel {} appointments. Which days do you mean?", many.len()));
                return Ok(question);
            }
            [] => return Ok(find::none(&records, &wanted, home, &now)),
            [one] if one.event.repeats() && on.is_none() && !all => return Ok(one_or_all(one, home, &now, "cancel")),
            [_, _, ..] if !all => return Ok(find::which(&found, home, &now)),
            _ => {}
        }
        let losses = losses(&found, on.is_some());
        let result = self.book.unsent(json!({
            "cancelled": found.iter().map(|occurrence| occurrence.shown(home)).collect::<Vec<_>>(),
            "losses": losses.iter().map(|loss| json!({"id": loss.id, "at": loss.at})).collect::<Vec<_>>(),
            "said": words(&found, on.is_some(), &now),
        }));
        self.book.tidy(&self.spec, call.now).await?;
        self.carry_out(&losses, &result, call).await?;
        Ok(result)
    }
}

/// The question about a repeating appointment that could be meant once or altogether.
pub(super) fn one_or_all(one: &Occurrence<'_>, home: &jiff::tz::TimeZone, now: &Zoned, verb: &str) -> Value {
    json!({
        "ambiguous": true,
        "candidates": [one.shown(home)],
        "said": format!(
            "“{}” repeats. Shall I {verb} only the one {}, or all of them?",
            one.about.title,
            say::when(one, now)
        ),
    })
}

fn losses(found: &[Occurrence<'_>], on_days: bool) -> Vec<Loss> {
    let mut losses: Vec<Loss> = Vec::new();
    for occurrence in found {
        let (id, single) = (occurrence.id(), occurrence.event.repeats() && on_days);
        match losses.iter_mut().find(|loss| loss.id == id) {
            Some(Loss { at: Some(times), .. }) => times.push(occurrence.at),
            Some(Loss { at: None, .. }) => {}
            None => losses.push(Loss { id, at: single.then(|| vec![occurrence.at]) }),
        }
    }
    losses
}

fn losses_of(result: &Value) -> Vec<Loss> {
    let losses = result["losses"].as_array().map(Vec::as_slice).unwrap_or_default();
    let loss = |loss: &Value| {
        let at = serde_json::from_value(loss["at"].clone()).ok()?;
        Some(Loss { id: loss["id"].as_str()?.to_owned(), at })
    };
    losses.iter().filter_map(loss).collect()
}

fn leave_out(record: &mut Record, at: DateTime) {
    record.event.unlike.retain(|unlike| unlike.at != at);
    record.event.also.retain(|also| *also != at);
    if !record.event.except.contains(&at) {
        record.event.except.push(at);
    }
}

fn words(found: &[Occurrence<'_>], on_days: bool, now: &Zoned) -> String {
    let whole = |occurrence: &Occurrence<'_>| occurrence.event.repeats() && !on_days;
    let names = found.iter().map(|occurrence| match whole(occurrence) {
        true => format!("“{}”, all of them", occurrence.about.title),
        false => say::named(occurrence, now),
    });
    let names: Vec<String> = names.collect();
    match names.as_slice() {
        [one] if found.iter().any(whole) => format!("Cancelled {one}."),
        [one] if found.iter().any(|occurrence| occurrence.event.repeats()) => {
            format!("Cancelled {one}. The others stay.")
        }
        many if many.len() > NAMED => {
            let more = format!("{} more", many.len() - NAMED);
            let names: Vec<String> = many.iter().take(NAMED).cloned().chain([more]).collect();
            format!("Cancelled {} appointments: {}.", many.len(), listed(&names, "and"))
        }
        many => format!("Cancelled {}.", listed(many, "and")),
    }
}
