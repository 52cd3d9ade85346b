//! `memory.remember`: keeps something for later runs. The memory's id is the key of the call, so it is kept once.

use std::sync::Arc;

use async_trait::async_trait;
use domain::store::{Memory, Store};
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) struct Remember {
    spec: ToolSpec,
    store: Arc<dyn Store>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What to remember, in words that can be found again.
    #[schemars(length(min = 1))]
    text: String,
    /// How much it matters, from 0 to 1; 0.5 when left out.
    importance: Option<f64>,
}

impl Remember {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        let effect = Effect::Write { reversible: true, repeat: Repeat::SameKey, external: false, targets: Vec::new() };
        let spec = super::spec::<Arguments>("memory.remember", "Remembers something for later requests.", effect);
        let returns = super::fields(json!({"id": "string", "importance": "number", "said": "string"}), json!({}));
        Self { spec: super::returning(spec, returns), store }
    }
}

#[async_trait]
impl Tool for Remember {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { text, importance } = super::parse(&self.spec, arguments)?;
        let importance = importance.unwrap_or(0.5).clamp(0.0, 1.0);
        let memory = Memory { id: call.key.clone(), text, importance, run: Some(call.run), at: call.now };
        self.store.remember(&memory).await.map_err(|error| super::from_store(&self.spec, &error))?;
        let said = format!("I will remember that: {}", memory.text);
        Ok(json!({"id": memory.id, "importance": importance, "said": said}))
    }
}
