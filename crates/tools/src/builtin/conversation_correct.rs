//! `conversation.correct`: the person says that the last fast answer of this conversation was wrong. It is noted under
//! the run that gave it, so that its role is trusted less.

use std::sync::Arc;

use async_trait::async_trait;
use domain::route::Correction;
use domain::store::{RunFilter, Store};
use domain::tool::{CallContext, Repeat, Tool, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

pub(super) struct Correct {
    spec: ToolSpec,
    store: Arc<dyn Store>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What was meant instead, where the person says so.
    meant: Option<String>,
}

impl Correct {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        let spec = super::spec::<Arguments>(
            "conversation.correct",
            "Notes that the last fast answer in this conversation was wrong.",
            super::local_write(Repeat::SameKey),
        );
        let returns = super::fields(json!({"noted": "boolean", "said": "string"}), json!({"run": "string"}));
        Self { spec: super::returning(spec, returns), store }
    }
}

#[async_trait]
impl Tool for Correct {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let Arguments { meant } = super::parse(&self.spec, arguments)?;
        let failed = |error| super::from_store(&self.spec, &error);
        let here = self.store.run(call.run).await.map_err(failed)?;
        let session = here.and_then(|run| run.session);
        let filter = RunFilter { session: session.clone(), ..RunFilter::default() };
        let page = match session {
            Some(_) => self.store.runs(&filter, None, 10).await.map_err(failed)?.runs,
            None => Vec::new(),
        };
        let wrong = page.into_iter().find(|run| run.run != call.run && run.role.is_some());
        let Some(wrong) = wrong else {
            return Ok(json!({"noted": false, "said": "I am sorry. What would you like me to do instead?"}));
        };
        let (text, role) = (wrong.text.clone(), wrong.role);
        let correction = Correction { text, role, to: None, meant, by: wrong.user, at: call.now };
        let note = serde_json::to_value(&correction).unwrap_or_default();
        // The first correction of a run stands.
        self.store.keep(Correction::SHELF, &wrong.run.to_string(), &note, 0).await.map_err(failed)?;
        let said = format!(
            "I am sorry. I have noted that my answer to “{}” was wrong, and will be more careful with such requests. \
             How would you put it?",
            wrong.text
        );
        Ok(json!({"noted": true, "run": wrong.run, "said": said}))
    }
}
