//! What a pattern says, in sentences of ours: names stand in backticks, everything else is written here.

mod traits;

use domain::pattern::{Evidence, Mark};
use domain::symbol::Symbol;
use domain::trace::Trouble;

/// What it comes to, with the numbers it rests on.
pub(crate) fn words(mark: &Mark, agent: Option<&Symbol>, problem: Option<&Symbol>, evidence: &Evidence) -> String {
    let whose = match (agent, problem) {
        (None, None) => String::new(),
        (Some(agent), None) => format!(" of `{agent}`"),
        (None, Some(problem)) => format!(" about `{problem}`"),
        (Some(agent), Some(problem)) => format!(" of `{agent}` about `{problem}`"),
    };
    let Evidence { with_success, without_success, effect, interval: (low, high), .. } = evidence;
    let (with, without) = (evidence.support(), without_success + evidence.without_failure);
    let more = if evidence.helps() { "more" } else { "less" };
    let (near, far) = if evidence.helps() { (*low, *high) } else { (-high, -low) };
    format!(
        "Traces{whose} in which {} succeed {} points {more} often than others of their kind, between {} and {} points: \
         {with_success} of {with} against {without_success} of {without}.",
        so(mark),
        points(effect.abs()),
        points(near),
        points(far)
    )
}

/// What follows from it. What goes with failure is to be avoided, and what goes with success to be done.
pub(crate) fn advice(mark: &Mark, evidence: &Evidence) -> String {
    let helps = evidence.helps();
    match mark {
        Mark::Sequence { tools } if helps => format!("Call {}.", chain(tools)),
        Mark::Sequence { tools } => format!("Do not call {}.", chain(tools)),
        Mark::Ends { tools } if helps => format!("End with {}.", chain(tools)),
        Mark::Ends { tools } => format!("Do not end with {}: check the result first.", chain(tools)),
        Mark::Calls { tool } if helps => format!("Use `{tool}` where it fits."),
        Mark::Calls { tool } => format!("Use `{tool}` only where nothing else does."),
        Mark::Fails { tool, trouble, after } => {
            let when = after.as_ref().map_or_else(String::new, |after| format!(" right after `{after}`"));
            if helps {
                format!("A call of `{tool}` that fails{when} because {} is no reason to stop.", why(*trouble))
            } else {
                format!("{} when `{tool}` is called{when}.", remedy(*trouble))
            }
        }
        Mark::Trait { name, tool, .. } => traits::advice(name, tool.as_ref(), helps).unwrap_or_default(),
    }
}

/// What is so of a trace that bears a mark, to stand after "in which".
pub fn so(mark: &Mark) -> String {
    match mark {
        Mark::Sequence { tools } => format!("the agent calls {}", chain(tools)),
        Mark::Ends { tools } => format!("the last calls are {}", chain(tools)),
        Mark::Calls { tool } => format!("`{tool}` is called"),
        Mark::Fails { tool, trouble, after: None } => format!("`{tool}` fails because {}", why(*trouble)),
        Mark::Fails { tool, trouble, after: Some(after) } => {
            format!("`{tool}` fails right after `{after}` because {}", why(*trouble))
        }
        Mark::Trait { name, tool, .. } => traits::so(name, tool.as_ref()),
    }
}

fn chain(tools: &[Symbol]) -> String {
    let names: Vec<String> = tools.iter().map(|tool| format!("`{tool}`")).collect();
    match names.as_slice() {
        [] => "nothing".into(),
        [first, rest @ ..] => rest.iter().fold(first.clone(), |chain, next| format!("{chain}, then {next}")),
    }
}

fn points(share: f64) -> i64 {
    (share * 100.0).round() as i64
}

fn why(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::NotFound => "there is no such thing",
        Trouble::BadArguments => "its arguments are wrong",
        Trouble::Denied => "it is not allowed",
        Trouble::TimedOut => "it takes too long",
        Trouble::Unavailable => "it cannot be reached",
        Trouble::Busy => "it is asked too often",
        Trouble::Other => "something goes wrong",
    }
}

fn remedy(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::NotFound => "Make sure that what is asked for exists",
        Trouble::BadArguments => "Check all arguments",
        Trouble::Denied => "Make sure that it is allowed",
        Trouble::TimedOut => "Ask for less at a time",
        Trouble::Unavailable => "Have another way ready",
        Trouble::Busy => "Ask less often",
        Trouble::Other => "Take care",
    }
}
