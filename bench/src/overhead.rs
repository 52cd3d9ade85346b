//! What Agentwright itself costs in a conversation whose model takes no time, with its ledger on disk.

mod table;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;
use domain::id::RunId;
use domain::run::{Ending, RunStatus, RunSummary};
use domain::store::Store;
use runtime::{Reached, Runtime, Settings};
use serde_json::json;
use tokio::task::JoinSet;

use crate::compose::Working;
use crate::process::{cpu, memory, percentiles};
use crate::trip::{self, Task, Variant};
use crate::{compose, mock};

pub use table::table;

/// Measures what a conversation costs beside the model. Without `--base` it starts a model itself and prints a table.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// Where the model is, up to and including `/v1`
    #[arg(long)]
    pub base: Option<String>,
    /// Start a model and print a table, which is also what happens without `--base`
    #[arg(long = "self", conflicts_with = "base")]
    pub alone: bool,
    /// How many conversations
    #[arg(long, default_value_t = 400)]
    pub runs: usize,
    /// How many at once
    #[arg(long, default_value_t = 1)]
    pub conc: usize,
    /// How many before the measurement begins
    #[arg(long, default_value_t = 20)]
    pub warmup: usize,
    /// Stop beginning conversations after so many seconds
    #[arg(long)]
    pub cap: Option<f64>,
    /// `writes`: timer and calendar are writes, carried out once; `reads`: everything is a read
    #[arg(long, default_value = "writes", value_parser = Variant::from_word)]
    pub variant: Variant,
    /// The conversation
    #[arg(long, value_enum, default_value = "trip")]
    pub task: Task,
    /// What the tools of others are; ours are always `async`
    #[arg(long, default_value = "async")]
    pub tools: String,
    /// Who carries the runs out
    #[arg(long, value_enum, default_value = "caller")]
    pub by: By,
    /// How many threads work
    #[arg(long, default_value_t = 1)]
    pub workers: usize,
    /// Where the ledger is kept; a temporary folder unless given
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// Be the model, on this port
    #[arg(long, hide = true)]
    pub mock: Option<u16>,
}

/// Who carries runs out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum By {
    /// Whoever asks, as `agentwright run` and programs that use the library do.
    Caller,
    /// The dispatcher, as in a server: the request is acknowledged and the caller follows the run.
    Dispatcher,
}

/// What was measured.
#[derive(Debug)]
pub struct Measured {
    /// How many conversations were whole, or not.
    pub runs: usize,
    /// How many were not what they should have been.
    pub bad: usize,
    /// Processor time of one.
    pub cpu_ms: f64,
    /// Time of all.
    pub wall: Duration,
    /// Time of one: the middle one, and one of the slowest.
    pub latency: (f64, f64),
    /// Resident memory before, after each quarter, and at most, in bytes.
    pub resident: (u64, Vec<u64>, u64),
}

impl Measured {
    /// The line that the comparison with other frameworks reads. Memory is in units of a thousand kilobytes.
    pub fn json(&self) -> serde_json::Value {
        let (before, quarters, peak) = &self.resident;
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        json!({
            "n": self.runs, "bad": self.bad, "cpu_ms": self.cpu_ms, "wall_s": self.wall.as_secs_f64(),
            "p50": self.latency.0, "p99": self.latency.1,
            "rss0": megabytes(*before), "rss1": megabytes(quarters.last().copied().unwrap_or(*before)),
            "peak": (*peak >> 10) as f64 / 1e3,
            "rss_quarters": quarters.iter().map(|bytes| megabytes(*bytes)).collect::<Vec<_>>(),
        })
    }
}

