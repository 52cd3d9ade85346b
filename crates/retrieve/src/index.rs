//! The index as its users see it: searched by many at once, changed while others search.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use domain::embed::Embedder;
use domain::library::Kind;

use crate::entry::{Entry, Found, Use, Wanted};
use crate::places::Place;
use crate::question::Text;
use crate::search::Sought;
use crate::shelves::{Ready, Shelves};
use crate::steps::steps;
use crate::usage::Request;
use crate::words;

/// Entries that go in before searches get their turn again.
const AT_ONCE: usize = 64;
/// What a step that tells something counts beside one that asks.
const TOLD: f32 = 0.8;

/// One index over agents, cohorts, plans, skills and tools.
///
/// Searching takes `&self` and can be done from many threads; entries and uses come and go meanwhile.
pub struct Index {
    embedder: Arc<dyn Embedder>,
    shelves: RwLock<Shelves>,
}

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Entries.
    pub entries: usize,
    /// Uses that are remembered.
    pub uses: usize,
    /// Bytes of memory, about.
    pub bytes: usize,
}

impl Index {
    /// An empty index that places texts with this embedder.
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Index { shelves: RwLock::new(Shelves::new(Arc::clone(&embedder))), embedder }
    }

    /// Adds entries; one of the same kind and name is replaced, and what is known of its use stays.
    pub fn put(&self, entries: Vec<Entry>) {
        let mut entries = entries.into_iter().peekable();
        while entries.peek().is_some() {
            let ready: Vec<Ready> =
                entries.by_ref().take(AT_ONCE).map(|entry| Ready::new(&*self.embedder, entry)).collect();
            let mut shelves = self.write();
            ready.into_iter().for_each(|ready| shelves.put(ready));
        }
    }

    /// Removes an entry and what is known of its use. Says whether it was there.
    pub fn remove(&self, kind: Kind, name: &str) -> bool {
        self.write().remove(kind, name)
    }

    /// Remembers that something was chosen for a request, and how that went. Says whether the entry is there; of what is
    /// not there nothing is remembered.
    pub fn learn(&self, used: Use) -> bool {
        let Use { text, kind, name, good } = used;
        let Sought { request, whole, steps } = self.sought(&text, self.steps(&text));
        let rivals = {
            let shelves = self.read();
            let Some(slot) = shelves.slot(kind, &name) else { return false };
            shelves.rivals(whole, steps, slot)
        };
        let mut shelves = self.write();
        // It may have gone or moved meanwhile.
        let Some(slot) = shelves.slot(kind, &name) else { return false };
        shelves.usage.learn(slot, request, good, rivals);
        true
    }

    /// What a text means, best first.
    pub fn search(&self, text: &str, wanted: &Wanted) -> Vec<Found> {
        let sought = self.sought(text, Vec::new());
        self.read().search(sought, wanted)
    }

    /// What a request needs, which may be several things: it is taken apart into steps, and after the best match comes what
    /// answers steps that nothing before it answers. So the order is not that of the scores.
    pub fn shortlist(&self, request: &str, kinds: &[Kind], most: usize) -> Vec<Found> {
        let sought = self.sought(request, self.steps(request));
        self.read().search(sought, &Wanted::new(kinds, most))
    }

    /// How much there is.
    pub fn size(&self) -> Size {
        let shelves = self.read();
        Size { entries: shelves.len(), uses: shelves.usage.len(), bytes: shelves.bytes() }
    }

    fn steps(&self, request: &str) -> Vec<Text> {
        steps(request).iter().map(|step| self.text(&step.text, if step.asks { 1.0 } else { TOLD })).collect()
    }

    fn sought(&self, text: &str, steps: Vec<Text>) -> Sought {
        let text = words::spelled_out(text);
        let place = self.embedder.embed(&text);
        Sought {
            request: Request::new(&text, place.clone()),
            whole: Text { text, place: Place::new(&place), share: 1.0 },
            steps,
        }
    }

    fn text(&self, text: &str, share: f32) -> Text {
        let text = words::spelled_out(text);
        Text { place: Place::new(&self.embedder.embed(&text)), text, share }
    }

    // What is half changed is still safe to read: each part checks what it is asked.
    fn read(&self) -> RwLockReadGuard<'_, Shelves> {
        self.shelves.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Shelves> {
        self.shelves.write().unwrap_or_else(PoisonError::into_inner)
    }
}
