//! Timers, alarms and reminders: records on a shelf, each rung by a run that begins when it is due and survives
//! restarts until then.
//!
//! Every answer has a sentence for the person under `said`. What is not clear is asked for in that sentence, with
//! `ambiguous` or `found` beside it, and nothing is changed.

mod book;
mod cancel;
mod change;
mod choice;
mod list;
mod pause;
mod record;
mod recurrence;
mod rename;
mod ring;
mod set;
mod when;

use std::sync::Arc;

use domain::shelf::Shelf;
use domain::tool::{Effect, Repeat, Tool, ToolSpec};
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde_json::{Value, json};

use self::book::Book;
use crate::Starter;
use crate::declare::{and, fields, list, partly, returning};

/// What timers work with.
pub struct Timers {
    /// Where they are kept.
    pub shelf: Arc<dyn Shelf>,
    /// Who starts the runs that ring them.
    pub starter: Arc<dyn Starter>,
    /// The zone in which moments are said, and read where they do not name one.
    pub zone: TimeZone,
}

/// The tools that deal with timers, alarms and reminders. The runs they start also use `notification.send`.
pub fn timer(with: Timers) -> Vec<Arc<dyn Tool>> {
    let book = Arc::new(Book { shelf: with.shelf, starter: with.starter, zone: with.zone });
    vec![
        Arc::new(cancel::Cancel::new(Arc::clone(&book))),
        Arc::new(change::Alter::new(Arc::clone(&book))),
        Arc::new(list::List::new(Arc::clone(&book))),
        Arc::new(list::Status::new(Arc::clone(&book))),
        Arc::new(pause::Pause::new(Arc::clone(&book))),
        Arc::new(pause::Resume::new(Arc::clone(&book))),
        Arc::new(rename::Rename::new(Arc::clone(&book))),
        Arc::new(ring::Ring::new(Arc::clone(&book))),
        Arc::new(set::Remind::new(Arc::clone(&book))),
        Arc::new(set::Set::new(book)),
    ]
}

/// A declaration that allows no other arguments than those of `A`, which may be made of parts.
fn spec<A: JsonSchema>(name: &str, description: &str, effect: Effect, returns: Value) -> ToolSpec {
    let mut spec = returning(crate::declare::spec::<A>(name, description, effect), returns);
    spec.parameters["additionalProperties"] = false.into();
    spec
}

/// What a tool answers that deals with one timer: this, or else the question which one is meant.
fn one_or_question(answer: Value) -> Value {
    let question = json!({"found": "boolean", "ambiguous": "boolean", "candidates": list(record::Record::declared())});
    and(partly(answer), fields(json!({"said": "string"}), question))
}

/// The declaration of a tool that changes the one timer that is meant.
fn changing<A: JsonSchema>(name: &str, description: &str) -> ToolSpec {
    let changed = and(record::Record::declared(), fields(json!({"changed": "boolean"}), json!({})));
    spec::<A>(name, description, write(true), one_or_question(changed))
}

/// A write on this machine that its key makes happen once.
fn write(reversible: bool) -> Effect {
    Effect::Write { reversible, repeat: Repeat::SameKey, external: false, targets: Vec::new() }
}
