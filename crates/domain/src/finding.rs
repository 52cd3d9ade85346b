//! What a proof of a plan brings to light: sentences a planner can act on, and bounds on what the plan can use.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::money::Usd;

/// Something that was proved about a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Which rule it is about, for example `AW-PLAN-003`; `docs/verifier.md` has them all.
    pub code: String,
    /// The step, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// What is wrong and what would be right, in a sentence.
    pub says: String,
    /// What follows.
    pub weight: Weight,
}

/// What follows from a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// It is worth knowing.
    Notice,
    /// A person has to agree before it happens.
    Approval,
    /// The plan cannot be carried out.
    Fatal,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code)?;
        if let Some(step) = &self.step {
            write!(f, "step `{step}`: ")?;
        }
        f.write_str(&self.says)
    }
}

/// What carrying a plan out can use at least and at most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bounds {
    /// Calls of tools.
    pub tool_calls: Extent<u64>,
    /// Calls of models.
    pub model_calls: Extent<u64>,
    /// Money for models, where prices are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<Extent<Usd>>,
    /// Steps that can only be taken one after the other.
    pub critical_path: u64,
    /// Seconds along the critical path if every call takes all the time it may.
    pub seconds: f64,
}

/// The least and the most of something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Extent<T> {
    /// At least.
    pub least: T,
    /// At most.
    pub most: T,
}
