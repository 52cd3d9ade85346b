//! Traces told in short lines, so that tests say only what they are about.

use domain::symbol::Symbol;
use domain::trace::{CallEnd, Source, Speaker, Step, Trace, Trouble, Untrusted, Verdict};
use jiff::Timestamp;
use serde_json::Value;

/// A trace from lines: `user: …`, `agent: …`, `think: …`, `tool {arguments} = answer`, with `!` for `=` where it fails.
pub(crate) fn story(success: bool, lines: &[&str]) -> Trace {
    Trace {
        id: "story".parse().expect("a name"),
        source: Source::own(),
        agent: Symbol::of("agent"),
        problem: Symbol::of("shop"),
        task: None,
        system: None,
        user: None,
        context: Untrusted::default(),
        started_at: Timestamp::UNIX_EPOCH,
        ended_at: None,
        steps: lines.iter().map(|line| step(line)).collect(),
        left_out: 0,
        outcome: Some(Verdict { success, score: None, answer: None }),
        ground_truth: None,
        metrics: Default::default(),
        lessons: Vec::new(),
        trials: Vec::new(),
    }
}

fn step(line: &str) -> Step {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (text, length, at) = (Untrusted::text(rest), rest.chars().count() as u32, None);
    let who = match first {
        "user:" => Speaker::User,
        "agent:" => Speaker::Agent,
        "think:" => {
            return Step::Thought { what: Symbol::of("thought"), by: None, text, length, confidence: None, at };
        }
        tool => return call(tool, rest),
    };
    Step::Said { who, by: None, text, length, at }
}

fn call(tool: &str, rest: &str) -> Step {
    let failed = rest.contains(" ! ");
    let (arguments, answer) = rest.split_once(if failed { " ! " } else { " = " }).unwrap_or((rest, ""));
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    Step::Call {
        tool: Symbol::of(tool),
        by: None,
        arguments: Untrusted::new(arguments),
        response: Untrusted::text(answer),
        length: answer.chars().count() as u32,
        ended: if failed { CallEnd::Failed(Trouble::of(answer)) } else { CallEnd::Done },
        at: None,
        millis: None,
    }
}
