//! `ledger`: durable events per second with many runs writing, at growing sizes of the database.

use bench::ledger::{self, Args};
use clap::Parser;
use serde_json::json;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    println!("{:>10} {:>12} {:>14} {:>15} {:>8}", "events", "events/s", "CPU us/event", "wall us/event", "RSS MB");
    let see = |measured: &ledger::Measured| {
        let json = measured.json();
        let float = |name: &str| json[name].as_f64().unwrap_or_default();
        println!(
            "{:>10} {:>12.0} {:>14.1} {:>15.1} {:>8.1}",
            measured.size,
            measured.rate(),
            float("cpu_us_per_event"),
            float("wall_us_per_event"),
            float("rss_mb")
        );
    };
    let measured = bench::block_on(args.workers, ledger::measure(&args, see))??;
    let sizes: Vec<_> = measured.iter().map(ledger::Measured::json).collect();
    println!("{}", json!({"bench": "ledger", "writers": args.writers, "sizes": sizes}));
    Ok(())
}
