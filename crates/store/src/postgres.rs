//! Ledgers in PostgreSQL: one transaction for each thing that is written, on as many machines as there are.

use async_trait::async_trait;
use domain::event::{Entry, Recorded, Seq};
use domain::forecast::Hindsight;
use domain::id::RunId;
use domain::intent::{IntentStatus, IntentView};
use domain::run::RunSummary;
use domain::shelf::{Kept, Shelf};
use domain::store::{
    Claim, Cursor, Memory, Page, Parting, PendingWait, RunFilter, Signalled, Store, StoreError, Token, Totals, Vitals,
    Worker,
};
use jiff::Timestamp;
use serde_json::Value;
use sqlx::postgres::PgPool;

mod append;
mod approvals;
mod audit;
mod columns;
mod connect;
mod fault;
mod learning;
mod ledger;
mod library;
mod listing;
mod memory;
mod outlines;
mod outlook;
mod pieces;
mod records;
mod revision;
mod shelves;
mod stages;
mod traces;
mod uses;
mod vitals;
mod wakes;

use crate::batch::Batch;
use crate::filter::{Place, Values, page, whole};
use crate::growth::Growth;
use crate::instant::nanos;

/// How many runs are deleted in one transaction, so that none takes long.
const CLEARED_AT_ONCE: i64 = 200;

/// A store on a server.
pub(crate) struct Postgres {
    pool: PgPool,
    growth: Growth,
}

impl Postgres {
    /// Connects to a server.
    pub(crate) async fn open(url: &str) -> Result<Self, StoreError> {
        Ok(Self { pool: connect::connect(url).await?, growth: Growth::default() })
    }
}

#[async_trait]
impl Store for Postgres {
    async fn accept(&self, run: RunId, entries: Vec<Entry>, wake: Option<Timestamp>) -> Result<(), StoreError> {
        ledger::accept(&self.pool, &Batch::new(run, entries), wake.map(nanos)).await?;
        self.growth.grew(run);
        Ok(())
    }

    async fn claim(&self, run: RunId, worker: &str) -> Result<Claim, StoreError> {
        let (token, barren) = ledger::claim(&self.pool, run, worker).await?;
        // Read after the claim: whoever owned the run before can add nothing to this any more.
        let ledger = self.events(run, 0, usize::MAX).await?;
        Ok(Claim { token, ledger, barren })
    }

    async fn commit(&self, token: Token, entries: Vec<Entry>) -> Result<Seq, StoreError> {
        let seq = ledger::commit(&self.pool, token, &Batch::new(token.run, entries)).await?;
        self.growth.grew(token.run);
        Ok(seq)
    }

    async fn release(&self, token: Token, wake: Option<Timestamp>) -> Result<(), StoreError> {
        ledger::release(&self.pool, token, wake.map(nanos)).await
    }

    async fn signal(&self, run: RunId, entry: Entry) -> Result<Signalled, StoreError> {
        let signalled = ledger::signal(&self.pool, &Batch::new(run, vec![entry]).waking()).await?;
        self.growth.grew(run);
        Ok(signalled)
    }

    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<RunId>, StoreError> {
        wakes::due(&self.pool, now, whole(limit)).await
    }

    async fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        wakes::next_due(&self.pool, now).await
    }

    async fn beat(&self, worker: &Worker, now: Timestamp) -> Result<(), StoreError> {
        wakes::beat(&self.pool, worker, now).await
    }

    async fn workers(&self) -> Result<Vec<(Worker, Timestamp)>, StoreError> {
        wakes::workers(&self.pool).await
    }

    async fn part(&self, worker: &str, parting: Parting, now: Timestamp) -> Result<u64, StoreError> {
        wakes::part(&self.pool, worker, parting, now).await
    }

    async fn reconcile(&self, now: Timestamp) -> Result<u64, StoreError> {
        wakes::reconcile(&self.pool, now).await
    }

    async fn events(&self, run: RunId, after: Seq, limit: usize) -> Result<Vec<Recorded>, StoreError> {
        listing::events(&self.pool, run, after, whole(limit)).await
    }

    async fn entry(&self, run: RunId, key: &str) -> Result<Option<Recorded>, StoreError> {
        listing::entry(&self.pool, run, key).await
    }

    async fn grown(&self, run: RunId, after: Seq) -> Result<(), StoreError> {
        self.growth.wait(run, after, || listing::last(&self.pool, run)).await
    }

    async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError> {
        listing::run(&self.pool, run).await
    }

    async fn runs(&self, filter: &RunFilter, cursor: Option<&Cursor>, limit: usize) -> Result<Page, StoreError> {
        let one_more = whole(limit.saturating_add(1));
        let runs = listing::runs(&self.pool, Values::of(filter), Place::of(cursor)?, one_more).await?;
        Ok(page(runs, limit))
    }

    async fn totals(&self, filter: &RunFilter) -> Result<Totals, StoreError> {
        listing::totals(&self.pool, Values::of(filter)).await
    }

    async fn vitals(&self, now: Timestamp) -> Result<Vitals, StoreError> {
        vitals::vitals(&self.pool, now).await
    }

    async fn clear(&self, filter: &RunFilter) -> Result<u64, StoreError> {
        let mut cleared = 0;
        loop {
            match listing::clear(&self.pool, Values::of(filter), CLEARED_AT_ONCE).await? {
                0 => break,
                some => cleared += some,
            }
        }
        if cleared > 0 {
            listing::sweep(&self.pool).await?;
        }
        Ok(cleared)
    }

    async fn intents(
        &self,
        run: Option<RunId>,
        status: Option<IntentStatus>,
        limit: usize,
    ) -> Result<Vec<IntentView>, StoreError> {
        listing::intents(&self.pool, run, status, whole(limit)).await
    }

    async fn waits(&self, run: Option<RunId>, limit: usize) -> Result<Vec<PendingWait>, StoreError> {
        listing::waits(&self.pool, run, whole(limit)).await
    }

    async fn hindsight(&self, limit: usize) -> Result<Vec<Hindsight>, StoreError> {
        outlook::hindsight(&self.pool, whole(limit)).await
    }

    async fn remember(&self, memory: &Memory) -> Result<(), StoreError> {
        memory::remember(&self.pool, memory).await
    }

    async fn recall(&self, text: &str, limit: usize) -> Result<Vec<Memory>, StoreError> {
        memory::recall(&self.pool, text, whole(limit)).await
    }

    async fn memories(&self, limit: usize) -> Result<Vec<Memory>, StoreError> {
        memory::newest(&self.pool, whole(limit)).await
    }

    async fn forget(&self, id: &str) -> Result<bool, StoreError> {
        memory::forget(&self.pool, id).await
    }
}

#[async_trait]
impl Shelf for Postgres {
    async fn keep(&self, shelf: &str, key: &str, value: &Value, replacing: u64) -> Result<bool, StoreError> {
        shelves::keep(&self.pool, shelf, key, value, replacing).await
    }

    async fn kept(&self, shelf: &str, key: &str) -> Result<Option<Kept>, StoreError> {
        shelves::kept(&self.pool, shelf, key).await
    }

    async fn shelf(&self, shelf: &str) -> Result<Vec<Kept>, StoreError> {
        shelves::shelf(&self.pool, shelf).await
    }

    async fn discard(&self, shelf: &str, key: &str, version: u64) -> Result<bool, StoreError> {
        shelves::discard(&self.pool, shelf, key, version).await
    }
}
