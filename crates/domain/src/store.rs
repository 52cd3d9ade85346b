//! The seam to a database: a fenced, keyed journal of events, and views of it.
//!
//! Every write of a run's own work goes through [`Store::commit`], which refuses an owner that has been replaced. What
//! comes from outside, an answer or a wish to cancel, goes through [`Store::signal`]. The rows that listings, intents,
//! promises and wakes are read from are changed in the same transaction as the events they are views of, by the
//! [changes](crate::view::changes) that each event means.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::approval::Approvals;
use crate::audit::Audit;
use crate::budget::Spent;
use crate::event::{Entry, Recorded, Seq, Wait};
use crate::forecast::Hindsight;
use crate::guideline::Learning;
use crate::id::{RunId, SessionId};
use crate::intent::{IntentStatus, IntentView};
use crate::library::Library;
use crate::plan::Strategy;
use crate::run::{RunStatus, RunSummary};
use crate::shelf::Shelf;
use crate::stage::Stages;
use crate::trace::Traces;

/// A database that keeps ledgers.
#[async_trait]
pub trait Store: Shelf + Stages + Library + Approvals + Traces + Learning + Audit {
    /// Takes a run in: its first entries, the first of which is `Received`, and a wake for `wake`, if any. On return the
    /// run is durable. Accepting a run that is there already changes nothing.
    async fn accept(&self, run: RunId, entries: Vec<Entry>, wake: Option<Timestamp>) -> Result<(), StoreError>;

    /// Takes a run in and becomes its owner at once: [`accept`](Store::accept) and [`claim`](Store::claim) in one.
    async fn begin(&self, run: RunId, entries: Vec<Entry>, worker: &str) -> Result<Claim, StoreError> {
        self.accept(run, entries, None).await?;
        self.claim(run, worker).await
    }

    /// Becomes the owner of a run, whoever owned it before: raises its epoch, counts a claim without progress, and
    /// reads its whole ledger. The wake that led here is consumed.
    async fn claim(&self, run: RunId, worker: &str) -> Result<Claim, StoreError>;

    /// Appends entries to a run's ledger and changes its views, in one transaction, durably. Refused if the epoch has
    /// moved on. Entries other than `Resumed` are progress. Returns the last sequence number.
    async fn commit(&self, token: Token, entries: Vec<Entry>) -> Result<Seq, StoreError>;

    /// Stops owning a run, in good order: claims without progress are forgotten. With a wake, it is to be advanced again at that time; a run that waits or has ended has none.
    async fn release(&self, token: Token, wake: Option<Timestamp>) -> Result<(), StoreError>;

    /// Appends an entry that comes from outside and wakes the run at the entry's time. Of two entries with one key the
    /// first wins and the second is told so. Entries for runs that have ended are refused.
    async fn signal(&self, run: RunId, entry: Entry) -> Result<Signalled, StoreError>;

    /// The runs that are to be advanced at `now` and that nobody owns, most urgent first.
    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<RunId>, StoreError>;

    /// The earliest moment after `now` at which a run becomes due.
    async fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError>;

    /// Says that a worker is alive. A worker is known from its first beat on.
    async fn beat(&self, worker: &Worker, now: Timestamp) -> Result<(), StoreError>;

    /// The workers that are known, with their last beats.
    async fn workers(&self) -> Result<Vec<(Worker, Timestamp)>, StoreError>;

    /// Forgets a worker that is gone; the runs it owned become due at `now`. Says how many there were.
    async fn part(&self, worker: &str, parting: Parting, now: Timestamp) -> Result<u64, StoreError>;

    /// Gives a wake to every run that has not ended, waits for nothing, is owned by no known worker and has none: turns
    /// a lost wake into a delay. Says how many there were.
    async fn reconcile(&self, now: Timestamp) -> Result<u64, StoreError>;

    /// A run's events after `after`, oldest first.
    async fn events(&self, run: RunId, after: Seq, limit: usize) -> Result<Vec<Recorded>, StoreError>;

    /// The entry a run has under a key.
    async fn entry(&self, run: RunId, key: &str) -> Result<Option<Recorded>, StoreError>;

    /// Returns once a run has events after `after`, or after a while: for following a run.
    async fn grown(&self, run: RunId, after: Seq) -> Result<(), StoreError>;

    /// One run as listings show it.
    async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError>;

    /// Runs that a filter lets through, newest first, from a cursor on.
    async fn runs(&self, filter: &RunFilter, cursor: Option<&Cursor>, limit: usize) -> Result<Page, StoreError>;

    /// How many runs a filter lets through, and what they used together.
    async fn totals(&self, filter: &RunFilter) -> Result<Totals, StoreError>;

    /// How many runs a filter lets through.
    async fn count(&self, filter: &RunFilter) -> Result<u64, StoreError> {
        Ok(self.totals(filter).await?.runs)
    }

    /// Figures about what is open and how busy the database is. Cheap enough to be asked every few seconds.
    async fn vitals(&self, now: Timestamp) -> Result<Vitals, StoreError>;

    /// Deletes the runs that a filter lets through and that have ended, with everything that is theirs. Says how many.
    async fn clear(&self, filter: &RunFilter) -> Result<u64, StoreError>;

    /// Intents of one run or of all, most recently declared first.
    async fn intents(
        &self,
        run: Option<RunId>,
        status: Option<IntentStatus>,
        limit: usize,
    ) -> Result<Vec<IntentView>, StoreError>;

    /// What runs wait for, longest waiting first.
    async fn waits(&self, run: Option<RunId>, limit: usize) -> Result<Vec<PendingWait>, StoreError>;

