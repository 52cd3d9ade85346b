//! The words in which checks are written: an actor that advances runs as its part says, and keeps books about it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use domain::dispatch::{Advance, Advanced, Stop};
use domain::event::{Entry, Event, Need, Wait};
use domain::id::RunId;
use domain::request::Request;
use domain::run::Ending;
use domain::store::{Store, StoreError, Token};
use jiff::Timestamp;
use tokio::sync::{Notify, Semaphore, oneshot};

use super::Fresh;

/// Within this time everything comes about that must: several looks of a slow dispatcher on a slow machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
/// Within this time a dispatcher stops.
const PROMPTLY: Duration = Duration::from_secs(2);

/// So many thousandths of a second.
pub(super) fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// One thing an actor does in an advance.
#[derive(Debug, Clone)]
pub(super) enum Deed {
    /// Takes its time.
    Linger(Duration),
    /// Goes on when somebody has said so.
    Await(Word),
    /// Becomes the run's owner.
    Claim,
    /// Puts a question on record and lets go of the run.
    Ask,
    /// Lets go of the run until some time from now.
    Release(Duration),
    /// Puts the end of the run on record.
    End,
    /// Reports that the store failed.
    Fail,
    /// Panics.
    Panic,
    /// Does nothing, for ever.
    Hang,
}

/// Something that actors wait for until it is said.
#[derive(Debug, Clone)]
pub(super) struct Word(Arc<Semaphore>);

impl Word {
    /// A word that has not been said.
    pub(super) fn unsaid() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    /// Says it, to all who wait and to all who will.
    pub(super) fn say(&self) {
        self.0.add_permits(1);
    }

    async fn heard(&self) {
        // The permit goes back at once, for the next who waits.
        drop(self.0.acquire().await);
    }
}

/// What an actor does in the nth advance of a run, counted from 1.
type Part = Box<dyn Fn(RunId, usize) -> Vec<Deed> + Send + Sync>;

/// Takes a run up and brings it to its end.
pub(super) fn to_the_end() -> Vec<Deed> {
    vec![Deed::Claim, Deed::End]
}

/// Advances runs as its part says, and keeps books.
pub(super) struct Actor {
    store: Arc<dyn Store>,
    worker: String,
    part: Part,
    books: Mutex<Books>,
    changed: Notify,
}

/// What became known about an actor's advances.
#[derive(Debug, Default)]
pub(super) struct Books {
    /// Each advance, as it began.
    pub(super) begun: Vec<(RunId, Timestamp)>,
    /// The runs that were brought to their end.
    pub(super) ended: BTreeSet<RunId>,
    under_way: BTreeMap<RunId, usize>,
    /// The most advances of one run that were under way at once.
    pub(super) most_of_one: usize,
    /// The most advances that were under way at once.
    pub(super) most_of_all: usize,
}

impl Books {
    /// How often a run was advanced.
    pub(super) fn advances(&self, run: RunId) -> usize {
        self.begun.iter().filter(|(begun, _)| *begun == run).count()
    }

    /// How many advances are under way.
    pub(super) fn under_way(&self) -> usize {
        self.under_way.values().sum()
    }
}

/// An advance that is under way until this is dropped, however it ends.
struct UnderWay<'a>(&'a Actor, RunId);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.change(|books| *books.under_way.entry(self.1).or_default() -= 1);
    }
}

