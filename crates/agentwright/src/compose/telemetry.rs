//! Spans on their way: runs that rest are read from the ledger and told of to whoever listens.
//!
//! What waits here is the names of runs, not their spans: the ledger keeps those. When the queue is full, runs are left out
//! and counted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::event::{Entry, Event, Recorded};
use domain::id::RunId;
use domain::span::{self, Content, Span};
use domain::store::Store;
use jiff::Timestamp;
use runtime::Watch;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::config::{Loaded, Otlp};

/// How many runs wait to be told of before others are left out.
const QUEUE: usize = 4_096;
/// How long runs that rest are gathered.
const GATHER: Duration = Duration::from_millis(500);
/// How many spans are sent at once.
const BATCH: usize = 512;
/// How often a batch is sent before it is given up.
const ATTEMPTS: u32 = 6;
/// How often it is sent when the process is about to end.
const LAST_ATTEMPTS: u32 = 2;
/// How long the first pause between two attempts is; each is twice the one before.
const PAUSE: Duration = Duration::from_millis(250);
/// The longest time a receiver can have us wait.
const LONGEST: Duration = Duration::from_secs(30);

/// Runs that rest, and the task that tells of them; it ends with the last owner of this.
pub struct Outbox {
    queue: Mutex<Option<mpsc::Sender<Rested>>>,
    lost: Arc<AtomicU64>,
    work: tokio::sync::Mutex<JoinSet<()>>,
}

/// A run, and when it came to rest.
type Rested = (RunId, Timestamp);

/// Sends the spans of runs to where the configuration says; nothing where it says nothing.
pub fn outbox(loaded: &Loaded, store: Arc<dyn Store>) -> anyhow::Result<Option<Arc<Outbox>>> {
    let Some(otlp) = loaded.otlp() else { return Ok(None) };
    let client = ::tools::client()?;
    let (queue, rested) = mpsc::channel(QUEUE);
    let lost: Arc<AtomicU64> = Arc::default();
    let mut work = JoinSet::new();
    work.spawn(Exporter { otlp, client, store, lost: Arc::clone(&lost) }.tell_all(rested));
    Ok(Some(Arc::new(Outbox { queue: Mutex::new(Some(queue)), lost, work: tokio::sync::Mutex::new(work) })))
}

impl Watch for Outbox {
    fn recorded(&self, _: RunId, _: &[Entry]) {}

    fn rested(&self, run: RunId) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.as_ref().is_some_and(|queue| queue.try_send((run, Timestamp::now())).is_err()) {
            let lost = self.lost.fetch_add(1, Ordering::Relaxed) + 1;
            // Once in a while is enough: whoever is slow stays slow.
            if lost.is_power_of_two() {
                tracing::warn!(%run, runs = lost, "spans cannot be sent as fast as runs end; some are left out");
            }
        }
    }
}

impl Outbox {
    /// Returns when everything that waits has been sent, or given up. Nothing is taken in any more.
    pub async fn empty(&self) {
        drop(self.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        while self.work.lock().await.join_next().await.is_some() {}
    }
}

struct Exporter {
    otlp: Otlp,
    client: ::tools::Client,
    store: Arc<dyn Store>,
    lost: Arc<AtomicU64>,
}

/// What became of a batch.
enum Sent {
    Taken,
    /// It may be taken later, not before so long.
    Later(Option<Duration>, String),
    /// It will never be taken.
    Refused(String),
}

impl Exporter {
    async fn tell_all(self, mut rested: mpsc::Receiver<Rested>) {
        let mut runs = Vec::new();
        while let Some(first) = rested.recv().await {
            runs.push(first);
            let more = async { while rested.recv_many(&mut runs, QUEUE).await > 0 {} };
            let _ = tokio::time::timeout(GATHER, more).await;
            let mut spans = Vec::new();
            for (run, at) in runs.drain(..) {
                match runtime::ledger(self.store.as_ref(), run).await {
                    Ok(ledger) => spans.extend(self.news(run, ledger, at)),
                    Err(error) => tracing::warn!(%run, %error, "a run cannot be told of"),
                }
                if spans.len() >= BATCH {
                    self.deliver(std::mem::take(&mut spans), patience(&rested)).await;
                }
            }
            self.deliver(spans, patience(&rested)).await;
        }
    }

    /// What is to be told of a run now that it rests, and was not told when it rested before.
    fn news(&self, run: RunId, mut ledger: Vec<Recorded>, at: Timestamp) -> Vec<Span> {
        // Somebody may have taken it up since, and will tell the rest.
        let later = |it: &Recorded| matches!(it.entry.event, Event::Resumed { .. }) && it.entry.at > at;
        if let Some(cut) = ledger.iter().position(later) {
            ledger.truncate(cut);
        }
        let content = if self.otlp.content { Content::Told } else { Content::Withheld };
        let told = span::told_before(&ledger);
        let mut spans = span::of_run(run, &ledger, content);
        spans.retain(|span| span.closed > told);
        spans
    }

    async fn deliver(&self, spans: Vec<Span>, attempts: u32) {
        for batch in spans.chunks(BATCH) {
            let body = server::otlp_batch(batch, &self.otlp.program);
            let mut pause = PAUSE;
            for attempt in 1..=attempts {
                let (wait, why) = match self.send(body.clone()).await {
                    Sent::Taken => break,
                    Sent::Later(wait, why) if attempt < attempts => (wait, why),
                    Sent::Later(_, why) | Sent::Refused(why) => {
                        self.lost.fetch_add(1, Ordering::Relaxed);
                        tracing::warn!(spans = batch.len(), why, "spans were not taken, and are given up");
                        break;
                    }
                };
                tracing::debug!(attempt, why, "spans were not taken; they are sent again");
                tokio::time::sleep(wait.unwrap_or(pause).min(LONGEST)).await;
                pause *= 2;
            }
        }
    }

    async fn send(&self, body: Vec<u8>) -> Sent {
        let mut request = self.client.post(&self.otlp.url).header("content-type", "application/x-protobuf").body(body);
        for (name, value) in &self.otlp.headers {
            request = request.header(name, value.expose());
        }
        let response = match request.timeout(self.otlp.timeout).send().await {
            Ok(response) => response,
            Err(error) if error.is_builder() => return Sent::Refused(error.without_url().to_string()),
            Err(error) => return Sent::Later(None, error.without_url().to_string()),
        };
        let status = response.status().as_u16();
        let seconds = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
        match status {
            200..=299 => {
                let answer = response.bytes().await.unwrap_or_default();
                if let Some((spans, why)) = server::otlp_rejected(&answer) {
                    tracing::warn!(spans, why, "not all spans were taken");
                }
                Sent::Taken
            }
            429 | 502 | 503 | 504 => Sent::Later(seconds.map(Duration::from_secs), format!("the answer was {status}")),
            _ => Sent::Refused(format!("the answer was {status}")),
        }
    }
}

/// How often a batch is sent: whoever leaves does not wait for a receiver that is not there.
fn patience(rested: &mpsc::Receiver<Rested>) -> u32 {
    if rested.is_closed() { LAST_ATTEMPTS } else { ATTEMPTS }
}
