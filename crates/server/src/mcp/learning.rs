//! `learned`: how far learning has come, and what agents are told because of it.

use runtime::learning;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::catalogue::{Offered, Reply, Touch};
use super::desk::Desk;
use super::tools::Nothing;
use crate::access::{Area, Role};
use crate::error::ApiError;

/// `learned`
pub(super) struct Learned;

/// What was learnt.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Told {
    /// How far learning has come.
    status: Value,
    /// What agents are told now: one version for each, with its points and what they rest on.
    guidelines: Vec<Value>,
}

impl Offered for Learned {
    const NAME: &'static str = "learned";
    const WORDS: &'static str =
        "Says how far learning from earlier runs has come, and what agents are told because of it.";
    const NEEDS: (Area, Role) = (Area::Learning, Role::Viewer);
    const TOUCH: Touch = Touch::Looks;
    type Arguments = Nothing;
    type Answer = Told;

    async fn call(desk: Desk, _: Nothing) -> Result<Reply<Told>, ApiError> {
        let (store, policy) = (desk.app.store.as_ref(), &desk.app.runtime.settings.learning);
        // Our own types always serialise.
        let status = serde_json::to_value(learning::status(store, policy).await?).unwrap_or_default();
        let told = store.guidelines().await?;
        let guidelines = told.iter().filter_map(|version| serde_json::to_value(version).ok()).collect();
        Ok(Reply::Answer(Told { status, guidelines }))
    }
}
