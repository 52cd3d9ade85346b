//! The words in which tests are written.

use domain::event::{Entry, Event};
use domain::id::RunId;
use domain::request::Request;
use domain::run::Ending;
use domain::store::{Store, Token};
use jiff::Timestamp;

/// A moment that is always the same.
pub(crate) fn now() -> Timestamp {
    Timestamp::new(1_763_000_000, 5).expect("a moment")
}

/// The first entry of a run.
pub(crate) fn received(text: &str) -> Entry {
    let request = Request {
        text: text.parse().expect("a request"),
        at: now(),
        zone: None,
        place: None,
        session: None,
        user: None,
        earlier: Vec::new(),
        wishes: Default::default(),
    };
    entry("received", Event::Received { request: Box::new(request), parent: None })
}

/// Some words from one agent to another.
pub(crate) fn said(key: &str, text: &str) -> Entry {
    entry(
        key,
        Event::MessageSent {
            from: "one".into(),
            to: "other".into(),
            text: text.into(),
            purpose: Default::default(),
            refused: None,
        },
    )
}

/// The end of a run.
pub(crate) fn finished() -> Entry {
    let ending = Ending::Completed { answer: "done".into() };
    entry("finished", Event::Finished { ending, spent: Default::default(), worked_ms: None })
}

/// A run that was accepted and claimed.
pub(crate) async fn claimed(store: &dyn Store, text: &str) -> Token {
    let run = RunId::fresh();
    store.accept(run, vec![received(text)], None).await.expect("accepted");
    store.claim(run, "me").await.expect("claimed").token
}

/// The keys of a run's ledger.
pub(crate) async fn keys(store: &dyn Store, run: RunId) -> Vec<String> {
    let ledger = store.events(run, 0, usize::MAX).await.expect("events");
    ledger.into_iter().map(|recorded| recorded.entry.key).collect()
}

/// An event under a key.
pub(crate) fn entry(key: &str, event: Event) -> Entry {
    Entry { key: key.into(), input: None, at: now(), event }
}
