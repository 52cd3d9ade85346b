//! What the record says about a lesson that nobody was told.

use domain::guideline::Lesson;
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Move, Sketch, Source};
use learn::off_policy::{Promise, evaluate, evaluate_each};

use crate::made_up::Dice;
use crate::taught::lesson;

/// Runs of some tasks: hard tasks are called `x` for less often and fail more often, `effect` is what calling `x` does.
fn record(runs: usize, tasks: usize, effect: f64, confounded: f64, seed: u64) -> Vec<Sketch> {
    let mut dice = Dice(seed);
    (0..runs)
        .map(|n| {
            let task = n % tasks;
            let hard = task as f64 / tasks as f64;
            let calls = dice.falls(0.5 + confounded * (0.5 - hard));
            let rate = 0.5 + confounded * (0.5 - hard) * 0.8 + if calls { effect } else { 0.0 };
            sketch(n, "p", &format!("task-{task}"), if calls { &["x"] } else { &[] }, dice.falls(rate))
        })
        .collect()
}

fn sketch(n: usize, agent: &str, task: &str, tools: &[&str], success: bool) -> Sketch {
    Sketch {
        trace: format!("trace-{n}").parse().expect("a name"),
        source: Source::own(),
        agent: Symbol::of(agent),
        problem: Symbol::of("refund"),
        task: Some(Symbol::of(task)),
        system: None,
        user: None,
        success: Some(success),
        moves: tools.iter().map(|tool| call(tool)).collect(),
        seconds: None,
        usd: None,
        lessons: Vec::new(),
        trials: Vec::new(),
    }
}

fn call(tool: &str) -> Move {
    Move::Call {
        tool: Symbol::of(tool),
        by: None,
        keys: Vec::new(),
        cues: Vec::new(),
        things: Vec::new(),
        ended: CallEnd::Done,
        length: 0,
        millis: None,
    }
}

fn call_x() -> Lesson {
    lesson(Some("p"), "x", (0.05, 0.2), 100)
}

#[test]
fn runs_it_does_not_reach_stay_exactly_as_they_are() {
    let mut runs = record(100, 5, 0.2, 0.0, 1);
    runs.extend((0..30).map(|n| sketch(1_000 + n, "q", "other", &[], true)));
    runs.push(Sketch { success: None, ..sketch(2_000, "p", "task-1", &[], true) });
    let found = evaluate(&call_x(), &runs);
    let calls = runs[..100].iter().filter(|run| !run.moves.is_empty()).count() as u64;
    assert_eq!((found.elsewhere, found.alike, found.reached), (30, calls, 100 - calls));
    let (effect, overall) = (found.effect.expect("compared"), found.overall.expect("compared"));
    assert!((overall - effect.estimate * found.reached as f64 / 130.0).abs() < 1e-12);
}

#[test]
fn what_helps_is_worth_trying_and_what_harms_is_not() {
    assert_eq!(evaluate(&call_x(), &record(600, 10, 0.25, 0.0, 2)).promise, Promise::Worth);
    let harms = evaluate(&call_x(), &record(600, 10, -0.25, 0.0, 2));
    assert_eq!(harms.promise, Promise::Not);
    assert!(harms.words.starts_with("not worth trying: "), "{}", harms.words);
    let avoid = lesson(Some("p"), "x", (-0.2, -0.05), 100);
    let runs = record(600, 10, -0.25, 0.0, 2);
    assert_eq!(evaluate(&avoid, &runs).promise, Promise::Worth);
    assert_eq!(evaluate_each(&[avoid.clone(), call_x()], &runs), [evaluate(&avoid, &runs), evaluate(&call_x(), &runs)]);
}

#[test]
fn easy_tasks_are_not_taken_for_good_advice() {
    let plain = |runs: &[Sketch]| {
        let rate = |calls: bool| {
            let of: Vec<_> = runs.iter().filter(|run| run.moves.is_empty() != calls).collect();
            of.iter().filter(|run| run.success == Some(true)).count() as f64 / of.len() as f64
        };
        rate(true) - rate(false)
    };
    let (mut held, mut compared, mut naive) = (0, 0.0, 0.0);
    for seed in 0..60 {
        let runs = record(800, 20, 0.0, 0.9, seed);
        let found = evaluate(&call_x(), &runs).effect.expect("compared");
        held += usize::from(found.low <= 0.0 && 0.0 <= found.high);
        compared += found.estimate / 60.0;
        naive += plain(&runs) / 60.0;
    }
    assert!(naive > 0.1, "the plain difference is fooled: {naive}");
    assert!(compared.abs() < 0.03 && held >= 52, "{compared}, {held} of 60");
}

#[test]
fn nothing_to_compare_with_says_nothing() {
    let all_call: Vec<Sketch> = (0..50).map(|n| sketch(n, "p", "task", &["x"], true)).collect();
    for runs in [&[][..], &all_call[..], &record(8, 2, 0.3, 0.0, 3)[..]] {
        let found = evaluate(&call_x(), runs);
        assert_eq!(found.promise, Promise::Unclear, "{}", found.words);
        assert!(found.effective.is_finite() && found.overlap.is_finite());
    }
}
