//! `timer.cancel`: one timer, or all that fit. A repetition finds those that it cancelled before.

use std::sync::Arc;

use async_trait::async_trait;
use domain::name::Name;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::book::{Book, Change};
use super::choice::{Choice, Chosen, labels};
use super::record::{Record, State};
use crate::declare::{fields, list, parse};
use crate::errors;

pub(super) struct Cancel {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    #[serde(flatten)]
    choice: Choice,
    /// All that fit, and not only one.
    all: Option<bool>,
}

impl Cancel {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description = "Cancels a timer, an alarm or a reminder; the only one when nothing says which.";
        let returns = super::one_or_question(fields(json!({"cancelled": list("string")}), json!({})));
        Self { spec: super::spec::<Arguments>("timer.cancel", description, super::write(false), returns), book }
    }
}

#[async_trait]
impl Tool for Cancel {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { choice, all } = parse(&self.spec, arguments)?;
        let wrong = |problem| errors::bad_argument(&self.spec, problem);
        let now = self.book.now(call);
        let all = all.unwrap_or(false);
        let records = self.book.all(&self.spec).await?;
        let live: Vec<&Record> = records.iter().filter(|record| record.is_live()).collect();
        let mut gone: Vec<&Record> = records.iter().filter(|record| record.told(&call.key).is_some()).collect();
        let meant = match (all, gone.is_empty()) {
            (true, _) => choice.fitting(&live, &now).map_err(wrong)?,
            (false, false) => Vec::new(),
            (false, true) => match choice.one(&live, &now, "cancel").map_err(wrong)? {
                Chosen::One(record) => vec![record],
                Chosen::Not(answer) => return Ok(answer),
            },
        };
        for record in meant {
            let done = self.book.change(&self.spec, call, &record.id, |record| {
                if !record.is_live() {
                    return Ok(Change::None(Value::Null));
                }
                let cancelled = Record { state: State::Cancelled { at: call.now }, ..record.clone() };
                Ok(Change::Made(Box::new(cancelled), json!({"cancelled": record.id})))
            });
            // One that rang in the meantime is not ours to cancel.
            if !done.await?.is_null() {
                gone.push(record);
            }
        }
        if gone.is_empty() {
            return Ok(choice.nothing(&live, &now));
        }
        gone.sort_by(|a, b| (a.due, &a.id).cmp(&(b.due, &b.id)));
        let ids: Vec<&str> = gone.iter().map(|record| record.id.as_str()).collect();
        let said = format!("Cancelled {}.", labels(&gone, &now, "and"));
        Ok(json!({"cancelled": ids, "said": said}))
    }

    async fn names(&self) -> Vec<Name> {
        self.book.names(&self.spec).await
    }
}
