//! How many events a second the ledger makes durable while many runs write, and whether that stays so as it grows.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use domain::budget::Spent;
use domain::chat::{Reply, Stop, ToolCall, Usage};
use domain::event::{Entry, Event, Outcome, Route, StepOutcome};
use domain::hash::Hash;
use domain::id::RunId;
use domain::intent::{Intent, Settlement};
use domain::money::Usd;
use domain::plan::Strategy;
use domain::run::Ending;
use domain::store::Store;
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::compose;
use crate::process::{cpu, memory};
use crate::trip::{self, Task};

/// Measures durable events per second, and the cost of an event in ledgers of growing size.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// How many runs write at once
    #[arg(long, default_value_t = 64)]
    pub writers: usize,
    /// Measure at these numbers of events in the database
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000,1000000")]
    pub sizes: Vec<u64>,
    /// Measure over so many events, or as many as there are if that is less
    #[arg(long, default_value_t = 30_000)]
    pub window: u64,
    /// Measure so many times at each size; the middle one counts
    #[arg(long, default_value_t = 5)]
    pub rounds: usize,
    /// Where the ledger is kept; a temporary folder unless given
    #[arg(long)]
    pub dir: Option<PathBuf>,
    /// How many threads work
    #[arg(long, default_value_t = 2)]
    pub workers: usize,
}

/// What was measured at one size.
#[derive(Debug)]
pub struct Measured {
    /// How many events the database held when the measurement began.
    pub size: u64,
    /// How many were added.
    pub events: u64,
    /// In which time.
    pub wall: Duration,
    /// With how much processor time, of this process only.
    pub cpu: Duration,
    /// Resident memory afterwards, in bytes.
    pub resident: u64,
}

impl Measured {
    /// Durable events per second.
    pub fn rate(&self) -> f64 {
        self.events as f64 / self.wall.as_secs_f64()
    }

    /// The figures of one size.
    pub fn json(&self) -> Value {
        let micros = |time: Duration| time.as_secs_f64() * 1e6 / self.events as f64;
        json!({
            "size": self.size, "events": self.events, "events_per_s": self.rate().round(),
            "cpu_us_per_event": micros(self.cpu), "wall_us_per_event": micros(self.wall),
            "rss_mb": self.resident as f64 / 1e6,
        })
    }
}

/// Fills a ledger to each size in turn and measures there.
pub async fn measure(args: &Args, mut see: impl FnMut(&Measured)) -> anyhow::Result<Vec<Measured>> {
    let made;
    let folder = match &args.dir {
        Some(folder) => folder.as_path(),
        None => {
            made = tempfile::tempdir()?;
            made.path()
        }
    };
    let store = compose::ledger(folder).await?;
    let mut size = 0;
    let mut all = Vec::new();
    for &wanted in &args.sizes {
        if wanted > size {
            size += write(&store, args.writers, wanted - size).await?;
        }
        let (began, mut rounds) = (size, Vec::new());
        for _ in 0..args.rounds.max(1) {
            let (cpu_before, begun) = (cpu(), Instant::now());
            let events = write(&store, args.writers, args.window.min(wanted)).await?;
            let (wall, cpu) = (begun.elapsed(), cpu() - cpu_before);
            rounds.push(Measured { size: began, events, wall, cpu, resident: memory().0 });
            size += events;
        }
        rounds.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
        let middle = rounds.swap_remove(rounds.len() / 2);
        see(&middle);
        all.push(middle);
    }
    Ok(all)
}

/// Has whole runs written until there are at least so many more events. Returns how many there are more.
async fn write(store: &Arc<dyn Store>, writers: usize, events: u64) -> anyhow::Result<u64> {
    let length = length_of_a_run();
    let runs = events.div_ceil(length);
    let left = Arc::new(AtomicU64::new(runs));
    let mut writing = JoinSet::new();
    for _ in 0..writers {
        let (store, left) = (Arc::clone(store), Arc::clone(&left));
        writing.spawn(async move {
            while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
                let run = RunId::fresh();
                store.accept(run, received(), None).await?;
                let claim = store.claim(run, "bench").await?;
                for batch in batches(run) {
                    store.commit(claim.token, batch).await?;
                }
            }
            anyhow::Ok(())
        });
    }
    while let Some(wrote) = writing.join_next().await {
        wrote??;
    }
    Ok(runs * length)
}

fn length_of_a_run() -> u64 {
    1 + batches(RunId::fresh()).iter().map(|batch| batch.len() as u64).sum::<u64>()
}

