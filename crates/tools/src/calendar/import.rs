//! `calendar.import`: appointments from iCalendar. Their own uids are kept, so the same file twice changes nothing.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::Book;
use super::event::{Event, Record, id_of};
use super::{files, ical, say};
use crate::declare::{fields, list, parse, returning, spec};
use crate::errors;
use crate::phrase::listed;

pub(super) struct Import {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A file with iCalendar, within the folder for files.
    path: Option<String>,
    /// Or the iCalendar itself.
    text: Option<String>,
}

/// What became of the appointments of a file.
#[derive(Default)]
struct Tally {
    added: usize,
    changed: usize,
    same: usize,
}

enum Outcome {
    Added,
    Changed,
    Same,
}

impl Import {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let effect = Effect::Write { reversible: false, repeat: Repeat::SameKey, external: false, targets: Vec::new() };
        let about = "Takes the appointments of an iCalendar file into the user's calendar.";
        let returns = fields(
            json!({
                "added": "integer", "changed": "integer", "unchanged": "integer", "left_out": "integer",
                "notes": list("string"), "said": "string",
            }),
            json!({"synchronised": "boolean"}),
        );
        Self { spec: returning(spec::<Arguments>("calendar.import", about, effect), returns), book }
    }

    async fn text(&self, arguments: Arguments) -> Result<String, ToolError> {
        match (arguments.path, arguments.text) {
            (Some(path), None) => files::read(&self.spec, self.book.files.as_deref(), &path).await,
            (None, Some(text)) => Ok(text),
            _ => Err(errors::bad_argument(&self.spec, "give `path` or `text`")),
        }
    }

    async fn take(&self, event: &Event, sequence: u32, call: &CallContext) -> Result<Outcome, ToolError> {
        let mut outcome = Outcome::Same;
        let change = |there: Option<Record>| {
            let done = there.as_ref().and_then(|record| record.answered(&call.key));
            // A call that was broken off counts what it has done already.
            if let Some(done) = done {
                outcome = if done["added"] == true { Outcome::Added } else { Outcome::Changed };
                return None;
            }
            let mut record = match there {
                Some(record) if record.gone.is_none() && record.event == *event => {
                    outcome = Outcome::Same;
                    return None;
                }
                Some(record) if record.gone.is_none() => {
                    outcome = Outcome::Changed;
                    Record { event: event.clone(), ..record }
                }
                Some(record) => {
                    outcome = Outcome::Added;
                    Record { event: event.clone(), gone: None, ..record }
                }
                None => {
                    outcome = Outcome::Added;
                    Record::new(event.clone(), call.now)
                }
            };
            record.sequence = record.sequence.max(sequence);
            record.touch(&call.key, &json!({"added": matches!(outcome, Outcome::Added)}), call.now);
            Some(record)
        };
        self.book.change(&self.spec, &id_of(&event.uid), change).await?;
        Ok(outcome)
    }
}

#[async_trait]
impl Tool for Import {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let text = self.text(parse(&self.spec, arguments)?).await?;
        let read = ical::read(&text, &self.book.home).map_err(|problem| errors::failed(&self.spec, problem))?;
        let mut tally = Tally::default();
        for (event, sequence) in &read.events {
            match self.take(event, *sequence, call).await? {
                Outcome::Added => tally.added += 1,
                Outcome::Changed => tally.changed += 1,
                Outcome::Same => tally.same += 1,
            }
        }
        Ok(self.book.unsent(json!({
            "added": tally.added, "changed": tally.changed, "unchanged": tally.same, "left_out": read.others,
            "notes": read.notes,
            "said": words(&tally, &read),
        })))
    }
}

fn words(tally: &Tally, read: &ical::Read) -> String {
    let mut parts = Vec::new();
    if tally.added > 0 {
        parts.push(format!("{} new", say::counted(tally.added, "appointment")));
    }
    if tally.changed > 0 {
        parts.push(format!("{} changed", tally.changed));
    }
    if tally.same > 0 {
        parts.push(format!("{} already there", tally.same));
    }
    let mut said = match parts.is_empty() {
        true => "There is no appointment in it.".to_owned(),
        false => format!("Imported: {}.", listed(&parts, "and")),
    };
    if read.others > 0 {
        said += &format!(" Left out, being no appointments: {}.", read.others);
    }
    for note in read.notes.iter().take(3) {
        said += &format!(" Note: {note}.");
    }
    said
}
