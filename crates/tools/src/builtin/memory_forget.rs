//! `memory.forget`: takes a memory out of reach of later runs, by its id or by words that only it has. Forgetting twice is
//! forgetting once.

use std::sync::Arc;

use async_trait::async_trait;
use domain::store::Store;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// More memories than this are not told apart.
const FEW: usize = 5;

pub(super) struct Forget {
    spec: ToolSpec,
    store: Arc<dyn Store>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The id that `memory.recall` gave.
    id: Option<String>,
    /// Words that the memory shares; when several do, none is forgotten and they are told.
    query: Option<String>,
}

impl Forget {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        let effect =
            Effect::Write { reversible: false, repeat: Repeat::SameKey, external: false, targets: vec!["id".into()] };
        let spec = super::spec::<Arguments>("memory.forget", "Forgets one memory, by its id.", effect);
        let returns = super::fields(
            json!({"was_there": "boolean", "said": "string"}),
            json!({"id": "string", "ambiguous": "boolean"}),
        );
        Self { spec: super::returning(spec, returns), store }
    }
}

#[async_trait]
impl Tool for Forget {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// `was_there` is false for a repetition as well as for a wrong id: in both cases the memory is gone.
    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        let failed = |error| super::from_store(&self.spec, &error);
        let id = match super::parse(&self.spec, arguments)? {
            Arguments { id: Some(id), .. } => id,
            Arguments { query: Some(query), .. } => {
                let found = self.store.recall(&query, FEW).await.map_err(failed)?;
                match found.as_slice() {
                    [only] => only.id.clone(),
                    [] => {
                        let said = format!("I remember nothing about “{query}”, so there is nothing to forget.");
                        return Ok(json!({"was_there": false, "said": said}));
                    }
                    several => {
                        let lines: Vec<String> = several.iter().map(|memory| format!("- {}", memory.text)).collect();
                        let said = format!(
                            "Several memories fit, and I have forgotten none; say it more exactly:\n{}",
                            lines.join("\n")
                        );
                        return Ok(json!({"was_there": false, "ambiguous": true, "said": said}));
                    }
                }
            }
            Arguments { id: None, query: None } => {
                return Err(crate::errors::bad_argument(&self.spec, "give `id` or `query`".to_owned()));
            }
        };
        let was_there = self.store.forget(&id).await.map_err(failed)?;
        let said = if was_there { "It is forgotten." } else { "There was nothing to forget." };
        Ok(json!({"id": id, "was_there": was_there, "said": said}))
    }
}
