//! The only writer: a thread with a connection of its own, which makes one transaction of all commands that are waiting.
//!
//! A commit costs a flush of the disk, and a flush costs the same for one command as for many. Commands are answered
//! after the flush. When the queue is full, callers wait.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use domain::store::StoreError;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::fault::{Failure, meaning};

/// How many commands wait before callers do.
const QUEUE: usize = 1024;
/// How many commands share a transaction at most.
const GROUP: usize = 256;

/// The way to the thread that writes; dropping it lets the thread finish what is waiting.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Box<dyn Command>>>,
    thread: Option<JoinHandle<()>>,
    commits: Arc<AtomicU64>,
}

impl Writer {
    /// Gives the connection to a thread of its own.
    pub(super) fn start(connection: Connection) -> Result<Self, StoreError> {
        let (queue, commands) = mpsc::channel(QUEUE);
        let commits: Arc<AtomicU64> = Arc::default();
        let counted = Arc::clone(&commits);
        let thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || write_all(&connection, commands, &counted))
            .map_err(|error| StoreError::Unavailable(error.into()))?;
        Ok(Self { queue: Some(queue), thread: Some(thread), commits })
    }

    /// How many transactions were committed.
    pub(super) fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// How many commands wait.
    pub(super) fn queued(&self) -> u64 {
        self.queue.as_ref().map_or(0, |queue| (queue.max_capacity() - queue.capacity()) as u64)
    }

    /// Has something written. Durable when this returns; `work` may be done more than once, the last time counts.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let command = Box::new(Pending { work, outcome: None, answer });
        let gone = || StoreError::Unavailable("the writer is gone".into());
        self.queue.as_ref().ok_or_else(gone)?.send(command).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has dropped its callers' answers already: they know.
            let _ = thread.join();
        }
    }
}

/// Something to be written, whatever its result is.
trait Command: Send {
    /// Does it within a transaction.
    fn apply(&mut self, connection: &Connection) -> Applied;
    /// Answers the caller, now that it is known what became of the transaction.
    fn answer(self: Box<Self>, committed: Result<(), Arc<rusqlite::Error>>);
}

/// How a command went.
enum Applied {
    Done,
    Refused,
    Broken(Arc<rusqlite::Error>),
}

struct Pending<W, T> {
    work: W,
    outcome: Option<Result<T, StoreError>>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<T: Send, W: FnMut(&Connection) -> Result<T, Failure> + Send> Command for Pending<W, T> {
    fn apply(&mut self, connection: &Connection) -> Applied {
        match (self.work)(connection) {
            Ok(value) => {
                self.outcome = Some(Ok(value));
                Applied::Done
            }
            Err(Failure::Refused(error)) => {
                self.outcome = Some(Err(error));
                Applied::Refused
            }
            Err(Failure::Broken(error)) => Applied::Broken(error),
        }
    }

    fn answer(self: Box<Self>, committed: Result<(), Arc<rusqlite::Error>>) {
        let outcome = match (committed, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(StoreError::Unavailable("the command was not carried out".into())),
            // Even a refusal may have been because of another command that is now taken back.
            (Err(error), _) => Err(meaning(error)),
        };
        // A caller who has left does not want to know.
        let _ = self.answer.send(outcome);
    }
}

fn write_all(connection: &Connection, mut commands: mpsc::Receiver<Box<dyn Command>>, commits: &AtomicU64) {
    let mut group = Vec::with_capacity(GROUP);
    while let Some(first) = commands.blocking_recv() {
        group.push(first);
        while group.len() < GROUP
            && let Ok(next) = commands.try_recv()
        {
            group.push(next);
        }
        let committed = transact(connection, &mut group);
        commits.fetch_add(u64::from(committed.is_ok()), Ordering::Relaxed);
        for command in group.drain(..) {
            command.answer(committed.clone());
        }
    }
}

/// Makes one transaction of a group. Nearly always no command is refused after it has written something, so that only
/// when one was, the group is done again with a way back before each.
fn transact(connection: &Connection, group: &mut [Box<dyn Command>]) -> Result<(), Arc<rusqlite::Error>> {
    let mut done = attempt(connection, group, apply_all);
    if let Ok(ControlFlow::Break(())) = done {
        done = attempt(connection, group, apply_each);
    }
    done.map(drop)
}

type Attempt = Result<ControlFlow<()>, Arc<rusqlite::Error>>;

fn attempt(
    connection: &Connection,
    group: &mut [Box<dyn Command>],
    apply: impl Fn(&Connection, &mut [Box<dyn Command>]) -> Attempt,
) -> Attempt {
    execute(connection, "BEGIN IMMEDIATE")?;
    let applied = match apply(connection, group) {
        Ok(ControlFlow::Continue(())) => execute(connection, "COMMIT").map(ControlFlow::Continue),
        other => other,
    };
    // The database takes a transaction back by itself after some errors and not after others.
    if !connection.is_autocommit() {
        execute(connection, "ROLLBACK")?;
    }
    applied
}

fn apply_all(connection: &Connection, group: &mut [Box<dyn Command>]) -> Attempt {
    for command in group {
        let before = connection.total_changes();
        match command.apply(connection) {
            Applied::Done => {}
            Applied::Refused if connection.total_changes() == before => {}
            Applied::Refused => return Ok(ControlFlow::Break(())),
            Applied::Broken(error) => return Err(error),
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn apply_each(connection: &Connection, group: &mut [Box<dyn Command>]) -> Attempt {
    for command in group {
        execute(connection, "SAVEPOINT command")?;
        match command.apply(connection) {
            Applied::Done => {}
            Applied::Refused => execute(connection, "ROLLBACK TO command")?,
            Applied::Broken(error) => return Err(error),
        }
        execute(connection, "RELEASE command")?;
    }
    Ok(ControlFlow::Continue(()))
}

fn execute(connection: &Connection, statement: &'static str) -> Result<(), Arc<rusqlite::Error>> {
    connection.prepare_cached(statement).and_then(|mut statement| statement.execute([])).map(drop).map_err(Arc::new)
}
