//! Writes to the world: declared, recorded, sent and settled, each exactly once.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::{RunId, StepId, ToolName};
use crate::tool::ToolError;

/// A write that a run wants to happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    /// Derived from run, step and ordinal: the same for every attempt at the same write.
    pub key: String,
    /// Where in the plan it comes from; absent for what happens at the end of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<StepId>,
    /// Who carries it out. The domain is the intent's type: `notification`, `audit`, `workflow`, …
    pub tool: ToolName,
    /// With which arguments.
    pub arguments: Value,
    /// Higher goes first among intents that are ready together.
    #[serde(default)]
    pub priority: Priority,
}

/// How urgent an intent is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Priority {
    /// After everything else.
    Low,
    /// In the order of declaration.
    #[default]
    Normal,
    /// Before the normal ones.
    High,
    /// Before all others.
    Urgent,
}

/// An intent as a plan states it, for the end of a run; what follows a success is chained to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IntentDraft {
    /// Who carries it out.
    #[serde(alias = "type")]
    pub tool: ToolName,
    /// With which arguments; `${step.path}` takes values from results.
    #[serde(default, alias = "payload")]
    pub arguments: Value,
    /// How urgent it is.
    #[serde(default)]
    pub priority: Priority,
    /// Declared once this one is done, and not at all if it fails.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<IntentDraft>,
}

/// How an intent ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Settlement {
    /// It happened.
    Done {
        /// What the receiver answered.
        result: Value,
    },
    /// It did not happen.
    Failed {
        /// Why.
        error: ToolError,
    },
    /// Nobody can tell whether it happened: a person has to look.
    Unknown {
        /// What is known.
        detail: String,
    },
    /// It was never sent, on purpose.
    Withheld {
        /// Whose purpose.
        detail: String,
    },
}

/// Where an intent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IntentStatus {
    /// Recorded, not yet sent.
    Declared,
    /// Perhaps sent.
    Sending,
    /// It happened.
    Done,
    /// It did not happen.
    Failed,
    /// Nobody can tell.
    Unknown,
    /// Never sent, on purpose.
    Withheld,
}

impl IntentStatus {
    /// All there are.
    pub const ALL: [IntentStatus; 6] =
        [Self::Declared, Self::Sending, Self::Done, Self::Failed, Self::Unknown, Self::Withheld];

    /// The word the database keeps.
    pub fn word(self) -> &'static str {
        match self {
            IntentStatus::Declared => "declared",
            IntentStatus::Sending => "sending",
            IntentStatus::Done => "done",
            IntentStatus::Failed => "failed",
            IntentStatus::Unknown => "unknown",
            IntentStatus::Withheld => "withheld",
        }
    }

    /// The status a database's word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

impl Settlement {
    /// Where this leaves the intent.
    pub fn status(&self) -> IntentStatus {
        match self {
            Settlement::Done { .. } => IntentStatus::Done,
            Settlement::Failed { .. } => IntentStatus::Failed,
            Settlement::Unknown { .. } => IntentStatus::Unknown,
            Settlement::Withheld { .. } => IntentStatus::Withheld,
        }
    }
}

/// An intent as it stands now: a view of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IntentView {
    /// Whose intent it is.
    pub run: RunId,
    /// What is wanted.
    #[serde(flatten)]
    pub intent: Intent,
    /// How far it is.
    pub status: IntentStatus,
    /// How often it was sent.
    pub attempts: u32,
    /// How it ended, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settlement: Option<Settlement>,
    /// When it last changed.
    pub updated_at: Timestamp,
}
