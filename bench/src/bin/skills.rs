//! `skills`: plans that are used again, and requests that get the wrong one.

use bench::skills::{Args, measure, whole};
use clap::Parser;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let figures = if args.whole { whole::measure(&args).await? } else { measure(&args) };
    let after = &figures["after_warm_up"];
    println!(
        "after warm-up: {} planner calls per request, wrong {} of what was used again",
        after["planner_calls_per_request"], after["wrong_of_used"]
    );
    println!("{figures}");
    Ok(())
}
