//! `conversation.say`: a reply that is known already. It makes small talk a step like any other.

use async_trait::async_trait;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) struct Say {
    spec: ToolSpec,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The reply.
    #[schemars(length(min = 1))]
    text: String,
}

impl Say {
    pub(super) fn new() -> Self {
        let spec = super::spec::<Arguments>("conversation.say", "Replies with words that are known.", Effect::Read);
        Self { spec: super::returning(spec, super::fields(json!({"said": "string"}), json!({}))) }
    }
}

#[async_trait]
impl Tool for Say {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let Arguments { text } = super::parse(&self.spec, arguments)?;
        Ok(json!({"said": text}))
    }
}
