//! Drops that are told, and drops that never were.

use domain::id::TraceId;
use domain::symbol::Symbol;
use learn::alert::{AlertPolicy, Series, drops, watch};

use crate::made_up::Dice;

fn outcomes(rates: &[(usize, f64)], seed: u64) -> Vec<(TraceId, bool)> {
    let mut dice = Dice(seed);
    let rates = rates.iter().flat_map(|(runs, rate)| std::iter::repeat_n(*rate, *runs));
    rates.enumerate().map(|(n, rate)| (format!("run-{n}").parse().expect("a name"), dice.falls(rate))).collect()
}

fn watched(outcomes: &[(TraceId, bool)]) -> Vec<domain::guideline::Alert> {
    let series = Series { agent: Symbol::of("planner"), problem: Some(Symbol::of("refund")), outcomes };
    watch(&[series], &AlertPolicy::default())
}

#[test]
fn a_drop_is_told_with_when_and_from_what_to_what() {
    let outcomes = outcomes(&[(500, 0.9), (200, 0.6)], 1);
    let alerts = watched(&outcomes);
    let [alert] = &alerts[..] else { panic!("{alerts:?}") };
    assert!((alert.before - 0.9).abs() < 0.05 && (alert.now - 0.6).abs() < 0.15, "{alert:?}");
    let since = outcomes.iter().position(|(trace, _)| Some(trace) == alert.since.as_ref()).expect("one of them");
    assert!((450..560).contains(&since), "{since}");
    assert!(alert.words.starts_with("`planner` succeeds less often at `refund` since `run-"), "{}", alert.words);
    assert!(alert.evidence >= AlertPolicy::default().rarely);
}

#[test]
fn what_recovered_is_told_no_more() {
    assert!(watched(&outcomes(&[(500, 0.9), (200, 0.5), (300, 0.9)], 2)).is_empty());
}

#[test]
fn what_stays_as_it_was_or_gets_better_is_no_drop() {
    for (seed, rates) in
        [[(1_000, 0.7), (1_000, 0.7)], [(1_000, 0.5), (1_000, 0.8)], [(300, 0.0), (300, 0.0)]].iter().enumerate()
    {
        assert!(watched(&outcomes(rates, seed as u64)).is_empty(), "{rates:?}");
    }
}

#[test]
fn too_little_to_go_by_is_no_drop() {
    assert!(watched(&[]).is_empty());
    assert!(watched(&outcomes(&[(30, 1.0), (30, 0.0)], 3)).is_empty(), "nobody knows what it was");
}

#[test]
fn a_second_drop_is_measured_by_what_came_after_the_first() {
    let noticed = drops(&outcomes(&[(500, 0.9), (400, 0.6), (400, 0.2)], 4), &AlertPolicy::default());
    assert_eq!(noticed.len(), 2, "{noticed:?}");
    assert!((850..1_000).contains(&noticed[1].at));
}

#[test]
fn false_alarms_are_as_rare_as_promised() {
    let policy = AlertPolicy { rarely: 1_000.0, ..AlertPolicy::default() };
    let alarms: usize = (0..10).map(|seed| drops(&outcomes(&[(1_000, 0.7)], seed), &policy).len()).sum();
    assert!(alarms <= 10, "{alarms} in 10,000 runs");
}
