//! Says what a pattern rests on.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use domain::hash::Hash;
use domain::id::TraceId;
use domain::pattern::{Evidence, Pattern};
use domain::symbol::Symbol;

use super::Miner;
use super::columns::Column;
use super::traces::{Scope, Traces};
use crate::contrast::Table;
use crate::words;

/// How many traces of each side a pattern names: those whose ids come first.
const EXAMPLES: usize = 3;

/// The patterns that picked columns are, the surest first.
pub(super) fn report(miner: &Miner, traces: &Traces<'_>, columns: &[Column], picked: &[usize]) -> Vec<Pattern> {
    let mut patterns: Vec<Pattern> = picked.iter().filter_map(|at| pattern(miner, traces, &columns[*at])).collect();
    patterns.sort_by(|a, b| {
        let order = |pattern: &Pattern| Reverse(ordered(pattern.evidence.confidence));
        order(a).cmp(&order(b)).then_with(|| (&a.mark, &a.agent, &a.problem).cmp(&(&b.mark, &b.agent, &b.problem)))
    });
    patterns
}

/// A share from 0 to 1 as a number that has an order.
fn ordered(share: f64) -> u64 {
    (share * 1e12) as u64
}

fn pattern(miner: &Miner, traces: &Traces<'_>, column: &Column) -> Option<Pattern> {
    let contrast = column.contrast?;
    let mark = traces.marks[column.mark as usize].clone().into_owned();
    let tables = traces.tables(column.mark, column.scope);
    let sum = |count: fn(&Table) -> u64| tables.iter().map(|(_, table)| count(table)).sum::<u64>();
    let mut sources = BTreeMap::new();
    let mut users = BTreeSet::new();
    let mut examples: (Vec<TraceId>, Vec<TraceId>) = Default::default();
    for at in traces.compared(column.mark, column.scope).map(|at| at as usize) {
        let row = traces.rows[at];
        *sources.entry(miner.sources.get(row.source)?.clone()).or_default() += 1;
        users.extend(row.user);
        let side = if traces.success[at] { &mut examples.0 } else { &mut examples.1 };
        if side.len() < EXAMPLES {
            side.push(traces.ids[at].clone());
        }
    }
    let name = |place: u32| traces.symbols.get(place as usize).map(|symbol| (*symbol).clone());
    let (agent, problem) = match column.scope {
        Scope::All => (None, None),
        Scope::Agent(agent) => (name(agent), None),
        Scope::Kind(agent, problem) => (name(agent), name(problem)),
    };
    let evidence = Evidence {
        with_success: sum(|table| table.with_success),
        with_failure: sum(|table| table.with_failure),
        without_success: sum(|table| table.without_success),
        without_failure: sum(|table| table.without_failure),
        effect: contrast.effect,
        interval: contrast.interval,
        confidence: contrast.confidence,
        p: column.p,
        q: column.q,
        users: users.len() as u64,
        sources,
        examples,
    };
    Some(Pattern {
        id: id(&mark, agent.as_ref(), problem.as_ref()),
        words: words::words(&mark, agent.as_ref(), problem.as_ref(), &evidence),
        advice: words::advice(&mark, &evidence),
        mark,
        agent,
        problem,
        evidence,
    })
}

fn id(mark: &domain::pattern::Mark, agent: Option<&Symbol>, problem: Option<&Symbol>) -> Symbol {
    Symbol::of(&format!("pat-{}", Hash::of_json(&(mark, agent, problem)).digits(8)))
}
