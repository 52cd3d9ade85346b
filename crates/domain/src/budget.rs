//! How much a run may use, and what it has used.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chat::Usage;
use crate::money::Usd;

/// The limits of one run. What is absent is not limited.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Budget {
    /// Money for models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<Usd>,
    /// Tokens read and written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Calls of models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_calls: Option<u64>,
    /// Calls of tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<u64>,
    /// Time in which the run is being advanced; waiting for a person does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall: Option<Duration>,
    /// What happens at a limit.
    #[serde(default)]
    pub on_exceed: OnExceed,
}

/// What happens at a limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnExceed {
    /// The run fails and says which limit it was.
    #[default]
    Stop,
    /// A person is asked whether it may go on with the same again.
    Ask,
}

/// What a run has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spent {
    /// Tokens and money.
    #[serde(flatten)]
    pub usage: Usage,
    /// Calls of models that were answered or paid for.
    pub model_calls: u64,
    /// Calls of tools.
    pub tool_calls: u64,
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.usage += other.usage;
        self.model_calls += other.model_calls;
        self.tool_calls += other.tool_calls;
    }
}
