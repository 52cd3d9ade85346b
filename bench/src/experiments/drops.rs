//! Series of outcomes in which the success rate falls or does not: how soon that is told, and how often in error.

use anyhow::ensure;
use domain::id::TraceId;
use learn::alert::{AlertPolicy, drops};
use serde_json::{Value, json};

use super::{Args, falls, median};
use crate::dice::Dice;

const LONG: u64 = 10_000;
const BEFORE: u64 = 500;

/// False alarms in so many runs of a series that stays as it is, and runs until a drop after the 500th is told.
pub(super) fn measure(args: &Args) -> anyhow::Result<Value> {
    let policy = AlertPolicy::default();
    let mut dice = Dice::new(args.seed ^ 0xd309);
    let mut rows = Vec::new();
    for (before, after) in [(0.6, 0.6), (0.9, 0.9), (0.8, 0.7), (0.8, 0.6), (0.9, 0.7)] {
        let stays = before == after;
        let (mut early, mut late) = (0usize, Vec::new());
        let long = if stays { LONG } else { BEFORE + 2_000 };
        for _ in 0..args.series {
            let outcomes: Vec<(TraceId, bool)> = (0..long)
                .map(|run| {
                    let rate = if run < BEFORE { before } else { after };
                    Ok((format!("run-{run}").parse()?, falls(&mut dice, rate)))
                })
                .collect::<anyhow::Result<_>>()?;
            let noticed = drops(&outcomes, &policy);
            early += noticed.iter().filter(|drop| stays || (drop.at as u64) < BEFORE).count();
            late.extend(
                noticed.iter().map(|drop| drop.at as u64).find(|at| !stays && *at >= BEFORE).map(|at| at - BEFORE),
            );
        }
        let watched = args.series as f64 * if stays { LONG } else { BEFORE } as f64;
        let runs_per_false_alarm = watched / early.max(1) as f64;
        ensure!(!stays || early < 10 || runs_per_false_alarm >= policy.rarely, "false alarms come too often");
        rows.push(json!({
            "before": before, "after": after, "series": args.series, "promised": policy.rarely, "false_alarms": early,
            "runs_watched": watched, "told": late.len(), "median_runs_until_told": median(late),
        }));
    }
    Ok(Value::Array(rows))
}
