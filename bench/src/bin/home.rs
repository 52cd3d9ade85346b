//! `home`: how much of what people say to Home Assistant is understood without a model.

use bench::home;
use clap::Parser;

/// Reads the sentences beside the workspace and prints what share was understood.
#[derive(Debug, Parser)]
struct Args {
    /// Print every sentence that was not understood as wanted.
    #[arg(long)]
    misses: bool,
    /// Which files to read.
    #[arg(default_values_t = ["train", "dev", "test"].map(str::to_owned))]
    splits: Vec<String>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let folder = home::folder();
    if !folder.is_dir() {
        eprintln!("SKIPPED: there are no sentences in `{}`, so nothing was measured", folder.display());
        return Ok(());
    }
    let names = home::names(&folder)?;
    for split in &args.splits {
        let figures = home::measure(&folder, split, &names)?;
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        println!(
            "{split}: {} sentences, {:.3} claimed, role of those {:.4}, intent {:.4}, intent and slots {:.4}, p50 {:.1} µs, p99 {:.1} µs",
            figures.rows,
            share(figures.claimed, figures.rows),
            share(figures.role, figures.claimed),
            share(figures.intent, figures.rows),
            share(figures.slots, figures.rows),
            figures.micros_at(0.5),
            figures.micros_at(0.99)
        );
        println!(
            "{}",
            serde_json::json!({
                "split": split,
                "rows": figures.rows,
                "claimed": share(figures.claimed, figures.rows),
                "role_of_claimed": share(figures.role, figures.claimed),
                "intent": share(figures.intent, figures.rows),
                "intent_and_slots": share(figures.slots, figures.rows),
                "p50_us": figures.micros_at(0.5),
                "p99_us": figures.micros_at(0.99),
            })
        );
        let mut worst: Vec<_> = figures.wrong.iter().filter(|(_, (wrong, _))| *wrong > 0).collect();
        worst.sort_by_key(|(_, (wrong, _))| std::cmp::Reverse(*wrong));
        for (intent, (wrong, all)) in worst.into_iter().take(8) {
            println!("  {intent}: {wrong} of {all} wrong");
        }
        if args.misses {
            figures.misses.iter().for_each(|miss| println!("  {miss}"));
        }
    }
    Ok(())
}
