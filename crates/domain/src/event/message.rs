//! What agents of a run want when they write to each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the sender of a message wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The other is to know something.
    #[default]
    Update,
    /// The other is to do something that is within its own task and tools.
    Task,
    /// The other is to answer.
    Request,
    /// This is the answer to a request.
    Reply,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Purpose; 4] = [Self::Update, Self::Task, Self::Request, Self::Reply];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Purpose::Update => "update",
            Purpose::Task => "task",
            Purpose::Request => "request",
            Purpose::Reply => "reply",
        }
    }

    /// The purpose a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.word() == word)
    }

    /// Whether it is what messages are for when nothing is said.
    pub(super) fn is_update(&self) -> bool {
        *self == Purpose::Update
    }
}
