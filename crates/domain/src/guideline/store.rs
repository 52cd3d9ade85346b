//! The seam to where what was learnt is kept.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Experiment, ExperimentId, Lesson, LessonId, Observation, Semver, Version};
use crate::id::TraceId;
use crate::store::StoreError;
use crate::symbol::Symbol;
use crate::trace::Sketch;

/// A database that keeps what was learnt.
///
/// Everything changes through [`revise`](Learning::revise), all of it or nothing, and only if nobody changed anything
/// since it was read: of two learners, or a learner and a person, one has to look again.
#[async_trait]
pub trait Learning: Send + Sync {
    /// Becomes the learner until then, unless somebody else is. The one that is may go on being it. Says whether it worked.
    async fn take_up_learning(&self, worker: &str, now: Timestamp, until: Timestamp) -> Result<bool, StoreError>;

    /// Is the learner no longer.
    async fn lay_down_learning(&self, worker: &str) -> Result<(), StoreError>;

    /// How far learning has come.
    async fn learned(&self) -> Result<Learned, StoreError>;

    /// Changes what was learnt, in one transaction, durably, if `revision` is still what [`learned`](Learning::learned)
    /// says; every change raises it. Says whether that was so.
    async fn revise(&self, revision: u64, change: Revision) -> Result<bool, StoreError>;

    /// What was learnt from of these traces, as it was then.
    async fn taken(&self, traces: &[TraceId]) -> Result<Vec<Sketch>, StoreError>;

    /// Everything that was learnt from, by trace, after one.
    async fn evidence(&self, after: Option<&TraceId>, limit: usize) -> Result<Vec<Sketch>, StoreError>;

    /// What came of the parts in an experiment, in the order in which that was first known.
    async fn observations(&self, experiment: &ExperimentId) -> Result<Vec<Observation>, StoreError>;

    /// All lessons, most recently changed first.
    async fn lessons(&self) -> Result<Vec<Lesson>, StoreError>;

    /// One lesson.
    async fn lesson(&self, id: &LessonId) -> Result<Option<Lesson>, StoreError>;

    /// All versions of what an agent is told, newest first, each with whether it is the one that is told now.
    async fn guideline_versions(&self, agent: &Symbol) -> Result<Vec<(Version, bool)>, StoreError>;

    /// What every agent is told now.
    async fn guidelines(&self) -> Result<Vec<Version>, StoreError>;

    /// Experiments, those begun last first: all, or only those that are under way.
    async fn experiments(&self, open: bool) -> Result<Vec<Experiment>, StoreError>;

    /// What became of learning cycles, newest first.
    async fn reports(&self, limit: usize) -> Result<Vec<Report>, StoreError>;
}

/// How far learning has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Learned {
    /// Raised by every change.
    pub revision: u64,
    /// How many cycles there were.
    pub cycles: u64,
    /// Up to where changed traces were taken in: for [`changed_traces`](crate::trace::Traces::changed_traces).
    pub mark: u64,
    /// What the miner has counted, as it wrote it; absent at first.
    pub state: Option<Vec<u8>>,
    /// Who learns now, and until when.
    pub learner: Option<(String, Timestamp)>,
}

/// A change of what was learnt. What is absent or empty stays as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Revision {
    /// Up to where traces were taken in, and what the miner has counted now.
    pub state: Option<(u64, Vec<u8>)>,
    /// What was learnt from: new, changed, or no longer.
    pub evidence: Vec<(TraceId, Option<Sketch>)>,
    /// Outcomes in experiments: new ones, and ones that turned out otherwise, which keep their place.
    pub observations: Vec<Observation>,
    /// New and changed lessons.
    pub lessons: Vec<Lesson>,
    /// New versions.
    pub versions: Vec<Version>,
    /// What agents are told from now on.
    pub turned: Vec<(Symbol, Semver)>,
    /// New and changed experiments.
    pub experiments: Vec<Experiment>,
    /// What became of the cycle, where it is one.
    pub report: Option<Report>,
}

/// What became of a learning cycle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Counted from 1.
    pub cycle: u64,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
    /// How many traces were new or had changed, by what became of them.
    pub seen: std::collections::BTreeMap<String, u64>,
    /// How many traces it rests on altogether, and how many of them succeeded.
    pub traces: u64,
    /// Successes among them.
    pub successes: u64,
    /// How many patterns were found, by family.
    pub found: std::collections::BTreeMap<String, u64>,
    /// What was proposed, tried, promoted, rolled back or retired, a sentence each.
    pub changed: Vec<String>,
    /// What was not, and why, a sentence each.
    pub not_changed: Vec<String>,
    /// What got worse.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alerts: Vec<Alert>,
    /// What else is worth keeping: figures by agent.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub figures: Value,
}

/// A success rate that fell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alert {
    /// Whose.
    pub agent: Symbol,
    /// At which kind of problem; absent for all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Symbol>,
    /// What it was.
    pub before: f64,
    /// What it is.
    pub now: f64,
    /// How strongly the outcomes speak for a change: a false alarm comes that rarely, in runs.
    pub evidence: f64,
    /// Since which trace, roughly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<TraceId>,
    /// The same in a sentence.
    pub words: String,
}
