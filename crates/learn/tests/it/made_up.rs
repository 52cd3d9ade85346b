//! Finished runs that never were: the same seed, the same runs.

use std::collections::BTreeMap;

use domain::budget::Spent;
use domain::forecast::{Forecast, Hindsight, Range};
use domain::id::RunId;
use domain::money::Usd;
use domain::score::Score;
use jiff::Timestamp;
use proptest::prelude::*;

/// Splitmix64.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number from 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn falls(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// By how many times something was off: log-normal.
    pub(crate) fn ratio(&mut self, bias: f64, spread: f64) -> f64 {
        let (radius, angle) = ((1.0 - self.unit()).ln() * -2.0, self.unit() * std::f64::consts::TAU);
        bias * (radius.sqrt() * angle.cos() * spread).exp()
    }
}

/// The run that was accepted as the nth, without anything reported or expected.
pub(crate) fn run(n: usize, succeeded: bool) -> Hindsight {
    Hindsight {
        run: RunId::of_intent(&n.to_string()),
        at: Timestamp::from_second(n as i64).expect("a time"),
        succeeded,
        reported: BTreeMap::new(),
        forecast: None,
        spent: Spent::default(),
        seconds: None,
    }
}

pub(crate) fn reported(mut run: Hindsight, name: &str, score: f64) -> Hindsight {
    run.reported.insert(name.into(), Score::nearest(score));
    run
}

pub(crate) fn took(mut run: Hindsight, usd: f64, seconds: f64) -> Hindsight {
    run.spent.usage.cost = Usd::dollars(usd);
    run.seconds = Some(seconds);
    run
}

pub(crate) fn foreseen(mut run: Hindsight, usd: Range, seconds: Range, success: Range) -> Hindsight {
    let level = Score::nearest(0.8);
    run.forecast = Some(Forecast { usd, seconds, success, level, basis: 0, explanation: String::new() });
    run
}

pub(crate) fn range(low: f64, middle: f64, high: f64) -> Range {
    Range { low, middle, high }
}

/// Any history: sensible and absurd numbers, with and without reports and forecasts.
pub(crate) fn any_history() -> impl Strategy<Value = Vec<Hindsight>> {
    let number = || prop_oneof![3 => 0.0..10.0_f64, 1 => Just(0.0), 1 => any::<f64>()];
    let ranges = proptest::option::of((number(), number(), 0.0..=1.0_f64));
    let score = || proptest::option::of(prop_oneof![0.0..=1.0_f64, Just(0.0), Just(1.0), Just(0.9)]);
    let one = (any::<bool>(), score(), score(), number(), proptest::option::of(number()), ranges);
    proptest::collection::vec(one, 0..120).prop_map(|runs| {
        let made = runs.into_iter().enumerate().map(|(n, (succeeded, first, overall, usd, seconds, ranges))| {
            let mut made = took(run(n, succeeded), usd, 0.0);
            made.seconds = seconds;
            for (name, score) in [("first", first), ("overall", overall)] {
                made = score.into_iter().fold(made, |made, score| reported(made, name, score));
            }
            match ranges {
                Some((usd, seconds, chance)) => {
                    let around = |middle: f64| range(middle / 2.0, middle, middle * 2.0);
                    foreseen(made, around(usd), around(seconds), around(chance))
                }
                None => made,
            }
        });
        made.collect()
    })
}

/// The same runs in another order.
pub(crate) fn shuffled(history: &[Hindsight], seed: u64) -> Vec<Hindsight> {
    let mut dice = Dice(seed);
    let mut keyed: Vec<(f64, &Hindsight)> = history.iter().map(|run| (dice.unit(), run)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    keyed.into_iter().map(|(_, run)| run.clone()).collect()
}
