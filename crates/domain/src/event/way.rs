//! Where a run comes from, and which way its request goes.

use serde::{Deserialize, Serialize};

use super::Seq;
use crate::id::RunId;

/// Where a forked run left its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The parent.
    pub run: RunId,
    /// The last event they share.
    pub seq: Seq,
}

/// How a request is dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// A planner is asked.
    Plan,
    /// The plan came with the request.
    Given,
    /// What is to be done is clear without a model.
    Reflex,
    /// A role answers with one small agent.
    Fast,
    /// A model answers whoever asks, who carries out its calls themselves.
    Direct,
}

impl Route {
    /// All of them.
    pub const ALL: [Route; 5] = [Self::Plan, Self::Given, Self::Reflex, Self::Fast, Self::Direct];

    /// The word databases use.
    pub fn word(self) -> &'static str {
        match self {
            Route::Plan => "plan",
            Route::Given => "given",
            Route::Reflex => "reflex",
            Route::Fast => "fast",
            Route::Direct => "direct",
        }
    }

    /// The route a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|route| route.word() == word)
    }
}
