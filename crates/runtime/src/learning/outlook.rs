//! How far learning has come: what people are shown.

use std::collections::BTreeMap;

use domain::guideline::{Experiment, LessonStatus, Report, Semver, Version};
use domain::hash::Hash;
use domain::pattern::Pattern;
use domain::store::{Store, StoreError};
use domain::symbol::Symbol;
use jiff::Timestamp;
use serde::Serialize;

use super::{LearnPolicy, take_in};

/// How far learning has come.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// How many cycles there were.
    pub cycles: u64,
    /// What became of the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Report>,
    /// Who is learning now, and until when at the latest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learner: Option<(String, Timestamp)>,
    /// How many traces with an outcome it rests on.
    pub traces: u64,
    /// How many of them succeeded.
    pub successes: u64,
    /// How many lessons stand where.
    pub lessons: BTreeMap<&'static str, u64>,
    /// What is being tried.
    pub experiments: Vec<Experiment>,
    /// What agents are told.
    pub guidelines: Vec<Told>,
    /// Whether guidelines change without a person.
    pub auto_update: bool,
}

/// What an agent is told, in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Told {
    /// Who.
    pub agent: Symbol,
    /// Which version.
    pub version: Semver,
    /// The hash of its points.
    pub hash: Hash,
    /// How many points.
    pub points: usize,
    /// How many of them were learnt.
    pub learnt: usize,
}

impl From<&Version> for Told {
    fn from(version: &Version) -> Self {
        Self {
            agent: version.agent.clone(),
            version: version.version,
            hash: version.hash,
            points: version.points.len(),
            learnt: version.points.iter().filter(|point| point.lesson.is_some()).count(),
        }
    }
}

/// How far learning has come.
pub async fn status(store: &dyn Store, policy: &LearnPolicy) -> Result<Status, StoreError> {
    let learned = store.learned().await?;
    let last = store.reports(1).await?.pop();
    let mut lessons: BTreeMap<&'static str, u64> = LessonStatus::ALL.map(|status| (status.word(), 0)).into();
    for lesson in store.lessons().await? {
        *lessons.entry(lesson.status.word()).or_default() += 1;
    }
    let now = Timestamp::now();
    Ok(Status {
        cycles: learned.cycles,
        learner: learned.learner.filter(|(_, until)| *until > now),
        traces: last.as_ref().map_or(0, |last| last.traces),
        successes: last.as_ref().map_or(0, |last| last.successes),
        last,
        lessons,
        experiments: store.experiments(true).await?,
        guidelines: store.guidelines().await?.iter().map(Told::from).collect(),
        auto_update: policy.auto_update,
    })
}

/// The patterns in what was taken in so far.
pub async fn patterns(store: &dyn Store, policy: &LearnPolicy) -> Result<Vec<Pattern>, StoreError> {
    let miner = take_in::counted(store, store.learned().await?.state.as_deref()).await?;
    Ok(miner.patterns(&policy.mining()))
}
