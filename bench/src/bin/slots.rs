//! `slots`: precision and recall of times and days in public requests, and the time that reading one takes.

use bench::slots::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let Some(measured) = slots::measure(&Args::parse())? else { return Ok(()) };
    println!("{:<24} {:>6} {:>7} {:>9} {:>6} {:>9}", "kind", "there", "recall", "or asked", "found", "precision");
    for (kind, count) in measured["kinds"].as_object().into_iter().flatten() {
        let share = |name: &str| count[name].as_f64().map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"));
        println!(
            "{kind:<24} {:>6} {:>7} {:>9} {:>6} {:>9}",
            count["there"].as_u64().unwrap_or_default(),
            share("recall"),
            share("recall_or_asked"),
            count["found"].as_u64().unwrap_or_default(),
            share("precision")
        );
    }
    println!(
        "{} requests, {:.1} us at the median, {:.1} us at the 99th percentile",
        measured["requests"],
        measured["p50_us"].as_f64().unwrap_or_default(),
        measured["p99_us"].as_f64().unwrap_or_default()
    );
    println!("{measured}");
    Ok(())
}
