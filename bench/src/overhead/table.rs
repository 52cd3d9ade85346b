//! The figures of the overhead, each from a process of its own: model on one processor, Agentwright on another.

use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::process::{listen_to, pinned};

/// How often a measurement with one conversation at a time is repeated; the middle one counts.
const ROUNDS: usize = 5;

/// What is measured: what calls count as, who carries runs out, on how many threads.
const ALONE: [(&str, &str, &str); 4] =
    [("writes", "caller", "1"), ("writes", "caller", "2"), ("reads", "caller", "1"), ("writes", "dispatcher", "1")];
const MANY: [(&str, &str, &str); 3] =
    [("writes", "caller", "1"), ("writes", "caller", "2"), ("writes", "dispatcher", "2")];

/// Measures everything, prints it as it comes, and returns it as JSON. `program` is the file of `overhead` itself.
pub async fn table(program: &Path) -> anyhow::Result<Value> {
    let mut model = listen_to(pinned(program, 0, &["--mock", "0"]))?;
    let address = model.lines.next_line().await?.context("the model did not start")?;
    let base = format!("{address}/l0/v1");
    println!("{:46} {:>10} {:>14} {:>8} {:>8}", "", "CPU ms/run", "of all rounds", "p50 ms", "p99 ms");
    let mut figures = serde_json::Map::new();
    let mut rounds: Vec<Vec<Value>> = vec![Vec::new(); ALONE.len()];
    // Interleaved, so that a noisy minute falls on all alike.
    for _ in 0..ROUNDS {
        for (at, (variant, by, workers)) in ALONE.into_iter().enumerate() {
            let how = ["--variant", variant, "--by", by, "--workers", workers, "--runs", "400", "--warmup", "50"];
            rounds[at].push(once(program, &base, &how).await?);
        }
    }
    for (mut measured, (variant, by, workers)) in rounds.into_iter().zip(ALONE) {
        measured.sort_by(|a, b| cpu_of(a).total_cmp(&cpu_of(b)));
        let range = format!("{:.2} to {:.2}", cpu_of(&measured[0]), cpu_of(&measured[ROUNDS - 1]));
        let middle = measured.swap_remove(ROUNDS / 2);
        line(&format!("one at a time, {variant}, by the {by}, {workers} thread(s)"), &range, &middle);
        figures.insert(format!("c1_{variant}_{by}_{workers}"), middle);
    }
    for (variant, by, workers) in MANY {
        let how = ["--variant", variant, "--by", by, "--workers", workers];
        let many = ["--conc", "64", "--runs", "2000", "--warmup", "256"];
        let measured = once(program, &base, &[&how[..], &many].concat()).await?;
        line(&format!("64 at a time, {variant}, by the {by}, {workers} thread(s)"), "", &measured);
        figures.insert(format!("c64_{variant}_{by}_{workers}"), measured);
    }
    let long = once(program, &base, &["--runs", "2000", "--warmup", "256"]).await?;
    figures.insert("c1_long".into(), long);
    println!("\n{:30} {:>10} {:>32} {:>10}", "", "before MB", "after each 500 of 2,000 runs MB", "peak MB");
    for (name, measured) in figures.iter().filter(|(_, measured)| measured["n"] == 2_000) {
        let quarters: Vec<String> = measured["rss_quarters"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|megabytes| format!("{:.1}", megabytes.as_f64().unwrap_or_default()))
            .collect();
        let peak = float(measured, "peak") * 1.024;
        println!("{name:30} {:>10.1} {:>32} {peak:>10.1}", float(measured, "rss0"), quarters.join(" "));
    }
    Ok(json!({"bench": "overhead", "figures": figures}))
}

/// One measurement in a fresh process on the second processor.
async fn once(program: &Path, base: &str, arguments: &[&str]) -> anyhow::Result<Value> {
    let arguments: Vec<&str> = ["--base", base].into_iter().chain(arguments.iter().copied()).collect();
    let mut process = listen_to(pinned(program, 1, &arguments))?;
    let measured = process.json().await?.with_context(|| format!("`{}` measured nothing", arguments.join(" ")))?;
    ensure!(process.child.wait().await?.success() && measured["bad"] == 0, "conversations went wrong: {measured}");
    Ok(measured)
}

fn line(name: &str, range: &str, measured: &Value) {
    let (cpu, p50, p99) = (cpu_of(measured), float(measured, "p50"), float(measured, "p99"));
    println!("{name:46} {cpu:>10.2} {range:>14} {p50:>8.2} {p99:>8.2}");
}

fn cpu_of(measured: &Value) -> f64 {
    float(measured, "cpu_ms")
}

fn float(measured: &Value, name: &str) -> f64 {
    measured[name].as_f64().unwrap_or_default()
}
