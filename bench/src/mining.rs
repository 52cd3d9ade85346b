//! Whether mining finds what was planted and nothing in noise, and what it costs.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use domain::trace::Move;
use learn::{MinePolicy, Miner};
use serde_json::{Value, json};

use crate::process::{cpu, memory, percentiles};
use crate::worlds::score::{Score, score};
use crate::worlds::{Shape, World};

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
    /// How strong what matters is, as a share of what it is by default
    #[arg(long, default_value_t = 1.0)]
    pub strength: f64,
    /// The seed of the first world
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print what was found wrongly and what was missed
    #[arg(long)]
    pub misses: bool,
}

/// Measures what it costs, then what is found in worlds where something matters, then in others.
pub fn measure(args: &Args) -> anyhow::Result<Value> {
    let speed = if args.many > 0 { speed(args)? } else { Value::Null };
    let planted = planted(args);
    let (found, alarmed) = (&planted, alarmed(args));
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    Ok(json!({
        "bench": "mining", "worlds": args.worlds, "traces": args.traces, "strength": args.strength,
        "planted": found.planted, "recalled": found.recalled, "found": found.found, "right": found.right,
        "precision": share(found.right, found.found), "recall": share(found.recalled, found.planted),
        "noise_worlds": args.noise, "noise_alarmed": alarmed, "speed": speed,
    }))
}

/// Mines one world after the other, and adds up.
fn planted(args: &Args) -> Score {
    let mut sum = Score::default();
    for seed in args.seed..args.seed + args.worlds {
        let shape = Shape { seed, strength: args.strength, calls: 6 };
        let mut world = World::new(&shape);
        let patterns = mine(&mut world, args.traces).patterns(&MinePolicy::default());
        let one = score(&world.plants, &patterns);
        println!("world {seed}: {} of {} right, {} of {} found", one.right, one.found, one.recalled, one.planted);
        if args.misses {
            one.wrong.iter().for_each(|wrong| println!("  wrong: {wrong}"));
            one.missed.iter().for_each(|missed| println!("  missed: {missed}"));
        }
        sum = sum.and(one);
    }
    sum
}

/// In how many worlds something is reported though nothing matters.
fn alarmed(args: &Args) -> usize {
    let mut alarmed = 0;
    for seed in args.seed..args.seed + args.noise {
        let shape = Shape { seed: seed + (1 << 32), strength: 0.0, calls: 6 };
        let patterns = mine(&mut World::new(&shape), args.traces).patterns(&MinePolicy::default());
        if args.misses {
            patterns.iter().for_each(|wrong| println!("noise {seed}: {}", wrong.words));
        }
        alarmed += usize::from(!patterns.is_empty());
    }
    alarmed
}

fn mine(world: &mut World, traces: usize) -> Miner {
    let mut miner = Miner::default();
    world.take(traces).for_each(|sketch| miner.add(&sketch));
    miner
}

/// Many traces from scratch, one by one as they are made, then a thousand more, then all of it to bytes and back.
fn speed(args: &Args) -> anyhow::Result<Value> {
    let shape = Shape { seed: args.seed, strength: 1.0, calls: 9 };
    let mut world = World::new(&shape);
    let mut miner = Miner::default();
    let (mut adding, mut longest, mut calls) = (Duration::ZERO, Duration::ZERO, 0);
    for sketch in world.by_ref().take(args.many) {
        calls += sketch.moves.iter().filter(|step| matches!(step, Move::Call { .. })).count();
        let (begun, spent) = (Instant::now(), cpu());
        miner.add(&sketch);
        (adding, longest) = (adding + begun.elapsed(), longest.max(cpu() - spent));
    }
    let adding = adding.as_secs_f64();
    let begun = Instant::now();
    let patterns = miner.patterns(&MinePolicy::default());
    let finding = begun.elapsed().as_secs_f64();
    let found = score(&world.plants, &patterns);
    let peak = memory().1;
    let mut more: Vec<f64> = world
        .take(1_000)
        .map(|sketch| {
            let spent = cpu();
            miner.add(&sketch);
            (cpu() - spent).as_secs_f64() * 1e3
        })
        .collect();
    let slowest = more.iter().copied().fold(0.0, f64::max);
    let (middle, late) = percentiles(&mut more);
    let begun = Instant::now();
    let bytes = miner.to_bytes();
    let writing = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let again = Miner::from_bytes(&bytes).context("what was written cannot be read")?;
    let reading = begun.elapsed().as_secs_f64();
    ensure!(again.to_bytes() == bytes, "what was read is not what was written");
    let known = memory().1;
    Ok(json!({
        "traces": args.many, "calls": calls, "patterns": found.found, "right": found.right, "adding_s": adding, "finding_s": finding,
        "from_scratch_s": adding + finding,
        "peak_mb": peak as f64 / 1e6, "peak_with_copies_mb": known as f64 / 1e6,
        "one_more_cpu_ms": {"p50": middle, "p99": late, "most": slowest, "most_of_all": longest.as_secs_f64() * 1e3},
        "bytes": bytes.len(), "writing_s": writing, "reading_s": reading,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_planted_is_found_and_nothing_in_noise() {
        let args = Args { worlds: 1, noise: 1, traces: 2_000, many: 300, strength: 1.0, seed: 1, misses: true };
        let measured = measure(&args).expect("measured");
        assert_eq!((&measured["precision"], &measured["noise_alarmed"]), (&json!(1.0), &json!(0)), "{measured}");
        assert!(measured["recall"].as_f64().is_some_and(|recall| recall >= 0.9), "{measured}");
    }
}
