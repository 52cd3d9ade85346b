//! Pairs of attempts at one task of which one succeeded and one failed: what differs between them is what they did.

use std::collections::BTreeMap;

use domain::symbol::Symbol;
use domain::trace::Sketch;

use super::logistic::{Column, Row};

/// With how many failures a success is compared at most.
const MOST: usize = 8;

/// Which rows are compared, as a success and a failure each.
pub(super) struct Pairs {
    pairs: Vec<(u32, u32, f64)>,
    /// Where each row takes part, and on which side.
    parts: BTreeMap<u32, Vec<(u32, f64)>>,
}

/// The pairs among known traces, so weighted that a task counts as its attempts do, times an emphasis.
pub(super) fn pairs(known: &[(&Sketch, bool)], emphasis: f64) -> Pairs {
    let mut tasks: BTreeMap<(&Symbol, &Symbol), [Vec<u32>; 2]> = BTreeMap::new();
    for (row, (sketch, success)) in (0..).zip(known) {
        if let Some(task) = &sketch.task {
            tasks.entry((&sketch.problem, task)).or_default()[usize::from(*success)].push(row);
        }
    }
    let mut pairs = Vec::new();
    for [bad, good] in tasks.into_values() {
        let against = bad.len().min(MOST);
        let counts = emphasis * (good.len() + bad.len()) as f64 / (good.len() * against).max(1) as f64;
        for (at, row) in good.iter().enumerate() {
            pairs.extend((0..against).map(|next| (*row, bad[(at + next) % bad.len()], counts)));
        }
    }
    let mut parts: BTreeMap<u32, Vec<(u32, f64)>> = BTreeMap::new();
    for (pair, (good, bad, _)) in (0..).zip(&pairs) {
        parts.entry(*good).or_default().push((pair, 1.0));
        parts.entry(*bad).or_default().push((pair, -1.0));
    }
    Pairs { pairs, parts }
}

impl Pairs {
    /// The rows that pairs add to those of traces: in each, the one that succeeded should come out ahead.
    pub(super) fn rows(&self) -> impl Iterator<Item = Row> {
        self.pairs.iter().map(|(_, _, counts)| Row { good: true, counts: *counts, alone: false })
    }

    /// A column with the pairs in which what it says is so of one side only; pairs come after so many traces.
    pub(super) fn extend(&self, bearers: &[u32], size: f64, traces: usize) -> Column {
        let mut differ: Vec<(u32, f64)> =
            bearers.iter().filter_map(|row| self.parts.get(row)).flatten().copied().collect();
        differ.sort_by_key(|(pair, _)| *pair);
        let differ = differ.chunk_by(|a, b| a.0 == b.0).filter(|sides| sides.len() == 1);
        let traces = u32::try_from(traces).unwrap_or(u32::MAX);
        let alone = bearers.iter().map(|row| (*row, size));
        alone.chain(differ.map(|sides| (traces + sides[0].0, size * sides[0].1))).collect()
    }
}
