//! Keeps runs going within one process: begins what is due, takes up what dead processes left, and lets go in time.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use domain::dispatch::{Advance, Advanced, Dispatch, Stop};
use domain::id::RunId;
use domain::store::{Parting, Store, StoreError, Worker};
use futures::FutureExt;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// How often a worker says that it is alive.
const BEAT: Duration = Duration::from_secs(5);
/// A worker on another machine is dead when it has not been heard of for so long.
const DEAD_AFTER: Duration = Duration::from_secs(60);
/// The longest time between two looks at what is due.
const LOOK: Duration = Duration::from_secs(1);
/// The shortest: under load one look finds what many hints were about.
const BREATH: Duration = Duration::from_millis(2);
/// How long a run is left alone after an advance of it went wrong.
const PAUSE: Duration = Duration::from_millis(500);
/// How many hints are kept; further ones are dropped, and the next look finds what they were about.
const HINTS: usize = 1_024;

/// How an advance ended, or that it panicked.
type Attempt = Result<Result<Advanced, StoreError>, Box<dyn std::any::Any + Send>>;

/// Dispatch within this process.
pub struct Embedded {
    store: Arc<dyn Store>,
    worker: Worker,
    concurrency: usize,
    hint: mpsc::Sender<RunId>,
    hints: tokio::sync::Mutex<mpsc::Receiver<RunId>>,
    /// How many calls own runs under this worker's name.
    shifts: AtomicUsize,
}

/// A call that may own runs, until it is dropped.
struct Shift<'e>(&'e AtomicUsize);

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Embedded {
    /// A dispatcher that advances at most so many runs at once.
    pub fn new(store: Arc<dyn Store>, worker: Worker, concurrency: usize) -> Self {
        let (hint, hints) = mpsc::channel(HINTS);
        let (hints, shifts) = (tokio::sync::Mutex::new(hints), AtomicUsize::new(0));
        Self { store, worker, concurrency: concurrency.max(1), hint, hints, shifts }
    }

    /// This process as a worker.
    pub fn this_process() -> Worker {
        let pid = std::process::id();
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        // Containers on one machine have process ids of their own.
        let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let host = format!("{} {}", boot.trim(), namespace.display());
        let started = started_at(pid).unwrap_or_default();
        Worker { id: format!("{}-{pid}-{started}", RunId::fresh()), host, pid, started }
    }

    /// Takes up what dead workers left, and what was lost on the way.
    pub async fn recover(&self) -> Result<(), StoreError> {
        let now = self.now();
        self.store.beat(&self.worker, now).await?;
        for (worker, last) in self.store.workers().await? {
            let silent = now.duration_since(last) > jiff::SignedDuration::try_from(DEAD_AFTER).unwrap_or_default();
            let here = worker.host == self.worker.host;
            let dead = if here { started_at(worker.pid) != Some(worker.started) } else { silent };
            if worker.id != self.worker.id && dead {
                let runs = self.store.part(&worker.id, Parting::Died, now).await?;
                tracing::info!(worker = worker.id, runs, "took up the runs of a worker that is gone");
            }
        }
        let woken = self.store.reconcile(now).await?;
        if woken > 0 {
            tracing::info!(runs = woken, "gave runs a wake that had lost theirs");
        }
        Ok(())
    }

    /// Advances one run while saying that this worker is alive.
    pub async fn attend(&self, advance: &dyn Advance, run: RunId) -> Result<Advanced, StoreError> {
        let shift = self.shift();
        self.store.beat(&self.worker, self.now()).await?;
        let beating = async {
            loop {
                tokio::time::sleep(BEAT).await;
                if let Err(error) = self.store.beat(&self.worker, self.now()).await {
                    tracing::warn!(%error, "could not say that this worker is alive");
                }
            }
        };
        let advanced = tokio::select! {
            biased;
            advanced = advance.advance(run) => advanced,
            () = beating => Ok(Advanced::Elsewhere),
        };
        self.leave(shift).await;
        advanced
    }

    fn shift(&self) -> Shift<'_> {
        self.shifts.fetch_add(1, Ordering::SeqCst);
        Shift(&self.shifts)
    }

    /// The last to leave lets go of everything this worker owns. What cannot be said now is found out by whoever comes
    /// next.
    async fn leave(&self, shift: Shift<'_>) {
        drop(shift);
        if self.shifts.load(Ordering::SeqCst) > 0 {
            return;
        }
        if let Err(error) = self.store.part(&self.worker.id, Parting::InOrder, self.now()).await {
            tracing::warn!(%error, "could not say that this worker is leaving");
        }
    }
}

