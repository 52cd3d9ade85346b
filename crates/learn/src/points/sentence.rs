//! What is said about a pattern: one sentence for each kind of mark and each direction, made of tool names and words of ours.

use domain::pattern::{Mark, Pattern};
use domain::symbol::Symbol;
use domain::trace::Trouble;

/// What follows from a pattern, as an order; nothing where nothing follows.
pub(crate) fn sentence(pattern: &Pattern) -> Option<String> {
    let helps = pattern.evidence.helps();
    match &pattern.mark {
        Mark::Sequence { tools } => match (helps, &tools[..]) {
            (_, [] | [_]) => None,
            (true, [first, second]) => Some(format!("Call `{first}` before `{second}`.")),
            (false, [first, second]) => Some(format!("Do not call `{second}` right after `{first}`.")),
            (true, more) => Some(format!("Call {}.", in_turn(more))),
            (false, more) => Some(format!("Do not call {}, one right after the other.", in_turn(more))),
        },
        Mark::Ends { tools } if tools.is_empty() => None,
        Mark::Ends { tools } if helps => Some(format!("End with {}.", in_turn(tools))),
        Mark::Ends { tools } => {
            Some(format!("Do not end with {}: see first whether anything is left to do.", in_turn(tools)))
        }
        Mark::Calls { tool } if helps => Some(format!("Call `{tool}` before you finish.")),
        Mark::Calls { tool } => Some(format!("Do not call `{tool}` unless nothing else will do.")),
        // That a failed call goes with success is no reason to make it fail.
        Mark::Fails { .. } if helps => None,
        Mark::Fails { tool, trouble, after } => {
            let after = after.as_ref().map_or_else(String::new, |after| format!(" right after `{after}`"));
            let (why, then) = trouble_words(*trouble);
            Some(format!("When `{tool}` fails{after}{why}, {then}."))
        }
        Mark::Trait { .. } => Some(pattern.advice.clone()).filter(|advice| !advice.is_empty()),
    }
}

fn in_turn(tools: &[Symbol]) -> String {
    tools.iter().map(|tool| format!("`{tool}`")).collect::<Vec<_>>().join(", then ")
}

fn trouble_words(trouble: Trouble) -> (&'static str, &'static str) {
    match trouble {
        Trouble::NotFound => (" because nothing was found", "do not guess again: look up what there is"),
        Trouble::BadArguments => (" because its arguments were wrong", "do not repeat them: correct them first"),
        Trouble::Denied => (" because it was not allowed", "do not try again: say that it is not allowed"),
        Trouble::TimedOut => (" because it took too long", "do not repeat the call: ask for less"),
        Trouble::Unavailable => (" because it could not be reached", "do not keep trying: take another way"),
        Trouble::Busy => (" because it was asked too often", "do not call it again at once: take another way"),
        Trouble::Other => ("", "do not repeat the same call: find out why first"),
    }
}
