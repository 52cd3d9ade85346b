//! What is kept of a trace.

use std::collections::{BTreeMap, BTreeSet};

use domain::pattern::{Family, Mark};
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Move, Sketch};

use super::Miner;

/// How many marks of a trace are kept, the simplest first: a trace that calls thousands of tools says no more than that.
const MOST_MARKS: usize = 2_000;

/// What is kept of a trace. Names and marks are numbers that it holds on to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) source: u32,
    pub(super) agent: u32,
    pub(super) problem: u32,
    pub(super) task: Option<u32>,
    pub(super) system: Option<u32>,
    pub(super) user: Option<u32>,
    pub(super) success: Option<bool>,
    pub(super) calls: u32,
    pub(super) seconds: Option<f64>,
    pub(super) usd: Option<f64>,
    /// Each once, sorted.
    pub(super) marks: Box<[u32]>,
    /// Each tool once.
    pub(super) tools: Box<[Used]>,
}

/// How often a trace called a tool, and how often that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Used {
    pub(super) tool: u32,
    pub(super) calls: u32,
    pub(super) failures: u32,
}

impl Miner {
    /// The row of a trace; it holds on to its numbers.
    pub(super) fn row(&mut self, sketch: &Sketch, mut marks: BTreeSet<Mark>) -> Row {
        broaden(&mut marks);
        let mut marks: Vec<Mark> = marks.into_iter().collect();
        if marks.len() > MOST_MARKS {
            marks.sort_by_key(simplicity);
            marks.truncate(MOST_MARKS);
        }
        let mut marks: Vec<u32> = marks.into_iter().map(|mark| self.marks.hold(mark)).collect();
        marks.sort_unstable();
        let mut tools: BTreeMap<&Symbol, (u32, u32)> = BTreeMap::new();
        for step in &sketch.moves {
            let Move::Call { tool, ended, .. } = step else { continue };
            let (calls, failures) = tools.entry(tool).or_default();
            *calls += 1;
            *failures += u32::from(matches!(ended, CallEnd::Failed(_)));
        }
        let calls = tools.values().map(|(calls, _)| calls).sum();
        let tools = tools.into_iter().take(MOST_MARKS);
        let symbols = &mut self.symbols;
        let sensible = |number: Option<f64>| number.filter(|number| number.is_finite() && *number >= 0.0);
        Row {
            source: self.sources.hold(sketch.source.clone()),
            agent: symbols.hold(sketch.agent.clone()),
            problem: symbols.hold(sketch.problem.clone()),
            task: sketch.task.clone().map(|task| symbols.hold(task)),
            system: sketch.system.clone().map(|system| symbols.hold(system)),
            user: sketch.user.clone().map(|user| symbols.hold(user)),
            success: sketch.success,
            calls,
            seconds: sensible(sketch.seconds),
            usd: sensible(sketch.usd),
            marks: marks.into(),
            tools: tools
                .map(|(tool, (calls, failures))| Used { tool: symbols.hold(tool.clone()), calls, failures })
                .collect(),
        }
    }

    /// Lets go of everything a row holds on to.
    pub(super) fn release(&mut self, row: &Row) {
        self.sources.release(row.source);
        let names = [Some(row.agent), Some(row.problem), row.task, row.system, row.user];
        names.into_iter().flatten().for_each(|name| self.symbols.release(name));
        row.tools.iter().for_each(|used| self.symbols.release(used.tool));
        row.marks.iter().for_each(|mark| self.marks.release(*mark));
    }
}

/// Adds what is so of a trace because something narrower is: a call that fails after another one fails.
fn broaden(marks: &mut BTreeSet<Mark>) {
    let broader: Vec<Mark> = marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Fails { tool, trouble, .. } => Some((tool, trouble)),
            Mark::Sequence { .. } | Mark::Ends { .. } | Mark::Calls { .. } | Mark::Trait { .. } => None,
        })
        .flat_map(|(tool, trouble)| {
            let fails = Mark::Trait { family: Family::Tool, name: Symbol::of("fails"), tool: Some(tool.clone()) };
            [Mark::Fails { tool: tool.clone(), trouble: *trouble, after: None }, fails]
        })
        .collect();
    marks.extend(broader);
}

/// Of marks that the same traces bear, the one with the lowest of these numbers is reported.
pub(super) fn simplicity(mark: &Mark) -> u8 {
    match mark {
        Mark::Calls { .. } => 0,
        Mark::Fails { after: None, .. } => 1,
        Mark::Trait { .. } => 2,
        Mark::Fails { after: Some(_), .. } => 3,
        Mark::Sequence { tools } => 2 + 2 * tools.len().min(50) as u8,
        Mark::Ends { tools } => 3 + 2 * tools.len().min(50) as u8,
    }
}
