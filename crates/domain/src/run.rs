//! A run as it stands now: the fold of its ledger, and the row that listings show.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::Spent;
use crate::event::{Origin, Seq};
use crate::id::{RunId, SessionId};
use crate::plan::Strategy;

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Accepted, not yet begun.
    Pending,
    /// Being advanced, or about to be.
    Running,
    /// Something is needed from outside.
    Waiting,
    /// It ended with an answer.
    Completed,
    /// It ended without one.
    Failed,
    /// Somebody stopped it.
    Cancelled,
}

impl RunStatus {
    /// All of them, in the order of a run's life.
    pub const ALL: [RunStatus; 6] =
        [Self::Pending, Self::Running, Self::Waiting, Self::Completed, Self::Failed, Self::Cancelled];

    /// The word people and databases use.
    pub fn word(self) -> &'static str {
        match self {
            RunStatus::Pending => "pending",
            RunStatus::Running => "running",
            RunStatus::Waiting => "waiting",
            RunStatus::Completed => "completed",
            RunStatus::Failed => "failed",
            RunStatus::Cancelled => "cancelled",
        }
    }

    /// The status a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }

    /// Whether nothing more can happen.
    pub fn is_final(self) -> bool {
        matches!(self, RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled)
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Ending {
    /// With an answer.
    Completed {
        /// The answer.
        answer: String,
    },
    /// Without one.
    Failed {
        /// Why.
        reason: FailureKind,
        /// Why, in a sentence.
        error: String,
        /// What was found out before it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<String>,
    },
    /// By somebody's wish.
    Cancelled {
        /// Why, if they said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

impl Ending {
    /// The status this leaves the run in.
    pub fn status(&self) -> RunStatus {
        match self {
            Ending::Completed { .. } => RunStatus::Completed,
            Ending::Failed { .. } => RunStatus::Failed,
            Ending::Cancelled { .. } => RunStatus::Cancelled,
        }
    }
}

/// What kind of failure ended a run: what a caller would do about it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// There is no valid plan.
    Plan,
    /// A step failed and nothing could replace it.
    Step,
    /// No model answered, or none is configured.
    Model,
    /// A limit was reached.
    Budget,
    /// A person said no.
    Rejected,
    /// Advancing it brought the process down again and again.
    Quarantined,
}

/// A run as listings show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// Which.
    pub run: RunId,
    /// Where it stands.
    pub status: RunStatus,
    /// What was asked.
    pub text: String,
    /// The answer, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Why it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What kind of failure it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureKind>,
    /// How agents are made from its plan, once routed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// The role that answered, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// How good its reasoning was judged to be, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<f64>,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Who asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Where it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Origin>,
    /// Things worth filtering by.
    pub flags: Flags,
    /// What it used so far.
    pub spent: Spent,
    /// How many events it has.
    pub events: Seq,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Things about a run that are worth filtering by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Flags {
    /// It has more than one plan version.
    pub replanned: bool,
    /// It has an intent of which nobody can tell whether it happened.
    pub in_doubt: bool,
    /// It went on after a crash or a wait.
    pub resumed: bool,
}
