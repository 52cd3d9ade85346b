//! What goes wrong elsewhere, as what it means to whoever asked.

use domain::approval::Subject;
use domain::store::StoreError;
use runtime::DecideError;

use super::{ApiError, Obstacle};
use crate::secret::NoChance;

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoSuchRun { .. } => Self::not_found(error.to_string()),
            StoreError::BadCursor { .. } => Self::invalid("cursor", error.to_string()),
            StoreError::Fenced { .. } | StoreError::Conflict { .. } => Self::conflict("elsewhere", error.to_string()),
            StoreError::NotEnded { .. } => Self::conflict("not_ended", error.to_string()),
            StoreError::Unavailable(_) | StoreError::Full | StoreError::Newer { .. } | StoreError::Damaged { .. } => {
                Self::Away(error)
            }
        }
    }
}

impl From<NoChance> for ApiError {
    fn from(error: NoChance) -> Self {
        Self::Broken(error.into())
    }
}

impl From<DecideError> for ApiError {
    fn from(error: DecideError) -> Self {
        let message = error.to_string();
        let (obstacle, approval) = match error {
            DecideError::Unknown(_) => return Self::not_found(message),
            DecideError::Unsound { approval, findings } => {
                return Self::Unsound { findings, param: edited(&approval.proposal.subject) };
            }
            DecideError::Unheard(_) => return Self::conflict("no_model", message),
            DecideError::Store(error) => return error.into(),
            DecideError::Stale(approval) => (Obstacle::Stale, approval),
            DecideError::Already(approval) => (Obstacle::Decided, approval),
            DecideError::Withdrawn(approval) => (Obstacle::Withdrawn, approval),
            DecideError::Expired(approval) => (Obstacle::Expired, approval),
        };
        Self::Undecidable { message, obstacle, approval: Box::new((*approval).into()) }
    }
}

/// What an edit is sent as.
fn edited(subject: &Subject) -> &'static str {
    match subject {
        Subject::Plan { .. } => "plan",
        Subject::Call { .. } => "arguments",
    }
}
