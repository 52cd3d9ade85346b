//! `router`: what the learned router reaches on public test sets, and what it costs.

use bench::router::{self, Args};
use clap::Parser;
use serde_json::json;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let cost = router::cost();
    println!("{cost:#}");
    let Some(folder) = train::data::folder() else {
        eprintln!("SKIPPED: the public sets are not there, so only time and memory were measured");
        println!("{}", json!({"bench": "router", "cost": cost}));
        return Ok(());
    };
    let reached = router::reach(&args, &folder)?;
    for (what, wanted, got) in &reached {
        println!("{what}: {got}{}", if wanted.is_empty() { String::new() } else { format!(" (wanted {wanted})") });
    }
    let figures: serde_json::Map<_, _> = reached.into_iter().map(|(what, _, got)| (what, json!(got))).collect();
    println!("{}", json!({"bench": "router", "cost": cost, "figures": figures}));
    Ok(())
}
