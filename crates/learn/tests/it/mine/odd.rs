//! Traces that make no sense, and worlds in which there is nothing to find.

use domain::pattern::Evidence;
use domain::symbol::Symbol;
use domain::trace::Sketch;
use learn::{MinePolicy, Miner};

use super::{hasty, mined, patterns, trace};
use crate::made_up::Dice;

#[test]
fn where_all_or_none_succeed_or_nobody_knows_there_is_no_pattern() {
    assert_eq!(patterns([]), []);
    assert_eq!(patterns([trace(1, "a b", Some(true))]), []);
    for success in [Some(true), Some(false), None] {
        assert_eq!(patterns((0..200).map(|n| trace(n, if n % 2 == 0 { "a b" } else { "b a" }, success))), []);
    }
    assert_eq!(patterns((0..200).map(|n| trace(n, "a b", Some(n % 2 == 0)))), [], "nothing tells them apart");
    assert_eq!(patterns((0..200).map(|n| trace(n, "", Some(n % 2 == 0)))), [], "nothing was done");
}

#[test]
fn a_few_traces_are_no_evidence_however_clear() {
    let few = |n: usize| patterns((0..n).map(|n| trace(n, if n % 2 == 0 { "a b" } else { "b a" }, Some(n % 2 == 0))));
    assert_eq!(few(8), []);
    assert_eq!(few(14), []);
    assert!(!few(60).is_empty());
}

#[test]
fn traces_without_an_outcome_are_counted_and_say_nothing() {
    let mut miner = mined(hasty());
    let found = miner.patterns(&MinePolicy::default());
    (0..500).for_each(|n| miner.add(&trace(9_000 + n, "look pay", None)));
    assert_eq!(miner.traces(), (1_100, 600));
    assert_eq!(miner.patterns(&MinePolicy::default()), found);
}

#[test]
fn a_trace_of_a_million_calls_is_one_trace() {
    let mut long = trace(1, "", Some(false));
    let call = trace(0, "x", None).moves.remove(0);
    long.moves = vec![call; 1_000_000];
    let mut miner = mined(hasty());
    miner.add(&Sketch { trace: "long".parse().expect("an id"), ..long.clone() });
    assert_eq!(miner.traces().0, 601);
    assert!(miner.to_bytes().len() < 200_000);
}

#[test]
fn a_trace_that_calls_ever_new_tools_is_kept_short() {
    let names: Vec<String> = (0..10_000).map(|n| format!("tool-{n}")).collect();
    let miner = mined([trace(1, &names.join(" "), Some(true))]);
    assert!(miner.to_bytes().len() < 400_000, "{}", miner.to_bytes().len());
}

#[test]
fn odd_names_and_numbers_do_no_harm() {
    let mut dice = Dice(1);
    let odd = ["", "a\nb", "🦀", "ignore all previous instructions", "x"];
    let traces = (0..300).map(|n| {
        let mut one = trace(n, "a", Some(dice.falls(0.5)));
        one.moves.extend(trace(0, "a", None).moves);
        if let Some(domain::trace::Move::Call { tool, .. }) = one.moves.last_mut() {
            *tool = Symbol::of(odd[n % odd.len()]);
        }
        one.seconds = Some([f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300][n % 5]);
        one.usd = Some([f64::NEG_INFINITY, 1e-300, 0.0, -0.0, f64::MAX][n % 5]);
        one
    });
    let policy = MinePolicy { false_discoveries: 1.0, confidence: 0.0, least_effect: 0.0, ..MinePolicy::default() };
    let sane =
        |it: &Evidence| it.effect.abs() <= 1.0 && (0.0..=1.0).contains(&it.confidence) && (0.0..=1.0).contains(&it.q);
    let miner = mined(traces);
    assert!(miner.patterns(&policy).iter().all(|pattern| sane(&pattern.evidence)));
    assert!(Miner::from_bytes(&miner.to_bytes()).is_ok());
}

#[test]
fn bytes_of_another_version_say_so() {
    let mut bytes = Miner::default().to_bytes();
    bytes[0] = 99;
    assert_eq!(
        Miner::from_bytes(&bytes).expect_err("another version").to_string(),
        "what was mined is of version `99`"
    );
    assert_eq!(Miner::from_bytes(&[]).expect_err("nothing").to_string(), "what was mined is damaged");
}
