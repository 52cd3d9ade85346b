//! `timer.rename`: what a timer is called from now on.

use std::sync::Arc;

use async_trait::async_trait;
use domain::tool::{CallContext, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::book::{Book, Deed};
use super::choice::Choice;
use super::pause::{changed, unchanged};
use super::record::{Kind, Record};
use crate::declare::parse;
use crate::errors;

pub(super) struct Rename {
    spec: ToolSpec,
    book: Arc<Book>,
}

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    /// The new name; for a reminder its new words.
    #[schemars(length(min = 1))]
    new_name: String,
    #[serde(flatten)]
    choice: Choice,
}

impl Rename {
    pub(super) fn new(book: Arc<Book>) -> Self {
        let description = "Gives a timer another name; the only one when nothing says which.";
        Self { spec: super::changing::<Arguments>("timer.rename", description), book }
    }
}

#[async_trait]
impl Tool for Rename {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { new_name, choice } = parse(&self.spec, arguments)?;
        let now = self.book.now(call);
        let name = super::set::name(&new_name);
        if name.is_empty() {
            return Err(errors::bad_argument(&self.spec, "`new_name` is empty"));
        }
        self.book
            .change_chosen(&self.spec, call, &choice, Deed { word: "rename", suits: &[] }, |record| {
                if !record.is_live() {
                    return Ok(unchanged(record, &now, "has ended"));
                }
                let renamed = match record.kind {
                    Kind::Timer | Kind::Alarm => Record { name: Some(name.clone()), ..record.clone() },
                    Kind::Reminder => Record { text: Some(name.clone()), ..record.clone() },
                };
                Ok(changed(renamed, &now, format!("The {} is now called “{name}”.", record.label(&now))))
            })
            .await
    }
}
