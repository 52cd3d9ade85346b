//! Temporary.
use domain::event::*;
use domain::id::*;
use domain::store::*;
use std::sync::Arc;
use std::time::Instant;
fn cpu() -> f64 {
    // utime+stime in s
    let s = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    let _ = s;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let rest: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (rest[11].parse::<f64>().unwrap() + rest[12].parse::<f64>().unwrap()) / 100.0
}
fn entries(i: usize, n: usize) -> Vec<Entry> {
    let at = jiff::Timestamp::now();
    let step: StepId = "forecast".parse().unwrap();
    (0..n)
        .map(|k| Entry {
            key: format!("step/forecast/{i}/turn/{k}"),
            input: Some(domain::hash::Hash::of(b"x")),
            at,
            event: match k {
                0 => Event::StepStarted { step: step.clone(), attempt: 1 },
                1 => Event::ToolCalled {
                    tool: "weather.current".parse().unwrap(),
                    arguments: serde_json::json!({"place": "Haifa", "units": "metric"}),
                    result: Outcome::Ok(
                        serde_json::json!({"temperature": 21.5, "sky": "clear", "wind": {"speed": 3.2, "from": "NW"}}),
                    ),
                    millis: 12,
                },
                2 => Event::MessageSent {
                    from: "a".into(),
                    to: "b".into(),
                    text: "the weather in Haifa is clear, 21.5 degrees, wind from the north west".into(),
                },
                _ => Event::StepFinished {
                    step: step.clone(),
                    attempt: 1,
                    outcome: StepOutcome::Done {
                        output: serde_json::json!({"text": "It is clear in Haifa at 21.5 degrees"}),
                    },
                },
            },
        })
        .collect()
}
fn received() -> Entry {
    Entry {
        key: "received".into(),
        input: None,
        at: jiff::Timestamp::now(),
        event: Event::Received {
            request: Box::new(domain::request::Request {
                text: "what is the weather in Haifa".parse().unwrap(),
                at: jiff::Timestamp::now(),
                zone: None,
                place: None,
                session: None,
                user: None,
                wishes: Default::default(),
            }),
            parent: None,
        },
    }
}
#[tokio::main(worker_threads = 2)]
async fn main() {
    let a: Vec<String> = std::env::args().collect();
    let url = &a[1];
    let writers: usize = a[2].parse().unwrap();
    let commits: usize = a[3].parse().unwrap();
    let per_run: usize = a[4].parse().unwrap();
    let store = store::open(url).await.unwrap();
    let (t, c) = (Instant::now(), cpu());
    let mut set = tokio::task::JoinSet::new();
    for _ in 0..writers {
        let store: Arc<dyn Store> = store.clone();
        set.spawn(async move {
            let mut left = commits;
            while left > 0 {
                let run = RunId::fresh();
                store.accept(run, vec![received()], None).await.unwrap();
                let claim = store.claim(run, "w").await.unwrap();
                for i in 0..per_run.min(left) {
                    store.commit(claim.token, entries(i, 4)).await.unwrap();
                }
                left -= per_run.min(left);
            }
        });
    }
    while let Some(r) = set.join_next().await {
        r.unwrap();
    }
    let (w, u) = (t.elapsed().as_secs_f64(), cpu() - c);
    let n = (writers * commits) as f64;
    println!(
        "writers {writers} commits {n} wall {w:.2}s commits/s {:.0} events/s {:.0} cpu/commit {:.1}us",
        n / w,
        4.0 * n / w,
        u / n * 1e6
    );
}
