//! What a run needs from outside before it can go on.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::hash::Hash;

/// What a run waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Wait {
    /// What the answer will be filed under.
    pub name: String,
    /// What is needed.
    pub need: Need,
    /// When it stops being worth waiting for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// What is needed from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "need", rename_all = "snake_case")]
pub enum Need {
    /// An answer in words.
    Answer {
        /// The question.
        question: String,
    },
    /// A yes or no to something that the run may not do by itself.
    Approval {
        /// What it wants to do, in plain words.
        question: String,
        /// The hash of exactly what is approved.
        hash: Hash,
    },
    /// A yes or no to going on beyond a limit.
    Budget {
        /// Which limit.
        question: String,
    },
    /// A moment.
    Time {
        /// Which.
        at: Timestamp,
    },
}

impl Need {
    /// What a person is asked, if a person is.
    pub fn question(&self) -> Option<&str> {
        match self {
            Need::Answer { question } | Need::Approval { question, .. } | Need::Budget { question } => Some(question),
            Need::Time { .. } => None,
        }
    }
}
