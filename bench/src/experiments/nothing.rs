//! Experiments with changes that change nothing, looked at after every outcome.

use anyhow::ensure;
use domain::guideline::{Arm, Tally};
use learn::experiment::{EProcess, ExperimentPolicy, Verdict};
use serde_json::{Value, json};

use super::{Args, falls, policy, until_clear};
use crate::dice::Dice;

const ALPHA: f64 = 0.05;

/// How often something useless is promoted: as the product judges, by the evidence for it alone (nothing ever ends an
/// experiment but its promotion), and by a test that is made for being looked at once.
pub(super) fn measure(args: &Args) -> anyhow::Result<Value> {
    let mut rows = Vec::new();
    let mut dice = Dice::new(args.seed);
    for (base, drift) in [(0.1, 0.0), (0.5, 0.0), (0.9, 0.0), (0.5, 0.3)] {
        for share in [0.5, 0.2] {
            let rate = |run: u64| base + drift * (run as f64 / 100.0).sin();
            let whole = ExperimentPolicy { most_runs: args.runs as u64, ..policy(ALPHA, share) };
            let mut promoted = [0usize; 3];
            for _ in 0..args.nothing {
                let (verdict, _) = until_clear(&mut dice, &whole, |run| (rate(run), rate(run)));
                promoted[0] += usize::from(verdict == Verdict::Promote);
                let (alone, naive) = evidence_alone(&mut dice, args.runs as u64, share, rate);
                promoted[1] += usize::from(alone);
                promoted[2] += usize::from(naive);
            }
            let [judged, alone, naive] = promoted.map(|count| count as f64 / args.nothing.max(1) as f64);
            // Where the promise is kept exactly chance puts it above by so much in one of a thousand measurements.
            let chance = 3.1 * (ALPHA * (1.0 - ALPHA) / args.nothing.max(1) as f64).sqrt();
            ensure!(judged <= ALPHA + chance && alone <= ALPHA + chance, "useless changes are promoted too often");
            rows.push(json!({
                "base": base, "drift": drift, "share": share, "alpha": ALPHA, "experiments": args.nothing,
                "runs": args.runs, "promoted": judged, "promoted_evidence_alone": alone, "promoted_by_z_test": naive,
            }));
        }
    }
    Ok(Value::Array(rows))
}

fn evidence_alone(dice: &mut Dice, runs: u64, share: f64, rate: impl Fn(u64) -> f64) -> (bool, bool) {
    let mut process = EProcess::above(0.0, share);
    let (mut alone, mut naive) = (false, false);
    for run in 0..runs {
        let arm = if falls(dice, share) { Arm::Candidate } else { Arm::Control };
        process.observe(arm, falls(dice, rate(run)));
        alone |= process.evidence() * ALPHA >= 1.0;
        naive |= run >= 30 && z(process.tally()) >= 1.645;
    }
    (alone, naive)
}

/// How many standard deviations the arms are apart.
fn z(tally: &Tally) -> f64 {
    let (control, candidate) = (tally.control.max(1) as f64, tally.candidate.max(1) as f64);
    let (before, after) = (tally.control_successes as f64 / control, tally.candidate_successes as f64 / candidate);
    let rate = (tally.control_successes + tally.candidate_successes) as f64 / (control + candidate);
    let deviation = (rate * (1.0 - rate) * (1.0 / control + 1.0 / candidate)).sqrt();
    if deviation > 0.0 { (after - before) / deviation } else { 0.0 }
}
