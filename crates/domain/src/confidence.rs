//! How sure the whole chain is of a plan: named scores, weighed, and set against what became of such scores before.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::score::Score;

/// From here on a plan is carried out.
pub const EXECUTE_FROM: f64 = 0.8;
/// From here on it is carried out, and marked as worth a look.
pub const REVIEW_FROM: f64 = 0.6;
/// From here on it is thought over; below, a person is asked.
pub const RETHINK_FROM: f64 = 0.4;

/// A weighted aggregate of named scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Confidence {
    /// What it is made of.
    pub scores: Vec<Named>,
    /// The weighted mean of what was reported.
    pub reported: Score,
    /// The weighted mean of what such reports turned out to be worth.
    pub overall: Score,
    /// How far the scores are apart.
    pub variance: f64,
    /// What moves it most, in words.
    pub drivers: Vec<String>,
    /// What follows.
    pub advice: Advice,
}

/// One score of the aggregate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// Whose: `thought`, `plan`, `verification`, `critique`.
    pub name: String,
    /// What was reported.
    pub reported: Score,
    /// What such a report turned out to be worth; the same until there is evidence.
    pub calibrated: Score,
    /// Its part in the aggregate.
    pub weight: f64,
}

/// What a confidence means for what is done next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Advice {
    /// Ask a person.
    Escalate,
    /// Think it over.
    Rethink,
    /// Carry it out, and mark it as worth a look.
    Review,
    /// Carry it out.
    Execute,
}

impl Advice {
    /// What a score means.
    pub fn of(overall: Score) -> Self {
        match overall.get() {
            score if score >= EXECUTE_FROM => Advice::Execute,
            score if score >= REVIEW_FROM => Advice::Review,
            score if score >= RETHINK_FROM => Advice::Rethink,
            _ => Advice::Escalate,
        }
    }
}
