//! Whether mining finds what was planted and nothing in noise, and what it costs.

use std::time::Instant;

use clap::Parser;
use learn::{MinePolicy, Miner};
use serde_json::{Value, json};

use crate::worlds::score::{Score, score};
use crate::worlds::{Shape, World, world};

/// Mines worlds in which it is known what matters.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many worlds in which something matters
    #[arg(long, default_value_t = 48)]
    pub worlds: u64,
    /// How many in which nothing does
    #[arg(long, default_value_t = 1_000)]
    pub noise: u64,
    /// How many traces each has
    #[arg(long, default_value_t = 2_000)]
    pub traces: usize,
    /// How many traces are mined for speed
    #[arg(long, default_value_t = 100_000)]
    pub many: usize,
    /// The seed of the first world
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print what was found wrongly and what was missed
    #[arg(long)]
    pub misses: bool,
}

/// Measures all of it.
pub fn measure(args: &Args) -> anyhow::Result<Value> {
    let begun = Instant::now();
    let mut sum = Score::default();
    for seed in args.seed..args.seed + args.worlds {
        let world = world(&Shape { seed, traces: args.traces, planted: true, calls: 6 });
        let one = score(&world, &mine(&world).patterns(&MinePolicy::default()));
        println!("world {seed}: {} of {} right, {} of {} found", one.right, one.found, one.recalled, one.planted);
        if args.misses {
            one.wrong.iter().for_each(|wrong| println!("  wrong: {wrong}"));
            one.missed.iter().for_each(|missed| println!("  missed: {missed}"));
        }
        sum.found += one.found;
        sum.right += one.right;
        sum.planted += one.planted;
        sum.recalled += one.recalled;
    }
    let planted_s = begun.elapsed().as_secs_f64();
    let mut alarmed = 0;
    for seed in args.seed..args.seed + args.noise {
        let world = world(&Shape { seed: seed + (1 << 32), traces: args.traces, planted: false, calls: 6 });
        alarmed += u64::from(!mine(&world).patterns(&MinePolicy::default()).is_empty());
    }
    let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    Ok(json!({
        "bench": "mining", "worlds": args.worlds, "traces": args.traces,
        "precision": share(sum.right as u64, sum.found as u64), "recall": share(sum.recalled as u64, sum.planted as u64),
        "noise_worlds": args.noise, "noise_alarmed": share(alarmed, args.noise), "planted_s": planted_s,
        "noise_s": begun.elapsed().as_secs_f64() - planted_s,
    }))
}

fn mine(world: &World) -> Miner {
    let mut miner = Miner::default();
    world.sketches.iter().for_each(|sketch| miner.add(sketch));
    miner
}
