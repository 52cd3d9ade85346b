//! Following a run: told at once of what this process records, and before long of what others do.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::event::Seq;
use domain::id::RunId;
use domain::store::StoreError;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// How long a follower is left waiting at most.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the database is asked for what other processes have recorded.
const POLL: Duration = Duration::from_millis(200);

/// Those who follow runs, by run.
#[derive(Default)]
pub(crate) struct Growth {
    followers: Mutex<HashMap<RunId, Arc<Notify>>>,
}

impl Growth {
    /// Tells those who follow a run that it has grown.
    pub(crate) fn grew(&self, run: RunId) {
        let followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(follower) = followers.get(&run) {
            follower.notify_waiters();
        }
    }

    /// Returns once the run has grown beyond `after`, or when patience ends; `last` reads how far it has grown.
    pub(crate) async fn wait<F>(&self, run: RunId, after: Seq, last: impl Fn() -> F) -> Result<(), StoreError>
    where
        F: Future<Output = Result<Seq, StoreError>>,
    {
        let patience = Instant::now() + PATIENCE;
        let follower = self.follow(run);
        loop {
            // Registered before the database is read, so that nothing recorded in between is missed.
            let notified = follower.notify.notified();
            tokio::pin!(notified);
            notified.as_mut().enable();
            if last().await? > after || Instant::now() >= patience {
                return Ok(());
            }
            if timeout_at(patience.min(Instant::now() + POLL), notified).await.is_ok() {
                return Ok(());
            }
        }
    }

    fn follow(&self, run: RunId) -> Follower<'_> {
        let mut followers = self.followers.lock().unwrap_or_else(PoisonError::into_inner);
        let notify = followers.entry(run).or_default().clone();
        Follower { growth: self, run, notify }
    }
}

/// Somebody who follows a run, until dropped.
struct Follower<'g> {
    growth: &'g Growth,
    run: RunId,
    notify: Arc<Notify>,
}

impl Drop for Follower<'_> {
    fn drop(&mut self) {
        let mut followers = self.growth.followers.lock().unwrap_or_else(PoisonError::into_inner);
        // The map's and ours: nobody else follows this run.
        if Arc::strong_count(&self.notify) == 2 {
            followers.remove(&self.run);
        }
    }
}
