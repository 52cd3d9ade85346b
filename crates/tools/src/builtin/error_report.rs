//! `error.report`: tells the operator that something went wrong, in the log and in a file that stays.

use std::path::PathBuf;

use async_trait::async_trait;
use domain::tool::{CallContext, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::journal::Journal;

pub(super) struct ErrorReport {
    spec: ToolSpec,
    journal: Journal,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What went wrong, in a sentence.
    text: String,
    /// Further facts to keep with it.
    data: Option<Map<String, Value>>,
}

impl ErrorReport {
    pub(super) fn new(path: PathBuf) -> Self {
        let spec = super::spec::<Arguments>(
            "error.report",
            "Reports an error to the operator, in the log and in the error file.",
            super::local_write(Repeat::ReadBack),
        );
        let returns = super::fields(json!({"reported": "string"}), json!({}));
        Self { spec: super::returning(spec, returns), journal: Journal::new(path) }
    }
}

#[async_trait]
impl Tool for ErrorReport {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { text, data } = super::parse(&self.spec, arguments)?;
        tracing::error!(run = %call.run, key = call.key, "a run reports an error: {text}");
        let line = json!({
            "key": call.key, "at": call.now, "run": call.run, "step": call.step, "text": text, "data": data,
        });
        self.journal.append(&self.spec, &call.key, line).await?;
        Ok(reported(&call.key))
    }

    async fn read_back(&self, key: &str) -> Result<Option<Value>, ToolError> {
        Ok(self.journal.find(&self.spec, key).await?.map(|_| reported(key)))
    }
}

fn reported(key: &str) -> Value {
    json!({"reported": key})
}