/// When a process was started, in its machine's clock ticks since boot; nothing if there is no such process.
fn started_at(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may contain anything: count from its end.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

#[async_trait]
impl Dispatch for Embedded {
    async fn nudge(&self, run: RunId) {
        // A full queue is no loss: the wake is in the store.
        let _ = self.hint.try_send(run);
    }

    async fn work(&self, advance: Arc<dyn Advance>, mut stop: Stop<'_>) -> Result<(), StoreError> {
        let mut hints = self.hints.lock().await;
        let shift = self.shift();
        let mut running: JoinSet<(RunId, Attempt)> = JoinSet::new();
        let mut held: HashMap<RunId, Option<Instant>> = HashMap::new();
        let mut recover_at = Instant::now();
        let mut look_at = Instant::now();
        let mut soonest = look_at;
        loop {
            if Instant::now() >= recover_at {
                // A store that is away is asked again: what is on record waits.
                if let Err(error) = self.recover().await {
                    tracing::warn!(%error, "the store is not available");
                }
                recover_at = Instant::now() + BEAT;
            }
            if Instant::now() >= look_at {
                soonest = Instant::now() + BREATH;
                look_at = soonest.max(Instant::now() + self.begin(&advance, &mut running, &mut held).await);
            }
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(ended) = running.join_next() => {
                    if let Ok((run, attempt)) = ended {
                        match attempt {
                            Ok(Ok(_)) => held.remove(&run),
                            Ok(Err(error)) => {
                                tracing::warn!(%run, %error, "a run could not be advanced; it is tried again");
                                held.insert(run, Some(Instant::now() + PAUSE))
                            }
                            // This worker still owns it, so nobody else will; each claim counts as barren.
                            Err(_) => {
                                tracing::error!(%run, "advancing a run panicked; it is tried again");
                                held.insert(run, Some(Instant::now() + PAUSE))
                            }
                        };
                    }
                    look_at = look_at.min(soonest);
                }
                Some(_) = hints.recv() => look_at = look_at.min(soonest),
                () = tokio::time::sleep_until(look_at.min(recover_at)) => {}
            }
        }
        running.shutdown().await;
        self.leave(shift).await;
        Ok(())
    }
}

impl Embedded {
    /// Begins what is due and free, and says how long until the next look.
    async fn begin(
        &self,
        advance: &Arc<dyn Advance>,
        running: &mut JoinSet<(RunId, Attempt)>,
        held: &mut HashMap<RunId, Option<Instant>>,
    ) -> Duration {
        let now = Instant::now();
        let again: Vec<RunId> =
            held.iter().filter(|(_, at)| at.is_some_and(|at| at <= now)).map(|(run, _)| *run).collect();
        let free = self.concurrency.saturating_sub(running.len());
        let due = match self.store.due(self.now(), free + held.len()).await {
            Ok(due) => due,
            Err(error) => {
                tracing::warn!(%error, "could not look up what is due");
                return LOOK;
            }
        };
        let fresh = due.into_iter().filter(|run| !held.contains_key(run)).collect::<Vec<_>>();
        for run in again.into_iter().chain(fresh).take(free) {
            held.insert(run, None);
            let advance = Arc::clone(advance);
            running.spawn(async move { (run, AssertUnwindSafe(advance.advance(run)).catch_unwind().await) });
        }
        let next = self.store.next_due(self.now()).await.ok().flatten();
        let until = next.and_then(|next| Duration::try_from(next.duration_since(self.now())).ok());
        until.unwrap_or(LOOK).clamp(Duration::from_millis(1), LOOK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_told_from_another_with_its_number() {
        let this = Embedded::this_process();
        assert_eq!(started_at(this.pid), Some(this.started));
        assert!(this.started > 0);
        assert_eq!(started_at(u32::MAX - 1), None);
    }
}
