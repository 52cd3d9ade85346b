//! Histories that should not be, and all the same must not put a number on the screen that is none.

use domain::forecast::{Hindsight, Range};
use domain::score::Score;
use learn::{Shape, calibrate, calibration_error, forecast, gain, hits};
use proptest::prelude::*;
use serde_json::Value;

use crate::made_up::{any_history, foreseen, range, reported, run, took};

fn histories() -> Vec<Vec<Hindsight>> {
    let absurd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE, f64::MAX, -1.0, 0.0];
    let all = |make: &dyn Fn(usize) -> Hindsight| (0..40).map(make).collect::<Vec<_>>();
    let with = |n: usize, range: Range| {
        let ended = took(run(n, n.is_multiple_of(3)), absurd[n % 7], absurd[n / 7]);
        reported(foreseen(ended, range, range, range), "overall", absurd[(n + 1) % 7])
    };
    let zero = range(0.0, 0.0, 0.0);
    vec![
        Vec::new(),
        all(&|n| reported(run(n, true), "overall", 1.0)),
        all(&|n| reported(run(n, false), "overall", 0.0)),
        all(&|n| reported(reported(run(n, n % 2 == 0), "first", 1.0), "overall", 1.0)),
        all(&|n| foreseen(took(run(n, true), 0.0, 0.0), zero, zero, zero)),
        all(&|n| foreseen(took(run(n, true), 3.0, 3.0), zero, zero, zero)),
        all(&|n| with(n, range(absurd[n / 7], absurd[n % 7], absurd[(n + 2) % 7]))),
    ]
}

/// Serialising turns what is no number into null, so only what may be missing may be null.
fn numbers_are_numbers(history: &[Hindsight]) {
    let curve = calibrate(history, "overall");
    for n in 0..=10 {
        assert!((0.0..=1.0).contains(&curve.apply(Score::nearest(f64::from(n) / 10.0)).get()));
    }
    let error = calibration_error(history, "overall", Some(&curve));
    assert!(error.is_none_or(|error| (0.0..=1.0).contains(&error)), "{error:?}");
    for amount in [0.0, 1.0, f64::NAN, f64::INFINITY, f64::MAX, -5.0, f64::MIN_POSITIVE] {
        let confidence = Score::nearest(0.5);
        let shape = Shape { usd: amount, seconds: amount, spent_usd: amount, spent_seconds: 0.0, confidence };
        let told = serde_json::to_value(forecast(history, &shape)).expect("json");
        assert!(!has_null(&told), "{told}");
    }
    let told = gain(history, Score::nearest(0.3));
    assert!((0.0..=0.7).contains(&told.expected), "{told:?}");
    let told = hits(history);
    for rate in [&told.usd, &told.seconds] {
        assert!(rate.within <= rate.of && 0.0 <= rate.low && rate.low <= rate.high && rate.high <= 1.0, "{rate:?}");
        assert_eq!(rate.share.is_some_and(|share| (0.0..=1.0).contains(&share)), rate.of > 0, "{rate:?}");
    }
    let chances = &told.success;
    assert_eq!(chances.brier.is_some_and(|brier| (0.0..=1.0).contains(&brier)), chances.of > 0, "{chances:?}");
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(fields) => fields.values().any(has_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[test]
fn no_history_makes_a_number_that_is_none() {
    histories().iter().for_each(|history| numbers_are_numbers(history));
}

proptest! {
    #[test]
    fn nor_does_any_that_can_be_made_up(history in any_history()) {
        numbers_are_numbers(&history);
    }
}
