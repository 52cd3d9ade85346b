//! What miners find in small worlds, and that it does not matter how they came to know it.

mod odd;
mod told;

use domain::pattern::{Mark, Pattern};
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Move, Sketch, Source, Trouble};
use learn::{MinePolicy, Miner};
use proptest::prelude::*;

use crate::made_up::Dice;

/// A trace that calls these tools; one that ends in `!` fails.
fn trace(n: usize, calls: &str, success: Option<bool>) -> Sketch {
    let moves = calls.split_whitespace().map(|call| {
        let ended = if call.ends_with('!') { CallEnd::Failed(Trouble::NotFound) } else { CallEnd::Done };
        let tool = Symbol::of(call.trim_end_matches('!'));
        Move::Call {
            tool,
            by: None,
            keys: Vec::new(),
            cues: Vec::new(),
            things: Vec::new(),
            ended,
            length: 9,
            millis: None,
        }
    });
    Sketch {
        trace: format!("t{n:05}").parse().expect("an id"),
        source: Source::own(),
        agent: Symbol::of("clerk"),
        problem: Symbol::of("refund"),
        task: None,
        system: None,
        user: None,
        success,
        moves: moves.collect(),
        seconds: None,
        usd: None,
        lessons: Vec::new(),
        trials: Vec::new(),
    }
}

fn mined(traces: impl IntoIterator<Item = Sketch>) -> Miner {
    let mut miner = Miner::default();
    traces.into_iter().for_each(|trace| miner.add(&trace));
    miner
}

fn patterns(traces: impl IntoIterator<Item = Sketch>) -> Vec<Pattern> {
    mined(traces).patterns(&MinePolicy::default())
}

fn sequence(tools: &[&str]) -> Mark {
    Mark::Sequence { tools: tools.iter().map(|tool| Symbol::of(tool)).collect() }
}

/// Six hundred traces of which those that pay right after looking mostly fail.
fn hasty() -> Vec<Sketch> {
    let mut dice = Dice(7);
    let ways = ["look ask pay done", "look pay done", "pay look done", "ask look done", "ask pay look done"];
    (0..600)
        .map(|n| {
            let way = ways[(dice.unit() * 5.0) as usize];
            let success = dice.falls(if way.contains("look pay") { 0.35 } else { 0.75 });
            trace(n, way, Some(success))
        })
        .collect()
}

#[test]
fn what_goes_wrong_is_found_and_nothing_that_goes_along_with_it() {
    let found = patterns(hasty());
    assert_eq!(found.iter().map(|pattern| pattern.mark.clone()).collect::<Vec<_>>(), [sequence(&["look", "pay"])]);
    let evidence = &found[0].evidence;
    assert!(evidence.effect < -0.3 && evidence.interval.0 < evidence.effect && evidence.effect < evidence.interval.1);
    assert_eq!(evidence.confidence, -evidence.interval.1);
    assert_eq!(evidence.sources[&Source::own()], evidence.support());
    assert_eq!((evidence.examples.0.len(), evidence.examples.1.len()), (3, 3));
    assert_eq!(found[0].agent, Some(Symbol::of("clerk")), "nothing is known of other agents");
}

#[test]
fn who_has_easy_problems_and_a_tool_does_not_make_the_tool_good() {
    let mut dice = Dice(3);
    let traces = (0..1_000).map(|n| {
        let easy = n % 2 == 0;
        let calls = if dice.falls(if easy { 0.8 } else { 0.2 }) { "ask search" } else { "ask guess" };
        let mut trace = trace(n, calls, Some(dice.falls(if easy { 0.9 } else { 0.3 })));
        trace.problem = Symbol::of(if easy { "easy" } else { "hard" });
        trace
    });
    assert_eq!(patterns(traces), []);
}

#[test]
fn a_task_that_is_hard_does_not_make_its_tools_bad() {
    let mut dice = Dice(5);
    let traces = (0..1_000).map(|n| {
        let hard = n % 4 == 0;
        let calls = if dice.falls(if hard { 0.9 } else { 0.1 }) { "ask search" } else { "ask guess" };
        let mut trace = trace(n, calls, Some(dice.falls(if hard { 0.2 } else { 0.8 })));
        trace.task = Some(Symbol::of(&format!("task-{}", n % 20)));
        trace
    });
    assert_eq!(patterns(traces), []);
}

#[test]
fn something_is_told_to_those_for_whom_it_holds() {
    let mut dice = Dice(11);
    let traces = (0..1_200).map(|n| {
        let (agent, hasty) = (n % 3, dice.falls(0.3));
        let bad = hasty && agent == 0;
        let mut trace =
            trace(n, if hasty { "look pay" } else { "look ask" }, Some(dice.falls(if bad { 0.2 } else { 0.7 })));
        trace.agent = Symbol::of(&format!("agent-{agent}"));
        trace.problem = Symbol::of(&format!("problem-{}", n % 2));
        trace
    });
    let found = patterns(traces);
    let whose: Vec<_> = found.iter().map(|pattern| (pattern.agent.clone(), pattern.problem.clone())).collect();
    assert_eq!(whose, [(Some(Symbol::of("agent-0")), None)]);
}

