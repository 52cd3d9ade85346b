//! `memory.recall`: what earlier runs remembered.

use std::sync::Arc;

use async_trait::async_trait;
use domain::store::Store;
use domain::tool::{CallContext, Effect, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most memories one call brings.
const MOST: usize = 20;

pub(super) struct Recall {
    spec: ToolSpec,
    store: Arc<dyn Store>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Words that the memories should share.
    query: String,
    /// How many to bring, 5 when left out, at most 20.
    #[schemars(range(min = 1))]
    limit: Option<usize>,
}

impl Recall {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        let spec = super::spec::<Arguments>(
            "memory.recall",
            "Finds what was remembered in earlier requests, best match first.",
            Effect::Read,
        );
        let memory = json!({"id": "string", "text": "string", "importance": "number", "at": "string"});
        let memories = super::list(super::fields(memory, json!({})));
        let returns = super::fields(json!({"memories": memories, "said": "string"}), json!({}));
        Self { spec: super::returning(spec, returns), store }
    }
}

#[async_trait]
impl Tool for Recall {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let Arguments { query, limit } = super::parse(&self.spec, arguments)?;
        let memories = self.store.recall(&query, limit.unwrap_or(5).clamp(1, MOST)).await;
        let memories = memories.map_err(|error| super::from_store(&self.spec, &error))?;
        let memories: Vec<Value> = memories
            .iter()
            .map(|memory| json!({"id": memory.id, "text": memory.text, "importance": memory.importance, "at": memory.at}))
            .collect();
        let said = match memories.is_empty() {
            true => format!("I remember nothing about “{query}”."),
            false => {
                let lines =
                    memories.iter().filter_map(|memory| memory["text"].as_str()).map(|text| format!("- {text}"));
                format!("This is what I remember:\n{}", lines.collect::<Vec<_>>().join("\n"))
            }
        };
        Ok(json!({"memories": memories, "said": said}))
    }
}
