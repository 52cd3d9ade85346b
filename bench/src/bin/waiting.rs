//! `waiting`: memory and tasks of runs that wait for a person.

use bench::waiting::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let measured = bench::block_on(2, waiting::measure(&args))??;
    let float = |name: &str| measured[name].as_f64().unwrap_or_default();
    println!(
        "{} runs wait: {:.1} MB resident ({:.1} MB before), {} tasks ({} before); {} were answered and completed",
        measured["runs"],
        float("rss_waiting_mb"),
        float("rss_before_mb"),
        measured["tasks_waiting"],
        measured["tasks_before"],
        measured["answered"]
    );
    println!("{measured}");
    Ok(())
}
