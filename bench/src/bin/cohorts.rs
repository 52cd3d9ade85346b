//! `cohorts`: 200 teams of five agents at once in one process: cross-talk, memory and CPU.

use bench::cohorts::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let measured = bench::block_on(2, cohorts::measure(&args))??;
    let float = |name: &str| measured[name].as_f64().unwrap_or_default();
    println!(
        "{} teams of {} at once: all complete, none hears of another ({} messages, {} events); {:.1} ms CPU and {:.0} kB a \
         team, {:.1} MB at most",
        measured["cohorts"],
        measured["agents"],
        measured["messages"],
        measured["events"],
        float("cpu_ms_per_cohort"),
        float("peak_kb_per_cohort"),
        float("rss_peak_mb")
    );
    println!("{measured}");
    Ok(())
}