fn entry(key: impl Into<String>, event: Event) -> Entry {
    Entry { key: key.into(), input: None, at: Timestamp::now(), event }
}

fn received() -> Vec<Entry> {
    vec![entry("received", Event::Received { request: Box::new(trip::ask(Task::Trip)), parent: None })]
}

/// The commits of a conversation with a read, two writes and three turns, gathered as the runtime gathers them.
fn batches(run: RunId) -> Vec<Vec<Entry>> {
    let plan = trip::ask(Task::Trip).wishes.plan.unwrap_or_default();
    let names = ["trip.get_weather", "trip.set_timer", "trip.add_event"];
    let turn = |n: usize, calls: &[&str]| {
        let calls = calls.iter().map(|name| ToolCall {
            id: format!("call_{n}"),
            name: name.replace('.', "__"),
            arguments: json!({"city": "Paris"}),
        });
        let usage = Usage { input_tokens: 120, output_tokens: 30, cost: Usd::micros(7) };
        let reply = Reply {
            text: "All set: the picnic is in the calendar.".into(),
            calls: calls.collect(),
            stop: Stop::End,
            usage,
        };
        let event = Event::ModelCalled {
            component: "agent".into(),
            model: "mock:gpt".into(),
            reply: Outcome::Ok(reply),
            millis: 1,
        };
        Entry { input: Some(Hash::of(b"question")), ..entry(format!("step/do/1/way/1/turn/{n}"), event) }
    };
    let key = |n: usize, at: usize| format!("step/do/1/way/1/turn/{n}/tool/{at}");
    let declared = |key: &str, tool: &str| {
        let intent = Intent {
            key: format!("{run}/{key}"),
            step: "do".parse().ok(),
            tool: tool.parse().expect("a tool name"),
            arguments: json!({"minutes": 15}),
            priority: Default::default(),
        };
        entry(format!("{key}/declared"), Event::IntentDeclared { intent })
    };
    let sent =
        |key: &str| entry(format!("{key}/sent/1"), Event::IntentSent { intent: format!("{run}/{key}"), attempt: 1 });
    let settled = |key: &str| {
        let settlement = Settlement::Done { result: json!("TM#ok timer set for 15 min") };
        entry(format!("{key}/settled"), Event::IntentSettled { intent: format!("{run}/{key}"), settlement })
    };
    let looked = Event::ToolCalled {
        tool: names[0].parse().expect("a tool name"),
        arguments: json!({"city": "Paris"}),
        result: Outcome::Ok(json!("WX#ok sunny 21C in Paris")),
        millis: 0,
    };
    let step: domain::id::StepId = "do".parse().expect("a step id");
    let answer = "All set: the picnic is in the calendar.";
    vec![
        vec![
            entry(
                "routed",
                Event::Routed {
                    route: Route::Given,
                    strategy: Strategy::TaskGraph,
                    why: "given".into(),
                    judgement: None,
                },
            ),
            entry(
                "plan/1",
                Event::Planned {
                    version: 1,
                    plan: serde_json::from_value(plan).expect("a plan"),
                    configuration: None,
                    because: None,
                    notes: None,
                },
            ),
            entry("step/do/1/started", Event::StepStarted { step: step.clone(), attempt: 1 }),
            entry(
                "step/do/1/way/1/forged",
                Event::Forged {
                    agent: "agent:do".into(),
                    step: Some(step.clone()),
                    tools: names.iter().filter_map(|name| name.parse().ok()).collect(),
                    prompt: "You are a helpful assistant. Use the tools. ".repeat(20),
                    max_iterations: 10,
                    offered: None,
                },
            ),
            turn(1, &names[..2]),
        ],
        vec![entry(key(1, 0), looked), declared(&key(1, 1), names[1]), sent(&key(1, 1))],
        vec![settled(&key(1, 1)), turn(2, &names[2..])],
        vec![declared(&key(2, 0), names[2]), sent(&key(2, 0))],
        vec![settled(&key(2, 0)), turn(3, &[])],
        vec![
            entry(
                "step/do/1/finished",
                Event::StepFinished { step, attempt: 1, outcome: StepOutcome::Done { output: json!(answer) } },
            ),
            entry(
                "finished",
                Event::Finished {
                    ending: Ending::Completed { answer: answer.into() },
                    spent: Spent::default(),
                    worked_ms: None,
                },
            ),
        ],
    ]
}
