//! The seam to whatever keeps runs going: "advance run R at time T, at least once, one at a time per run".

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::id::RunId;
use crate::store::StoreError;

/// Takes a run as far as it goes. Safe to call at any time and any number of times.
#[async_trait]
pub trait Advance: Send + Sync {
    /// Returns when the run has ended, waits, or is owned by somebody else.
    async fn advance(&self, run: RunId) -> Result<Advanced, StoreError>;
}

/// How far a run got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advanced {
    /// It is over.
    Ended,
    /// It needs something from outside, or a moment to come.
    Waits,
    /// Somebody else has it.
    Elsewhere,
}

/// Sees to it that runs are advanced.
#[async_trait]
pub trait Dispatch: Send + Sync {
    /// Advance the run soon: a hint that spares a delay. A lost hint is made up for by the wake in the store.
    async fn nudge(&self, run: RunId);

    /// Works until `stop` resolves, then lets go of what it works on and returns. Nothing outlives the call.
    async fn work(&self, advance: Arc<dyn Advance>, stop: Stop<'_>) -> Result<(), StoreError>;

    /// What `now` is for this dispatcher.
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Resolves when it is time to stop.
pub type Stop<'a> = std::pin::Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
