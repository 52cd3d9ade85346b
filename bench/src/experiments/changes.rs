//! Experiments with changes that harm or help, and how long it takes to see.

use anyhow::ensure;
use learn::experiment::{ExperimentPolicy, Verdict};
use serde_json::{Value, json};

use super::{Args, median, policy, until_clear};
use crate::dice::Dice;

const ALPHA: f64 = 0.05;
/// Normal quantiles at 0.90 and 0.95.
const Z: (f64, f64) = (1.281_552, 1.644_854);

/// How often what harms is rolled back and what helps is promoted, and after how many runs, beside the number of runs that
/// a test with a fixed number needs to answer the same question 95 times in 100 at the same level. What harms is rolled
/// back as soon as it is clear that it does not help enough; how long it takes to be sure of the harm is told as well.
pub(super) fn measure(args: &Args) -> anyhow::Result<Value> {
    let mut rows = Vec::new();
    let mut dice = Dice::new(args.seed ^ 0xc4a9);
    for (base, change) in CHANGES {
        let policy = policy(ALPHA, 0.5);
        let ended = Ended::of(&mut dice, args.changes, &policy, base, change);
        let rolled_back = 1.0 - ended.share(Verdict::Promote) - ended.share(Verdict::GoOn);
        ensure!(change >= 0.0 || rolled_back >= 0.95, "{rolled_back} of harmful changes are rolled back");
        let mut row = json!({
            "base": base, "change": change, "worlds": args.changes, "rolled_back": rolled_back,
            "promoted": ended.share(Verdict::Promote), "median_runs_to_promotion": ended.runs(Verdict::Promote),
            "fixed_sample_to_promotion": (change > 0.0).then(|| fixed(base, change, change, Z.1)),
        });
        if change < 0.0 {
            let sure = ExperimentPolicy { futile: 0.0, ..policy };
            let harmful = Ended::of(&mut dice, args.changes, &sure, base, change);
            row["median_runs_to_rollback"] = json!(ended.runs(Verdict::Useless));
            row["fixed_sample_to_rollback"] = json!(fixed(base, change, policy.minimum - change, Z.0));
            row["sure_of_harm"] = json!(harmful.share(Verdict::Harmful));
            row["median_runs_to_be_sure_of_harm"] = json!(harmful.runs(Verdict::Harmful));
            row["fixed_sample_to_be_sure_of_harm"] = json!(fixed(base, change, change, Z.0));
        }
        rows.push(row);
    }
    Ok(Value::Array(rows))
}

const CHANGES: [(f64, f64); 9] = [
    (0.5, -0.05),
    (0.6, -0.05),
    (0.7, -0.05),
    (0.7, -0.1),
    (0.5, 0.05),
    (0.6, 0.05),
    (0.7, 0.05),
    (0.6, 0.1),
    (0.6, 0.0),
];

/// How experiments ended, and after how many runs.
struct Ended(Vec<(Verdict, u64)>);

impl Ended {
    fn of(dice: &mut Dice, worlds: usize, policy: &ExperimentPolicy, base: f64, change: f64) -> Self {
        Self((0..worlds).map(|_| until_clear(dice, policy, |_| (base, base + change))).collect())
    }

    fn share(&self, wanted: Verdict) -> f64 {
        self.0.iter().filter(|(verdict, _)| *verdict == wanted).count() as f64 / self.0.len().max(1) as f64
    }

    fn runs(&self, wanted: Verdict) -> Option<u64> {
        median(self.0.iter().filter(|(verdict, _)| *verdict == wanted).map(|(_, runs)| *runs).collect())
    }
}

/// How many runs, in two equal arms, a test of a fixed number needs for a difference that is so far from what is claimed.
fn fixed(base: f64, change: f64, distance: f64, level: f64) -> u64 {
    let after = base + change;
    let variance = base * (1.0 - base) + after * (1.0 - after);
    (2.0 * (level + Z.1).powi(2) * variance / (distance * distance)).ceil() as u64
}
