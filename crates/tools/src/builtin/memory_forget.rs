//! `memory.forget`: takes a memory out of reach of later runs. Forgetting twice is forgetting once.

use std::sync::Arc;

use async_trait::async_trait;
use domain::store::Store;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) struct Forget {
    spec: ToolSpec,
    store: Arc<dyn Store>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The id that `memory.recall` gave.
    id: String,
}

impl Forget {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        let effect =
            Effect::Write { reversible: false, repeat: Repeat::SameKey, external: false, targets: vec!["id".into()] };
        let spec = super::spec::<Arguments>("memory.forget", "Forgets one memory, by its id.", effect);
        Self { spec, store }
    }
}

#[async_trait]
impl Tool for Forget {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// `was_there` is false for a repetition as well as for a wrong id: in both cases the memory is gone.
    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let Arguments { id } = super::parse(&self.spec, arguments)?;
        let was_there = self.store.forget(&id).await.map_err(|error| super::from_store(&self.spec, &error))?;
        Ok(json!({"id": id, "was_there": was_there}))
    }
}
