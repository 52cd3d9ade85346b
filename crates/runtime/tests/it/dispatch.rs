//! The embedded dispatcher, on a real SQLite, is put through what every dispatcher must do.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use async_trait::async_trait;
use domain::dispatch::{Advance, Advanced, Dispatch};
use domain::event::{Entry, Event};
use domain::id::RunId;
use domain::run::Ending;
use domain::store::{Store, StoreError, Worker};
use futures::FutureExt;
use futures::future::join_all;
use jiff::Timestamp;
use runtime::Embedded;
use runtime::conformance::{CHECKS, CONCURRENCY, Fresh};
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::Notify;

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

/// Ends every run but one, which it keeps.
struct Keeping {
    store: Arc<dyn Store>,
    worker: String,
    kept: RunId,
    begun: Notify,
}

#[async_trait]
impl Advance for Keeping {
    async fn advance(&self, run: RunId) -> Result<Advanced, StoreError> {
        let token = self.store.claim(run, &self.worker).await?.token;
        if run == self.kept {
            self.begun.notify_one();
            std::future::pending::<()>().await;
        }
        let event = Event::Finished {
            ending: Ending::Completed { answer: "done".into() },
            spent: Default::default(),
            worked_ms: None,
        };
        self.store.commit(token, vec![entry("finished", event)]).await?;
        Ok(Advanced::Ended)
    }
}

fn entry(key: &str, event: Event) -> Entry {
    Entry { key: key.into(), input: None, at: Timestamp::now(), event }
}

async fn accepted(store: &Arc<dyn Store>, wake: Option<Timestamp>) -> RunId {
    let request = json!({"text": "feed the cat", "at": Timestamp::now()});
    let request = Box::new(serde_json::from_value(request).expect("a request"));
    let run = RunId::fresh();
    let received = entry("received", Event::Received { request, parent: None });
    store.accept(run, vec![received], wake).await.expect("accepted");
    run
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_attends_to_one_run_lets_go_of_no_other() {
    let folder = TempDir::new().expect("a folder");
    let Fresh { store, worker, .. } = embedded(&folder).await;
    let here = Embedded::this_process();
    let dispatch = Embedded::new(Arc::clone(&store), Worker { id: worker.clone(), ..here }, CONCURRENCY);
    let kept = accepted(&store, Some(Timestamp::now())).await;
    let keeping = Arc::new(Keeping { store: Arc::clone(&store), worker: worker.clone(), kept, begun: Notify::new() });
    let owned = async || {
        let known = store.workers().await.expect("workers").into_iter().any(|(known, _)| known.id == worker);
        known && !store.due(Timestamp::now(), 10).await.expect("due").contains(&kept)
    };
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = Box::pin(async {
        let _ = stopped.await;
    });
    let attending = async {
        keeping.begun.notified().await;
        let attended = accepted(&store, None).await;
        assert_eq!(dispatch.attend(keeping.as_ref(), attended).await.expect("advanced"), Advanced::Ended);
        assert!(owned().await, "the other run was given away while it was under way");
        drop(stop);
    };
    let (worked, ()) = tokio::join!(dispatch.work(Arc::clone(&keeping) as Arc<dyn Advance>, stopped), attending);
    worked.expect("an orderly stop");
    assert!(!owned().await, "it was not let go of in the end");
}
