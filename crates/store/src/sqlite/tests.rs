//! What only somebody with a hand on the writer's connection can bring about.

use domain::event::{Entry, Event};
use domain::guideline::{Arm, ExperimentId, Learning, Observation, Revision};
use domain::id::RunId;
use domain::request::Request;
use domain::store::{Store, StoreError, Token};
use domain::symbol::Symbol;
use futures::future::join_all;
use jiff::Timestamp;

use super::Sqlite;
use super::fault::Failure;

fn entry(key: &str, event: Event) -> Entry {
    Entry { key: key.into(), input: None, at: Timestamp::UNIX_EPOCH, event }
}

fn said(key: &str, text: &str) -> Entry {
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

async fn claimed(store: &Sqlite) -> Token {
    let request = Request {
        text: "fill the disk".parse().expect("a request"),
        at: Timestamp::UNIX_EPOCH,
        zone: None,
        place: None,
        session: None,
        user: None,
        earlier: Vec::new(),
        wishes: Default::default(),
    };
    let received = entry("received", Event::Received { request: Box::new(request), parent: None });
    let run = RunId::fresh();
    store.accept(run, vec![received], None).await.expect("accepted");
    store.claim(run, "me").await.expect("claimed").token
}

async fn limit_pages(store: &Sqlite, pages: i64) {
    let limit = move |connection: &rusqlite::Connection| {
        connection
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |row| row.get::<_, i64>(0))
            .map_err(Failure::from)
    };
    store.writer.write(limit).await.expect("limited");
}

#[tokio::test]
async fn a_full_disk_loses_nothing_and_is_over_once_there_is_space() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let store = Sqlite::open(folder.path().join("ledger.db")).await.expect("opened");
    let token = claimed(&store).await;
    limit_pages(&store, 200).await;
    let text = "x".repeat(4_000);
    let mut written = 0;
    let full = loop {
        match store.commit(token, vec![said(&format!("{written}"), &text)]).await {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, StoreError::Full), "{full:?}");
    assert!(written > 50);
    // Everyone who shares a transaction with one that does not fit is told, and nothing of it is kept.
    let together = (0..20).map(|n| store.commit(token, vec![said(&format!("together/{n}"), &text)]));
    for outcome in join_all(together).await {
        assert!(matches!(outcome, Err(StoreError::Full)), "{outcome:?}");
    }
    let ledger = store.events(token.run, 0, usize::MAX).await.expect("events");
    assert!(ledger.iter().map(|recorded| recorded.seq).eq(1..=written + 1));
    limit_pages(&store, 1_000_000).await;
    let seq = store.commit(token, vec![said("after", &text)]).await.expect("committed");
    assert_eq!(seq, written + 2);
}

#[tokio::test]
async fn what_was_learnt_is_as_before_when_the_disk_is_full_halfway() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let store = Sqlite::open(folder.path().join("ledger.db")).await.expect("opened");
    let seen = |n: usize| Observation {
        experiment: ExperimentId(Symbol::of("e")),
        trace: format!("t-{n}").try_into().expect("a trace id"),
        arm: Arm::Control,
        success: true,
    };
    let first = Revision { state: Some((1, vec![1])), observations: vec![seen(0)], ..Revision::default() };
    assert!(store.revise(0, first).await.expect("revised"));
    let before = store.learned().await.expect("learned");
    limit_pages(&store, 200).await;
    let large =
        || Revision { state: Some((2, vec![2])), observations: (0..20_000).map(seen).collect(), ..Revision::default() };
    let full = store.revise(1, large()).await;
    assert!(matches!(full, Err(StoreError::Full)), "{full:?}");
    assert_eq!(store.learned().await.expect("learned"), before);
    assert_eq!(store.observations(&seen(0).experiment).await.expect("observations"), [seen(0)]);
    limit_pages(&store, 1_000_000).await;
    assert!(store.revise(1, large()).await.expect("revised"));
    assert_eq!(store.observations(&seen(0).experiment).await.expect("observations").len(), 20_000);
}
