//! Traces of runs from before there were any, and traces that several processes send and learn from.

use std::sync::Arc;

use domain::event::{Entry, Event, Outcome, Route};
use domain::guideline::{Arm, ExperimentId, Observation, Revision};
use domain::id::TraceId;
use domain::plan::Strategy;
use domain::store::Store;
use domain::symbol::Symbol;
use domain::trace::{Part, Piece, Source, Standing, TraceFilter, Verdict};
use futures::future::join_all;
use serde_json::json;
use tempfile::TempDir;

use crate::server::Server;
use crate::words::{entry, finished, now, received};

/// The ledger of a run that is in the database already.
fn old_ledger() -> Vec<Entry> {
    let tool: domain::id::ToolName = "cat.feed".parse().expect("a tool");
    let why = "it's \u{0} \"clear\"".to_owned();
    let routed = Event::Routed { route: Route::Fast, strategy: Strategy::SingleAgent, why, judgement: None };
    let result = Outcome::Ok(json!("fed"));
    let called = Event::ToolCalled { tool, arguments: json!({}), result, millis: 3 };
    vec![received("feed the cat"), entry("routed", routed), entry("call", called), finished()]
}

/// What makes two runs: one with a ledger, and one whose ledger is gone.
fn old_rows(id: impl Fn(&str) -> String, place: bool, truth: &str) -> String {
    let at = now().as_nanosecond();
    let run = |byte: &str| {
        let id = id(&byte.repeat(16));
        format!(
            "INSERT INTO run (id, status, ended, strategy, cost, created_at, updated_at)
             VALUES ({id}, 'completed', {truth}, 'single_agent', 5, {at}, {at});"
        )
    };
    let words = |run: i64| format!("INSERT INTO words (run, request, folded) VALUES ({run}, 'feed', 'feed');");
    let events = old_ledger().into_iter().zip(1_i64..).map(|(entry, seq)| {
        let body = serde_json::to_string(&entry.event).expect("JSON").replace('\'', "''");
        let (column, value) = if place { (", place", format!(", {}", 1 << 24 | seq)) } else { ("", String::new()) };
        let key = entry.key;
        format!(
            "INSERT INTO event (run, seq, key, at, body{column}) VALUES (1, {seq}, '{key}', {at}, '{body}'{value});"
        )
    });
    [run("01"), run("02"), words(1), words(2)].into_iter().chain(events).collect()
}

async fn has_traces_of_old_runs(store: Arc<dyn Store>) {
    let id: TraceId = format!("run_{}", "01".repeat(16)).try_into().expect("a trace id");
    let (changed, mark) = store.changed_traces(0, 10).await.expect("changed");
    assert_eq!(changed.len(), 1, "the other has no ledger");
    assert_eq!((&changed[0].id, changed[0].agent.as_str(), changed[0].calls), (&id, "fast", 1));
    assert_eq!((changed[0].success, changed[0].ended_at), (Some(true), Some(now())));
    assert!(store.trace(&id).await.expect("read").is_some());
    let (listed, _) = store.traces(&TraceFilter::default(), None, 10).await.expect("traces");
    assert_eq!(listed, changed);
    assert!(store.changed_traces(mark, 10).await.expect("changed").0.is_empty());
    let ways = store.pathways().await.expect("pathways");
    assert_eq!((ways.len(), ways[0].route, ways[0].runs, ways[0].good), (1, Route::Fast, 1, 1));
}

#[tokio::test]
async fn runs_in_a_file_from_before_have_traces() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("older.db");
    let older = rusqlite::Connection::open(&path).expect("opened");
    let schema = [
        include_str!("../../migrations/sqlite/0001_ledger.sql"),
        include_str!("../../migrations/sqlite/0002_shelves.sql"),
        include_str!("../../migrations/sqlite/0003_stages.sql"),
        include_str!("../../migrations/sqlite/0004_library.sql"),
    ];
    older.execute_batch(&schema.concat()).expect("made");
    older.execute_batch(&old_rows(|hex| format!("x'{hex}'"), true, "1")).expect("written");
    older.execute_batch("PRAGMA user_version = 4").expect("written");
    drop(older);
    has_traces_of_old_runs(store::open(path.to_str().expect("a path")).await.expect("opened")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_on_a_server_from_before_have_traces() {
    let server = Server::start();
    let url = server.database("older").await;
    let rows = old_rows(|hex| format!("'\\x{hex}'"), false, "TRUE");
    let schema = [
        include_str!("../../migrations/postgres/0001_ledger.sql"),
        include_str!("../../migrations/postgres/0002_shelves.sql"),
        include_str!("../../migrations/postgres/0003_stages.sql"),
        include_str!("../../migrations/postgres/0004_library.sql"),
        "CREATE TABLE schema_version (version BIGINT NOT NULL);
         INSERT INTO schema_version (version) VALUES (1), (2), (3), (4);",
        &rows,
    ];
    server.execute("older", schema.concat()).await;
    has_traces_of_old_runs(store::open(&url).await.expect("opened")).await;
}

fn label(trace: &str, success: bool) -> Part {
    let outcome = Verdict { success, score: None, answer: None };
    let trace = trace.to_owned().try_into().expect("a trace id");
    Part { trace, key: "label".into(), at: now(), piece: Piece::Label { outcome } }
}

/// Several processes send the same traces, revoke, and learn at once: nothing is lost, nobody waits forever.
async fn is_shared(stores: &[Arc<dyn Store>]) {
    let sending = (0..24).map(|n| {
        let store = &stores[n % stores.len()];
        async move {
            // In another order each time.
            let mut parts: Vec<Part> = (0..10).map(|trace| label(&format!("t-{trace}"), n % 2 == 0)).collect();
            parts.rotate_left(n % 10);
            store.receive(&Source::key("k"), Standing::Evidence, parts, now()).await.expect("received");
            if n == 12 {
                store.revoke_source(&Source::key("k"), now()).await.expect("revoked");
            }
        }
    });
    let learning = (0..24_u64).map(|n| {
        let store = &stores[n as usize % stores.len()];
        async move {
            loop {
                let revision = store.learned().await.expect("learned").revision;
                let seen = Observation {
                    experiment: ExperimentId(Symbol::of("e")),
                    trace: format!("t-{n}").try_into().expect("a trace id"),
                    arm: Arm::Control,
                    success: true,
                };
                let change = Revision { observations: vec![seen], ..Revision::default() };
                if store.revise(revision, change).await.expect("revised") {
                    break;
                }
            }
        }
    });
    tokio::join!(join_all(sending), join_all(learning));
    for store in stores {
        let (changed, _) = store.changed_traces(0, 100).await.expect("changed");
        assert_eq!(changed.len(), 10);
        assert!(changed.iter().all(|trace| trace.standing == Standing::Watched && trace.success.is_some()));
        assert_eq!(store.learned().await.expect("learned").revision, 24);
        let seen = store.observations(&ExperimentId(Symbol::of("e"))).await.expect("observations");
        assert_eq!(seen.len(), 24);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_in_a_file_are_shared() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("shared.db").to_str().expect("a path").to_owned();
    is_shared(&[store::open(&path).await.expect("opened"), store::open(&path).await.expect("opened")]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_on_a_server_are_shared() {
    let server = Server::start();
    let url = server.place("shared").await;
    let stores = join_all((0..3).map(|_| store::open(&url))).await;
    is_shared(&stores.into_iter().map(|store| store.expect("opened")).collect::<Vec<_>>()).await;
}
