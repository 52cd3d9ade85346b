//! What a critic says about a plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::score::Score;

/// From here on a plan is approved.
pub const APPROVE_FROM: f64 = 0.8;
/// From here on it is to be revised; below it is rejected.
pub const REVISE_FROM: f64 = 0.6;

/// A judgement of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Critique {
    /// How good it is in five respects.
    pub scores: Scores,
    /// How good it is.
    pub overall: Score,
    /// What follows: never better than the scores allow.
    pub verdict: Verdict,
    /// What is wrong with it.
    #[serde(default)]
    pub issues: Vec<Issue>,
    /// What is good about it.
    #[serde(default)]
    pub strengths: Vec<String>,
    /// What the person would have to say for it to be better.
    #[serde(default, alias = "followUpQuestions")]
    pub follow_up_questions: Vec<String>,
    /// The judgement in words.
    #[serde(default)]
    pub summary: String,
}

/// How good a plan is in five respects.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// It does what was asked for, and not something else.
    pub correctness: Score,
    /// Nothing that was asked for is missing.
    pub completeness: Score,
    /// Its tools can do it.
    pub feasibility: Score,
    /// It takes no more than it needs.
    pub efficiency: Score,
    /// It does nothing that could be regretted.
    pub safety: Score,
}

impl Scores {
    /// The respects and their scores.
    pub fn named(&self) -> [(&'static str, Score); 5] {
        [
            ("correctness", self.correctness),
            ("completeness", self.completeness),
            ("feasibility", self.feasibility),
            ("efficiency", self.efficiency),
            ("safety", self.safety),
        ]
    }

    /// The same everywhere.
    pub fn all(score: Score) -> Self {
        Self { correctness: score, completeness: score, feasibility: score, efficiency: score, safety: score }
    }

    /// Their mean.
    pub fn mean(&self) -> Score {
        let named = self.named();
        Score::nearest(named.iter().map(|(_, score)| score.get()).sum::<f64>() / named.len() as f64)
    }
}

/// What a critic would have done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Plan anew.
    Reject,
    /// Correct the plan.
    Revise,
    /// Go on.
    Approve,
}

impl Verdict {
    /// What a score means.
    pub fn of(overall: Score) -> Self {
        match overall.get() {
            score if score >= APPROVE_FROM => Verdict::Approve,
            score if score >= REVISE_FROM => Verdict::Revise,
            _ => Verdict::Reject,
        }
    }
}

/// Something wrong with a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Issue {
    /// How bad it is.
    #[serde(default)]
    pub severity: Severity,
    /// What kind of thing it is.
    #[serde(default)]
    pub category: String,
    /// What is wrong.
    pub description: String,
    /// What would be better.
    #[serde(default)]
    pub suggestion: String,
    /// The steps it is about.
    #[serde(default, alias = "affectedSteps")]
    pub affected_steps: Vec<String>,
}

/// How bad something is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Hardly.
    Low,
    /// Noticeably.
    #[default]
    Medium,
    /// The result suffers.
    High,
    /// There is no result, or harm is done.
    Critical,
}
