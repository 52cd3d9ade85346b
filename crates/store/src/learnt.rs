//! What was learnt, as rows: bodies are JSON, with what they are found by beside them.

use domain::guideline::{Arm, Experiment, ExperimentId, Learned, Observation, Version};
use domain::store::StoreError;
use domain::symbol::Symbol;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::batch::json;
use crate::decode::{Columns, damaged, value, word};
use crate::instant::moment;

/// A value, from its JSON.
pub(crate) fn body<T: DeserializeOwned>(mut row: impl Columns) -> Result<T, StoreError> {
    value(&row.text()?)
}

/// A value and whether it holds now, from its JSON and the truth.
pub(crate) fn body_and_truth<T: DeserializeOwned>(mut row: impl Columns) -> Result<(T, bool), StoreError> {
    Ok((value(&row.text()?)?, row.truth()?))
}

/// How far learning has come, from revision, cycles, mark, state, learner and until when.
pub(crate) fn learned(mut row: impl Columns) -> Result<Learned, StoreError> {
    Ok(Learned {
        revision: row.integer()? as u64,
        cycles: row.integer()? as u64,
        mark: row.integer()? as u64,
        state: row.maybe_bytes()?,
        learner: match (row.maybe_text()?, row.maybe_integer()?) {
            (Some(learner), Some(until)) => Some((learner, moment(until)?)),
            _ => None,
        },
    })
}

/// What came of a part in an experiment, from experiment, trace, arm and success.
pub(crate) fn observation(mut row: impl Columns) -> Result<Observation, StoreError> {
    Ok(Observation {
        experiment: ExperimentId(Symbol::from(row.text()?)),
        trace: row.text()?.try_into().map_err(damaged)?,
        arm: word(row.text()?, |word| [Arm::Control, Arm::Candidate].into_iter().find(|arm| arm_word(*arm) == word))?,
        success: row.truth()?,
    })
}

/// The word that an arm is stored as.
pub(crate) fn arm_word(arm: Arm) -> &'static str {
    match arm {
        Arm::Control => "control",
        Arm::Candidate => "candidate",
    }
}

/// A value's JSON, after it was seen that it can be read: numbers that are none cannot, and would hide all the others.
pub(crate) fn readable<T: Serialize + DeserializeOwned>(kept: &T) -> Result<String, StoreError> {
    let text = json(kept);
    match value::<T>(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(StoreError::Unavailable(format!("this cannot be kept: {error}").into())),
    }
}

/// An experiment's JSON. Evidence beyond all numbers is the largest one, because JSON has no infinity.
pub(crate) fn experiment_body(experiment: &Experiment) -> Result<String, StoreError> {
    let finite = |evidence: f64| if evidence.is_nan() { 0.0 } else { evidence.clamp(0.0, f64::MAX) };
    let (evidence_for, evidence_against) = (finite(experiment.evidence_for), finite(experiment.evidence_against));
    readable(&Experiment { evidence_for, evidence_against, ..experiment.clone() })
}

/// Versions are never changed.
pub(crate) fn changed_version(version: &Version) -> StoreError {
    let Version { agent, version, .. } = version;
    StoreError::Unavailable(format!("version {version} for `{agent}` is there already and says something else").into())
}