#[test]
fn what_holds_for_several_agents_is_told_to_all() {
    let mut dice = Dice(13);
    let traces = (0..1_200).map(|n| {
        let hasty = dice.falls(0.3);
        let mut trace =
            trace(n, if hasty { "look pay" } else { "look ask" }, Some(dice.falls(if hasty { 0.4 } else { 0.7 })));
        trace.agent = Symbol::of(&format!("agent-{}", n % 3));
        trace
    });
    let found = patterns(traces);
    assert!(!found.is_empty() && found.iter().all(|pattern| pattern.agent.is_none() && pattern.problem.is_none()));
}

#[test]
fn a_label_that_flips_counts_as_it_was_said_last() {
    let traces = hasty();
    let mut miner = mined(traces.iter().cloned().map(|trace| Sketch { success: trace.success.map(|it| !it), ..trace }));
    traces.iter().for_each(|trace| miner.add(trace));
    assert_eq!(miner.to_bytes(), mined(traces).to_bytes());
}

#[test]
fn what_a_revoked_source_sent_is_gone() {
    let theirs = Source::key("k1");
    let mut miner = mined(hasty());
    let before = miner.to_bytes();
    for n in 0..50 {
        miner.add(&Sketch { source: theirs.clone(), ..trace(10_000 + n, "look pay", Some(true)) });
    }
    assert_eq!((miner.retract_source(&theirs), miner.retract_source(&theirs)), (50, 0));
    assert_eq!(miner.to_bytes(), before);
}

fn any_trace() -> impl Strategy<Value = Sketch> {
    let calls = prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "d!", "a!"]), 0..8);
    let known = prop::option::weighted(0.9, any::<bool>());
    (0..60usize, calls, known, 0..3u8, prop::option::of(0..3u8)).prop_map(|(n, calls, success, agent, task)| Sketch {
        agent: Symbol::of(&format!("agent-{agent}")),
        task: task.map(|task| Symbol::of(&format!("task-{task}"))),
        seconds: task.map(f64::from),
        ..trace(n, &calls.join(" "), success)
    })
}

/// Traces of which no two have the same id.
fn any_traces() -> impl Strategy<Value = Vec<Sketch>> {
    prop::collection::vec(any_trace(), 0..60).prop_map(|mut traces| {
        traces.iter_mut().enumerate().for_each(|(n, it)| it.trace = format!("t{n}").parse().expect("an id"));
        traces
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_trace_that_is_taken_out_leaves_nothing(before in any_traces(), mut one in any_trace()) {
        one.trace = "the-one".parse().expect("an id");
        let mut miner = mined(before.clone());
        let bytes = miner.to_bytes();
        miner.add(&one);
        prop_assert!(miner.retract(&one.trace) && !miner.retract(&one.trace));
        prop_assert_eq!(miner.to_bytes(), bytes);
    }

    #[test]
    fn the_order_in_which_traces_come_does_not_matter(traces in any_traces(), seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mut shuffled = traces.clone();
        shuffled.sort_by_cached_key(|_| (dice.unit() * 1e9) as u64);
        let policy = MinePolicy { false_discoveries: 1.0, confidence: 0.0, min_support: 2, ..MinePolicy::default() };
        let (one, other) = (mined(traces), mined(shuffled));
        prop_assert_eq!(one.to_bytes(), other.to_bytes());
        prop_assert_eq!(one.patterns(&policy), other.patterns(&policy));
        prop_assert_eq!(one.tools(), other.tools());
    }

    #[test]
    fn what_was_written_is_read_again(traces in any_traces()) {
        let miner = mined(traces);
        let mut again = Miner::from_bytes(&miner.to_bytes()).expect("a miner");
        prop_assert_eq!(again.to_bytes(), miner.to_bytes());
        prop_assert_eq!(again.traces(), miner.traces());
        for n in 0..60 {
            again.retract(&format!("t{n}").parse().expect("an id"));
        }
        prop_assert_eq!(again.to_bytes(), Miner::default().to_bytes());
    }

    #[test]
    fn bytes_that_were_damaged_are_refused_or_read_and_never_believed(
        traces in any_traces(), at in any::<prop::sample::Index>(), to in any::<u8>(), cut in any::<bool>()
    ) {
        let mut bytes = mined(traces).to_bytes();
        let at = at.index(bytes.len());
        bytes[at] = to;
        if cut {
            bytes.truncate(at);
        }
        if let Ok(miner) = Miner::from_bytes(&bytes) {
            let _ = miner.patterns(&MinePolicy::default());
        }
    }
}
