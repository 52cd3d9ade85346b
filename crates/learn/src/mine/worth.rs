//! What tools are worth: how often their calls fail, drawn towards the agent's other tools where there is little to go by,
//! and what using them goes with.

use std::collections::BTreeMap;

use domain::pattern::Mark;
use domain::symbol::Symbol;
use serde::Serialize;

use super::Miner;
use super::traces::{Scope, Traces};
use crate::contrast::{Table, contrast};
use crate::interval::{NINETY_FIVE, wilson};

/// As many calls as the other tools count for, at most.
const MOST_PRIOR: f64 = 1_000.0;

/// What a tool is worth to a kind of agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Worth {
    /// To which kind of agent.
    pub agent: Symbol,
    /// Which tool.
    pub tool: Symbol,
    /// How often it was called, whatever became of the trace.
    pub calls: u64,
    /// How many of these calls failed.
    pub failures: u64,
    /// The share of calls that fail, as far as can be told: between its own share and that of all the agent's tools, the
    /// nearer to its own the more calls there were and the more tools differ.
    pub fails: f64,
    /// Where that share probably lies, nineteen times in twenty.
    pub interval: (f64, f64),
    /// By how much traces that use it succeed more often than those of the same kind that do not, and where that lies;
    /// absent where there is nothing to compare.
    pub effect: Option<(f64, (f64, f64))>,
}

pub(super) fn worth(miner: &Miner) -> Vec<Worth> {
    let mut agents: BTreeMap<&Symbol, BTreeMap<&Symbol, (u64, u64)>> = BTreeMap::new();
    for row in miner.rows.values() {
        let Some(agent) = miner.symbols.get(row.agent) else { continue };
        for used in &row.tools {
            let Some(tool) = miner.symbols.get(used.tool) else { continue };
            let (calls, failures) = agents.entry(agent).or_default().entry(tool).or_default();
            *calls += u64::from(used.calls);
            *failures += u64::from(used.failures);
        }
    }
    let traces = Traces::of(miner);
    let mut found = Vec::new();
    for (agent, tools) in agents {
        let (mean, strength) = prior(tools.values().copied());
        for (tool, (calls, failures)) in tools {
            let (hits, cases) = (failures as f64 + mean * strength, calls as f64 + strength);
            let effect = using(&traces, agent, tool);
            let interval = wilson(hits, cases, NINETY_FIVE);
            let (agent, tool) = (agent.clone(), tool.clone());
            found.push(Worth { agent, tool, calls, failures, fails: hits / cases, interval, effect });
        }
    }
    found
}

fn using(traces: &Traces<'_>, agent: &Symbol, tool: &Symbol) -> Option<(f64, (f64, f64))> {
    let agent = traces.symbols.binary_search(&agent).ok()? as u32;
    let calls = Mark::Calls { tool: tool.clone() };
    let mark = traces.place(&calls)?;
    let tables: Vec<Table> = traces.tables(mark, Scope::Agent(agent)).into_iter().map(|(_, table)| table).collect();
    contrast(&tables).map(|found| (found.effect, found.interval))
}

/// The share of calls that fail over all tools, and how many calls of each tool that is worth: many where tools hardly
/// differ, few where they do (a beta distribution fitted by its moments).
fn prior(tools: impl Iterator<Item = (u64, u64)> + Clone) -> (f64, f64) {
    let (mut calls, mut squares, mut failures, mut count) = (0.0, 0.0, 0.0, 0.0);
    for (of_tool, failed) in tools.clone() {
        calls += of_tool as f64;
        squares += (of_tool as f64).powi(2);
        failures += failed as f64;
        count += 1.0;
    }
    // One success and one failure more: nothing is known to fail always or never.
    let mean = (failures + 1.0) / (calls + 2.0);
    let by_chance = mean * (1.0 - mean);
    if count < 2.0 || calls <= 0.0 {
        return (mean, 2.0);
    }
    let apart = tools.map(|(of_tool, failed)| of_tool as f64 * (failed as f64 / of_tool.max(1) as f64 - mean).powi(2));
    let usual = (calls - squares / calls) / (count - 1.0);
    let between = (apart.sum::<f64>() / (count - 1.0) - by_chance) / usual.max(1.0);
    let strength = if between > 0.0 { by_chance / between - 1.0 } else { MOST_PRIOR };
    (mean, strength.clamp(1.0, MOST_PRIOR))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_that_hardly_differ_stand_in_for_each_other() {
        let (mean, strength) = prior([(100, 10), (100, 11), (100, 9)].into_iter());
        assert!((mean - 0.1).abs() < 0.01 && strength == MOST_PRIOR);
        let (_, strength) = prior([(100, 90), (100, 10), (100, 1)].into_iter());
        assert!(strength < 2.0, "{strength}");
        assert_eq!(prior([].into_iter()).1, 2.0);
    }
}
