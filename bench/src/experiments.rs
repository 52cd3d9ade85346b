//! Whether experiments keep what they promise: nothing useless is promoted however often one looks, what harms is rolled
//! back, and an optimiser that proposes harm every night cannot do any.

mod changes;
mod drops;
mod nights;
mod nothing;
mod stream;

use clap::Parser;
use domain::guideline::Arm;
use learn::experiment::{ExperimentPolicy, Running, Verdict};
use serde_json::{Value, json};

use crate::dice::Dice;

/// Throws experiments whose truth is known, and looks at each after every outcome.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many experiments without any effect, for each base rate and share
    #[arg(long, default_value_t = 10_000)]
    pub nothing: usize,
    /// How many outcomes each of them has
    #[arg(long, default_value_t = 2_000)]
    pub runs: usize,
    /// How many worlds for each change that does something
    #[arg(long, default_value_t = 2_000)]
    pub changes: usize,
    /// How many worlds with an optimiser that is let loose
    #[arg(long, default_value_t = 100)]
    pub worlds: usize,
    /// For how many nights
    #[arg(long, default_value_t = 30)]
    pub nights: usize,
    /// How many streams of a hundred experiments each
    #[arg(long, default_value_t = 200)]
    pub streams: usize,
    /// How many series of outcomes to watch for drops
    #[arg(long, default_value_t = 300)]
    pub series: usize,
    /// What the dice begin with
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Everything that is measured, one figure each.
pub fn measure(args: &Args) -> anyhow::Result<Value> {
    Ok(json!({
        "bench": "experiments",
        "seed": args.seed,
        "nothing": nothing::measure(args)?,
        "changes": changes::measure(args)?,
        "nights": nights::measure(args)?,
        "stream": stream::measure(args)?,
        "drops": drops::measure(args)?,
    }))
}

/// What experiments are judged by here, unless a figure says otherwise.
fn policy(alpha: f64, share: f64) -> ExperimentPolicy {
    let loose = ExperimentPolicy::LOOSE;
    let most_runs = ExperimentPolicy::MOST_RUNS;
    ExperimentPolicy { share, alpha, margin: 0.0, minimum: 0.02, harm: loose, futile: loose, most_runs }
}

/// Throws outcomes until something is clear, and says after how many. The rates are those of control and candidate.
fn until_clear(dice: &mut Dice, policy: &ExperimentPolicy, rates: impl Fn(u64) -> (f64, f64)) -> (Verdict, u64) {
    let mut running = Running::new(policy);
    for run in 0..policy.most_runs {
        let (control, candidate) = rates(run);
        let (arm, rate) = if falls(dice, policy.share) { (Arm::Candidate, candidate) } else { (Arm::Control, control) };
        running.observe(arm, falls(dice, rate));
        if let Some(verdict) = running.verdict() {
            return (verdict, run + 1);
        }
    }
    (Verdict::GoOn, policy.most_runs)
}

fn falls(dice: &mut Dice, chance: f64) -> bool {
    unit(dice) < chance
}

/// A number from 0 to 1.
fn unit(dice: &mut Dice) -> f64 {
    (dice.any() >> 11) as f64 / (1u64 << 53) as f64
}

fn median(mut counts: Vec<u64>) -> Option<u64> {
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_round_of_everything_keeps_its_promises() {
        let args = Args { nothing: 40, runs: 200, changes: 10, worlds: 1, nights: 3, streams: 1, series: 1, seed: 7 };
        let measured = measure(&args).expect("measured");
        assert_eq!(measured["bench"], "experiments");
    }
}
