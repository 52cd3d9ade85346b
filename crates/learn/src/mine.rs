//! Finds what separates traces that succeed from those that fail.
//!
//! Of every trace one row is kept: what kind it is, how it ended, and the numbers of the marks it bears, some two hundred
//! bytes in all. Taking a row in or out costs time proportional to the trace. Everything else is reckoned from the rows
//! when patterns are asked for, so that it is exact however often traces came, changed or went.

mod bytes;
mod columns;
mod names;
mod pick;
mod relative;
mod report;
mod row;
mod strata;
mod sweep;
mod traces;
mod worth;

use std::collections::HashMap;

use domain::id::TraceId;
use domain::pattern::{Mark, Pattern};
use domain::symbol::Symbol;
use domain::trace::{Sketch, Source};

use self::names::Names;
use self::row::Row;
use self::traces::Traces;
use crate::marks::marks;

pub use bytes::NoMiner;
pub use worth::Worth;

/// When something is a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct MinePolicy {
    /// How many traces with a known outcome there are before anything is.
    pub min_traces: u64,
    /// How many traces that can be compared with others bear its mark.
    pub min_support: u64,
    /// How sure it is that the mark changes the chance of success by `least_effect` or more, in the direction reported:
    /// from 0 to 1.
    pub confidence: f64,
    /// Less than this is not worth a word.
    pub least_effect: f64,
    /// The share of patterns that may be chance, over everything that was looked at.
    pub false_discoveries: f64,
}

impl Default for MinePolicy {
    fn default() -> Self {
        Self { min_traces: 10, min_support: 8, confidence: 0.7, least_effect: 0.05, false_discoveries: 0.05 }
    }
}

/// What is known of all traces.
#[derive(Debug, Clone, Default)]
pub struct Miner {
    symbols: Names<Symbol>,
    sources: Names<Source>,
    marks: Names<Mark>,
    /// Boxed, so that a table that grows moves little.
    rows: HashMap<TraceId, Box<Row>>,
}

impl Miner {
    /// Takes a trace in. One that is there already is replaced: a label that flipped and a span that came late need no
    /// more than this.
    pub fn add(&mut self, sketch: &Sketch) {
        self.retract(&sketch.trace);
        let row = self.row(sketch, marks(sketch));
        self.rows.insert(sketch.trace.clone(), Box::new(row));
    }

    /// Takes a trace out, as if it had never been in. Says whether it was.
    pub fn retract(&mut self, trace: &TraceId) -> bool {
        let Some(row) = self.rows.remove(trace) else { return false };
        self.release(&row);
        true
    }

    /// Takes out everything a source sent, and says how many traces that were.
    pub fn retract_source(&mut self, source: &Source) -> u64 {
        let Some(number) = self.sources.number(source) else { return 0 };
        let theirs = self.rows.iter().filter(|(_, row)| row.source == number);
        let theirs: Vec<TraceId> = theirs.map(|(trace, _)| trace.clone()).collect();
        theirs.iter().for_each(|trace| _ = self.retract(trace));
        theirs.len() as u64
    }

    /// How many traces there are, and how many of them have an outcome: only these are evidence.
    pub fn traces(&self) -> (u64, u64) {
        let known = self.rows.values().filter(|row| row.success.is_some()).count();
        (self.rows.len() as u64, known as u64)
    }

    /// How many traces have an outcome, and how many of these succeeded.
    pub fn outcomes(&self) -> (u64, u64) {
        let outcomes = self.rows.values().filter_map(|row| row.success);
        outcomes.fold((0, 0), |(all, good), success| (all + 1, good + u64::from(success)))
    }

    /// What separates success from failure, the surest first. The same traces give the same patterns, in whatever order
    /// they came.
    pub fn patterns(&self, policy: &MinePolicy) -> Vec<Pattern> {
        let traces = Traces::of(self);
        if traces.len() < policy.min_traces as usize {
            return Vec::new();
        }
        let looked = columns::look(&traces, policy);
        let picked = pick::pick(&traces, &looked);
        report::report(self, &traces, &looked, &picked)
    }

    /// What each agent's tools are worth: how often calls fail, and what using them goes with.
    pub fn tools(&self) -> Vec<Worth> {
        worth::worth(self)
    }
}
