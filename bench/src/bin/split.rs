//! `split`: composite or single, on sets that were never learned from, and with a whole domain left out.

use bench::split::{self, Args};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let Some(figures) = split::measure(&args)? else {
        eprintln!("SKIPPED: there is no data in {}; `split` measured nothing", args.data.display());
        return Ok(());
    };
    if figures["test"]["snips_left_out"].is_null() {
        eprintln!("SKIPPED: no {}; SNIPS was not left out of what was measured", args.without_snips.display());
        eprintln!("hint: `agentwright-train split DATA --without snips --to {}`", args.without_snips.display());
    }
    for part in ["dev", "test"] {
        let part_figures = &figures[part];
        println!(
            "multi_hard {part}: F1 {}, singles with a conjunction torn {}",
            part_figures["f1"], part_figures["torn_share"]
        );
        println!("  torn of: {}", part_figures["torn_of_singles_with_conjunction"]);
        for left_out in ["snips_left_out", "atis_left_out"] {
            println!("  {left_out}: {}", part_figures[left_out]);
        }
    }
    println!("number of parts right: {}", figures["part_count"]);
    println!("time: {}", figures["time"]);
    println!("{figures}");
    Ok(())
}
