//! `timer.ring`: what a timer's run calls when it begins. Only the run that the timer was last set to can ring it, so
//! one that was cancelled, paused or moved stays silent.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use jiff::Zoned;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::{Book, Change};
use super::record::{Kind, Record, State, missed};
use crate::declare::{fields, parse};
use crate::phrase;

pub(super) struct Ring {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The timer.
    #[schemars(length(min = 1))]
    id: String,
}

impl Ring {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description = "Used by timers themselves when they are due; it does nothing for anybody else.";
        let returns = fields(
            json!({"due": "boolean", "id": "string", "said": "string"}),
            json!({"late": "boolean", "next": "string"}),
        );
        Self { spec: super::spec::<Arguments>("timer.ring", description, super::write(false), returns), book }
    }
}

#[async_trait]
impl Tool for Ring {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { id } = parse(&self.spec, arguments)?;
        let now = self.book.now(call);
        self.book
            .change(&self.spec, call, &id, |record| {
                if record.run != call.run || record.state != State::Running {
                    let said = "Nothing is due: the timer was changed, paused or cancelled.";
                    return Ok(Change::None(json!({"due": false, "id": record.id, "said": said})));
                }
                let missed = missed(record.due, call.now);
                let late = missed.is_some();
                // What was missed while nobody could ring it is told once, not once for each time.
                let next = record.next(&self.book.zone, call.now);
                let rung = match next {
                    Some(due) => Record { due, missed, ..record.clone() },
                    None => Record { state: State::Rung { at: call.now }, missed, ..record.clone() },
                };
                let mut result = json!({"due": true, "id": record.id, "late": late, "said": said(record, &now, late)});
                if let Some(next) = next {
                    result["next"] =
                        next.to_zoned(self.book.zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string().into();
                }
                Ok(Change::Made(Box::new(rung), result))
            })
            .await
    }
}

fn said(record: &Record, now: &Zoned, late: bool) -> String {
    let due = record.due.to_zoned(now.time_zone().clone());
    let moment = match due.date() == now.date() {
        true => format!("at {}", phrase::clock(&due, now)),
        false => phrase::moment(&due, now),
    };
    let missed = format!("{moment}, {}, while Agentwright was not running", phrase::ago(&due, now));
    // A full stop after a text that has its own would be one too many.
    let stopped =
        |text: &str| if text.ends_with(['.', '!', '?', '…']) { text.to_owned() } else { format!("{text}.") };
    match (record.kind, &record.text, late) {
        (Kind::Reminder, Some(text), false) => format!("Reminder: {text}"),
        (Kind::Reminder, Some(text), true) => format!("Reminder: {} It was due {missed}.", stopped(text)),
        (Kind::Timer, _, false) if record.length.is_some() || record.name.is_some() => {
            format!("Your {} has ended.", record.label(now))
        }
        (Kind::Timer, _, true) if record.length.is_some() || record.name.is_some() => {
            format!("Your {} ended {missed}.", record.label(now))
        }
        (kind, _, late) => {
            let name = record.name.as_ref().map_or(String::new(), |name| format!(" “{name}”"));
            match late {
                false => format!("Your {}{name}: it is {}.", kind.word(), phrase::clock(&due, now)),
                true => format!("Your {}{name} was due {missed}.", kind.word()),
            }
        }
    }
}
