//! How often what succeeds is ranked above what fails: among all, and among those that have something in common.

use std::collections::BTreeMap;

use crate::dice::Dice;

/// How often groups are drawn anew for an interval.
const DRAWS: usize = 1_000;

/// A trace or a step with what was said about it and what was true.
pub(super) struct Ranked {
    pub(super) group: String,
    pub(super) score: f64,
    pub(super) good: bool,
}

/// The share of all pairs of a good and a bad one that are in order; ties count half.
pub(super) fn auc<'a>(ranked: impl IntoIterator<Item = &'a Ranked>) -> f64 {
    let (right, pairs) = pairs(ranked);
    right / pairs
}

/// The same over pairs of one group, and how many pairs there are.
pub(super) fn within(ranked: &[Ranked]) -> (f64, f64) {
    let mut groups: BTreeMap<&str, Vec<&Ranked>> = BTreeMap::new();
    for one in ranked {
        groups.entry(&one.group).or_default().push(one);
    }
    let sums = groups.into_values().map(pairs).fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    (sums.0 / sums.1, sums.1)
}

/// Where the share among all would lie nineteen times in twenty, were groups drawn anew.
pub(super) fn interval(ranked: &[Ranked]) -> (f64, f64) {
    let mut groups: BTreeMap<&str, Vec<&Ranked>> = BTreeMap::new();
    for one in ranked {
        groups.entry(&one.group).or_default().push(one);
    }
    let groups: Vec<Vec<&Ranked>> = groups.into_values().collect();
    let mut dice = Dice::new(7);
    let mut draws: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let drawn = (0..groups.len()).flat_map(|_| &groups[dice.below(groups.len() as u64) as usize]);
            auc(drawn.copied().collect::<Vec<_>>())
        })
        .collect();
    draws.sort_by(f64::total_cmp);
    (draws[DRAWS / 40], draws[DRAWS - DRAWS / 40])
}

fn pairs<'a>(ranked: impl IntoIterator<Item = &'a Ranked>) -> (f64, f64) {
    let mut sorted: Vec<&Ranked> = ranked.into_iter().collect();
    sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
    let (mut right, mut bad, mut good) = (0.0, 0.0, 0.0);
    for alike in sorted.chunk_by(|a, b| a.score == b.score) {
        let these = alike.iter().filter(|one| one.good).count() as f64;
        let those = alike.len() as f64 - these;
        right += these * (bad + those / 2.0);
        bad += those;
        good += these;
    }
    (right, bad * good)
}
