//! The only writer of the ledger. One run, one buffer, one order.
//!
//! Work is done under keys. What is on record under a key is not done again: a run that is taken up after a wait or a
//! crash goes through the same code, finds what it did, and continues where the record ends. Entries are gathered and
//! written together before long; [`Journal::durable`] is the barrier behind which they are on disk.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::event::{Entry, Event, Need, Recorded, Wait};
use domain::hash::Hash;
use domain::id::RunId;
use domain::store::{Store, StoreError, Token};
use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::{Notify, watch};

use crate::replay::Gate;
use crate::room::Room;
use crate::watch::Watch;

/// How long entries that nobody waits for are gathered: what follows soon is written with them.
const GATHER: Duration = Duration::from_millis(10);

/// Why a run does not go on, for now or for ever.
#[derive(Debug)]
pub(crate) enum Halt {
    /// Something is needed from outside.
    Waits,
    /// A limit was reached.
    OverBudget(String),
    /// What is to be done now is not what is on record.
    Diverged(String),
    /// An event could not be written.
    Store(StoreError),
}

/// A run's ledger while the run is being advanced.
pub(crate) struct Journal {
    run: RunId,
    /// What this run had on record when it was taken up.
    known: HashMap<String, Entry>,
    /// Results of another run that may be used again where the question is the same.
    borrowed: HashMap<String, Entry>,
    buffer: Mutex<Buffer>,
    flush: Notify,
    urgent: Notify,
    committed: watch::Sender<usize>,
    gate: Option<Gate>,
    /// What is on record about the agents of the run.
    room: Room,
}

#[derive(Default)]
struct Buffer {
    pending: Vec<Entry>,
    /// How many entries were ever put here.
    appended: usize,
    /// How often a borrowed result was used, and how often a result was made.
    reused: usize,
    made: Vec<String>,
    /// Whether any write was declared.
    declared: bool,
    /// Writes that have left and are not settled: intent, and what it is filed under.
    unsettled: BTreeMap<String, String>,
    /// What was asked for since the journal was opened: two steps that need the same answer ask once.
    asked: HashSet<String>,
}

/// A result, and whether it is news to this run's books.
pub(crate) struct Once {
    pub(crate) event: Event,
    /// Not on record before; in a replay everything is, and everything counts.
    pub(crate) fresh: bool,
}

impl Journal {
    /// The journal of a run with this ledger.
    pub(crate) fn new(run: RunId, ledger: Vec<Recorded>) -> Self {
        let room = Room::restore(&ledger);
        let known = ledger.into_iter().map(|recorded| (recorded.entry.key.clone(), recorded.entry)).collect();
        Self {
            run,
            room,
            known,
            borrowed: HashMap::new(),
            buffer: Mutex::default(),
            flush: Notify::new(),
            urgent: Notify::new(),
            committed: watch::Sender::new(0),
            gate: None,
        }
    }

    /// A journal that writes nothing and lets the run repeat exactly what this ledger says.
    pub(crate) fn replaying(run: RunId, ledger: Vec<Recorded>) -> Self {
        let gate = Gate::new(ledger.iter().map(|recorded| recorded.entry.clone()).collect());
        Self { gate: Some(gate), room: Room::default(), ..Self::new(run, ledger) }
    }

    /// A journal that keeps what it is given to itself and uses another run's results where they still answer.
    pub(crate) fn trying(run: RunId, received: Entry, borrowed: HashMap<String, Entry>) -> Self {
        let known = [(received.key.clone(), received)].into();
        Self { known, borrowed, ..Self::new(run, Vec::new()) }
    }

    pub(crate) fn run(&self) -> RunId {
        self.run
    }

    pub(crate) fn gate(&self) -> Option<&Gate> {
        self.gate.as_ref()
    }

    /// What the agents of the run know of each other.
    pub(crate) fn room(&self) -> &Room {
        &self.room
    }

