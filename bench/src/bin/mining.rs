//! `mining`: whether what matters is found in made-up worlds, and nothing else; how fast, and in how much memory.

use bench::mining::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let measured = mining::measure(&args)?;
    let float = |of: &serde_json::Value, name: &str| of[name].as_f64().unwrap_or_default();
    let speed = &measured["speed"];
    println!(
        "{} worlds of {} traces: {:.3} of what is found is right, {:.3} of what matters is found; something is found in {} \
         of {} worlds in which nothing matters; {} traces with {} calls from scratch in {:.1} s and {:.0} MB, one more in \
         {:.3} ms of CPU",
        measured["worlds"],
        measured["traces"],
        float(&measured, "precision"),
        float(&measured, "recall"),
        measured["noise_alarmed"],
        measured["noise_worlds"],
        speed["traces"],
        speed["calls"],
        float(speed, "from_scratch_s"),
        float(speed, "peak_mb"),
        float(&speed["one_more_cpu_ms"], "most"),
    );
    println!("{measured}");
    Ok(())
}
