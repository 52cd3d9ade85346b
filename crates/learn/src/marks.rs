//! Everything that is so of a trace and might matter, each once.

use std::collections::BTreeSet;

use domain::pattern::Mark;
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Move, Sketch};

/// How many calls a sequence has at most.
const LONGEST: usize = 3;

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
    marks
}
