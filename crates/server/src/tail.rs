//! The end of a ledger, read once for all who follow it.
//!
//! Each run that is followed has one reader, which keeps the latest events as they go over the wire. A follower takes
//! what comes after its own cursor; what is no longer kept it reads from the store itself. So a slow follower costs
//! nothing, and a thousand that wait cost one reader.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use axum::body::Bytes;
use domain::approval::ApprovalId;
use domain::event::{Event, Need, Recorded, Seq};
use domain::id::RunId;
use domain::store::{Store, StoreError};
use serde::Serialize;
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

/// How many events are kept.
const KEPT: usize = 512;
/// How many bytes of events are kept.
const KEPT_BYTES: usize = 512 * 1024;
/// How many events a follower takes at once.
const TAKEN: usize = 32;
/// How many events are read at once.
const PAGE: usize = 64;
/// How long a reader waits for a store that is away.
const PAUSE: Duration = Duration::from_secs(1);

/// An event as it goes over the wire.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) seq: Seq,
    pub(crate) bytes: Bytes,
    /// Nothing comes after it.
    pub(crate) last: bool,
}

/// The tails of all runs that are followed.
pub(crate) struct Tails {
    store: Arc<dyn Store>,
    followed: Mutex<HashMap<RunId, Weak<Tail>>>,
    readers: TaskTracker,
}

/// The tail of one run, as long as somebody follows it.
struct Tail {
    run: RunId,
    kept: Mutex<Kept>,
    /// The last event that the reader has seen.
    seen: watch::Sender<Seq>,
    /// Ends the reader.
    _reader: DropGuard,
}

#[derive(Default)]
struct Kept {
    frames: VecDeque<Frame>,
    bytes: usize,
}

/// Somebody who follows a run.
pub(crate) struct Follower {
    store: Arc<dyn Store>,
    run: RunId,
    tail: Arc<Tail>,
    seen: watch::Receiver<Seq>,
    cursor: Seq,
}

/// What a tail has for a cursor.
enum Has {
    Frames(Vec<Frame>),
    NotAnyMore,
    NotYet,
}

impl Tails {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, followed: Mutex::default(), readers: TaskTracker::new() }
    }

    /// Follows a run that has `events` events from `after` on.
    pub(crate) fn follow(&self, run: RunId, events: Seq, after: Seq) -> Follower {
        let tail = self.tail(run, events);
        let seen = tail.seen.subscribe();
        Follower { store: Arc::clone(&self.store), run, tail, seen, cursor: after }
    }

    fn tail(&self, run: RunId, events: Seq) -> Arc<Tail> {
        let mut followed = lock(&self.followed);
        if let Some(tail) = followed.get(&run).and_then(Weak::upgrade) {
            return tail;
        }
        followed.retain(|_, tail| tail.strong_count() > 0);
        let gone = CancellationToken::new();
        let from = events.saturating_sub(KEPT as Seq);
        let _reader = gone.clone().drop_guard();
        let tail = Arc::new(Tail { run, kept: Mutex::default(), seen: watch::Sender::new(from), _reader });
        followed.insert(run, Arc::downgrade(&tail));
        let reading = read(Arc::clone(&self.store), run, Arc::downgrade(&tail));
        // The reader ends with the last of those it reads for.
        self.readers.spawn(async move { gone.run_until_cancelled(reading).await });
        tail
    }
}

impl Follower {
    /// The next events, as soon as there are any. Dropping it in between loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Vec<Frame>, StoreError> {
        loop {
            self.seen.mark_unchanged();
            let frames = match self.tail.after(self.cursor) {
                Has::Frames(frames) => frames,
                Has::NotAnyMore => {
                    let events = self.store.events(self.run, self.cursor, TAKEN).await?;
                    events.iter().map(|recorded| Frame::of(self.run, recorded)).collect()
                }
                Has::NotYet => Vec::new(),
            };
            if let Some(last) = frames.last() {
                self.cursor = last.seq;
                return Ok(frames);
            }
            // The sender lives as long as the tail, which is ours.
            let _ = self.seen.changed().await;
        }
    }
}

impl Tail {
    fn after(&self, cursor: Seq) -> Has {
        if cursor >= *self.seen.borrow() {
            return Has::NotYet;
        }
        let kept = lock(&self.kept);
        match kept.frames.front() {
            Some(first) if first.seq <= cursor + 1 => {
                let skipped = usize::try_from(cursor + 1 - first.seq).unwrap_or(usize::MAX);
                Has::Frames(kept.frames.iter().skip(skipped).take(TAKEN).cloned().collect())
            }
            _ => Has::NotAnyMore,
        }
    }

