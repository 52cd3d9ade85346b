//! Runs end within their ranges as often as is said, and ranges make sense whatever came before.

use domain::forecast::{Hindsight, Range};
use domain::score::Score;
use learn::forecast::{ENOUGH, SECONDS_PRIOR, USD_PRIOR};
use learn::{Shape, forecast};
use proptest::prelude::*;

use crate::made_up::{Dice, any_history, foreseen, range, run, shuffled, took};

fn shape(usd: f64, seconds: f64) -> Shape {
    Shape { usd, seconds, spent_usd: 0.0, spent_seconds: 0.0, confidence: Score::nearest(0.7) }
}

/// Runs that follow one another, each foreseen from the `known` before it: the shares that cost and took what was foreseen.
fn coverage(runs: usize, known: usize, seed: u64, ratio: impl Fn(&mut Dice) -> f64) -> (f64, f64) {
    let mut dice = Dice(seed);
    let mut history: Vec<Hindsight> = Vec::new();
    let (mut cost, mut time) = (0, 0);
    for n in 0..known + runs {
        let shape = Shape { spent_usd: 0.01, spent_seconds: 1.0, ..shape(0.1 + dice.unit(), 5.0 + 60.0 * dice.unit()) };
        let expected = forecast(&history[n.saturating_sub(known)..], &shape);
        let usd = (shape.usd + shape.spent_usd) * ratio(&mut dice);
        let seconds = (shape.seconds + shape.spent_seconds) * ratio(&mut dice);
        if n >= known {
            cost += usize::from(expected.usd.holds(usd));
            time += usize::from(expected.seconds.holds(seconds));
        }
        let mut ended = took(run(n, dice.falls(0.7)), usd, seconds);
        ended.forecast = Some(expected);
        history.push(ended);
    }
    (cost as f64 / runs as f64, time as f64 / runs as f64)
}

#[test]
fn eight_in_ten_runs_end_within_ranges_taken_from_two_hundred() {
    for seed in 0..3 {
        let (cost, time) = coverage(2_000, 200, seed, |dice| dice.ratio(1.0, 0.5));
        assert!((0.75..=0.87).contains(&cost), "seed {seed}: {cost} by cost");
        assert!((0.75..=0.87).contains(&time), "seed {seed}: {time} by time");
    }
}

#[test]
fn expectations_that_are_always_too_low_do_not_cost_coverage() {
    let (cost, time) = coverage(2_000, 200, 5, |dice| dice.ratio(2.0, 0.5));
    assert!(cost >= 0.78 && time >= 0.78, "{cost} by cost, {time} by time");
}

#[test]
fn before_there_are_runs_the_guess_holds_what_lies_in_it() {
    let even = |dice: &mut Dice| USD_PRIOR.0 + 0.001 + dice.unit() * (USD_PRIOR.1 - USD_PRIOR.0 - 0.002);
    let (cost, time) = coverage(2_000, 0, 1, even);
    assert!(cost >= 0.8 && time >= 0.8, "{cost} by cost, {time} by time");
}

#[test]
fn a_forecast_says_what_it_rests_on() {
    let ended = |n: usize| {
        let ratio = 0.7 + 0.1 * n as f64;
        let ended = took(run(n, !n.is_multiple_of(4)), 2.0 * ratio, 10.0);
        foreseen(ended, range(1.0, 2.0, 3.0), range(5.0, 10.0, 20.0), range(0.6, 0.75, 0.9))
    };
    let history: Vec<Hindsight> = (0..13).map(ended).collect();
    let told = forecast(&history, &shape(1.0, 60.0));
    assert_eq!(told.basis, 13);
    let says = "13 finished runs; cost was 0.7 to 1.9 times what was expected; \
                time was 1.0 to 1.0 times what was expected; 9 of 13 about as sure succeeded";
    assert_eq!(told.explanation, says);
    assert_eq!((told.usd.middle, told.seconds, told.level), (1.0, range(60.0, 60.0, 60.0), Score::nearest(0.8)));
    assert!((told.usd.low - 0.7).abs() < 1e-6 && (told.usd.high - 1.9).abs() < 1e-6, "{:?}", told.usd);

    let guessed = forecast(&history[..ENOUGH - 1], &shape(1.0, 60.0));
    assert_eq!(guessed.usd, range(USD_PRIOR.0, 1.0, USD_PRIOR.1));
    let nothing = forecast(&[], &shape(1.0, 60.0));
    assert_eq!(nothing.seconds, range(60.0 * SECONDS_PRIOR.0, 60.0, 60.0 * SECONDS_PRIOR.1));
    let says = "no finished runs to go by; cost is guessed to be 0.3 to 3.0 times what is expected; \
                time is guessed to be 0.3 to 4.0 times what is expected; success is as sure as the plan, as far as is known";
    assert_eq!((nothing.basis, nothing.explanation.as_str()), (0, says));
}

