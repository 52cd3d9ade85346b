//! The embedded dispatcher, on a real SQLite, is put through what every dispatcher must do.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use domain::store::Worker;
use futures::FutureExt;
use futures::future::join_all;
use runtime::Embedded;
use runtime::conformance::{CHECKS, CONCURRENCY, Fresh};
use tempfile::TempDir;

async fn embedded(folder: &TempDir) -> Fresh {
    let path = folder.path().join("ledger.db");
    let store = store::open(&format!("sqlite:{}", path.display())).await.expect("a store");
    let here = Embedded::this_process();
    // No process has this number.
    let dead = Worker { id: "dead".into(), pid: u32::MAX - 1, ..here.clone() };
    Fresh {
        dispatch: Arc::new(Embedded::new(Arc::clone(&store), here.clone(), CONCURRENCY)),
        store,
        worker: here.id,
        alive: Embedded::this_process(),
        dead,
    }
}

/// Side by side, because a dispatcher's day is mostly waiting.
#[tokio::test(flavor = "multi_thread")]
async fn embedded_does_what_every_dispatcher_must_do() {
    let checks = CHECKS.iter().map(async |check| {
        let folder = TempDir::new().expect("a folder");
        let passed = AssertUnwindSafe(check.pass(embedded(&folder).await)).catch_unwind().await;
        passed.err().map(|_| check.name)
    });
    let failed: Vec<&str> = join_all(checks).await.into_iter().flatten().collect();
    assert!(failed.is_empty(), "{} of {} checks: {failed:#?}", failed.len(), CHECKS.len());
}
