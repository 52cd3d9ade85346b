//! The traces that are evidence, and who bears what.

use std::borrow::Cow;
use std::collections::HashSet;

use domain::id::TraceId;
use domain::pattern::Mark;
use domain::symbol::Symbol;

use super::Miner;
use super::relative::relative;
use super::row::Row;
use super::strata::{Stratum, strata};
use crate::contrast::Table;

/// The traces with an outcome, and who bears what. In an order of its own, so that nothing depends on how they came.
pub(super) struct Traces<'a> {
    pub(super) ids: Vec<&'a TraceId>,
    pub(super) rows: Vec<&'a Row>,
    pub(super) success: Vec<bool>,
    pub(super) strata: Vec<Stratum>,
    pub(super) stratum: Vec<u32>,
    /// Successes and failures of each stratum.
    pub(super) totals: Vec<(u64, u64)>,
    /// Names of agents and problems, in their places.
    pub(super) symbols: Vec<&'a Symbol>,
    pub(super) marks: Vec<Cow<'a, Mark>>,
    pub(super) bearers: Vec<Vec<u32>>,
    /// How many marks traces bear by themselves; the others come after them.
    borne: usize,
}

/// For whom something is told. Where only one kind bears a mark, it is told for that kind and nobody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope {
    /// For all.
    All,
    /// For a kind of agent, whatever the problem.
    Agent(u32),
    /// For a kind of agent with a kind of problem.
    Kind(u32, u32),
}

/// How a stratum's traces with a mark ended, and a number that others have only if the very same traces bear them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tallied {
    success: u64,
    failure: u64,
    trace_sum: u128,
}

impl<'a> Traces<'a> {
    pub(super) fn of(miner: &'a Miner) -> Self {
        let mut known: Vec<(&TraceId, &Row, bool)> =
            miner.rows.iter().filter_map(|(id, row)| Some((id, row.as_ref(), row.success?))).collect();
        known.sort_unstable_by_key(|(id, ..)| *id);
        let rows: Vec<&Row> = known.iter().map(|(_, row, _)| *row).collect();
        let success: Vec<bool> = known.iter().map(|(.., success)| *success).collect();
        let (symbols, places) = miner.symbols.ordered();
        let (strata, stratum) = strata(&rows, &places);
        let mut totals = vec![(0, 0); strata.len()];
        for (at, success) in stratum.iter().zip(&success) {
            let (good, bad) = &mut totals[*at as usize];
            *(if *success { good } else { bad }) += 1;
        }
        let (marks, places) = miner.marks.ordered();
        let mut bearers = vec![Vec::new(); marks.len()];
        for (at, row) in rows.iter().enumerate() {
            row.marks.iter().for_each(|mark| bearers[places[*mark as usize] as usize].push(at as u32));
        }
        let mut marks: Vec<Cow<'_, Mark>> = marks.into_iter().map(Cow::Borrowed).collect();
        let borne = marks.len();
        for (mark, who) in relative(&rows) {
            marks.push(Cow::Owned(mark));
            bearers.push(who);
        }
        let ids = known.iter().map(|(id, ..)| *id).collect();
        Self { ids, rows, success, strata, stratum, totals, symbols, marks, bearers, borne }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Where a mark that traces bear stands.
    pub(super) fn place(&self, mark: &Mark) -> Option<u32> {
        self.marks[..self.borne].binary_search_by(|other| other.as_ref().cmp(mark)).ok().map(|at| at as u32)
    }

    /// Who of a scope bears a mark and can be compared with others of the stratum who do not.
    pub(super) fn compared(&self, mark: u32, scope: Scope) -> impl Iterator<Item = u32> {
        let strata: HashSet<u32> = self.tables(mark, scope).into_iter().map(|(stratum, _)| stratum).collect();
        self.bearers[mark as usize].iter().copied().filter(move |at| strata.contains(&self.stratum[*at as usize]))
    }

    /// The strata of a scope in which those who bear a mark can be compared with those who do not.
    pub(super) fn tables(&self, mark: u32, scope: Scope) -> Vec<(u32, Table)> {
        let mut tallies = vec![Tallied::default(); self.strata.len()];
        let tallied = self.tally(mark, &mut tallies);
        tallied
            .into_iter()
            .filter(|(at, ..)| scope.holds(&self.strata[*at as usize]))
            .map(|(at, t, _)| (at, t))
            .collect()
    }

    /// The same for all, in the order of strata; leaves the tallies as it found them, empty.
    pub(super) fn tally(&self, mark: u32, tallies: &mut [Tallied]) -> Vec<(u32, Table, u128)> {
        let mut touched = Vec::new();
        for at in &self.bearers[mark as usize] {
            let stratum = self.stratum[*at as usize];
            let tally = &mut tallies[stratum as usize];
            if tally.success + tally.failure == 0 {
                touched.push(stratum);
            }
            *(if self.success[*at as usize] { &mut tally.success } else { &mut tally.failure }) += 1;
            tally.trace_sum = tally.trace_sum.wrapping_add(scattered(u64::from(*at)));
        }
        touched.sort_unstable();
        let tables = touched.into_iter().map(|at| {
            let Tallied { success, failure, trace_sum } = std::mem::take(&mut tallies[at as usize]);
            let (good, bad) = self.totals[at as usize];
            let table = Table {
                with_success: success,
                with_failure: failure,
                without_success: good - success,
                without_failure: bad - failure,
            };
            (at, table, trace_sum)
        });
        tables.filter(|(_, table, _)| table.compares()).collect()
    }
}

impl Scope {
    pub(super) fn holds(self, stratum: &Stratum) -> bool {
        match self {
            Scope::All => true,
            Scope::Agent(agent) => stratum.agent == agent,
            Scope::Kind(agent, problem) => (stratum.agent, stratum.problem) == (agent, problem),
        }
    }

    /// A number for scopes that are as broad.
    pub(super) fn level(self) -> u8 {
        match self {
            Scope::All => 0,
            Scope::Agent(_) => 1,
            Scope::Kind(..) => 2,
        }
    }
}

/// A number that is far from those of the numbers beside it.
fn scattered(number: u64) -> u128 {
    let mix = |seed: u64| {
        let mut mixed = number.wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    (u128::from(mix(1)) << 64) | u128::from(mix(1 << 60))
}
