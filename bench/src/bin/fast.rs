//! `fast`: what an obvious request costs, from its words to the durable answer.

use bench::fast::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let measured = bench::block_on(2, fast::measure(&args))??;
    let number = |pointer: &str| measured.pointer(pointer).and_then(serde_json::Value::as_f64).unwrap_or_default();
    println!(
        "an obvious request: {:.2} ms of CPU; judging it: p50 {:.0} µs, p99 {:.0} µs; ready in {:.0} ms",
        number("/cpu_ms"),
        number("/judge/p50_us"),
        number("/judge/p99_us"),
        number("/start_ms"),
    );
    println!("{measured}");
    Ok(())
}
