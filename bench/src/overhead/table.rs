//! The figures of the overhead, each from a process of its own: model on one processor, Agentwright on another.

use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::process::{listen_to, pinned};

/// How often a measurement with one conversation at a time is repeated; the middle one counts.
const ROUNDS: usize = 5;

/// Measures everything, prints it as it comes, and returns it as JSON. `program` is the file of `overhead` itself.
pub async fn table(program: &Path) -> anyhow::Result<Value> {
    let mut model = listen_to(pinned(program, 0, &["--mock", "0"]))?;
    let address = model.lines.next_line().await?.context("the model did not start")?;
    let base = format!("{address}/l0/v1");
    println!("{:34} {:>12} {:>16} {:>9} {:>9}", "", "CPU ms/run", "(of rounds)", "p50 ms", "p99 ms");
    let mut figures = serde_json::Map::new();
    for variant in ["writes", "reads"] {
        for workers in ["1", "2"] {
            let mut rounds = Vec::new();
            for _ in 0..ROUNDS {
                rounds
                    .push(once(program, &base, &["--variant", variant, "--workers", workers, "--runs", "200"]).await?);
            }
            rounds.sort_by(|a, b| cpu_of(a).total_cmp(&cpu_of(b)));
            let middle = rounds[ROUNDS / 2].clone();
            let range = format!("{:.2} to {:.2}", cpu_of(&rounds[0]), cpu_of(&rounds[ROUNDS - 1]));
            line(&format!("one at a time, {variant}, {workers} thread(s)"), &range, &middle);
            figures.insert(format!("c1_{variant}_{workers}"), middle);
        }
    }
    for variant in ["writes", "reads"] {
        for workers in ["1", "2"] {
            let many =
                ["--variant", variant, "--workers", workers, "--conc", "64", "--runs", "2000", "--warmup", "256"];
            let measured = once(program, &base, &many).await?;
            line(&format!("64 at a time, {variant}, {workers} thread(s)"), "", &measured);
            figures.insert(format!("c64_{variant}_{workers}"), measured);
        }
    }
    println!("\n{:34} {:>10} {:>30} {:>10}", "", "before MB", "after each 500 runs MB", "peak MB");
    for (name, measured) in figures.iter().filter(|(name, _)| name.starts_with("c64")) {
        let quarters: Vec<String> = measured["rss_quarters"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|megabytes| format!("{:.1}", megabytes.as_f64().unwrap_or_default()))
            .collect();
        let peak = measured["peak"].as_f64().unwrap_or_default() * 1.024;
        println!("{name:34} {:>10.1} {:>30} {peak:>10.1}", float(measured, "rss0"), quarters.join(" "));
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
    println!("{name:34} {cpu:>12.2} {range:>16} {p50:>9.2} {p99:>9.2}");
}

fn cpu_of(measured: &Value) -> f64 {
    float(measured, "cpu_ms")
}

fn float(measured: &Value, name: &str) -> f64 {
    measured[name].as_f64().unwrap_or_default()
}
