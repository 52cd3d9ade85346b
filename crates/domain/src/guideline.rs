//! What those who plan and act are told to heed, in versions that a run names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hash::Hash;

/// A version of what somebody is told to heed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guideline {
    /// Who heeds it: a component such as `planner`, or `all`.
    pub agent: String,
    /// Which version it is.
    pub version: String,
    /// The hash of its points: the same version always says the same.
    pub hash: Hash,
    /// What it says.
    pub points: Vec<Point>,
}

/// One thing to heed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// Where it comes from: a file, a setting, a learnt pattern.
    pub source: String,
    /// What it says.
    pub text: String,
}

impl Guideline {
    /// A version made of some points.
    pub fn new(agent: impl Into<String>, version: impl Into<String>, points: Vec<Point>) -> Self {
        Self { agent: agent.into(), version: version.into(), hash: Hash::of_json(&points), points }
    }

    /// Whether a component heeds it.
    pub fn concerns(&self, component: &str) -> bool {
        self.agent == component || self.agent == "all"
    }
}
