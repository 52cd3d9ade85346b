//! How likely a trace is a success, from the marks it bears: what counted for and against it in those before.
//!
//! Every mark that enough traces bear and enough do not has a weight, and so has the company a trace is in: its agent,
//! its problem, its system. The weights are those under which what became of known traces is most likely, each held
//! near nothing ([`FitPolicy::caution`]). Where several traces are attempts at one task, it also counts that those which
//! succeeded come out ahead of those which failed: there the task does not differ, only what was done.
//!
//! So a rare mark counts little, and marks that always come together share what they are worth. What was never seen
//! weighs nothing: a trace of an unknown system, agent or problem is judged by what it did, as far as others did the like.

mod company;
mod logistic;
mod pairs;

use std::collections::{BTreeMap, BTreeSet};

use domain::pattern::Mark;
use domain::score::Score;
use domain::trace::Sketch;
use serde::{Deserialize, Serialize};

use crate::marks::marks;
use company::{Company, company};
use logistic::{Column, Row, solve};
use pairs::pairs;

/// How carefully weights are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitPolicy {
    /// So many traces must bear a mark, and as many must not.
    pub least: usize,
    /// How hard weights are held near nothing.
    pub caution: f64,
    /// How many times more freely the company of a trace may weigh than a mark.
    pub freedom: f64,
    /// How much it counts that of two attempts at one task the one that succeeded comes out ahead, beside how much it
    /// counts what became of each.
    pub emphasis: f64,
}

impl Default for FitPolicy {
    fn default() -> Self {
        Self { least: 6, caution: 20.0, freedom: 2.0, emphasis: 0.5 }
    }
}

/// What known traces say about the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Predictor {
    traces: usize,
    base: f64,
    company: BTreeMap<Company, f64>,
    #[serde(with = "listed")]
    weights: BTreeMap<Mark, f64>,
}

/// The weights that fit traces with a known outcome; others are left aside.
pub fn fit(sketches: &[Sketch], policy: &FitPolicy) -> Predictor {
    let known: Vec<(&Sketch, bool)> = sketches.iter().filter_map(|sketch| Some((sketch, sketch.success?))).collect();
    let mut bearers: BTreeMap<Mark, Vec<u32>> = BTreeMap::new();
    let mut members: BTreeMap<Company, Vec<u32>> = BTreeMap::new();
    for (row, (sketch, _)) in (0..).zip(&known) {
        for mark in marks(sketch) {
            bearers.entry(mark).or_default().push(row);
        }
        for of in company(sketch) {
            members.entry(of).or_default().push(row);
        }
    }
    bearers.retain(|_, rows| rows.len() >= policy.least && known.len() - rows.len() >= policy.least);
    let pairs = pairs(&known, policy.emphasis);
    let column = |rows: &Vec<u32>, size: f64| pairs.extend(rows, size, known.len());
    let columns: Vec<Column> = members
        .values()
        .map(|rows| column(rows, policy.freedom))
        .chain(bearers.values().map(|rows| column(rows, 1.0)))
        .collect();
    let alone = known.iter().map(|(_, success)| Row { good: *success, counts: 1.0, alone: true });
    let rows: Vec<Row> = alone.chain(pairs.rows()).collect();
    let (base, weights) = solve(&columns, &rows, policy.caution);
    let (of_company, of_marks) = weights.split_at(members.len());
    Predictor {
        traces: known.len(),
        base,
        company: members.into_keys().zip(of_company.iter().map(|weight| weight * policy.freedom)).collect(),
        weights: bearers.into_keys().zip(of_marks.iter().copied()).collect(),
    }
}

impl Predictor {
    /// How many traces it rests on.
    pub fn traces(&self) -> usize {
        self.traces
    }

    /// How likely a trace is a success.
    pub fn chance(&self, sketch: &Sketch) -> Score {
        Score::nearest(1.0 / (1.0 + (-self.leaning(&marks(sketch), sketch)).exp()))
    }

    /// What spoke for it, above nothing, and against it, below; the weightiest first.
    pub fn reasons(&self, sketch: &Sketch) -> Vec<(Mark, f64)> {
        let borne = marks(sketch).into_iter();
        let mut reasons: Vec<(Mark, f64)> =
            borne.filter_map(|mark| self.weights.get(&mark).copied().map(|weight| (mark, weight))).collect();
        reasons.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(&b.0)));
        reasons
    }

    /// The logarithm of the odds.
    fn leaning(&self, borne: &BTreeSet<Mark>, sketch: &Sketch) -> f64 {
        let marks = borne.iter().filter_map(|mark| self.weights.get(mark));
        let company = company(sketch);
        self.base + marks.sum::<f64>() + company.iter().filter_map(|of| self.company.get(of)).sum::<f64>()
    }
}

/// Marks are no text, so that they cannot be names of fields.
mod listed {
    use std::collections::BTreeMap;

    use domain::pattern::Mark;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(weights: &BTreeMap<Mark, f64>, to: S) -> Result<S::Ok, S::Error> {
        weights.iter().collect::<Vec<_>>().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Mark, f64>, D::Error> {
        Ok(Vec::<(Mark, f64)>::deserialize(from)?.into_iter().collect())
    }
}
