//! Experiments one after the other, most of them with nothing to find: what share of the promoted ones is useless.

use anyhow::ensure;
use domain::guideline::ExperimentStatus;
use learn::experiment::{ExperimentPolicy, Verdict};
use learn::spend::allot;
use serde_json::{Value, json};

use super::{Args, falls, policy, until_clear};
use crate::dice::Dice;

const TOTAL: f64 = 0.1;
const EXPERIMENTS: usize = 100;

/// For several shares of useless changes: the share of useless ones among the promoted, averaged over streams, with what is
/// allotted, and with the whole given to each.
pub(super) fn measure(args: &Args) -> anyhow::Result<Value> {
    let mut rows = Vec::new();
    let mut dice = Dice::new(args.seed ^ 0x57e4);
    for useless in [0.5, 0.8, 0.95] {
        let mut spent = Found::default();
        let mut unspent = Found::default();
        for _ in 0..args.streams {
            spent.add(&stream(&mut dice, useless, |past| allot(past, TOTAL)));
            unspent.add(&stream(&mut dice, useless, |_| TOTAL));
        }
        let streams = args.streams.max(1) as f64;
        ensure!(spent.false_share / streams <= TOTAL + 0.03, "too many useless changes are promoted over time");
        rows.push(json!({
            "useless": useless, "streams": args.streams, "experiments": EXPERIMENTS, "allowed": TOTAL,
            "false_discoveries": spent.false_share / streams, "power": spent.power / streams,
            "without_spending": {"false_discoveries": unspent.false_share / streams, "power": unspent.power / streams},
        }));
    }
    Ok(Value::Array(rows))
}

#[derive(Default)]
struct Found {
    false_share: f64,
    power: f64,
}

impl Found {
    fn add(&mut self, (good, bad, helpful): &(f64, f64, f64)) {
        self.false_share += bad / (good + bad).max(1.0);
        self.power += good / helpful.max(1.0);
    }
}

/// How many helpful and how many useless changes were promoted, and how many helpful ones there were.
fn stream(dice: &mut Dice, useless: f64, alpha: impl Fn(&[ExperimentStatus]) -> f64) -> (f64, f64, f64) {
    let mut past = Vec::new();
    let (mut good, mut bad, mut helpful) = (0.0, 0.0, 0.0);
    for _ in 0..EXPERIMENTS {
        let change = if falls(dice, useless) { 0.0 } else { 0.1 };
        let policy = ExperimentPolicy { most_runs: 3_000, ..policy(alpha(&past), 0.5) };
        let (verdict, _) = until_clear(dice, &policy, |_| (0.6, 0.6 + change));
        helpful += f64::from(u8::from(change > 0.0));
        match verdict.status() {
            Some(ExperimentStatus::Promoted) if change > 0.0 => good += 1.0,
            Some(ExperimentStatus::Promoted) => bad += 1.0,
            _ => {}
        }
        past.push(if verdict == Verdict::Promote { ExperimentStatus::Promoted } else { ExperimentStatus::RolledBack });
    }
    (good, bad, helpful)
}