impl Actor {
    /// An actor with a part, for a dispatcher.
    pub(super) fn new(fresh: &Fresh, part: impl Fn(RunId, usize) -> Vec<Deed> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            store: Arc::clone(&fresh.store),
            worker: fresh.worker.clone(),
            part: Box::new(part),
            books: Mutex::default(),
            changed: Notify::new(),
        })
    }

    /// What is known so far.
    pub(super) fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut Books) -> T) -> T {
        let result = change(&mut self.books());
        self.changed.notify_waiters();
        result
    }

    /// Returns once something can be read in the books; panics if that takes too long.
    pub(super) async fn until(&self, what: &str, holds: impl Fn(&Books) -> bool) {
        let seen = async {
            loop {
                let changed = self.changed.notified();
                if holds(&self.books()) {
                    return;
                }
                changed.await;
            }
        };
        if tokio::time::timeout(PATIENCE, seen).await.is_err() {
            panic!("{what} did not come about within {PATIENCE:?}: {:?}", self.books());
        }
    }

    /// Returns once these runs have ended.
    pub(super) async fn until_ended(&self, runs: &[RunId]) {
        self.until("the end of the runs", |books| runs.iter().all(|run| books.ended.contains(run))).await;
    }

    /// Sees that nothing is under way.
    pub(super) fn rests(&self) {
        let books = self.books();
        assert_eq!(books.under_way(), 0, "something is still under way: {books:?}");
    }

    async fn act(&self, run: RunId, nth: usize) -> Result<Advanced, StoreError> {
        let mut token: Option<Token> = None;
        let own = |token: Option<Token>| token.expect("a part that claims first");
        for (at, deed) in (self.part)(run, nth).into_iter().enumerate() {
            match deed {
                Deed::Linger(time) => tokio::time::sleep(time).await,
                Deed::Await(word) => word.heard().await,
                Deed::Claim => token = Some(self.store.claim(run, &self.worker).await?.token),
                Deed::Ask => {
                    let wait = Wait { name: "it".into(), need: Need::Answer { question: "?".into() }, until: None };
                    let asked = entry(&format!("{nth}/{at}/asked"), Event::Waiting { wait });
                    self.store.commit(own(token), vec![asked]).await?;
                    self.store.release(own(token), None).await?;
                }
                Deed::Release(after) => self.store.release(own(token), Some(from_now(after))).await?,
                Deed::End => {
                    let ending = Ending::Completed { answer: "done".into() };
                    let finished =
                        entry("finished", Event::Finished { ending, spent: Default::default(), worked_ms: None });
                    self.store.commit(own(token), vec![finished]).await?;
                    self.change(|books| books.ended.insert(run));
                    return Ok(Advanced::Ended);
                }
                Deed::Fail => return Err(StoreError::Unavailable("as its part says".into())),
                // Unlike `panic!` this says nothing on standard error.
                Deed::Panic => std::panic::resume_unwind(Box::new("as its part says")),
                Deed::Hang => std::future::pending().await,
            }
        }
        Ok(Advanced::Waits)
    }
}

#[async_trait]
impl Advance for Actor {
    async fn advance(&self, run: RunId) -> Result<Advanced, StoreError> {
        let nth = self.change(|books| {
            books.begun.push((run, Timestamp::now()));
            let of_one = books.under_way.entry(run).or_default();
            *of_one += 1;
            books.most_of_one = books.most_of_one.max(*of_one);
            books.most_of_all = books.most_of_all.max(books.under_way());
            books.advances(run)
        });
        let _under_way = UnderWay(self, run);
        match self.act(run, nth).await {
            Err(StoreError::Fenced { .. }) => Ok(Advanced::Elsewhere),
            done => done,
        }
    }
}

/// Lets a dispatcher work while something is seen to, then stops it and sees that it stops at once and leaves nothing
/// under way.
pub(super) async fn while_working(fresh: &Fresh, actor: &Arc<Actor>, seeing: impl Future<Output = ()>) {
    let (stop, stopped) = oneshot::channel::<()>();
    let stopped: Stop<'_> = Box::pin(async {
        let _ = stopped.await;
    });
    let mut working = fresh.dispatch.work(Arc::clone(actor) as Arc<dyn Advance>, stopped);
    tokio::select! {
        biased;
        ended = &mut working => panic!("it stopped without being told to: {ended:?}"),
        () = seeing => drop(stop),
    }
    match tokio::time::timeout(PROMPTLY, working).await {
        Ok(ended) => ended.expect("an orderly stop"),
        Err(_) => panic!("it did not stop within {PROMPTLY:?}: {:?}", actor.books()),
    }
    actor.rests();
}

/// A run that was accepted and is due at once.
pub(super) async fn accepted(store: &Arc<dyn Store>) -> RunId {
    accepted_for(store, Some(Timestamp::now())).await
}

/// Several of them.
pub(super) async fn several(store: &Arc<dyn Store>, count: usize) -> Vec<RunId> {
    let mut runs = Vec::new();
    for _ in 0..count {
        runs.push(accepted(store).await);
    }
    runs
}

/// A run that was accepted with a wake, or without.
pub(super) async fn accepted_for(store: &Arc<dyn Store>, wake: Option<Timestamp>) -> RunId {
    let run = RunId::fresh();
    let request = Request {
        text: "feed the cat".parse().expect("a request"),
        at: Timestamp::now(),
        zone: None,
        place: None,
        session: None,
        user: None,
        earlier: Vec::new(),
        wishes: Default::default(),
    };
    let received = entry("received", Event::Received { request: Box::new(request), parent: None });
    store.accept(run, vec![received], wake).await.expect("accepted");
    run
}

/// Files the answer to what actors ask.
pub(super) async fn answer(store: &Arc<dyn Store>, run: RunId) {
    let event = Event::Answered { name: "it".into(), answer: true.into(), by: None };
    store.signal(run, entry("answer/it", event)).await.expect("answered");
}

/// The moment some time from now.
pub(super) fn from_now(after: Duration) -> Timestamp {
    Timestamp::now().checked_add(after).expect("a moment")
}

fn entry(key: &str, event: Event) -> Entry {
    Entry { key: key.into(), input: None, at: Timestamp::now(), event }
}
