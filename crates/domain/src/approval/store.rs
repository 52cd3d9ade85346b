//! The seam to where what people are asked is read from. Questions and answers are written through ledgers.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ApprovalId, Proposal};
use crate::hash::Hash;
use crate::id::RunId;
use crate::store::{Cursor, StoreError};

/// A database that knows what people were asked.
#[async_trait]
pub trait Approvals: Send + Sync {
    /// One question.
    async fn approval(&self, id: ApprovalId, now: Timestamp) -> Result<Option<Approval>, StoreError>;

    /// Questions that a filter lets through: those with the most at stake first, and of these the oldest, from a cursor
    /// on.
    async fn approvals(
        &self,
        filter: &ApprovalFilter,
        now: Timestamp,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<Approval>, Option<Cursor>), StoreError>;
}

/// Which questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ApprovalFilter {
    /// Only of this run.
    pub run: Option<RunId>,
    /// Only in this state.
    pub status: Option<ApprovalStatus>,
}

/// A question that a run asked a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Approval {
    /// Which.
    pub id: ApprovalId,
    /// The run that asked.
    pub run: RunId,
    /// What the answer is filed under.
    pub name: String,
    /// The question in one sentence.
    pub question: String,
    /// What the answer is bound to.
    pub hash: Hash,
    /// All there is to see.
    pub proposal: Proposal,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it stops being worth waiting for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Where it stands.
    pub status: ApprovalStatus,
    /// What was said, once something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Decided>,
}

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalStatus {
    /// Nobody has answered yet.
    Pending,
    /// Somebody has.
    Decided,
    /// Nobody has, and it is too late.
    Expired,
    /// Nobody has, and the run has ended.
    Withdrawn,
}

impl ApprovalStatus {
    /// All of them.
    pub const ALL: [ApprovalStatus; 4] = [Self::Pending, Self::Decided, Self::Expired, Self::Withdrawn];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            ApprovalStatus::Pending => "pending",
            ApprovalStatus::Decided => "decided",
            ApprovalStatus::Expired => "expired",
            ApprovalStatus::Withdrawn => "withdrawn",
        }
    }

    /// The state a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// What was said to a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    /// The answer, a [`Verdict`](super::Verdict) or a plain yes or no.
    pub answer: Value,
    /// Who said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
}
