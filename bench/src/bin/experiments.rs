//! `experiments`: false promotions under peeking, runs until harm is rolled back, and an optimiser that is let loose.

use bench::experiments::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let measured = experiments::measure(&Args::parse())?;
    for figure in ["nothing", "changes", "stream", "drops"] {
        println!("{figure}:");
        for row in measured[figure].as_array().into_iter().flatten() {
            println!("  {row}");
        }
    }
    println!("nights: {}", measured["nights"]);
    println!("{measured}");
    Ok(())
}
