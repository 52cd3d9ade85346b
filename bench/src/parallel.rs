//! Whether what does not depend on each other is done at the same time.

use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Parser;
use domain::dispatch::{Advance, Advanced};
use domain::event::Event;
use domain::run::Ending;
use domain::tool::Effect;
use runtime::Settings;
use serde_json::{Value, json};

use crate::compose::{self, Made};
use crate::process::percentiles;

/// How long one tool takes.
const SLOW: Duration = Duration::from_millis(100);

/// Runs a plan of six independent tools of 100 ms and a join, and compares its time with that of one tool.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many times
    #[arg(long, default_value_t = 20)]
    pub runs: usize,
}

/// Measures whole runs, from the acknowledged request to the recorded answer. There is no model in them.
pub async fn measure(args: &Args) -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    let number = json!({"n": {"type": "integer"}});
    let all: Value =
        (1..=6).map(|n| (format!("s{n}"), json!({"type": "string"}))).collect::<serde_json::Map<_, _>>().into();
    let tools = vec![
        Made::new("bench.slow", Effect::Read, number, |it| json!(format!("ST#{} done", it["n"]))).taking(SLOW).boxed(),
        Made::new("bench.join", Effect::Read, all, |it| json!(it.as_object().map_or(0, |all| all.len()))).boxed(),
    ];
    let runtime = compose::runtime(compose::ledger(folder.path()).await?, None, tools, Settings::default())?;
    let mut walls = Vec::new();
    for _ in 0..args.runs {
        let begun = Instant::now();
        let run = runtime.accept(compose::request("Run six steps and join them.", plan())).await?;
        let advanced = runtime.advance(run).await?;
        walls.push(begun.elapsed().as_secs_f64() * 1e3);
        let ledger = runtime.ledger(run).await?;
        let last = ledger.last().map(|last| &last.entry.event);
        ensure!(
            advanced == Advanced::Ended
                && matches!(last, Some(Event::Finished { ending: Ending::Completed { answer }, .. }) if answer == "joined 6"),
            "the run ended otherwise: {last:?}"
        );
    }
    let (p50, p99) = percentiles(&mut walls);
    let slow = SLOW.as_secs_f64() * 1e3;
    Ok(json!({
        "bench": "parallel", "runs": args.runs, "p50_ms": p50, "p99_ms": p99, "best_ms": walls.first(),
        "ratio": p50 / slow, "one_after_the_other_ms": 6.0 * slow,
    }))
}

fn plan() -> Value {
    let mut steps: Vec<Value> =
        (1..=6).map(|n| json!({"id": format!("s{n}"), "tool": "bench.slow", "arguments": {"n": n}})).collect();
    let taken: serde_json::Map<String, Value> =
        (1..=6).map(|n| (format!("s{n}"), json!(format!("${{s{n}}}")))).collect();
    steps.push(json!({"id": "join", "tool": "bench.join", "arguments": taken}));
    json!({"steps": steps, "answer": "joined ${join}"})
}
