//! Patterns, lessons and outcomes that never were.

use domain::guideline::{Arm, Effect, ExperimentId, Lesson, LessonStatus, Observation};
use domain::pattern::{Evidence, Mark, Pattern};
use domain::symbol::Symbol;
use domain::trace::Trouble;
use jiff::Timestamp;
use learn::points::distil;

use crate::made_up::Dice;

/// The nth day.
pub(crate) fn day(n: i64) -> Timestamp {
    Timestamp::from_second(n * 86_400).expect("a time")
}

/// A mark in a few characters: `a > b` is a sequence, `a > b .` an end, `a` a call, `a ! b` a failure of `a` after `b`.
pub(crate) fn mark(text: &str) -> Mark {
    let tools = |text: &str| text.split(" > ").map(|tool| Symbol::of(tool.trim())).collect::<Vec<_>>();
    if let Some(tail) = text.strip_suffix(" .") {
        Mark::Ends { tools: tools(tail) }
    } else if let Some((tool, after)) = text.split_once(" ! ") {
        Mark::Fails { tool: Symbol::of(tool), trouble: Trouble::NotFound, after: Some(Symbol::of(after)) }
    } else if text.contains(" > ") {
        Mark::Sequence { tools: tools(text) }
    } else {
        Mark::Calls { tool: Symbol::of(text) }
    }
}

/// A pattern of an agent, seen in so many traces, whose effect is at least `low` and at most `high`.
pub(crate) fn pattern(agent: Option<&str>, text: &str, (low, high): (f64, f64), traces: u64) -> Pattern {
    Pattern {
        id: Symbol::of(&format!("pat-{}", domain::hash::Hash::of_json(&(agent, mark(text))).digits(6))),
        mark: mark(text),
        agent: agent.map(Symbol::of),
        problem: None,
        evidence: Evidence {
            with_success: traces / 4,
            with_failure: traces / 4,
            without_success: traces / 4,
            without_failure: traces / 4,
            effect: (low + high) / 2.0,
            interval: (low, high),
            confidence: low.abs().min(high.abs()),
            p: 0.001,
            q: 0.01,
            users: 5,
            sources: Default::default(),
            examples: Default::default(),
        },
        words: format!("what `{agent:?}` does about {text}"),
        advice: String::new(),
    }
}

/// The lesson of such a pattern, proposed on the first day.
pub(crate) fn lesson(agent: Option<&str>, text: &str, range: (f64, f64), traces: u64) -> Lesson {
    distil(&[pattern(agent, text, range, traces)], day(1)).pop().expect("something follows")
}

/// The same, as far as it has come.
pub(crate) fn standing(lesson: Lesson, status: LessonStatus) -> Lesson {
    Lesson { status, ..lesson }
}

/// The same, measured to do at least and at most so much.
pub(crate) fn measured(lesson: Lesson, (low, high): (f64, f64)) -> Lesson {
    Lesson { effect: Some(Effect { estimate: (low + high) / 2.0, low, high, runs: 1_000 }), ..lesson }
}

/// Outcomes of an experiment in which control and candidate succeed so often.
pub(crate) fn outcomes(runs: usize, share: f64, rates: (f64, f64), seed: u64) -> Vec<Observation> {
    let mut dice = Dice(seed);
    (0..runs)
        .map(|n| {
            let (arm, rate) = if dice.falls(share) { (Arm::Candidate, rates.1) } else { (Arm::Control, rates.0) };
            seen(n, arm, dice.falls(rate))
        })
        .collect()
}

pub(crate) fn seen(n: usize, arm: Arm, success: bool) -> Observation {
    Observation {
        experiment: ExperimentId(Symbol::of("exp_1")),
        trace: format!("trace-{n}").parse().expect("a name"),
        arm,
        success,
    }
}
