//! `parallel`: six independent tools of 100 ms and a join, against 100 ms.

use bench::parallel::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let measured = bench::block_on(2, parallel::measure(&args))??;
    let ratio = measured["ratio"].as_f64().unwrap_or_default();
    println!("six tools of 100 ms and a join: {ratio:.3} x 100 ms (the middle of {} runs)", args.runs);
    println!("{measured}");
    anyhow::ensure!(ratio < 1.2, "{ratio:.3} x 100 ms is more than 1.2 x 100 ms");
    Ok(())
}
