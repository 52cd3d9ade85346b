//! `audit.note`: a line that stays. Repeated under the same key it is still one line, and can be read back.

use std::path::PathBuf;

use async_trait::async_trait;
use domain::tool::{CallContext, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::journal::Journal;

pub(super) struct AuditNote {
    spec: ToolSpec,
    journal: Journal,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What happened, in a sentence.
    text: String,
    /// Further facts to keep with it.
    data: Option<Map<String, Value>>,
}

impl AuditNote {
    pub(super) fn new(path: PathBuf) -> Self {
        let spec = super::spec::<Arguments>(
            "audit.note",
            "Appends a note to the audit file, where it stays.",
            super::local_write(Repeat::ReadBack),
        );
        let returns = super::fields(json!({"noted": "string"}), json!({}));
        Self { spec: super::returning(spec, returns), journal: Journal::new(path) }
    }
}

#[async_trait]
impl Tool for AuditNote {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { text, data } = super::parse(&self.spec, arguments)?;
        let line = json!({
            "key": call.key, "at": call.now, "run": call.run, "step": call.step, "text": text, "data": data,
        });
        self.journal.append(&self.spec, &call.key, line).await?;
        Ok(noted(&call.key))
    }

    async fn read_back(&self, key: &str) -> Result<Option<Value>, ToolError> {
        Ok(self.journal.find(&self.spec, key).await?.map(|_| noted(key)))
    }
}

fn noted(key: &str) -> Value {
    json!({"noted": key})
}