#[test]
fn a_chance_is_known_better_the_more_runs_were_about_as_sure() {
    let width = |runs: usize| {
        let any = range(0.0, 1.0, 2.0);
        let history: Vec<Hindsight> =
            (0..runs).map(|n| foreseen(run(n, n % 10 < 7), any, any, range(0.5, 0.7, 0.9))).collect();
        let Range { low, middle, high } = forecast(&history, &shape(1.0, 1.0)).success;
        assert_eq!(middle, 0.7);
        high - low
    };
    assert!(width(0) > 0.4, "{}", width(0));
    assert!(width(1_000) < 0.05, "{}", width(1_000));
    assert!(width(0) > width(20) && width(20) > width(100));
}

#[test]
fn what_is_gone_is_the_least_that_a_run_takes() {
    let told = forecast(&[], &Shape { spent_usd: 0.9, spent_seconds: 50.0, ..shape(0.1, 10.0) });
    assert_eq!((told.usd.low, told.usd.middle), (0.9, 1.0));
    assert_eq!((told.seconds.low, told.seconds.middle), (50.0, 60.0));
}

#[test]
fn what_costs_nothing_is_foreseen_to_cost_nothing() {
    let free = range(0.0, 0.0, 0.0);
    let ended = |n| foreseen(took(run(n, true), 0.0, 8.0), free, range(4.0, 10.0, 20.0), range(0.0, 0.7, 1.0));
    let history: Vec<Hindsight> = (0..50).map(ended).collect();
    let told = forecast(&history, &shape(0.0, 10.0));
    assert_eq!((told.usd, told.seconds), (free, range(8.0, 10.0, 10.0)));
    assert!(told.explanation.contains("no cost is expected"), "{}", told.explanation);
    // The first run that is paid for has no ratios to go by.
    assert_eq!(forecast(&history, &shape(1.0, 10.0)).usd, range(USD_PRIOR.0, 1.0, USD_PRIOR.1));
}

proptest! {
    #[test]
    fn ranges_are_ordered_and_finite_whatever_came_before(
        history in any_history(),
        numbers in proptest::array::uniform4(prop_oneof![0.0..1e4_f64, any::<f64>(), Just(f64::NAN), Just(f64::INFINITY)]),
        confidence in 0.0..=1.0_f64,
        seed in any::<u64>(),
    ) {
        let [usd, seconds, spent_usd, spent_seconds] = numbers;
        let shape = Shape { usd, seconds, spent_usd, spent_seconds, confidence: Score::nearest(confidence) };
        let told = forecast(&history, &shape);
        for (range, spent) in [(told.usd, spent_usd), (told.seconds, spent_seconds), (told.success, 0.0)] {
            prop_assert!(0.0 <= range.low && range.low <= range.middle && range.middle <= range.high, "{range:?}");
            prop_assert!(range.high.is_finite());
            prop_assert!(spent.is_nan() || range.low >= spent.min(1e12), "{range:?} after {spent}");
        }
        prop_assert!(told.success.high <= 1.0);
        prop_assert_eq!(told.success.middle, confidence);
        prop_assert_eq!(&told, &forecast(&shuffled(&history, seed), &shape));
    }
}
