//! Every mark in every scope it could be told for, each looked at once.

use std::collections::HashSet;
use std::ops::Range;

use domain::pattern::{Family, Mark};

use super::MinePolicy;
use super::row::simplicity;
use super::strata::Stratum;
use super::traces::{Scope, Tallied, Traces};
use crate::contrast::{Contrast, Table, chance, contrast, deviations};
use crate::discovery::{Looked, expected_chance};

/// A mark in a scope that was looked at.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) mark: u32,
    pub(super) scope: Scope,
    pub(super) deviations: f64,
    pub(super) p: f64,
    pub(super) q: f64,
    /// Only of those that may be patterns.
    pub(super) contrast: Option<Contrast>,
}

/// Looks at every mark in every scope. Of marks that the very same traces bear only the simplest is looked at.
pub(super) fn look(traces: &Traces<'_>, policy: &MinePolicy) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut seen: HashSet<u128> = HashSet::new();
    let mut tallies = vec![Tallied::default(); traces.strata.len()];
    let mut marks: Vec<u32> = (0..traces.marks.len() as u32)
        .filter(|mark| traces.bearers[*mark as usize].len() as u64 >= policy.min_support)
        .collect();
    marks.sort_by_key(|mark| simplicity(&traces.marks[*mark as usize]));
    for mark in marks {
        let tallied = traces.tally(mark, &mut tallies);
        if !seen.insert(tallied.iter().fold(0, |sum, (.., one)| sum.wrapping_add(*one))) {
            continue;
        }
        let tables: Vec<Table> = tallied.iter().map(|(_, table, _)| *table).collect();
        for (scope, range) in scopes(traces, &tallied) {
            let tables = &tables[range];
            let with: u64 = tables.iter().map(|table| table.with_success + table.with_failure).sum();
            let without: u64 = tables.iter().map(|table| table.without_success + table.without_failure).sum();
            if with.min(without) < policy.min_support {
                continue;
            }
            let Some(deviations) = deviations(tables) else { continue };
            let p = chance(tables).unwrap_or(1.0);
            columns.push(Column { mark, scope, deviations, p, q: 1.0, contrast: None });
        }
    }
    judge(traces, policy, &mut columns);
    columns
}

/// Says how much of what was found is chance, and compares thoroughly where it is not.
fn judge(traces: &Traces<'_>, policy: &MinePolicy, columns: &mut [Column]) {
    let looked = columns.iter().map(|column| {
        let mark = traces.marks[column.mark as usize].as_ref();
        Looked { p: column.p, group: (group(mark), column.scope.level()) }
    });
    let shares = expected_chance(&looked.collect::<Vec<_>>());
    for (column, q) in columns.iter_mut().zip(shares) {
        column.q = q;
        if q <= policy.false_discoveries {
            let tables: Vec<Table> = traces.tables(column.mark, column.scope).into_iter().map(|(_, t)| t).collect();
            column.contrast = contrast(&tables)
                .filter(|found| found.confidence > 0.0 && found.surely(policy.least_effect) >= policy.confidence);
        }
    }
}

fn group(mark: &Mark) -> (Family, u8) {
    (mark.family(), simplicity(mark))
}

/// The scopes a mark could be told for, each with its strata. A scope with the same traces as a narrower one is left out.
fn scopes(traces: &Traces<'_>, tallied: &[(u32, Table, u128)]) -> Vec<(Scope, Range<usize>)> {
    let stratum = |at: usize| traces.strata[tallied[at].0 as usize];
    let split = |of: Range<usize>, same: &dyn Fn(Stratum, Stratum) -> bool| {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for at in of {
            match parts.last_mut() {
                Some(part) if same(stratum(part.start), stratum(at)) => part.end = at + 1,
                _ => parts.push(at..at + 1),
            }
        }
        parts
    };
    let mut scopes = Vec::new();
    let agents = split(0..tallied.len(), &|a, b| a.agent == b.agent);
    if agents.len() > 1 {
        scopes.push((Scope::All, 0..tallied.len()));
    }
    for range in agents {
        let kinds = split(range.clone(), &|a, b| a.problem == b.problem);
        if kinds.len() > 1 {
            scopes.push((Scope::Agent(stratum(range.start).agent), range));
        }
        let named =
            kinds.into_iter().map(|kind| (Scope::Kind(stratum(kind.start).agent, stratum(kind.start).problem), kind));
        scopes.extend(named);
    }
    scopes
}
