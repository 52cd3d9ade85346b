//! In which order steps can be taken, or why there is none.

use std::collections::{BTreeMap, BTreeSet};

use super::Step;
use crate::id::StepId;

/// Kahn's algorithm, keeping the planner's order where it can; the steps of a circle are what is left over.
pub(super) fn in_order(steps: Vec<Step>) -> Result<Vec<Step>, Vec<StepId>> {
    let mut waiting: BTreeMap<usize, Step> = steps.into_iter().enumerate().collect();
    let mut ordered: Vec<Step> = Vec::with_capacity(waiting.len());
    let mut placed: BTreeSet<StepId> = BTreeSet::new();
    while !waiting.is_empty() {
        let ready = waiting.iter().find(|(_, step)| step.after.is_subset(&placed)).map(|(at, _)| *at);
        match ready.and_then(|at| waiting.remove(&at)) {
            Some(step) => {
                placed.insert(step.id.clone());
                ordered.push(step);
            }
            None => return Err(circle_among(&waiting)),
        }
    }
    Ok(ordered)
}

/// Follows the waits until a step comes round again.
fn circle_among(waiting: &BTreeMap<usize, Step>) -> Vec<StepId> {
    let mut path: Vec<StepId> = Vec::new();
    let mut next = waiting.values().next();
    while let Some(step) = next {
        if let Some(start) = path.iter().position(|id| *id == step.id) {
            return path.split_off(start);
        }
        path.push(step.id.clone());
        next = waiting.values().find(|other| step.after.contains(&other.id));
    }
    path
}
