//! Everything that is so of a trace and might matter, each once.

mod performance;
mod thinking;

use std::collections::BTreeSet;

use domain::pattern::{Family, Mark};
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Move, Sketch};

/// How many calls a sequence has at most.
const LONGEST: usize = 3;
/// Counts beyond two to this are alike.
const MOST_POWER: u32 = 6;

/// The marks a trace bears. A tool that is called again and again counts as one call in a sequence: `x → x` is no
/// sequence.
pub fn marks(sketch: &Sketch) -> BTreeSet<Mark> {
    let mut marks = BTreeSet::new();
    let mut before: Option<&Symbol> = None;
    let mut order: Vec<Symbol> = Vec::new();
    for step in &sketch.moves {
        let Move::Call { tool, ended, .. } = step else { continue };
        marks.insert(Mark::Calls { tool: tool.clone() });
        if let CallEnd::Failed(trouble) = ended {
            marks.insert(Mark::Fails { tool: tool.clone(), trouble: *trouble, after: before.cloned() });
        }
        if order.last() != Some(tool) {
            order.push(tool.clone());
        }
        before = Some(tool);
    }
    for length in 2..=LONGEST {
        marks.extend(order.windows(length).map(|tools| Mark::Sequence { tools: tools.to_vec() }));
        if order.len() >= length {
            marks.insert(Mark::Ends { tools: order[order.len() - length..].to_vec() });
        }
    }
    thinking::thinking(sketch, &mut marks);
    performance::performance(sketch, &mut marks);
    marks
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
    let powers = (0..=MOST_POWER).map(|power| 1usize << power).take_while(move |least| *least <= count);
    powers.map(move |least| whole(family, &format!("{name}_{least}_or_more")))
}
