//! `verifier`: planted defects found, plans refused, microseconds per plan, and what public plans come to.

use anyhow::ensure;
use bench::verifier::{self, Args, public, toolset};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let toolset = bench::block_on(1, toolset::everything())??;
    let planted = verifier::plant(&toolset, args.plans, args.seed);
    println!("{:<34} {:>8} {:>8} {:>8}", "defect", "planted", "found", "share");
    for (name, (tried, found)) in &planted.kinds {
        println!("{name:<34} {tried:>8} {found:>8} {:>8.4}", *found as f64 / *tried as f64);
    }
    for missed in planted.missed.values() {
        println!("missed: {missed}");
    }
    for refused in planted.refused.iter().take(5) {
        println!("refused: {refused}");
    }
    println!(
        "{} valid plans, {} refused; {} kinds of defects, {:.4} of them found",
        planted.valid,
        planted.refused.len(),
        planted.kinds.len(),
        planted.share()
    );
    let times = verifier::time(&toolset, args.seed)?;
    println!(
        "CPU for a plan of 20 steps: {:.1} µs; {:.1} µs with reading it, {:.1} µs with pins",
        times[0], times[1], times[2]
    );
    let mut figures = verifier::figures(&planted, times);
    let mut wrongly = 0;
    match public::measure(&args.data)? {
        None => eprintln!("SKIPPED: there is no data in {}; no public plans were read", args.data.display()),
        Some(sets) => {
            for set in &sets {
                println!("{set}");
                wrongly += set.wrongly.len();
            }
            figures["public"] = sets.iter().map(public::Set::figures).collect();
        }
    }
    println!("{figures}");
    ensure!(planted.refused.is_empty(), "valid plans were refused");
    ensure!(planted.share() >= 0.99, "fewer than 99 % of the planted defects were found");
    ensure!(wrongly == 0, "well-formed public plans were refused");
    Ok(())
}