    fn keep(&self, events: &[Recorded]) {
        let mut kept = lock(&self.kept);
        for frame in events.iter().map(|recorded| Frame::of(self.run, recorded)) {
            kept.bytes += frame.bytes.len();
            kept.frames.push_back(frame);
        }
        while kept.frames.len() > KEPT || kept.bytes > KEPT_BYTES {
            let Some(oldest) = kept.frames.pop_front() else { break };
            kept.bytes -= oldest.bytes.len();
        }
        drop(kept);
        if let Some(last) = events.last() {
            self.seen.send_replace(last.seq);
        }
    }
}

impl Frame {
    fn of(run: RunId, recorded: &Recorded) -> Self {
        let event = &recorded.entry.event;
        let told = Told { recorded, approval: asked(run, event) };
        // Our own types always serialise, and JSON has no line breaks.
        let json = serde_json::to_string(&told).unwrap_or_default();
        let text = format!("id: {}\nevent: {}\ndata: {json}\n\n", recorded.seq, event.kind());
        Self { seq: recorded.seq, bytes: text.into(), last: matches!(event, Event::Finished { .. }) }
    }
}

/// An event as followers are told of it: as it is on record, and what a person has to decide because of it.
#[derive(Serialize)]
struct Told<'r> {
    #[serde(flatten)]
    recorded: &'r Recorded,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<ApprovalId>,
}

fn asked(run: RunId, event: &Event) -> Option<ApprovalId> {
    match event {
        Event::Waiting { wait } => match wait.need {
            Need::Approval { proposal: Some(_), .. } => Some(ApprovalId::of(run, &wait.name)),
            Need::Approval { proposal: None, .. } | Need::Answer { .. } | Need::Budget { .. } | Need::Time { .. } => {
                None
            }
        },
        _ => None,
    }
}

/// Reads a run's events for its tail, until the run has ended or the tail is gone.
async fn read(store: Arc<dyn Store>, run: RunId, tail: Weak<Tail>) {
    let Some(mut after) = tail.upgrade().map(|tail| *tail.seen.borrow()) else { return };
    loop {
        let read = match store.events(run, after, PAGE).await {
            Ok(events) if events.is_empty() => store.grown(run, after).await,
            Ok(events) => {
                let Some(tail) = tail.upgrade() else { return };
                tail.keep(&events);
                match events.last() {
                    Some(last) if matches!(last.entry.event, Event::Finished { .. }) => return,
                    Some(last) => after = last.seq,
                    None => {}
                }
                Ok(())
            }
            Err(error) => Err(error),
        };
        if let Err(error) = read {
            tracing::warn!(%run, %error, "a run cannot be followed now; it is tried again");
            tokio::time::sleep(PAUSE).await;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::event::Entry;
    use jiff::Timestamp;

    fn tail() -> Tail {
        let _reader = CancellationToken::new().drop_guard();
        Tail { run: RunId::fresh(), kept: Mutex::default(), seen: watch::Sender::new(0), _reader }
    }

    fn events(seqs: std::ops::RangeInclusive<Seq>, words: &str) -> Vec<Recorded> {
        let recorded = |seq| {
            let event = Event::CancelAsked { reason: Some(words.to_owned()) };
            Recorded { seq, entry: Entry { key: seq.to_string(), input: None, at: Timestamp::UNIX_EPOCH, event } }
        };
        seqs.map(recorded).collect()
    }

    fn seqs(tail: &Tail, cursor: Seq) -> Option<Vec<Seq>> {
        match tail.after(cursor) {
            Has::Frames(frames) => Some(frames.iter().map(|frame| frame.seq).collect()),
            Has::NotAnyMore => None,
            Has::NotYet => Some(Vec::new()),
        }
    }

    #[test]
    fn a_follower_gets_what_comes_after_its_cursor() {
        let tail = tail();
        assert_eq!(seqs(&tail, 0), Some(vec![]));
        tail.keep(&events(1..=3, "x"));
        assert_eq!(
            (seqs(&tail, 0), seqs(&tail, 2), seqs(&tail, 3)),
            (Some(vec![1, 2, 3]), Some(vec![3]), Some(vec![]))
        );
    }

    #[test]
    fn a_slow_follower_holds_nothing_and_reads_for_itself() {
        let tail = tail();
        for first in (1..=10_000).step_by(100) {
            tail.keep(&events(first..=first + 99, "x"));
        }
        assert_eq!(lock(&tail.kept).frames.len(), KEPT);
        assert_eq!((seqs(&tail, 9_999), seqs(&tail, 0)), (Some(vec![10_000]), None));
        tail.keep(&events(10_001..=10_010, &"x".repeat(100_000)));
        assert!(lock(&tail.kept).bytes <= KEPT_BYTES);
        assert_eq!((seqs(&tail, 10_009), seqs(&tail, 9_999)), (Some(vec![10_010]), None));
    }
}
