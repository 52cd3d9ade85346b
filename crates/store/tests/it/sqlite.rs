//! What an SQLite file can suffer.

use std::sync::Arc;

use domain::store::{RunFilter, Store, StoreError};
use futures::future::join_all;
use tempfile::TempDir;

use crate::words::{claimed, finished, keys, said};

async fn open(folder: &TempDir, name: &str) -> Result<Arc<dyn Store>, StoreError> {
    store::open(&format!("sqlite:{}", folder.path().join(name).display())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_does_what_every_store_must_do() {
    for check in store::conformance::CHECKS {
        eprintln!("{}", check.name);
        let folder = TempDir::new().expect("a folder");
        check.pass(open(&folder, "ledger.db").await.expect("opened")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_committed_is_there_when_the_file_is_opened_again() {
    let folder = TempDir::new().expect("a folder");
    let store = open(&folder, "ledger.db").await.expect("opened");
    let token = claimed(&*store, "stay").await;
    store.commit(token, vec![said("a", "b")]).await.expect("committed");
    drop(store);
    let path = folder.path().join("ledger.db");
    assert!(!path.with_extension("db-wal").exists(), "the file stands alone once it is closed");
    let store = store::open(path.to_str().expect("a path")).await.expect("a bare path will do");
    assert_eq!(keys(&*store, token.run).await, ["received", "a"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_can_use_one_file() {
    let folder = TempDir::new().expect("a folder");
    let (one, other) = tokio::join!(open(&folder, "ledger.db"), open(&folder, "ledger.db"));
    let stores = [one.expect("opened"), other.expect("opened")];
    let token = claimed(&*stores[0], "shared").await;
    let writers = (0..32).map(|writer| {
        let store = &stores[writer % 2];
        async move {
            for n in 0..10 {
                store.commit(token, vec![said(&format!("{writer}/{n}"), "hello")]).await.expect("committed");
            }
        }
    });
    join_all(writers).await;
    let recorded = stores[1].events(token.run, 0, usize::MAX).await.expect("events");
    assert!(recorded.iter().map(|recorded| recorded.seq).eq(1..=321));
    // Whoever claims it through one replaces whoever owns it through the other.
    stores[1].claim(token.run, "you").await.expect("claimed");
    let refused = stores[0].commit(token, vec![said("late", "")]).await;
    assert!(matches!(refused, Err(StoreError::Fenced { .. })), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_follows_a_run_hears_of_what_another_process_records() {
    let folder = TempDir::new().expect("a folder");
    let (here, there) = (open(&folder, "ledger.db").await.expect("opened"), open(&folder, "ledger.db").await);
    let there = there.expect("opened");
    let token = claimed(&*there, "far away").await;
    let (grown, committed) = tokio::join!(here.grown(token.run, 1), there.commit(token, vec![said("a", "")]));
    grown.expect("grown");
    committed.expect("committed");
    assert_eq!(keys(&*here, token.run).await, ["received", "a"]);
}

#[tokio::test]
async fn a_large_body_is_stored_once_and_as_long_as_it_is_needed() {
    let folder = TempDir::new().expect("a folder");
    let store = open(&folder, "ledger.db").await.expect("opened");
    let file = rusqlite::Connection::open(folder.path().join("ledger.db")).expect("opened");
    let stored = || file.query_row("SELECT count(*) FROM blob", [], |row| row.get::<_, i64>(0)).expect("counted");
    let text = "large ".repeat(200_000);
    let runs = [claimed(&*store, "one").await, claimed(&*store, "other").await];
    for token in runs {
        store.commit(token, vec![said("a", &text), said("b", &text)]).await.expect("committed");
    }
    assert_eq!(stored(), 1);
    for (left, token) in [1, 0].into_iter().zip(runs) {
        store.commit(token, vec![finished()]).await.expect("committed");
        assert_eq!(store.clear(&RunFilter::default()).await.expect("cleared"), 1);
        assert_eq!(stored(), left);
    }
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_refused_and_left_alone() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("newer.db");
    let newer = rusqlite::Connection::open(&path).expect("opened");
    newer.execute_batch("CREATE TABLE marvel (x); PRAGMA user_version = 999;").expect("written");
    drop(newer);
    let before = std::fs::read(&path).expect("read");
    let refused = open(&folder, "newer.db").await.map(drop).expect_err("refused");
    assert_eq!(
        refused.to_string(),
        "the database was written by a newer version: its schema is 999, this program knows 6"
    );
    assert_eq!(std::fs::read(&path).expect("read"), before);
}

#[tokio::test]
async fn a_file_of_an_older_version_is_brought_up_to_date() {
    let folder = TempDir::new().expect("a folder");
    let older = rusqlite::Connection::open(folder.path().join("older.db")).expect("opened");
    let schema = [
        include_str!("../../migrations/sqlite/0001_ledger.sql"),
        include_str!("../../migrations/sqlite/0002_shelves.sql"),
    ];
    older.execute_batch(&schema.concat()).expect("made");
    older
        .execute_batch(
            "INSERT INTO run (id, status, ended, created_at, updated_at)
             VALUES (x'01020304050607080102030405060708', 'completed', 1, 5, 6);
             INSERT INTO words (run, request, folded) VALUES (1, 'before', 'before');
             INSERT INTO run (id, status, created_at, updated_at)
             VALUES (x'ff020304050607080102030405060708', 'waiting', 4, 6);
             INSERT INTO words (run, request, folded) VALUES (2, 'asks', 'asks');
             INSERT INTO promise (run, name, wait, since)
             VALUES (2, 'a', '{\"name\":\"a\",\"need\":{\"need\":\"answer\",\"question\":\"?\"}}', 5);
             PRAGMA user_version = 2;",
        )
        .expect("written");
    drop(older);
    let store = open(&folder, "older.db").await.expect("opened");
    let (requests, _) = store.requests(None, None, 10).await.expect("requests");
    assert_eq!(requests.len(), 2);
    assert_eq!(store.waits(None, 10).await.expect("waits").len(), 1);
    assert!(store.news(0, 10).await.expect("news").is_empty());
    assert_eq!((requests[0].query.as_deref(), requests[0].chain.len()), (Some("before"), 0));
    assert!(store.hindsight(10).await.expect("hindsight").is_empty());
    let token = store.claim(requests[0].request.parse().expect("a run"), "me").await.expect("claimed").token;
    store.commit(token, vec![said("a", "b")]).await.expect("committed");
    drop(store);
    let again = open(&folder, "older.db").await.expect("opened");
    assert_eq!(keys(&*again, token.run).await, ["a"]);
}

#[tokio::test]
async fn what_is_not_a_database_is_damaged() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("garbage.db");
    std::fs::write(&path, "this is not a database ".repeat(1000)).expect("written");
    let refused = open(&folder, "garbage.db").await.map(drop);
    assert!(matches!(refused, Err(StoreError::Damaged { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_file_that_cannot_be_opened_is_not_available() {
    let folder = TempDir::new().expect("a folder");
    let refused = open(&folder, "no/such/folder/ledger.db").await.map(drop);
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
}