    /// What was on record under a key when the run was taken up.
    pub(crate) fn known(&self, key: &str) -> Option<&Event> {
        self.known.get(key).map(|entry| &entry.event)
    }

    /// All that was on record when the run was taken up, in no order.
    pub(crate) fn all_known(&self) -> impl Iterator<Item = &Entry> {
        self.known.values()
    }

    /// Puts an event on record, unless it is there.
    pub(crate) async fn record(&self, key: impl Into<String>, event: Event) -> Result<(), Halt> {
        self.append(key.into(), None, event).await
    }

    /// Passes over an entry as it stands.
    pub(crate) async fn again(&self, entry: &Entry) -> Result<(), Halt> {
        self.append(entry.key.clone(), entry.input, entry.event.clone()).await
    }

    /// A result that is on record for this very question, or that is made now and put on record.
    ///
    /// A result on record for another question stays there; the new one is filed beside it.
    pub(crate) async fn once<F>(&self, key: &str, input: Hash, make: F) -> Result<Once, Halt>
    where
        F: Future<Output = Result<Event, Halt>>,
    {
        let mut filed = key.to_owned();
        for version in 2.. {
            match self.known.get(&filed) {
                Some(entry) if entry.input == Some(input) => {
                    let event = entry.event.clone();
                    self.append(filed, Some(input), event.clone()).await?;
                    return Ok(Once { event, fresh: self.gate.is_some() });
                }
                Some(_) => filed = format!("{key}~{version}"),
                None => break,
            }
        }
        if let Some(gate) = &self.gate {
            return gate.never().await;
        }
        let borrowed = self.borrowed.get(key).filter(|entry| entry.input == Some(input));
        let (event, fresh) = match borrowed {
            Some(entry) => {
                self.lock().reused += 1;
                (entry.event.clone(), false)
            }
            None => {
                let event = make.await?;
                self.lock().made.push(key.to_owned());
                (event, true)
            }
        };
        self.append(filed, Some(input), event.clone()).await?;
        Ok(Once { event, fresh })
    }

    async fn append(&self, key: String, input: Option<Hash>, event: Event) -> Result<(), Halt> {
        self.lock().note(&key, &event);
        if let Some(gate) = &self.gate {
            gate.pass(&key, input, &event).await?;
            self.room.note(&key, &event);
            return Ok(());
        }
        if self.known.contains_key(&key) {
            return Ok(());
        }
        self.room.note(&key, &event);
        let mut buffer = self.lock();
        buffer.pending.push(Entry { key, input, at: Timestamp::now(), event });
        buffer.appended += 1;
        drop(buffer);
        self.flush.notify_one();
        Ok(())
    }

    /// Returns when everything that was recorded so far is on disk.
    pub(crate) async fn durable(&self) {
        if self.gate.is_some() {
            return;
        }
        let appended = self.lock().appended;
        if *self.committed.borrow() < appended {
            self.urgent.notify_one();
            let mut committed = self.committed.subscribe();
            // The sender lives as long as the journal, so this ends only when the count is reached.
            let _ = committed.wait_for(|count| *count >= appended).await;
        }
    }

    /// Writes to a store whenever there is something to write. Ends only when something cannot be written.
    pub(crate) async fn write_to(&self, store: &dyn Store, token: Token, watch: &[Arc<dyn Watch>]) -> StoreError {
        loop {
            tokio::select! {
                biased;
                () = self.urgent.notified() => {}
                () = async {
                    self.flush.notified().await;
                    tokio::time::sleep(GATHER).await;
                } => {}
            }
            if let Err(error) = self.write_once(store, token, watch).await {
                return error;
            }
        }
    }

    /// Writes what is there.
    async fn write_once(&self, store: &dyn Store, token: Token, watch: &[Arc<dyn Watch>]) -> Result<(), StoreError> {
        let (batch, appended) = {
            let mut buffer = self.lock();
            (std::mem::take(&mut buffer.pending), buffer.appended)
        };
        if !batch.is_empty() {
            watch.iter().for_each(|watch| watch.recorded(token.run, &batch));
            store.commit(token, batch).await?;
        }
        self.committed.send_replace(appended);
        Ok(())
    }

