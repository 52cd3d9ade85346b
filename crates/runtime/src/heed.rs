//! What a run is told of what was learnt, and which experiments it takes part in.

use domain::guideline::{Arm, Direction, Experiment, ExperimentStatus, Guideline, Lesson, Trial, Version};
use domain::store::{Store, StoreError};
use domain::symbol::Symbol;

/// What is told now, and what is tried.
#[derive(Debug, Default)]
pub(crate) struct Learnt {
    versions: Vec<Version>,
    /// Those under way, each with what it tries.
    experiments: Vec<(Experiment, Lesson)>,
}

/// Whom a run's guidelines are for, and what it is about.
#[derive(Debug, Clone)]
pub(crate) struct Kind {
    /// Who chooses what is called.
    pub(crate) agent: Symbol,
    /// What kind of problem it is.
    pub(crate) problem: Symbol,
}

impl Learnt {
    pub(crate) async fn read(store: &dyn Store) -> Result<Self, StoreError> {
        let versions = store.guidelines().await?;
        let mut experiments = Vec::new();
        for experiment in store.experiments(true).await? {
            if experiment.status == ExperimentStatus::Canary {
                let lesson = store.lesson(&experiment.lesson).await?;
                experiments.extend(lesson.map(|lesson| (experiment, lesson)));
            }
        }
        Ok(Self { versions, experiments })
    }

    /// These versions and nothing that is tried.
    pub(crate) fn only(versions: Vec<Version>) -> Self {
        Self { versions, experiments: Vec::new() }
    }

    /// What is told in a run of a kind. Who belongs together (`unit`) gets the same in the same experiment.
    ///
    /// A run takes part in the experiments about its own kind of agent and problem, and in no others: they could tell
    /// nothing about it.
    pub(crate) fn told(&self, kind: &Kind, unit: &str) -> Vec<Guideline> {
        let mut told: Vec<Guideline> = self.versions.iter().map(|version| of_version(version, kind)).collect();
        let concerned = |experiment: &Experiment| {
            let agent = experiment.agent == kind.agent || experiment.agent.as_str() == "all";
            agent && experiment.problem.as_ref().is_none_or(|problem| *problem == kind.problem)
        };
        for (experiment, lesson) in self.experiments.iter().filter(|(experiment, _)| concerned(experiment)) {
            let arm = learn::experiment::assign(&experiment.id, unit, experiment.share);
            let at = told.iter().position(|guideline| guideline.agent == experiment.agent.as_str());
            let at = at.unwrap_or_else(|| {
                told.push(Guideline::new(experiment.agent.as_str(), "0.0.0", Vec::new()));
                told.len() - 1
            });
            let points = &mut told[at].points;
            points.retain(|point| point.lesson.as_ref() != Some(&lesson.id));
            if (arm == Arm::Candidate) == (experiment.direction == Direction::Add) {
                points.push(lesson.point());
            }
            told[at].trials.push(Trial { experiment: experiment.id.clone(), arm });
        }
        let spoken = told.into_iter().filter(|guideline| !(guideline.points.is_empty() && guideline.trials.is_empty()));
        spoken.map(|told| Guideline { hash: domain::hash::Hash::of_json(&told.points), ..told }).collect()
    }
}

fn of_version(version: &Version, kind: &Kind) -> Guideline {
    let points = version.points.iter().filter(|point| point.concerns(&kind.problem)).cloned().collect();
    Guideline::new(version.agent.as_str(), version.version.to_string(), points)
}