/// Measures against a model that is there.
pub async fn measure(args: &Args, base: &str) -> anyhow::Result<Measured> {
    let made;
    let folder = match &args.dir {
        Some(folder) => folder.as_path(),
        None => {
            made = tempfile::tempdir()?;
            made.path()
        }
    };
    let store = compose::ledger(folder).await?;
    let model = compose::model(base, args.conc)?;
    let runtime = compose::runtime(store, Some(model), trip::tools(args.variant), Settings::default())?;
    let working = Arc::new(match args.by {
        By::Caller => Hands::Own(Box::new(runtime)),
        By::Dispatcher => Hands::Others(Working::start(runtime, args.conc)),
    });
    converse(&working, args, args.warmup).await?;
    let before = memory().0;
    let (cpu_before, begun) = (cpu(), Instant::now());
    let mut quarters = Vec::new();
    let mut all = Vec::new();
    for quarter in 0..4 {
        // Four parts, the remainder in the first.
        let runs = args.runs / 4 + if quarter == 0 { args.runs % 4 } else { 0 };
        all.extend(converse(&working, args, runs).await?);
        quarters.push(memory().0);
    }
    let (spent, wall) = (cpu() - cpu_before, begun.elapsed());
    let peak = memory().1;
    let mut bad = 0;
    for (run, _, complaint) in &all {
        let ledger = working.runtime().ledger(*run).await?;
        if let Some(complaint) = complaint.clone().or_else(|| trip::complaint(args.task, args.variant, &ledger)) {
            eprintln!("{run}: {complaint}");
            bad += 1;
        }
    }
    if let Some(Hands::Others(working)) = Arc::into_inner(working) {
        working.stop().await?;
    }
    let mut latencies: Vec<f64> = all.iter().map(|(_, took, _)| took.as_secs_f64() * 1e3).collect();
    Ok(Measured {
        runs: all.len(),
        bad,
        cpu_ms: spent.as_secs_f64() * 1e3 / all.len().max(1) as f64,
        wall,
        latency: percentiles(&mut latencies),
        resident: (before, quarters, peak),
    })
}

/// Whose hands the work is in.
enum Hands {
    Own(Box<Runtime>),
    Others(Working),
}

impl Hands {
    fn runtime(&self) -> &Runtime {
        match self {
            Hands::Own(runtime) => runtime,
            Hands::Others(working) => &working.runtime,
        }
    }
}

type Conversation = (RunId, Duration, Option<String>);

/// Holds so many conversations, several at once.
async fn converse(hands: &Arc<Hands>, args: &Args, runs: usize) -> anyhow::Result<Vec<Conversation>> {
    let left = Arc::new(AtomicUsize::new(runs));
    let until = args.cap.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let mut talking = JoinSet::new();
    for _ in 0..args.conc.min(runs) {
        let (hands, left, task) = (Arc::clone(hands), Arc::clone(&left), args.task);
        talking.spawn(async move {
            let mut held: Vec<Conversation> = Vec::new();
            while until.is_none_or(|until| Instant::now() < until)
                && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
            {
                held.push(one(&hands, task).await?);
            }
            anyhow::Ok(held)
        });
    }
    let mut all = Vec::with_capacity(runs);
    while let Some(held) = talking.join_next().await {
        all.extend(held??);
    }
    Ok(all)
}

/// One conversation as a caller has it: ask, let it be carried out, have the answer.
async fn one(hands: &Hands, task: Task) -> anyhow::Result<Conversation> {
    let begun = Instant::now();
    let (run, complaint) = match hands {
        Hands::Own(runtime) => {
            let claim = runtime.begin(trip::ask(task)).await?;
            let run = claim.token.run;
            match runtime.advance_claimed(claim).await? {
                Reached::End(Ending::Completed { answer }) => (run, unfit(&answer)),
                other => (run, Some(format!("it came to {other:?}"))),
            }
        }
        Hands::Others(working) => {
            let run = working.accept(trip::ask(task)).await?;
            let ended = followed(working.runtime.store.as_ref(), run).await?;
            match ended.status {
                RunStatus::Completed => (run, unfit(&ended.answer.unwrap_or_default())),
                _ => (run, Some(format!("it came to {ended:?}"))),
            }
        }
    };
    Ok((run, begun.elapsed(), complaint))
}

fn unfit(answer: &str) -> Option<String> {
    (!answer.contains("All set")).then(|| format!("it answered `{answer}`"))
}

/// Returns when a run has ended, with what listings say about it.
async fn followed(store: &dyn Store, run: RunId) -> anyhow::Result<RunSummary> {
    loop {
        let summary = store.run(run).await?.context("the run is gone")?;
        if summary.status.is_final() {
            return Ok(summary);
        }
        store.grown(run, summary.events).await?;
    }
}

/// Is the model, in a process of its own. Says where, then answers for ever.
pub async fn be_the_model(port: u16) -> anyhow::Result<()> {
    let server = crate::http::Server::bind(port).await?;
    println!("http://{}", server.address()?);
    mock::serve(server).await;
    Ok(())
}
