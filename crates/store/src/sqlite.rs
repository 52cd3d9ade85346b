//! Ledgers in an SQLite file: one thread that writes, a few connections that read.

use std::path::PathBuf;

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
use rusqlite::Connection;
use serde_json::Value;

mod append;
mod approvals;
mod audit;
mod columns;
mod connect;
pub(crate) mod copy;
mod fault;
mod learning;
mod ledger;
mod library;
mod listing;
mod memory;
mod outlines;
mod outlook;
mod pieces;
mod readers;
mod records;
mod shelves;
mod stages;
mod traces;
mod uses;
mod vitals;
mod wakes;
mod writer;

use crate::batch::Batch;
use crate::filter::{Place, Values, page, whole};
use crate::growth::Growth;
use crate::instant::nanos;
pub(crate) use connect::reader_of as reader;
pub(crate) use fault::fault;
use readers::Readers;
use writer::Writer;

/// How many runs are deleted in one transaction, so that others can write in between.
const CLEARED_AT_ONCE: i64 = 200;

/// Ledgers of so many events are read by the writer on the way; longer ones would keep others waiting.
const SHORT: i64 = 32;

/// A store in one file.
pub(crate) struct Sqlite {
    readers: Readers,
    // After the readers, so that the last to leave is the one who can tidy the file up.
    writer: Writer,
    growth: Growth,
}

impl Sqlite {
    /// Opens a file, and makes it if it is not there.
    pub(crate) async fn open(path: PathBuf) -> Result<Self, StoreError> {
        let readers = Readers::new(path.clone());
        let opened = tokio::task::spawn_blocking(move || connect::writer(&path).and_then(Writer::start));
        let writer = opened.await.map_err(|gone| StoreError::Unavailable(gone.into()))??;
        Ok(Self { readers, writer, growth: Growth::default() })
    }
}

#[async_trait]
impl Store for Sqlite {
    async fn accept(&self, run: RunId, entries: Vec<Entry>, wake: Option<Timestamp>) -> Result<(), StoreError> {
        let (batch, wake) = (Batch::new(run, entries), wake.map(nanos));
        self.writer.write(move |connection| ledger::accept(connection, &batch, wake)).await?;
        self.growth.grew(run);
        Ok(())
    }

    async fn begin(&self, run: RunId, entries: Vec<Entry>, worker: &str) -> Result<Claim, StoreError> {
        let (batch, worker) = (Batch::new(run, entries), worker.to_owned());
        let write = move |connection: &Connection| {
            ledger::accept(connection, &batch, None)?;
            let (token, barren, _) = ledger::claim(connection, run, &worker)?;
            let ledger = listing::events(connection, run, 0, i64::MAX)?;
            Ok(Claim { token, ledger, barren })
        };
        let claim = self.writer.write(write).await?;
        self.growth.grew(run);
        Ok(claim)
    }

    async fn claim(&self, run: RunId, worker: &str) -> Result<Claim, StoreError> {
        let worker = worker.to_owned();
        let write = move |connection: &Connection| {
            let (token, barren, length) = ledger::claim(connection, run, &worker)?;
            let ledger = match length {
                0..=SHORT => Some(listing::events(connection, run, 0, SHORT)?),
                _ => None,
            };
            Ok((token, barren, ledger))
        };
        let (token, barren, ledger) = self.writer.write(write).await?;
        let ledger = match ledger {
            Some(ledger) => ledger,
            // Read after the claim: whoever owned the run before can add nothing to this any more.
            None => self.events(run, 0, usize::MAX).await?,
        };
        Ok(Claim { token, ledger, barren })
    }

    async fn commit(&self, token: Token, entries: Vec<Entry>) -> Result<Seq, StoreError> {
        let batch = Batch::new(token.run, entries);
        let seq = self.writer.write(move |connection| ledger::commit(connection, token, &batch)).await?;
        self.growth.grew(token.run);
        Ok(seq)
    }

    async fn release(&self, token: Token, wake: Option<Timestamp>) -> Result<(), StoreError> {
        let wake = wake.map(nanos);
        self.writer.write(move |connection| ledger::release(connection, token, wake)).await
    }

    async fn signal(&self, run: RunId, entry: Entry) -> Result<Signalled, StoreError> {
        let batch = Batch::new(run, vec![entry]).waking();
        let signalled = self.writer.write(move |connection| ledger::signal(connection, &batch)).await?;
        self.growth.grew(run);
        Ok(signalled)
    }

    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<RunId>, StoreError> {
        self.readers.read(move |connection| wakes::due(connection, now, whole(limit))).await
    }

