//! What can be said about routes without taking one: how a request is understood, what is promised about each role, how
//! often such promises were kept, and what people say about it.

use domain::id::RunId;
use domain::role::Role;
use domain::route::{Certified, Correction};
use domain::store::StoreError;
use jiff::{Timestamp, Zoned};
use reflex::certificate::{Sample, shipped_samples};
use reflex::quality::{self, Bin, Choice};
use reflex::{Circumstances, Explained};
use serde::Serialize;

use crate::Runtime;

/// In how many bins confidence is shown.
const BINS: usize = 15;
/// How many thresholds are shown.
const CHOICES: usize = 60;
/// How often a change is tried that somebody else was faster with.
const TRIES: usize = 8;

/// A role, and what is promised about its fast answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Promise {
    /// The role.
    pub role: Role,
    /// What is promised; absent for a role that never answers without a plan.
    pub certified: Option<Certified>,
}

/// How sure answers were beside how often they were right, on requests whose role is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// On how many requests it rests.
    pub examples: usize,
    /// Confidence beside correctness.
    pub bins: Vec<Bin>,
    /// What each threshold would mean.
    pub choices: Vec<Choice>,
}

/// Why a route cannot be corrected.
#[derive(Debug, thiserror::Error)]
pub enum CorrectError {
    /// Name one of the roles there are, or `plan`.
    #[error("there is no role `{0}`")]
    NoSuchRole(String),
    /// Say where it should have gone instead.
    #[error("it went to `{0}` already")]
    AsItWas(String),
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Runtime {
    /// How a request would be understood that this person makes now; nothing where everything is planned.
    pub async fn understand(&self, text: &str, person: Option<&str>) -> Option<Explained> {
        let reflexes = self.reflexes.as_ref()?;
        let (router, names) = (reflexes.router(person).await, reflexes.names().await);
        let circumstances = Circumstances { now: Zoned::now(), names: &names, person, seed: 0 };
        Some(router.explain(text, &circumstances))
    }

    /// The roles there are, and what is promised about each.
    pub async fn promises(&self, person: Option<&str>) -> Vec<Promise> {
        let Some(reflexes) = &self.reflexes else { return Vec::new() };
        let router = reflexes.router(person).await;
        let promise = |role: &Role| Promise {
            role: role.clone(),
            certified: router.certificate(&role.name).filter(|_| role.fast_reply).cloned(),
        };
        router.roles().map(promise).collect()
    }

    /// How sure the shipped classifier was of requests it was calibrated on, beside how often it was right: for one
    /// role or for all.
    pub fn reliability(&self, role: Option<&str>, delta: f64) -> Reliability {
        let mut samples = shipped_samples();
        samples.retain(|sample: &Sample| role.is_none_or(|role| sample.role == role));
        Reliability {
            examples: samples.len(),
            bins: quality::reliability(&samples, BINS),
            choices: quality::risk_coverage(&samples, delta, CHOICES),
        }
    }

    /// Notes where a request should have gone. Requests in the same words go there from then on, and the role that
    /// answered is trusted less. The last word counts.
    pub async fn correct(&self, run: RunId, to: &str, by: Option<String>) -> Result<Correction, CorrectError> {
        let summary = self.store.run(run).await?.ok_or(StoreError::NoSuchRun { run })?;
        let known = to == Correction::PLAN
            || self.reflexes.as_ref().is_some_and(|reflexes| reflexes.roles().role(to).is_some());
        if !known {
            return Err(CorrectError::NoSuchRole(to.to_owned()));
        }
        if summary.role.as_deref().unwrap_or(Correction::PLAN) == to {
            return Err(CorrectError::AsItWas(to.to_owned()));
        }
        let (text, role, to, at) = (summary.text, summary.role, Some(to.to_owned()), Timestamp::now());
        let correction = Correction { text, role, to, meant: None, by, at };
        let value = serde_json::to_value(&correction).unwrap_or_default();
        let key = run.to_string();
        for _ in 0..TRIES {
            let version = self.store.kept(Correction::SHELF, &key).await?.map_or(0, |kept| kept.version);
            if self.store.keep(Correction::SHELF, &key, &value, version).await? {
                self.reflexes.iter().for_each(|reflexes| reflexes.refresh());
                return Ok(correction);
            }
        }
        Err(StoreError::Unavailable("the correction is being changed by somebody else".into()).into())
    }

    /// What people said about routes, newest first, each with the run it is about.
    pub async fn corrections(&self) -> Result<Vec<(String, Correction)>, StoreError> {
        let kept = self.store.shelf(Correction::SHELF).await?;
        let read = |kept: domain::shelf::Kept| Some((kept.key, serde_json::from_value(kept.value).ok()?));
        let mut corrections: Vec<(String, Correction)> = kept.into_iter().filter_map(read).collect();
        corrections.sort_by_key(|(_, correction)| std::cmp::Reverse(correction.at));
        Ok(corrections)
    }

    /// Takes a correction back. Says whether there was one.
    pub async fn uncorrect(&self, run: RunId) -> Result<bool, StoreError> {
        let key = run.to_string();
        let Some(kept) = self.store.kept(Correction::SHELF, &key).await? else { return Ok(false) };
        let gone = self.store.discard(Correction::SHELF, &key, kept.version).await?;
        self.reflexes.iter().for_each(|reflexes| reflexes.refresh());
        Ok(gone)
    }
}