    /// Planned runs that were carried out and have ended, beside what was expected of them, newest first.
    async fn hindsight(&self, limit: usize) -> Result<Vec<Hindsight>, StoreError>;

    /// Keeps something to be remembered. Writing a memory that is there already changes nothing.
    async fn remember(&self, memory: &Memory) -> Result<(), StoreError>;

    /// Memories that share words with a text, best first.
    async fn recall(&self, text: &str, limit: usize) -> Result<Vec<Memory>, StoreError>;

    /// What is remembered, newest first.
    async fn memories(&self, limit: usize) -> Result<Vec<Memory>, StoreError>;

    /// Marks a memory as forgotten. Says whether it was there.
    async fn forget(&self, id: &str) -> Result<bool, StoreError>;
}

/// The right to write to a run's ledger, as long as nobody else claims it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// The run.
    pub run: RunId,
    /// Raised by every claim.
    pub epoch: u64,
}

/// What a new owner gets.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The right to write.
    pub token: Token,
    /// The whole ledger.
    pub ledger: Vec<Recorded>,
    /// How often the run was claimed before this without any progress.
    pub barren: u32,
}

/// What became of a signal.
#[derive(Debug, Clone, PartialEq)]
pub enum Signalled {
    /// It is on record.
    Recorded,
    /// Somebody was faster; this is what they said.
    Late(Box<Recorded>),
    /// The run has ended.
    Ended(RunStatus),
}

/// A process that advances runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// Unique among all processes ever.
    pub id: String,
    /// The machine it runs on.
    pub host: String,
    /// Its process id there.
    pub pid: u32,
    /// When the process was started, in the host's own clock ticks: tells a process from a later one with its id.
    pub started: u64,
}

/// How a worker went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parting {
    /// Nobody knows why: its runs may have to do with it.
    Died,
    /// It was told to stop: claims of its runs without progress are forgotten.
    InOrder,
}

/// Which runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunFilter {
    /// Only in one of these states; empty for any.
    pub status: Vec<RunStatus>,
    /// Only with this strategy.
    pub strategy: Option<Strategy>,
    /// Only answered by this role.
    pub role: Option<String>,
    /// Only of this conversation.
    pub session: Option<SessionId>,
    /// Only asked for by this person.
    pub user: Option<String>,
    /// Only forks of this run.
    pub parent: Option<RunId>,
    /// Only accepted at or after this moment.
    pub since: Option<Timestamp>,
    /// Only accepted before this moment.
    pub until: Option<Timestamp>,
    /// Only with at least this quality.
    pub min_quality: Option<f64>,
    /// Only with at most this quality.
    pub max_quality: Option<f64>,
    /// Only with more than one plan version, or only without.
    pub replanned: Option<bool>,
    /// Only with an intent in doubt, or only without.
    pub in_doubt: Option<bool>,
    /// Only where request or answer contain this, whatever the case.
    pub text: Option<String>,
}

/// Runs, counted and summed up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// How many.
    pub runs: u64,
    /// What they used together.
    pub spent: Spent,
}

/// What is open in a store, and how busy it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vitals {
    /// Runs that were accepted and not begun.
    pub pending: u64,
    /// Runs that are being advanced, or about to be.
    pub running: u64,
    /// Runs that wait for something from outside.
    pub waiting: u64,
    /// Runs that are to be advanced now and that nobody owns.
    pub due: u64,
    /// Approvals that nobody has decided.
    pub approvals: u64,
    /// Intents of which nobody can tell whether they happened.
    pub in_doubt: u64,
    /// Processes that advance runs.
    pub workers: u64,
    /// Transactions that this process committed.
    pub commits: u64,
    /// What this process wants written and has not been.
    pub queued: u64,
}

/// Where a listing goes on. Opaque to callers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor(pub String);

/// A part of a listing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The runs of this part.
    pub runs: Vec<RunSummary>,
    /// Where the next part begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Cursor>,
}

/// Something a run waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PendingWait {
    /// Which run.
    pub run: RunId,
    /// What for.
    #[serde(flatten)]
    pub wait: Wait,
    /// Since when.
    pub since: Timestamp,
}

/// Something worth remembering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Unique; the key of the intent that wrote it.
    pub id: String,
    /// What.
    pub text: String,
    /// How much it matters, 0 to 1.
    pub importance: f64,
    /// The run it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// Since when.
    pub at: Timestamp,
}

/// Why a store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Stop working on the run: somebody else does.
    #[error("{run} was claimed by somebody else")]
    Fenced {
        /// Which run.
        run: RunId,
    },
    /// Check the id.
    #[error("there is no run {run}")]
    NoSuchRun {
        /// Which run.
        run: RunId,
    },
    /// Stop working on the run: its work has been recorded differently already.
    #[error("{run} has an entry `{key}` already")]
    Conflict {
        /// Which run.
        run: RunId,
        /// Which entry.
        key: String,
    },
    /// Wait until the run has ended, or cancel it.
    #[error("{run} has not ended yet")]
    NotEnded {
        /// Which run.
        run: RunId,
    },
    /// Try again later.
    #[error("the database is not available")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Free some space; nothing was written.
    #[error("the disk is full")]
    Full,
    /// Use a newer program.
    #[error("the database was written by a newer version: its schema is {found}, this program knows {known}")]
    Newer {
        /// The schema the database has.
        found: i64,
        /// The newest schema this program can use.
        known: i64,
    },
    /// Restore a backup: what was read is not what was written.
    #[error("the database is damaged: {detail}")]
    Damaged {
        /// What was seen.
        detail: String,
    },
    /// Correct the cursor: it is not one of ours.
    #[error("`{cursor}` is not a cursor")]
    BadCursor {
        /// What was given.
        cursor: String,
    },
}