    async fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        self.readers.read(move |connection| wakes::next_due(connection, now)).await
    }

    async fn beat(&self, worker: &Worker, now: Timestamp) -> Result<(), StoreError> {
        let worker = worker.clone();
        self.writer.write(move |connection| wakes::beat(connection, &worker, now)).await
    }

    async fn workers(&self) -> Result<Vec<(Worker, Timestamp)>, StoreError> {
        self.readers.read(wakes::workers).await
    }

    async fn part(&self, worker: &str, parting: Parting, now: Timestamp) -> Result<u64, StoreError> {
        let worker = worker.to_owned();
        self.writer.write(move |connection| wakes::part(connection, &worker, parting, now)).await
    }

    async fn reconcile(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.writer.write(move |connection| wakes::reconcile(connection, now)).await
    }

    async fn events(&self, run: RunId, after: Seq, limit: usize) -> Result<Vec<Recorded>, StoreError> {
        self.readers.read(move |connection| listing::events(connection, run, after, whole(limit))).await
    }

    async fn entry(&self, run: RunId, key: &str) -> Result<Option<Recorded>, StoreError> {
        let key = key.to_owned();
        self.readers.read(move |connection| listing::entry(connection, run, &key)).await
    }

    async fn grown(&self, run: RunId, after: Seq) -> Result<(), StoreError> {
        self.growth.wait(run, after, || self.readers.read(move |connection| listing::last(connection, run))).await
    }

    async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError> {
        self.readers.read(move |connection| listing::run(connection, run)).await
    }

    async fn runs(&self, filter: &RunFilter, cursor: Option<&Cursor>, limit: usize) -> Result<Page, StoreError> {
        let (values, place, one_more) = (Values::of(filter), Place::of(cursor)?, whole(limit.saturating_add(1)));
        let runs = self.readers.read(move |connection| listing::runs(connection, &values, place, one_more)).await?;
        Ok(page(runs, limit))
    }

    async fn totals(&self, filter: &RunFilter) -> Result<Totals, StoreError> {
        let values = Values::of(filter);
        self.readers.read(move |connection| listing::totals(connection, &values)).await
    }

    async fn vitals(&self, now: Timestamp) -> Result<Vitals, StoreError> {
        let read = self.readers.read(move |connection| vitals::vitals(connection, now)).await?;
        Ok(Vitals { commits: self.writer.commits(), queued: self.writer.queued(), ..read })
    }

    async fn clear(&self, filter: &RunFilter) -> Result<u64, StoreError> {
        let mut cleared = 0;
        loop {
            let values = Values::of(filter);
            match self.writer.write(move |connection| listing::clear(connection, &values, CLEARED_AT_ONCE)).await? {
                0 => break,
                some => cleared += some,
            }
        }
        if cleared > 0 {
            self.writer.write(listing::sweep).await?;
        }
        Ok(cleared)
    }

    async fn intents(
        &self,
        run: Option<RunId>,
        status: Option<IntentStatus>,
        limit: usize,
    ) -> Result<Vec<IntentView>, StoreError> {
        self.readers.read(move |connection| listing::intents(connection, run, status, whole(limit))).await
    }

    async fn waits(&self, run: Option<RunId>, limit: usize) -> Result<Vec<PendingWait>, StoreError> {
        self.readers.read(move |connection| listing::waits(connection, run, whole(limit))).await
    }

    async fn hindsight(&self, limit: usize) -> Result<Vec<Hindsight>, StoreError> {
        self.readers.read(move |connection| outlook::hindsight(connection, whole(limit))).await
    }

    async fn remember(&self, memory: &Memory) -> Result<(), StoreError> {
        let memory = memory.clone();
        self.writer.write(move |connection| memory::remember(connection, &memory)).await
    }

    async fn recall(&self, text: &str, limit: usize) -> Result<Vec<Memory>, StoreError> {
        let text = text.to_owned();
        self.readers.read(move |connection| memory::recall(connection, &text, whole(limit))).await
    }

    async fn memories(&self, limit: usize) -> Result<Vec<Memory>, StoreError> {
        self.readers.read(move |connection| memory::newest(connection, whole(limit))).await
    }

    async fn forget(&self, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.writer.write(move |connection| memory::forget(connection, &id)).await
    }
}

#[async_trait]
impl Shelf for Sqlite {
    async fn keep(&self, shelf: &str, key: &str, value: &Value, replacing: u64) -> Result<bool, StoreError> {
        let (shelf, key, value) = (shelf.to_owned(), key.to_owned(), value.to_string());
        self.writer.write(move |connection| shelves::keep(connection, &shelf, &key, &value, replacing)).await
    }

    async fn kept(&self, shelf: &str, key: &str) -> Result<Option<Kept>, StoreError> {
        let (shelf, key) = (shelf.to_owned(), key.to_owned());
        self.readers.read(move |connection| shelves::kept(connection, &shelf, &key)).await
    }

    async fn shelf(&self, shelf: &str) -> Result<Vec<Kept>, StoreError> {
        let shelf = shelf.to_owned();
        self.readers.read(move |connection| shelves::shelf(connection, &shelf)).await
    }

    async fn discard(&self, shelf: &str, key: &str, version: u64) -> Result<bool, StoreError> {
        let (shelf, key) = (shelf.to_owned(), key.to_owned());
        self.writer.write(move |connection| shelves::discard(connection, &shelf, &key, version)).await
    }
}

#[cfg(test)]
mod tests;
