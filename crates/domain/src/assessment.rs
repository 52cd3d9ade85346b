//! What the meta-agent makes of the reasoning itself.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::score::Score;

/// A judgement of the reasoning behind a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// How good the reasoning is.
    pub quality: Score,
    /// How good its parts are, by name.
    #[serde(default)]
    pub breakdown: BTreeMap<String, Score>,
    /// Whether another plan is needed: the quality is too low, or the model says so.
    pub should_replan: bool,
    /// Whether more thought is needed: the quality is too low, or the model says so.
    pub should_deepen: bool,
    /// What to do next, most important first.
    #[serde(default)]
    pub recommended_actions: Vec<String>,
    /// The judgement in words.
    #[serde(default)]
    pub assessment: String,
}

/// What is done with a plan after it was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// It is carried out.
    Go,
    /// The person is asked what the critic wants to know.
    Ask,
    /// It is thought over more deeply and planned again.
    Deepen,
    /// It is planned again.
    Replan,
    /// A person decides whether it is carried out.
    Escalate,
}
