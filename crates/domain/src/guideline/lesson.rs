//! A point that was learnt, with what it rests on and what became of it.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Effect, Point, Wording};
use crate::hash::Hash;
use crate::pattern::Pattern;
use crate::symbol::Symbol;

/// Which lesson: the same for the same sentence to the same agent about the same problem.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct LessonId(pub Symbol);

impl LessonId {
    /// The id of what is said to whom about what.
    pub fn of(agent: &Symbol, problem: Option<&Symbol>, text: &Wording) -> Self {
        let hash = Hash::of_json(&(agent, problem, text));
        Self(Symbol::of(&format!("lsn_{}", hash.digits(8))))
    }
}

impl std::fmt::Display for LessonId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A point that was learnt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// Which.
    pub id: LessonId,
    /// Who is to heed it: a kind of agent, or `all`.
    pub agent: Symbol,
    /// For which kind of problem; absent where it is for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Symbol>,
    /// What it says.
    pub text: Wording,
    /// What it was learnt from, as that stood last.
    pub pattern: Pattern,
    /// How far it has come.
    pub status: LessonStatus,
    /// Why it stands where it stands, in a sentence.
    pub because: String,
    /// When it was first proposed.
    pub made_at: Timestamp,
    /// When it came to where it stands.
    pub changed_at: Timestamp,
    /// What it does, measured in experiments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
}

impl Lesson {
    /// The point as it stands in a guideline.
    pub fn point(&self) -> Point {
        Point {
            source: self.pattern.id.to_string(),
            text: self.text.to_string(),
            problem: self.problem.clone(),
            lesson: Some(self.id.clone()),
        }
    }
}

/// How far a lesson has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LessonStatus {
    /// Somebody may look at it.
    Proposed,
    /// It is weighed against what is on record; nobody is told.
    Shadow,
    /// Some are told.
    Canary,
    /// All whom it concerns are told.
    Active,
    /// Nobody is told any more.
    Retired,
}

impl LessonStatus {
    /// All of them, in the order of a lesson's life.
    pub const ALL: [LessonStatus; 5] = [Self::Proposed, Self::Shadow, Self::Canary, Self::Active, Self::Retired];

    /// The word people and databases use.
    pub fn word(self) -> &'static str {
        match self {
            LessonStatus::Proposed => "proposed",
            LessonStatus::Shadow => "shadow",
            LessonStatus::Canary => "canary",
            LessonStatus::Active => "active",
            LessonStatus::Retired => "retired",
        }
    }

    /// The status a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}
