//! `timer.pause` and `timer.resume`. What counts down goes on where it stopped; what is due at a moment is switched
//! off and on.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use jiff::SignedDuration;
use serde_json::Value;

use super::book::{Book, Change, Deed};
use super::choice::Choice;
use super::record::{Record, State};
use crate::declare::parse;
use crate::phrase;

/// To whoever pauses something, an alarm comes to mind last.
const PAUSE: Deed = Deed { word: "pause", suits: &[|record| record.state == State::Running, Record::counts_down] };
const RESUME: Deed = Deed { word: "resume", suits: &[|record| matches!(record.state, State::Paused { .. })] };

pub(super) struct Pause {
    spec: ToolSpec,
    book: Arc<Book>,
}

impl Pause {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description = "Stops a timer until it is resumed; the only one when nothing says which.";
        Self { spec: super::changing::<Choice>("timer.pause", description), book }
    }
}

#[async_trait]
impl Tool for Pause {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let choice: Choice = parse(&self.spec, arguments)?;
        let now = self.book.now(call);
        self.book
            .change_chosen(&self.spec, call, &choice, PAUSE, |record| {
                let left = record.left(call.now);
                let paused = Record { state: State::Paused { left }, ..record.clone() };
                Ok(match record.state {
                    State::Running if left > SignedDuration::ZERO => {
                        let said = match paused.counts_down() {
                            true => format!("Paused the {} with {} left.", record.label(&now), phrase::duration(left)),
                            false => format!("Switched off the {}.", record.label(&now)),
                        };
                        changed(paused, &now, said)
                    }
                    State::Paused { .. } => unchanged(record, &now, "is already paused"),
                    State::Running | State::Rung { .. } | State::Cancelled { .. } => {
                        unchanged(record, &now, "has ended")
                    }
                })
            })
            .await
    }
}

pub(super) struct Resume {
    spec: ToolSpec,
    book: Arc<Book>,
}

impl Resume {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description = "Lets a paused timer go on; the only one when nothing says which.";
        Self { spec: super::changing::<Choice>("timer.resume", description), book }
    }
}

#[async_trait]
impl Tool for Resume {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let choice: Choice = parse(&self.spec, arguments)?;
        let now = self.book.now(call);
        self.book
            .change_chosen(&self.spec, call, &choice, RESUME, |record| {
                let State::Paused { left } = record.state else {
                    let why = if record.is_live() { "is running already" } else { "has ended" };
                    return Ok(unchanged(record, &now, why));
                };
                let due = match record.counts_down() {
                    true => call.now.checked_add(left).ok(),
                    false => record.next(&self.book.zone, call.now).or(Some(record.due)),
                };
                let Some(due) = due.filter(|due| *due > call.now) else {
                    return Ok(unchanged(record, &now, "was due while it was switched off: set a new one"));
                };
                let resumed = Record { state: State::Running, due, ..record.clone() };
                let said = match record.counts_down() {
                    true => format!("The {} goes on: {} left.", record.label(&now), phrase::duration(left)),
                    false => {
                        let due = due.to_zoned(now.time_zone().clone());
                        format!("The {} is on again, due {}.", resumed.label(&now), phrase::moment(&due, &now))
                    }
                };
                Ok(changed(resumed, &now, said))
            })
            .await
    }
}

/// A change and its answer.
pub(super) fn changed(record: Record, now: &jiff::Zoned, said: String) -> Change {
    let mut result = record.view(now);
    result["changed"] = true.into();
    result["said"] = said.into();
    Change::Made(Box::new(record), result)
}

/// No change, and why.
pub(super) fn unchanged(record: &Record, now: &jiff::Zoned, why: &str) -> Change {
    let mut result = record.view(now);
    result["changed"] = false.into();
    result["said"] = format!("The {} {why}.", record.label(now)).into();
    Change::None(result)
}
