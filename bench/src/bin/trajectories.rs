//! `trajectories`: whether public trajectories succeed and where they go wrong, told by what was mined from others.

use bench::trajectories::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if args.weights {
        print!("{}", trajectories::weights(&args)?);
        return Ok(());
    }
    let Some(figures) = trajectories::measure(&args)? else {
        eprintln!("SKIPPED: there is no data in {}; `trajectories` measured nothing", args.data.display());
        return Ok(());
    };
    for set in ["tau_traces", "who_when", "livemcp_traces", "trail"] {
        println!("{set}: {}", figures[set]);
    }
    println!("{figures}");
    Ok(())
}
