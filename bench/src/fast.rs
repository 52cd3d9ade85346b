//! What an obvious request costs: the whole way from its words to the durable answer, through the parts the program is
//! made of, and judging alone.

use std::time::Instant;

use agentwright::compose::{self, Crew, Host};
use agentwright::config::{self, Flags, Surroundings};
use anyhow::{Context, ensure};
use clap::Parser;

use domain::run::RunStatus;
use reflex::Circumstances;
use runtime::Reflexes;
use serde_json::{Value, json};

use crate::compose::words;
use crate::process::{cpu, memory, percentiles};

/// Carries obvious requests out in a directory of their own, with no model and no network.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many requests
    #[arg(long, default_value_t = 500)]
    pub requests: usize,
}

/// Half of these act and half of them only answer.
const REQUESTS: [&str; 6] = [
    "set a timer for ten minutes",
    "what is 15 percent of 80",
    "turn off the kitchen light",
    "what timers do I have",
    "turn off the kitchen light and set a timer for ten minutes",
    "hello",
];

/// Measures CPU time per request and the time of judging one.
pub async fn measure(args: &Args) -> anyhow::Result<Value> {
    let folder = tempfile::tempdir()?;
    let home = folder.path().display().to_string();
    let variables = ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"].map(|name| (name.to_owned(), home.clone()));
    let loaded = config::load(Surroundings::new(folder.path(), variables), &Flags::default())?;
    let begun = Instant::now();
    let parts = compose::parts(&loaded, Crew::Live, Host::default()).await?;
    let start = begun.elapsed();
    let reflexes = parts.runtime.reflexes.clone().context("there are no reflexes")?;
    let judging = judging(reflexes.as_ref()).await;
    for text in REQUESTS {
        parts.attend(parts.accept(words(text)).await?).await?;
    }
    let (before, begun) = (cpu(), Instant::now());
    for n in 0..args.requests {
        let run = parts.accept(words(REQUESTS[n % REQUESTS.len()])).await?;
        parts.attend(run).await?;
        let ended = parts.store.run(run).await?.context("the run is gone")?;
        ensure!(ended.status == RunStatus::Completed, "{} ended as {:?}: {:?}", ended.text, ended.status, ended.error);
    }
    let (spent, wall) = (cpu() - before, begun.elapsed());
    let each = 1e3 / args.requests as f64;
    Ok(json!({
        "bench": "fast", "requests": args.requests, "cpu_ms": spent.as_secs_f64() * each,
        "wall_ms": wall.as_secs_f64() * each, "start_ms": start.as_secs_f64() * 1e3, "judge": judging,
        "peak_mb": memory().1 as f64 / 1e6,
    }))
}

/// The time of judging one request, roles, values and composites included.
async fn judging(reflexes: &dyn Reflexes) -> Value {
    let router = reflexes.router(None).await;
    let names = reflexes.names().await;
    let circumstances = Circumstances { now: jiff::Zoned::now(), names: &names, person: None, seed: 0 };
    let texts = public().unwrap_or_else(|| {
        eprintln!("router6 is not in ../shared/data: the requests of this benchmark are judged instead");
        REQUESTS.map(str::to_owned).to_vec()
    });
    let mut times: Vec<f64> = (0..6_000)
        .map(|n| {
            let begun = Instant::now();
            std::hint::black_box(router.judge(&texts[n % texts.len()], &circumstances));
            begun.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    let (p50, p99) = percentiles(&mut times);
    json!({"p50_us": p50, "p99_us": p99, "texts": texts.len()})
}

/// Requests as people make them.
fn public() -> Option<Vec<String>> {
    let file = train::data::folder()?.join("router6/test.jsonl");
    let lines = std::fs::read_to_string(file).ok()?;
    let text = |line: &str| Some(serde_json::from_str::<Value>(line).ok()?.get("text")?.as_str()?.to_owned());
    lines.lines().map(text).collect()
}
