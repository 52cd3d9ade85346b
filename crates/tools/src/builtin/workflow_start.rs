//! `workflow.start`: one run starts another. Which one follows from the key of the call, so it is started once.

use std::sync::Arc;

use async_trait::async_trait;
use domain::id::RunId;
use domain::tool::{CallContext, Repeat, Tool, ToolError, ToolSpec};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Whoever can take a request in.
#[async_trait]
pub trait Starter: std::marker::Send + Sync {
    /// Takes the request in as this run, on behalf of `call`, and returns once that is durable. Starting a run that is
    /// there already changes nothing.
    async fn start(&self, run: RunId, begin: Begin, call: &CallContext) -> Result<(), ToolError>;

    /// Sees to it that a run does not begin, or ends. One that has ended is left as it is.
    async fn stop(&self, run: RunId, call: &CallContext) -> Result<(), ToolError>;
}

/// A run that a tool wants.
#[derive(Debug, Clone, PartialEq)]
pub struct Begin {
    /// The request, as a person would put it.
    pub text: String,
    /// What is to be done, as a plan in JSON, where that is known.
    pub plan: Option<Value>,
    /// Not before this moment: the run survives restarts until then.
    pub at: Timestamp,
}

pub(super) struct Start {
    spec: ToolSpec,
    starter: Arc<dyn Starter>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The request, as a person would put it.
    #[schemars(length(min = 1))]
    text: String,
}

impl Start {
    pub(super) fn new(starter: Arc<dyn Starter>) -> Self {
        let spec = super::spec::<Arguments>(
            "workflow.start",
            "Starts another request that runs on its own, and tells its run id.",
            super::local_write(Repeat::SameKey),
        );
        let returns = super::fields(json!({"run": "string"}), json!({}));
        Self { spec: super::returning(spec, returns), starter }
    }
}

#[async_trait]
impl Tool for Start {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { text } = super::parse(&self.spec, arguments)?;
        let run = RunId::of_intent(&call.key);
        self.starter.start(run, Begin { text, plan: None, at: call.now }, call).await?;
        Ok(json!({"run": run}))
    }
}
