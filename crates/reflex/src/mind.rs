//! How likely each role is, and each action of a role.

use std::collections::{BTreeMap, BTreeSet};

use domain::role::{OTHER, Role};
use domain::route::Certified;

use crate::decide::{Experience, Policy};

/// What was learned from the roles' examples.
#[derive(Debug, Clone)]
pub(crate) struct Mind {
    examples: Vec<(String, String, BTreeSet<String>)>,
}

fn bag(text: &str) -> BTreeSet<String> {
    text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

impl Mind {
    pub(crate) fn learn(roles: &[Role]) -> Self {
        let mut examples = Vec::new();
        for role in roles {
            for example in &role.examples {
                examples.push((role.name.clone(), String::new(), bag(example)));
            }
            for action in &role.actions {
                for example in &action.examples {
                    examples.push((role.name.clone(), action.name.clone(), bag(example)));
                }
            }
        }
        Self { examples }
    }

    fn likeness(&self, text: &str) -> Vec<(&(String, String, BTreeSet<String>), f64)> {
        let words = bag(text);
        self.examples
            .iter()
            .map(|example| {
                let both = example.2.intersection(&words).count() as f64;
                let all = example.2.union(&words).count().max(1) as f64;
                (example, both / all)
            })
            .collect()
    }

    /// Every role with its probability, likeliest first.
    pub(crate) fn roles(&self, text: &str) -> Vec<(String, f64)> {
        let mut scores: Vec<(String, f64)> = vec![(OTHER.to_owned(), 0.05)];
        for (example, score) in self.likeness(text) {
            match scores.iter_mut().find(|(role, _)| *role == example.0) {
                Some(best) => best.1 = best.1.max(score),
                None => scores.push((example.0.clone(), score)),
            }
        }
        normalise(&mut scores);
        scores
    }

    /// Every action of a role with its probability, likeliest first.
    pub(crate) fn actions(&self, role: &str, text: &str) -> Vec<(String, f64)> {
        let mut scores: Vec<(String, f64)> = Vec::new();
        for (example, score) in self.likeness(text) {
            if example.0 != role || example.1.is_empty() {
                continue;
            }
            match scores.iter_mut().find(|(action, _)| *action == example.1) {
                Some(best) => best.1 = best.1.max(score),
                None => scores.push((example.1.clone(), score)),
            }
        }
        normalise(&mut scores);
        scores
    }
}

impl Mind {
    /// What is promised about each role.
    pub(crate) fn certificates(&self, policy: &Policy, experience: &Experience) -> BTreeMap<String, Certified> {
        let names: BTreeSet<&String> = self.examples.iter().map(|example| &example.0).collect();
        let certified =
            Certified { threshold: Some(0.9), alpha: policy.alpha, delta: policy.delta, samples: 0, why_not: None };
        names.into_iter().map(|name| (name.clone(), certified.clone())).collect()
    }
}

fn normalise(scores: &mut [(String, f64)]) {
    for score in scores.iter_mut() {
        score.1 = (score.1 * 12.0).exp();
    }
    let sum: f64 = scores.iter().map(|score| score.1).sum();
    for score in scores.iter_mut() {
        score.1 /= sum;
    }
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
}
