//! What is kept because it worked, and can be found and used again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of thing can be found and used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// One who carries out a step: a prompt and its tools.
    Agent,
    /// A team of agents with the plan they carried out.
    Cohort,
    /// A plan that worked, with what it takes from the request lifted out.
    Plan,
    /// A plan that worked often enough to be carried out without a planner.
    Skill,
    /// Something that can be called.
    Tool,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Self::Agent, Self::Cohort, Self::Plan, Self::Skill, Self::Tool];

    /// The word for it in listings and in the database.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Agent => "agent",
            Kind::Cohort => "cohort",
            Kind::Plan => "plan",
            Kind::Skill => "skill",
            Kind::Tool => "tool",
        }
    }

    /// The kind a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}
