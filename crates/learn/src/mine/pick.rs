//! Picks, among all that goes with success or failure, what accounts for the rest.
//!
//! Where `a → b` goes wrong, so do `b`, `x → a → b` and whatever is called along with them. All of them are regressed on
//! together, within strata; one joins as long as it adds something to those that are in, and leaves when it no longer does.

use std::collections::{BTreeMap, BTreeSet};

use super::columns::Column;
use super::row::simplicity;
use super::sweep::Sweep;
use super::traces::{Scope, Traces};
use crate::contrast::{Table, chi_square_tail, two_sided};
use domain::pattern::Mark;

/// Of more columns than this the strongest are regressed on: the others are weak, or go along with one of them.
const MOST: usize = 256;
/// What has less chance than this by itself competes with what is found, even where it is too little to be told.
const RIVAL: f64 = 0.001;
/// The chance that something joins which adds nothing to the others, over all that could.
const ALONE: f64 = 0.01;
/// Two marks are told apart only where they are less alike than this, or one adds more deviations than this to the other.
const ALIKE: f64 = 0.9;
const NEARLY: f64 = 1.0;
/// Kinds differ where so much difference would be chance less often than this.
const DIFFERENT: f64 = 0.001;

/// The columns that are patterns. Those that are too little to be told compete with the others all the same, so that none
/// of them is told in place of what it only goes along with.
pub(super) fn pick(traces: &Traces<'_>, columns: &[Column]) -> Vec<usize> {
    if columns.iter().all(|column| column.contrast.is_none()) {
        return Vec::new();
    }
    let mut strongest: Vec<usize> = (0..columns.len()).filter(|at| columns[*at].p <= RIVAL).collect();
    strongest.sort_by(|a, b| {
        let strength = |at: usize| columns[at].deviations.abs();
        let rank =
            |at: usize| (simplicity(&traces.marks[columns[at].mark as usize]), columns[at].mark, columns[at].scope);
        strength(*b).total_cmp(&strength(*a)).then_with(|| rank(*a).cmp(&rank(*b)))
    });
    strongest.truncate(MOST);
    let rivals: Vec<&Column> = strongest.iter().map(|at| &columns[*at]).collect();
    let mut sweep = regression(traces, &rivals);
    let plain = |column: &&Column| !matches!(*traces.marks[column.mark as usize], Mark::Trait { .. });
    let plain: Vec<bool> = rivals.iter().map(plain).collect();
    settle(&mut sweep, ALONE / rivals.len().max(1) as f64, &plain);
    let kept = rivals.iter().enumerate().filter(|(at, column)| {
        // What turns round beside the others is an offset of theirs.
        let same_way = sweep.deviations(*at).signum() == column.deviations.signum();
        sweep.holds(*at) && same_way && column.contrast.is_some()
    });
    let picked: BTreeSet<usize> = kept.flat_map(|(at, _)| narrow(traces, columns, strongest[at])).collect();
    picked.into_iter().collect()
}

/// How columns overlap and go with success within strata, in units of how outcomes vary by chance there: the first step of
/// a logistic regression, and for one column alone the test of Cochran, Mantel and Haenszel.
fn regression(traces: &Traces<'_>, columns: &[&Column]) -> Sweep {
    let count = columns.len();
    let mut borne: Vec<Vec<u16>> = vec![Vec::new(); traces.len()];
    let mut overlaps = vec![vec![0.0; count]; count];
    let mut surplus = vec![0.0; count];
    let mut in_strata: Vec<Vec<(u16, f64)>> = vec![Vec::new(); traces.strata.len()];
    for (at, column) in columns.iter().enumerate() {
        for (stratum, table) in traces.tables(column.mark, column.scope) {
            surplus[at] += table.score().0;
            in_strata[stratum as usize].push((at as u16, (table.with_success + table.with_failure) as f64));
        }
        traces.compared(column.mark, column.scope).for_each(|row| borne[row as usize].push(at as u16));
    }
    let varies = |stratum: usize| {
        let (good, bad) = traces.totals[stratum];
        let all = (good + bad) as f64;
        if all < 2.0 { (0.0, 1.0) } else { (good as f64 * bad as f64 / (all * (all - 1.0)), all) }
    };
    for (row, borne) in borne.iter().enumerate() {
        let (variance, _) = varies(traces.stratum[row] as usize);
        for a in borne {
            borne.iter().for_each(|b| overlaps[*a as usize][*b as usize] += variance);
        }
    }
    for (stratum, borne) in in_strata.iter().enumerate() {
        let (variance, all) = varies(stratum);
        for (a, of_a) in borne {
            borne.iter().for_each(|(b, of_b)| overlaps[*a as usize][*b as usize] -= variance * of_a * of_b / all);
        }
    }
    Sweep::new(&overlaps, &surplus)
}

