//! Everything that is so of a trace and might matter, each once.

mod changes;
mod performance;
mod role;
mod talk;
mod thinking;
mod told;

use std::collections::{BTreeMap, BTreeSet};

use domain::pattern::{Family, Mark};
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Move, Sketch};

pub(crate) use told::count_in;
pub use told::{advice, so};

/// How many calls a sequence has at most.
const LONGEST: usize = 3;
/// Counts beyond two to this are alike.
const MOST_POWER: u32 = 6;

/// The marks a trace bears. A tool that is called again and again counts as one call in a sequence: `x → x` is no
/// sequence.
pub fn marks(sketch: &Sketch) -> BTreeSet<Mark> {
    let mut marks = BTreeSet::new();
    calls(sketch, &mut marks);
    changes::changes(sketch, &mut marks);
    talk::talk(sketch, &mut marks);
    thinking::thinking(sketch, &mut marks);
    performance::performance(sketch, &mut marks);
    marks
}

/// Which tools are called, in which order, and where they fail.
fn calls(sketch: &Sketch, marks: &mut BTreeSet<Mark>) {
    let mut before: Option<&Symbol> = None;
    let mut order: Vec<Symbol> = Vec::new();
    let mut times: BTreeMap<&Symbol, usize> = BTreeMap::new();
    for step in &sketch.moves {
        let Move::Call { tool, ended, .. } = step else { continue };
        marks.insert(Mark::Calls { tool: tool.clone() });
        if let CallEnd::Failed(trouble) = ended {
            marks.insert(Mark::Fails { tool: tool.clone(), trouble: *trouble, after: before.cloned() });
        }
        if order.last() != Some(tool) {
            order.push(tool.clone());
        }
        *times.entry(tool).or_default() += 1;
        before = Some(tool);
    }
    for (tool, times) in times {
        marks.extend(at_least_of(Family::Tool, "calls", tool, times).skip(1));
    }
    for length in 1..=LONGEST {
        if length > 1 {
            marks.extend(order.windows(length).map(|tools| Mark::Sequence { tools: tools.to_vec() }));
        }
        if order.len() >= length {
            marks.insert(Mark::Ends { tools: order[order.len() - length..].to_vec() });
        }
    }
}

/// Something is so of the whole trace.
fn whole(family: Family, name: &str) -> Mark {
    Mark::Trait { family, name: Symbol::of(name), tool: None }
}

/// Something is so of a tool.
fn about(family: Family, name: &str, tool: &Symbol) -> Mark {
    Mark::Trait { family, name: Symbol::of(name), tool: Some(tool.clone()) }
}

/// How often something was so, as `calls_4_or_more`: every power of two that was reached.
fn at_least(family: Family, name: &str, count: usize) -> impl Iterator<Item = Mark> {
    reached(name, count).map(move |name| whole(family, &name))
}

/// How often something was so of a tool.
fn at_least_of(family: Family, name: &str, tool: &Symbol, count: usize) -> impl Iterator<Item = Mark> {
    reached(name, count).map(move |name| about(family, &name, tool))
}

fn reached(name: &str, count: usize) -> impl Iterator<Item = String> {
    let powers = (0..=MOST_POWER).map(|power| 1usize << power).take_while(move |least| *least <= count);
    powers.map(move |least| format!("{name}_{least}_or_more"))
}
