//! The words in which checks are written.

use std::sync::Arc;

use domain::event::{Entry, Event, Need, Recorded, Seq, Wait};
use domain::id::RunId;
use domain::request::Request;
use domain::run::{Ending, RunSummary};
use domain::store::{Store, StoreError, Token, Worker};
use jiff::Timestamp;
use serde_json::Value;

/// So many seconds after the beginning.
pub(super) fn at(second: i64) -> Timestamp {
    // A beginning with nanoseconds, because all of them must survive.
    Timestamp::new(1_763_000_000 + second, 123_456_789).expect("a moment")
}

/// A request for something.
pub(super) fn request(text: &str) -> Request {
    Request {
        text: text.parse().expect("a request"),
        at: at(0),
        zone: None,
        place: None,
        session: None,
        user: None,
        earlier: Vec::new(),
        wishes: Default::default(),
    }
}

/// An event under a key, at the beginning.
pub(super) fn entry(key: &str, event: Event) -> Entry {
    Entry { key: key.into(), input: None, at: at(0), event }
}

/// The same, at a second.
pub(super) fn entry_at(second: i64, key: &str, event: Event) -> Entry {
    Entry { at: at(second), ..entry(key, event) }
}

/// The first entry of a run.
pub(super) fn received(text: &str) -> Entry {
    entry("received", Event::Received { request: Box::new(request(text)), parent: None })
}

/// Some work under a key.
pub(super) fn work(key: &str) -> Entry {
    entry(
        key,
        Event::MessageSent {
            from: "one".into(),
            to: "other".into(),
            text: key.into(),
            purpose: Default::default(),
            refused: None,
        },
    )
}

/// The run was taken up again.
pub(super) fn resumed(key: &str) -> Entry {
    entry(key, Event::Resumed { epoch: 1 })
}

/// A wait for an answer in words.
pub(super) fn waiting(second: i64, name: &str, need: Need, until: Option<Timestamp>) -> Entry {
    entry_at(second, &format!("wait/{name}"), Event::Waiting { wait: Wait { name: name.into(), need, until } })
}

/// A question.
pub(super) fn question(text: &str) -> Need {
    Need::Answer { question: text.into() }
}

/// An answer from outside.
pub(super) fn answered(second: i64, name: &str, answer: impl Into<Value>) -> Entry {
    let event = Event::Answered { name: name.into(), answer: answer.into(), by: None };
    entry_at(second, &format!("answer/{name}"), event)
}

/// The end of a run.
pub(super) fn finished(second: i64, ending: Ending) -> Entry {
    entry_at(second, "finished", Event::Finished { ending, spent: Default::default(), worked_ms: None })
}

/// An end with an answer.
pub(super) fn completed(second: i64, answer: &str) -> Entry {
    finished(second, Ending::Completed { answer: answer.into() })
}

/// A worker of that name.
pub(super) fn worker(id: &str) -> Worker {
    Worker { id: id.into(), host: "here".into(), pid: 7, started: u64::MAX }
}

/// A run that was accepted with a request, due at once.
pub(super) async fn accepted(store: &Arc<dyn Store>, text: &str) -> RunId {
    let run = RunId::fresh();
    store.accept(run, vec![received(text)], Some(at(0))).await.expect("accepted");
    run
}

/// The same, claimed by `me`.
pub(super) async fn claimed(store: &Arc<dyn Store>, text: &str) -> Token {
    let run = accepted(store, text).await;
    store.claim(run, "me").await.expect("claimed").token
}

/// A run that ended with an answer.
pub(super) async fn ended(store: &Arc<dyn Store>, text: &str, answer: &str) -> RunId {
    let token = claimed(store, text).await;
    commit(store, token, vec![completed(1, answer)]).await;
    token.run
}

/// Commits what must be taken.
pub(super) async fn commit(store: &Arc<dyn Store>, token: Token, entries: Vec<Entry>) -> Seq {
    store.commit(token, entries).await.expect("committed")
}

/// The whole ledger of a run.
pub(super) async fn ledger(store: &Arc<dyn Store>, run: RunId) -> Vec<Recorded> {
    store.events(run, 0, usize::MAX).await.expect("events")
}

/// The keys of a run's ledger, after it was seen to have no gaps.
pub(super) async fn keys(store: &Arc<dyn Store>, run: RunId) -> Vec<String> {
    let ledger = ledger(store, run).await;
    assert!(ledger.iter().map(|recorded| recorded.seq).eq(1..=ledger.len() as u64), "the ledger has gaps");
    ledger.into_iter().map(|recorded| recorded.entry.key).collect()
}

/// A run as listings show it.
pub(super) async fn shown(store: &Arc<dyn Store>, run: RunId) -> RunSummary {
    store.run(run).await.expect("read").expect("there")
}

/// The runs that are due at a second.
pub(super) async fn due(store: &Arc<dyn Store>, second: i64) -> Vec<RunId> {
    store.due(at(second), 100).await.expect("due")
}

/// Sees that somebody was replaced.
pub(super) fn is_fenced<T: std::fmt::Debug>(outcome: Result<T, StoreError>, run: RunId) {
    match outcome {
        Err(StoreError::Fenced { run: fenced }) => assert_eq!(fenced, run),
        other => panic!("not fenced: {other:?}"),
    }
}

/// Sees that a key was there.
pub(super) fn is_conflict<T: std::fmt::Debug>(outcome: Result<T, StoreError>, key: &str) {
    match outcome {
        Err(StoreError::Conflict { key: twice, .. }) => assert_eq!(twice, key),
        other => panic!("no conflict: {other:?}"),
    }
}
