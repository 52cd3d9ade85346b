//! What those who plan and act are told to heed, in versions that a run names.

mod experiment;
mod lesson;
mod store;
mod version;
mod wording;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::symbol::Symbol;

pub use experiment::{Arm, Direction, Effect, Experiment, ExperimentId, ExperimentStatus, Observation, Tally, Trial};
pub use lesson::{Lesson, LessonId, LessonStatus};
pub use store::{Alert, Learned, Learning, Report, Revision};
pub use version::{Author, Semver, Version};
pub use wording::{BadWording, Wording};

/// A version of what somebody is told to heed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guideline {
    /// Who heeds it: a component such as `planner`, or `all`.
    pub agent: String,
    /// Which version it is.
    pub version: String,
    /// The hash of its points: the same version always says the same.
    pub hash: Hash,
    /// What it says.
    pub points: Vec<Point>,
    /// The experiments that had a say in which points there are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
}

/// One thing to heed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// Where it comes from: a file, a setting, a learnt pattern.
    pub source: String,
    /// What it says.
    pub text: String,
    /// For which kind of problem; absent where it is for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Symbol>,
    /// What was learnt, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lesson: Option<LessonId>,
}

impl Point {
    /// A point that somebody wrote down.
    pub fn said(source: impl Into<String>, text: impl Into<String>) -> Self {
        Self { source: source.into(), text: text.into(), problem: None, lesson: None }
    }

    /// Whether it is about a kind of problem.
    pub fn concerns(&self, problem: &Symbol) -> bool {
        self.problem.as_ref().is_none_or(|own| own == problem)
    }
}

impl Guideline {
    /// A version made of some points.
    pub fn new(agent: impl Into<String>, version: impl Into<String>, points: Vec<Point>) -> Self {
        let hash = Hash::of_json(&points);
        Self { agent: agent.into(), version: version.into(), hash, points, trials: Vec::new() }
    }

    /// Whether a component heeds it.
    pub fn concerns(&self, component: &str) -> bool {
        self.agent == component || self.agent == "all"
    }

    /// The learnt ones among its points.
    pub fn lessons(&self) -> impl Iterator<Item = &LessonId> {
        self.points.iter().filter_map(|point| point.lesson.as_ref())
    }
}
