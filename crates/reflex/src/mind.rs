//! How likely each role is, and each action of a role: what is shipped, and what the roles' own examples add.

use std::collections::BTreeMap;

use domain::role::Role;
use domain::route::Certified;

use crate::certificate::{Sample, Verdict, certify_best, shipped_samples};
use crate::classify::Classifier;
use crate::decide::{Experience, Policy};
use crate::drift::Drift;
use crate::embed::Encoded;
use crate::learn::{Chooser, Learned, Lesson, learn};

/// What was learned.
pub(crate) struct Mind {
    roles: Learned<'static>,
    actions: BTreeMap<String, Chooser>,
    names: Vec<String>,
    samples: Vec<Sample>,
}

/// Every role with its probability, likeliest first, and how far the first can be trusted.
pub(crate) struct Scores {
    encoded: Encoded,
    pub(crate) roles: Vec<(String, f64)>,
    /// The finer kinds of request it looks like.
    pub(crate) labels: Vec<(String, f64)>,
}

impl Mind {
    /// Learns from the roles' examples.
    pub(crate) fn learn(roles: &[Role]) -> Self {
        let base = Classifier::shipped();
        let lesson = |role: &Role| {
            let shipped = base.roles().any(|known| known == role.name);
            let of_actions = role.actions.iter().flat_map(|action| action.examples.iter());
            let examples = role.examples.iter().chain(of_actions).filter(|_| !(shipped && role.shipped));
            let examples = examples.cloned().collect();
            Lesson { role: role.name.clone(), examples, shipped }
        };
        let lessons: Vec<Lesson> = roles.iter().map(lesson).collect();
        let chooser = |role: &Role| {
            let lessons: Vec<(String, Vec<String>)> =
                role.actions.iter().map(|action| (action.name.clone(), action.examples.clone())).collect();
            (role.name.clone(), Chooser::learn(base.encoder(), &lessons))
        };
        Self {
            roles: learn(base, &lessons),
            actions: roles.iter().map(chooser).collect(),
            names: roles.iter().map(|role| role.name.clone()).collect(),
            samples: shipped_samples(),
        }
    }

    /// Whether what is shipped knows a role.
    pub(crate) fn is_trained(&self, role: &str) -> bool {
        Classifier::shipped().roles().any(|known| known == role)
    }

    /// Judges a text. The first role's probability is how often such a first role was right.
    pub(crate) fn roles(&self, text: &str) -> Scores {
        let encoded = Classifier::shipped().encoder().features(text);
        let scores = self.roles.judge_encoded(&encoded, text);
        let owned = |pairs: &[(&str, f32)]| -> Vec<(String, f64)> {
            pairs.iter().map(|(name, share)| ((*name).to_owned(), f64::from(*share))).collect()
        };
        let mut roles = owned(&scores.roles);
        // What the first can be trusted with is measured; the others stay behind it.
        let trust = f64::from(scores.confidence).clamp(0.0, 1.0);
        for (at, (_, share)) in roles.iter_mut().enumerate() {
            *share = if at == 0 { trust } else { share.min(trust * 0.99) };
        }
        let labels = owned(&scores.labels);
        Scores { encoded, roles, labels }
    }

    /// Every action of a role with its probability, likeliest first.
    pub(crate) fn actions(&self, role: &str, text: &str, scores: &Scores) -> Vec<(String, f64)> {
        let choose = |chooser: &'_ Chooser| -> Vec<(String, f64)> {
            let chosen = chooser.choose_encoded(&scores.encoded, text);
            chosen.into_iter().map(|(name, share)| (name.to_owned(), f64::from(share))).collect()
        };
        self.actions.get(role).map(choose).unwrap_or_default()
    }

    /// The examples that are most like a text, whoever's they are: the example, its role, and how alike they are.
    pub(crate) fn nearest(&self, text: &str, count: usize) -> Vec<(String, String, f64)> {
        let of_actions = self.actions.iter().flat_map(|(role, chooser)| {
            let nearest = chooser.nearest(text, count).into_iter();
            nearest.map(move |(text, _, like)| (text, role.as_str(), like))
        });
        let mut all: Vec<(&str, &str, f32)> = self.roles.nearest(text, count).into_iter().chain(of_actions).collect();
        all.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| (a.0, a.1).cmp(&(b.0, b.1))));
        all.dedup_by(|a, b| (a.0, a.1) == (b.0, b.1));
        all.truncate(count);
        all.into_iter().map(|(text, role, like)| (text.to_owned(), role.to_owned(), f64::from(like))).collect()
    }

    /// What is promised about each role's fast answers.
    pub(crate) fn certificates(&self, policy: &Policy, experience: &Experience) -> BTreeMap<String, Certified> {
        let promises = certify_best(&self.samples, policy.alpha, policy.delta);
        let named = |name: &String| (name.clone(), self.certificate(name, &promises, policy, experience));
        self.names.iter().map(named).collect()
    }

    fn certificate(&self, role: &str, promises: &[Verdict], policy: &Policy, experience: &Experience) -> Certified {
        let promise = |role: &str| {
            let of_role = |verdict: &&Verdict| match verdict {
                Ok(certificate) => certificate.role == role,
                Err(refused) => refused.role == role,
            };
            promises.iter().find(of_role)
        };
        let mut certified = Certified {
            threshold: None,
            alpha: policy.alpha,
            delta: policy.delta,
            samples: self.samples.iter().filter(|sample| sample.role == role).count(),
            withdrawn: false,
            why_not: None,
        };
        match policy.thresholds.get(role) {
            Some(Some(threshold)) => {
                (certified.threshold, certified.samples) = (Some(*threshold), policy.calibrated_on);
            }
            Some(None) => certified.why_not = Some("calibration found no confidence that is enough".to_owned()),
            None => match promise(role) {
                Some(Ok(certificate)) => certified.threshold = Some(f64::from(certificate.threshold)),
                Some(Err(refused)) => certified.why_not = Some(refused.why.clone()),
                None => certified.why_not = Some("no labelled requests for it are known".to_owned()),
            },
        }
        let outcomes = experience.roles.get(role).map(|record| record.outcomes.as_slice()).unwrap_or_default();
        let mut drift = Drift::new(policy.alpha, policy.delta);
        outcomes.iter().for_each(|wrong| drift.observe(*wrong));
        let (seen, wrong) = drift.counts();
        // One or two mistakes are an accident, whatever the odds.
        if policy.adapt && drift.withdrawn() && wrong >= 3 {
            certified.threshold = None;
            certified.withdrawn = true;
            certified.why_not = Some(format!("withdrawn: {wrong} of the last {seen} fast answers were wrong"));
        }
        certified
    }
}
