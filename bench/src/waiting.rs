//! What runs cost that wait for a person: no task, and next to no memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use domain::dispatch::Dispatch;
use domain::id::RunId;
use domain::run::RunStatus;
use domain::store::{RunFilter, Store};
use runtime::policy::{Action, Rule};
use runtime::{Runtime, Settings};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::compose::{self, Made, Working, write};
use crate::process::memory;

/// How long the slowest part may take before something is taken to be wrong.
const PATIENCE: Duration = Duration::from_secs(600);

/// Has runs wait for an approval, weighs them, approves some, and sees that these complete.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many runs wait
    #[arg(long, default_value_t = 10_000)]
    pub runs: usize,
    /// How many of them are answered
    #[arg(long, default_value_t = 100)]
    pub answers: usize,
}

/// Measures with the dispatcher that a server runs.
pub async fn measure(args: &Args) -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    let store = compose::ledger(folder.path()).await?;
    let tool = Made::new("door.open", write(), json!({"which": {"type": "string"}}), |it| json!({"open": it["which"]}));
    let rules = vec![Rule { tool: "door.*".into(), when: None, action: Action::Ask }];
    let settings = Settings { rules, ..Settings::default() };
    let runtime = compose::runtime(Arc::clone(&store), None, vec![tool.boxed()], settings)?;
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let (tasks_before, memory_before, begun) = (tasks(), memory().0, Instant::now());

    let working = Working::start(runtime, 64);
    let runtime = &working.runtime;
    let runs = accept(runtime, args.runs).await?;
    until(&store, RunStatus::Waiting, runs.len()).await?;
    let waiting_after = begun.elapsed();
    // What the dispatcher holds for runs that have just let go is gone by its next look.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let (tasks_waiting, (memory_waiting, peak)) = (tasks(), memory());

    for run in runs.iter().take(args.answers) {
        let wait = store.waits(Some(*run), 1).await?.pop().context("a run waits for nothing")?;
        runtime.answer(*run, &wait.wait.name, json!("yes"), None).await?;
        working.dispatch.nudge(*run).await;
    }
    until(&store, RunStatus::Completed, args.answers.min(runs.len())).await?;
    for run in runs.iter().take(args.answers) {
        let summary = store.run(*run).await?.context("a run is gone")?;
        ensure!(summary.status == RunStatus::Completed, "{run} is {:?} after its answer", summary.status);
    }
    let still = store.count(&RunFilter { status: vec![RunStatus::Waiting], ..RunFilter::default() }).await?;
    ensure!(still as usize == runs.len() - args.answers.min(runs.len()), "{still} runs still wait");
    working.stop().await?;
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    Ok(json!({
        "bench": "waiting", "runs": runs.len(), "answered": args.answers,
        // The dispatcher itself is one.
        "tasks_before": tasks_before, "tasks_waiting": tasks_waiting,
        "rss_before_mb": megabytes(memory_before), "rss_waiting_mb": megabytes(memory_waiting),
        "rss_peak_mb": megabytes(peak),
        "bytes_per_run": memory_waiting.saturating_sub(memory_before) / runs.len().max(1) as u64,
        "seconds_to_waiting": waiting_after.as_secs_f64(),
    }))
}

/// Takes runs in, several at once, as requests come in.
async fn accept(runtime: &Arc<Runtime>, runs: usize) -> anyhow::Result<Vec<RunId>> {
    let plan =
        json!({"steps": [{"id": "open", "tool": "door.open", "arguments": {"which": "front"}}], "answer": "Open."});
    let mut accepting = JoinSet::new();
    for part in 0..16 {
        let (runtime, plan) = (Arc::clone(runtime), plan.clone());
        accepting.spawn(async move {
            let mut accepted = Vec::new();
            for _ in (part..runs).step_by(16) {
                accepted.push(runtime.accept(compose::request("Open the front door.", plan.clone())).await?);
            }
            anyhow::Ok(accepted)
        });
    }
    let mut all = Vec::with_capacity(runs);
    while let Some(accepted) = accepting.join_next().await {
        all.extend(accepted??);
    }
    Ok(all)
}

/// Returns once so many runs are in a state.
async fn until(store: &Arc<dyn Store>, status: RunStatus, runs: usize) -> anyhow::Result<()> {
    let begun = Instant::now();
    let filter = RunFilter { status: vec![status], ..RunFilter::default() };
    loop {
        let count = store.count(&filter).await?;
        if count as usize >= runs {
            return Ok(());
        }
        ensure!(begun.elapsed() < PATIENCE, "only {count} of {runs} runs are {}", status.word());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
