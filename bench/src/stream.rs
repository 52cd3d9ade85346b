//! Many who follow one run over HTTP: each must see every event once and in order, however often it is cut off.
//!
//! The server is the program itself, in a process of its own; what is followed is a run whose tool takes a moment.

mod client;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Parser;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::dice::Dice;
use crate::http::{Reply, Server};
use crate::served::Served;
use client::{Seen, follow};

/// How much the server may grow while it is followed.
const GROWTH_MB: f64 = 50.0;

/// Has many clients follow one run, cuts them off at random, and looks whether any missed something.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many follow the run
    #[arg(long, default_value_t = 500)]
    pub clients: usize,
    /// How often one of them is cut off
    #[arg(long, default_value_t = 1_000)]
    pub cuts: usize,
    /// How many steps the run has; each is about three events
    #[arg(long, default_value_t = 100)]
    pub steps: usize,
    /// How long each step takes, in milliseconds
    #[arg(long, default_value_t = 150)]
    pub pause: u64,
    /// How many follow a run on which nothing happens
    #[arg(long, default_value_t = 1_000)]
    pub idle: usize,
    /// How long, in seconds
    #[arg(long, default_value_t = 25)]
    pub seconds: u64,
    /// Where the cuts fall
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Measures a server that is started from `program`, which must be this command or the program itself.
pub async fn measure(args: &Args, program: &Path) -> anyhow::Result<Value> {
    let (release, held) = watch::channel(false);
    let desk = Server::bind(0).await?;
    let base = format!("http://{}", desk.address()?);
    let mut working = JoinSet::new();
    working.spawn(desk.serve(slow(Duration::from_millis(args.pause), held)));
    let served = Arc::new(Served::start(program, &base).await?);
    // What is loaded with the first request is not what followers cost.
    let first = served.begin(&steps("desk.look", 3)).await?;
    follow(&served, &first, Vec::new()).await?;
    let followed = crowd(args, &served).await?;
    let idle = quiet(args, &served).await?;
    release.send_replace(true);
    Ok(json!({"bench": "stream", "followed": followed, "idle": idle}))
}

/// A tool that takes a moment, and one that waits until it is let go.
fn slow(
    pause: Duration,
    held: watch::Receiver<bool>,
) -> impl Fn(crate::http::Request) -> futures::future::BoxFuture<'static, Reply> + Clone + Send + 'static {
    move |request| {
        let mut held = held.clone();
        Box::pin(async move {
            match request.path.as_str() {
                "/hold" => drop(held.wait_for(|released| *released).await),
                _ => tokio::time::sleep(pause).await,
            }
            Reply::ok(r#"{"text": "seen"}"#)
        })
    }
}

fn steps(tool: &str, number: usize) -> Value {
    let step = |at: usize| {
        let after = at.checked_sub(1).map(|before| format!("s{before}"));
        json!({"id": format!("s{at}"), "tool": tool, "arguments": {"what": "it"}, "depends_on": Vec::from_iter(after)})
    };
    json!({"steps": (0..number).map(step).collect::<Vec<_>>(), "answer": "done"})
}

/// Follows a run that goes on, with cuts.
async fn crowd(args: &Args, served: &Arc<Served>) -> anyhow::Result<Value> {
    let run = served.begin(&steps("desk.look", args.steps)).await?;
    let mut dice = Dice::new(args.seed);
    let mut cuts: Vec<Vec<u64>> = vec![Vec::new(); args.clients];
    for cut in 0..args.cuts {
        // Everybody is cut off about as often; where, chance decides.
        cuts[cut % args.clients].push(1 + dice.below(3 * args.steps as u64));
    }
    let (before, cpu, begun) = (served.resident(), served.cpu(), Instant::now());
    let mut following = JoinSet::new();
    for cuts in cuts {
        let (served, run) = (Arc::clone(served), run.clone());
        following.spawn(async move { follow(&served, &run, cuts).await });
    }
    let mut most = before;
    let mut all: Vec<Seen> = Vec::with_capacity(args.clients);
    while all.len() < args.clients {
        tokio::select! {
            Some(seen) = following.join_next() => all.push(seen??),
            () = tokio::time::sleep(Duration::from_millis(100)) => most = most.max(served.resident()),
        }
    }
    let (took, cpu) = (begun.elapsed(), served.cpu() - cpu);
    let events = served.events(&run).await?;
    let wanted: Vec<u64> = (1..=events).collect();
    for (at, seen) in all.iter().enumerate() {
        ensure!(seen.events == wanted, "client {at} saw {} of {events} events, or not in order", seen.events.len());
    }
    let cut: usize = all.iter().map(|seen| seen.connections - 1).sum();
    let growth = megabytes(most.saturating_sub(before));
    ensure!(growth <= GROWTH_MB, "the server grew by {growth:.1} MB");
    let delivered = events * args.clients as u64;
    Ok(json!({
        "clients": args.clients, "events": events, "delivered": delivered, "cut_off": cut, "seconds": took.as_secs_f64(),
        "cpu_seconds": cpu.as_secs_f64(), "cpu_us_per_delivery": cpu.as_secs_f64() * 1e6 / delivered.max(1) as f64,
        "rss_before_mb": megabytes(before), "rss_most_mb": megabytes(most), "growth_mb": growth,
    }))
}

/// Follows a run on which nothing happens.
async fn quiet(args: &Args, served: &Arc<Served>) -> anyhow::Result<Value> {
    let run = served.begin(&steps("desk.hold", 1)).await?;
    let (before, mut following) = (served.resident(), JoinSet::new());
    for _ in 0..args.idle {
        let (served, run) = (Arc::clone(served), run.clone());
        following.spawn(async move { follow(&served, &run, Vec::new()).await });
    }
    served.until_connected(args.idle).await?;
    let (cpu, begun) = (served.cpu(), Instant::now());
    tokio::time::sleep(Duration::from_secs(args.seconds)).await;
    let (cpu, waited, resident) = (served.cpu() - cpu, begun.elapsed(), served.resident());
    ensure!(following.try_join_next().is_none(), "a client that waits was sent away");
    served.cancel(&run).await?;
    let mut alive = 0;
    while let Some(seen) = following.join_next().await {
        let seen = seen??;
        ensure!(seen.connections == 1, "a client that waits had to come back");
        alive += seen.comments;
    }
    let events = served.events(&run).await.context("the run that was waited for")?;
    Ok(json!({
        "clients": args.idle, "events": events, "seconds": waited.as_secs_f64(), "comments": alive,
        "cpu_share": cpu.as_secs_f64() / waited.as_secs_f64(),
        "rss_before_mb": megabytes(before), "rss_mb": megabytes(resident),
        "kb_per_client": resident.saturating_sub(before) as f64 / 1e3 / args.idle.max(1) as f64,
    }))
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
