//! `approvals`: races of two answers to what a run asks, while processes die.

use bench::approvals::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let measured = bench::block_on(2, approvals::measure(&args))??;
    println!(
        "{} races, {} deaths, {} executions: {} twice, {} of other bytes than those approved",
        measured["races"],
        measured["deaths"],
        measured["executions"],
        measured["double_executions"],
        measured["other_bytes"]
    );
    println!("{measured}");
    Ok(())
}
