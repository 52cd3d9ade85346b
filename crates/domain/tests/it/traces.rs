//! Traces: put together from pieces in any order, and read off ledgers.

use domain::id::TraceId;
use domain::symbol::Symbol;
use domain::trace::{CallEnd, MOST_STEPS, Part, Piece, Source, Step, Trace, Trouble, Verdict, assemble};
use jiff::Timestamp;
use proptest::prelude::*;

fn id() -> TraceId {
    "t1".parse().expect("a trace's id")
}

fn part(second: i64, key: &str, piece: Piece) -> Part {
    Part { trace: id(), key: key.into(), at: Timestamp::from_second(second).expect("a time"), piece }
}

fn about(depth: u32, agent: Option<&str>, problem: Option<&str>) -> Piece {
    Piece::About {
        depth,
        agent: agent.map(Symbol::of),
        problem: problem.map(Symbol::of),
        task: None,
        system: None,
        user: None,
        context: None,
        lessons: Vec::new(),
        trials: Vec::new(),
    }
}

fn call(tool: &str) -> Piece {
    Piece::Did {
        step: Step::Call {
            tool: Symbol::of(tool),
            by: None,
            arguments: Default::default(),
            response: Default::default(),
            length: 0,
            ended: CallEnd::Done,
            at: None,
            millis: None,
        },
    }
}

fn verdict(success: bool) -> Verdict {
    Verdict { success, score: None, answer: None }
}

fn end(depth: u32, success: Option<bool>) -> Piece {
    Piece::End { depth, outcome: success.map(verdict), ground_truth: None, metrics: Default::default() }
}

fn label(success: bool) -> Piece {
    Piece::Label { outcome: verdict(success) }
}

fn made(parts: Vec<Part>) -> Trace {
    assemble(&id(), &Source::import("test"), parts).expect("a trace")
}

fn tools(trace: &Trace) -> Vec<&str> {
    let calls = trace.steps.iter().filter_map(|step| match step {
        Step::Call { tool, .. } => Some(tool.as_str()),
        _ => None,
    });
    calls.collect()
}

fn success(trace: &Trace) -> Option<bool> {
    trace.outcome.as_ref().map(|outcome| outcome.success)
}

#[test]
fn the_outermost_says_what_it_is_all_about() {
    let inner = [part(2, "b", about(2, Some("inner"), Some("sub"))), part(9, "b/end", end(2, Some(false)))];
    let outer = [part(1, "a", about(0, Some("outer"), None)), part(8, "a/end", end(0, Some(true)))];
    let trace = made(inner.into_iter().chain(outer).collect());
    assert_eq!((trace.agent.as_str(), trace.problem.as_str()), ("outer", "sub"), "what one does not say another may");
    assert_eq!(success(&trace), Some(true));
}

#[test]
fn the_last_label_counts_whatever_was_said_before() {
    let parts = || vec![part(1, "a", about(0, Some("x"), None)), part(5, "e", end(0, Some(true)))];
    assert_eq!(success(&made(parts())), Some(true));
    let flipped = vec![part(9, "l2", label(true)), part(7, "l1", label(false))];
    assert_eq!(success(&made(parts().into_iter().chain(flipped).collect())), Some(true));
    let flipped = vec![part(7, "l1", label(true)), part(9, "l2", label(false))];
    assert_eq!(success(&made(parts().into_iter().chain(flipped).collect())), Some(false));
}

#[test]
fn what_has_no_end_goes_on_and_an_end_before_the_beginning_is_a_clock_s_mistake() {
    let trace = made(vec![part(5, "c", call("a"))]);
    assert_eq!((trace.ended_at, trace.agent.as_str()), (None, "unknown"));
    let trace = made(vec![part(5, "a", about(0, None, None)), part(2, "e", end(0, None))]);
    assert_eq!(trace.ended_at, Some(trace.started_at));
}

#[test]
fn of_a_million_calls_the_first_and_the_last_are_kept() {
    let parts =
        (0..MOST_STEPS as i64 + 7).map(|second| part(second, &format!("{second:07}"), call(&format!("t{second}"))));
    let trace = made(parts.collect());
    assert_eq!((trace.steps.len(), trace.left_out), (MOST_STEPS, 7));
    assert_eq!((tools(&trace)[0], tools(&trace)[MOST_STEPS - 1]), ("t0", format!("t{}", MOST_STEPS + 6).as_str()));
}

#[test]
fn errors_become_kinds_of_trouble() {
    for (words, trouble) in [
        ("Error: user not found", Trouble::NotFound),
        ("TimeoutError", Trouble::TimedOut),
        ("HTTP 429 Too Many Requests", Trouble::Busy),
        ("ValidationError: field required", Trouble::BadArguments),
        ("PermissionError", Trouble::Denied),
        ("ConnectionRefusedError", Trouble::Unavailable),
        ("boom", Trouble::Other),
    ] {
        assert_eq!(Trouble::of(words), trouble, "{words}");
    }
}

proptest! {
    #[test]
    fn the_order_of_arrival_does_not_matter(order in Just((0..8_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let parts = [
            part(1, "a", about(0, Some("outer"), None)),
            part(2, "b", about(1, Some("inner"), Some("p"))),
            part(3, "c1", call("one")),
            part(4, "c2", call("two")),
            part(4, "c3", call("three")),
            part(6, "e1", end(1, Some(false))),
            part(7, "e0", end(0, Some(true))),
            part(9, "l", label(false)),
        ];
        let shuffled = order.iter().map(|at| parts[*at].clone()).collect();
        prop_assert_eq!(made(shuffled), made(parts.to_vec()));
    }

    #[test]
    fn a_trace_that_is_taken_apart_and_put_together_is_the_same(
        pieces in prop::collection::vec((0..20_i64, 0..7_usize, any::<bool>()), 1..12)
    ) {
        let some = |(at, (second, kind, flag)): (usize, (i64, usize, bool))| {
            let piece = match kind {
                0 => about(0, Some("planner"), flag.then_some("calendar")),
                1 => end(0, Some(flag)),
                2 => end(0, None),
                3 => label(flag),
                4 => call("one"),
                5 => thought(flag.then_some(second - 9)),
                _ => call("two"),
            };
            part(second, &format!("p{at}"), piece)
        };
        let trace = made(pieces.into_iter().enumerate().map(some).collect());
        prop_assert_eq!(made(trace.clone().parts()), trace.clone());
        prop_assert_eq!(trace.clone().parts(), trace.parts(), "the same pieces every time");
    }
}

fn thought(at: Option<i64>) -> Piece {
    let at = at.map(|second| Timestamp::from_second(second).expect("a time"));
    let text = domain::trace::Untrusted::text("Let me see.");
    Piece::Did { step: Step::Thought { what: Symbol::of("plan"), by: None, text, length: 11, confidence: None, at } }
}

#[test]
fn how_many_steps_were_left_out_survives_being_taken_apart() {
    let steps = (0..MOST_STEPS as i64 + 7).map(|second| part(second, &format!("{second:07}"), call("a")));
    let trace = made(steps.chain([part(1_000_000, "e", end(0, Some(true)))]).collect());
    assert_eq!(made(trace.clone().parts()), trace);
}
