//! Experiments with changes that harm or help, and how long it takes to see.

use anyhow::ensure;
use learn::experiment::Verdict;
use serde_json::{Value, json};

use super::{Args, median, policy, until_clear};
use crate::dice::Dice;

const ALPHA: f64 = 0.05;
/// Normal quantiles at 0.90 and 0.95.
const Z: (f64, f64) = (1.281_552, 1.644_854);

/// How often what harms is rolled back and what helps is promoted, and after how many runs, beside the number of runs that
/// a test with a fixed number needs to see the change 95 times in 100 at the same level.
pub(super) fn measure(args: &Args) -> anyhow::Result<Value> {
    let mut rows = Vec::new();
    let mut dice = Dice::new(args.seed ^ 0xc4a9);
    for (base, change) in [
        (0.5, -0.05),
        (0.6, -0.05),
        (0.7, -0.05),
        (0.7, -0.1),
        (0.5, 0.05),
        (0.6, 0.05),
        (0.7, 0.05),
        (0.6, 0.1),
        (0.6, 0.0),
    ] {
        let policy = policy(ALPHA, 0.5);
        let ended: Vec<(Verdict, u64)> =
            (0..args.changes).map(|_| until_clear(&mut dice, &policy, |_| (base, base + change))).collect();
        let share = |wanted: Verdict| {
            ended.iter().filter(|(verdict, _)| *verdict == wanted).count() as f64 / ended.len().max(1) as f64
        };
        let rolled_back = share(Verdict::Harmful) + share(Verdict::Useless) + share(Verdict::Skewed);
        let runs = |promoted: bool| {
            median(
                ended
                    .iter()
                    .filter(|(verdict, _)| (*verdict == Verdict::Promote) == promoted)
                    .map(|(_, runs)| *runs)
                    .collect(),
            )
        };
        let level = if change < 0.0 { Z.0 } else { Z.1 };
        ensure!(change >= 0.0 || rolled_back >= 0.95, "{rolled_back} of harmful changes are rolled back");
        rows.push(json!({
            "base": base, "change": change, "worlds": ended.len(), "promoted": share(Verdict::Promote),
            "rolled_back": rolled_back, "as_harmful": share(Verdict::Harmful), "as_useless": share(Verdict::Useless),
            "median_runs_to_promotion": runs(true), "median_runs_to_rollback": runs(false),
            "fixed_sample_runs": fixed(base, change, level),
        }));
    }
    Ok(Value::Array(rows))
}

/// How many runs, in two equal arms, a test of a fixed number needs.
fn fixed(base: f64, change: f64, level: f64) -> Option<u64> {
    let after = base + change;
    let variance = base * (1.0 - base) + after * (1.0 - after);
    (change != 0.0).then(|| (2.0 * (level + Z.1).powi(2) * variance / (change * change)).ceil() as u64)
}