/// Brings columns in and takes them out until those that are in add something to each other and the rest adds nothing.
fn settle(sweep: &mut Sweep, bar: f64, plain: &[bool]) {
    let count = sweep.count();
    let adds = |sweep: &Sweep, at: usize| two_sided(sweep.deviations(at)) <= bar;
    // Each round brings one in; what was taken out may come back, and that must end.
    for _ in 0..2 * count {
        let outside = (0..count).filter(|at| !sweep.holds(*at));
        let Some(best) = strongest(sweep, outside, plain).filter(|best| adds(sweep, *best)) else { break };
        sweep.turn(best);
        exchange(sweep, plain);
        while let Some(idle) = (0..count).find(|at| sweep.holds(*at) && !adds(sweep, *at)) {
            sweep.turn(idle);
        }
    }
}

/// Gives the place of each column to the one that fills it best, given the others.
fn exchange(sweep: &mut Sweep, plain: &[bool]) {
    for at in 0..sweep.count() {
        if sweep.holds(at) {
            sweep.turn(at);
            let outside = (0..sweep.count()).filter(|other| !sweep.holds(*other));
            sweep.turn(strongest(sweep, outside, plain).unwrap_or(at));
        }
    }
}

/// The one that adds most, or one about calls that is as good as the same and adds nearly as much: what was called is
/// plainer than what is noticed about it. The first of several.
fn strongest(sweep: &Sweep, among: impl Iterator<Item = usize> + Clone, plain: &[bool]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for at in among.clone() {
        let adds = sweep.deviations(at).abs();
        // Nearly as much from a stronger one, which comes before, is as good.
        if best.is_none_or(|(_, most)| adds > most + 1e-9) {
            best = Some((at, adds));
        }
    }
    let (best, most) = best?;
    let as_good = among
        .filter(|at| *at == best || (sweep.likeness(best, *at) > ALIKE && sweep.deviations(*at).abs() > most - NEARLY));
    as_good.max_by(|a, b| {
        let adds = |at: usize| sweep.deviations(at).abs();
        plain[*a].cmp(&plain[*b]).then(adds(*a).total_cmp(&adds(*b))).then(b.cmp(a))
    })
}

/// The scopes to tell it for: its own where kinds do not differ, otherwise the narrower ones where it is so.
fn narrow(traces: &Traces<'_>, columns: &[Column], at: usize) -> Vec<usize> {
    let column = &columns[at];
    let tables = traces.tables(column.mark, column.scope);
    if !differs(traces, column.scope, &tables) {
        return vec![at];
    }
    let narrower = columns.iter().enumerate().filter(|(_, other)| {
        other.mark == column.mark
            && other.contrast.is_some()
            && match (column.scope, other.scope) {
                (Scope::All, Scope::Agent(_)) => true,
                // An agent that has the mark with one kind of problem only is told of under that kind.
                (Scope::All, Scope::Kind(agent, _)) => {
                    !columns.iter().any(|whole| whole.mark == column.mark && whole.scope == Scope::Agent(agent))
                }
                (Scope::Agent(agent), Scope::Kind(other, _)) => agent == other,
                (Scope::All | Scope::Agent(_) | Scope::Kind(..), _) => false,
            }
    });
    narrower.flat_map(|(other, _)| narrow(traces, columns, other)).collect()
}

/// Whether the parts of a scope differ by more than chance (Cochran's Q over log odds), and in some of them it is not even
/// half as strong as in all together: more or less of the same is told to all.
fn differs(traces: &Traces<'_>, scope: Scope, tables: &[(u32, Table)]) -> bool {
    let part = |stratum: u32| {
        let stratum = &traces.strata[stratum as usize];
        match scope {
            Scope::All => (stratum.agent, None),
            Scope::Agent(_) | Scope::Kind(..) => (stratum.agent, Some(stratum.problem)),
        }
    };
    let mut parts: BTreeMap<_, (f64, f64)> = BTreeMap::new();
    for (stratum, table) in tables {
        let (surplus, variance) = table.score();
        let sum = parts.entry(part(*stratum)).or_default();
        *sum = (sum.0 + surplus, sum.1 + variance);
    }
    parts.retain(|_, (_, variance)| *variance > 1e-9);
    let (surplus, variance) = parts.values().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    if parts.len() < 2 {
        return false;
    }
    let apart: f64 = parts.values().map(|(surplus, variance)| surplus * surplus / variance).sum();
    let half = surplus / variance / 2.0;
    let weak = parts.values().any(|(surplus, variance)| surplus / variance * half.signum() < half.abs());
    weak && chi_square_tail(apart - surplus * surplus / variance, parts.len() - 1) < DIFFERENT
}
