//! `mining`: whether what matters is found in made-up worlds, and nothing else; how fast, and in how much memory.

use bench::mining::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let measured = mining::measure(&args)?;
    println!("{measured}");
    Ok(())
}