    /// Keeps everything in memory: for trying something out.
    pub(crate) async fn write_nowhere(&self) -> StoreError {
        loop {
            self.urgent.notified().await;
            let appended = self.lock().appended;
            self.committed.send_replace(appended);
        }
    }

    /// What was recorded since the journal was opened and not written; for journals that write nowhere.
    pub(crate) fn into_entries(self) -> (Vec<Entry>, usize, Vec<String>) {
        let buffer = self.buffer.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        (buffer.pending, buffer.reused, buffer.made)
    }

    /// The answer that somebody gave, or the end of this advance: the question is on record and the answer will come as
    /// one more event. An answer that came before the question is an answer.
    pub(crate) async fn answer(&self, name: &str, need: Need, until: Option<Timestamp>) -> Result<Value, Halt> {
        let question = format!("{name}/waiting");
        let answer = match self.past(&answer_key(name)) {
            Some(Event::Answered { answer, .. }) => Some(answer.clone()),
            _ => None,
        };
        let expiry = match self.known(&question) {
            Some(Event::Waiting { wait }) => wait.until,
            _ => until,
        };
        let asked_before = self.known.contains_key(&question);
        let first = self.lock().asked.insert(name.to_owned());
        if first && (answer.is_none() || asked_before) {
            let wait = Wait { name: name.to_owned(), need, until: expiry };
            self.record(&question, Event::Waiting { wait }).await?;
        }
        match answer {
            Some(answer) => Ok(answer),
            None if asked_before && self.gate.is_none() && expiry.is_some_and(|until| until <= Timestamp::now()) => {
                let expired = Event::Answered { name: name.to_owned(), answer: Value::Null, by: Some("expiry".into()) };
                self.record(answer_key(name), expired).await?;
                Ok(Value::Null)
            }
            None => Err(Halt::Waits),
        }
    }

    /// Whether any write was declared on the way here.
    pub(crate) fn declared_any(&self) -> bool {
        self.lock().declared
    }

    /// Writes that may have happened and of which nothing more is known, with what they are filed under.
    pub(crate) fn unsettled(&self) -> BTreeMap<String, String> {
        let mut books = Buffer::default();
        // Settled after sent, whatever the order of the map.
        for settled in [false, true] {
            for entry in self.known.values() {
                if matches!(entry.event, Event::IntentSettled { .. }) == settled {
                    books.note(&entry.key, &entry.event);
                }
            }
        }
        books.unsettled.retain(|_, filed| !self.known.contains_key(&format!("{filed}/settled")));
        books.unsettled.extend(self.lock().unsettled.clone());
        books.unsettled
    }

    /// What is on record in this run, or in the run whose results may be used again.
    pub(crate) fn past(&self, key: &str) -> Option<&Event> {
        self.past_entry(key).map(|entry| &entry.event)
    }

    /// The same, with when and from what.
    pub(crate) fn past_entry(&self, key: &str) -> Option<&Entry> {
        self.known.get(key).or_else(|| self.borrowed.get(key))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Buffer> {
        self.buffer.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Buffer {
    fn note(&mut self, key: &str, event: &Event) {
        match event {
            Event::IntentDeclared { .. } => self.declared = true,
            Event::IntentSent { intent, .. } => {
                let filed = key.rsplit_once("/sent/").map_or(key, |(filed, _)| filed);
                self.unsettled.insert(intent.clone(), filed.to_owned());
            }
            Event::IntentSettled { intent, .. } => {
                self.unsettled.remove(intent);
            }
            _ => {}
        }
    }
}

/// Where the answer to a question is filed.
pub(crate) fn answer_key(name: &str) -> String {
    format!("answer/{name}")
}

/// Where the wish to cancel is filed.
pub(crate) const CANCEL_KEY: &str = "cancel";
