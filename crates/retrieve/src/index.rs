//! The index itself: entries in slots, found by words, meaning and use, changed while others search.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use domain::embed::Embedder;
use domain::library::Kind;

use crate::entry::{Entry, Found, Use, Wanted};
use crate::lexicon::{Lexicon, Weighed};
use crate::places::{Place, Places};
use crate::usage::Usage;
use crate::words;

/// Entries that go in before searches get their turn again.
const AT_ONCE: usize = 256;

/// One index over agents, cohorts, plans, skills and tools.
///
/// Searching takes `&self` and can be done from many threads; entries and uses come and go meanwhile.
pub struct Index {
    embedder: Arc<dyn Embedder>,
    shelves: RwLock<Shelves>,
}

pub(crate) struct Shelves {
    pub(crate) slots: Vec<Option<Entry>>,
    free: Vec<u32>,
    names: HashMap<(Kind, String), u32>,
    pub(crate) lexicon: Lexicon,
    pub(crate) places: Places,
    pub(crate) usage: Usage,
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
        let width = embedder.dimensions();
        let shelves = Shelves {
            slots: Vec::new(),
            free: Vec::new(),
            names: HashMap::new(),
            lexicon: Lexicon::default(),
            places: Places::new(width),
            usage: Usage::new(width),
        };
        Index { embedder, shelves: RwLock::new(shelves) }
    }

    /// Adds entries; one of the same kind and name is replaced, and what is known of its use stays.
    pub fn put(&self, entries: Vec<Entry>) {
        let mut entries = entries.into_iter().peekable();
        while entries.peek().is_some() {
            let ready: Vec<(Entry, Vec<Weighed>, Place)> = entries
                .by_ref()
                .take(AT_ONCE)
                .map(|entry| {
                    let (words, place) = (filed_under(&entry), Place::new(&self.embedder.embed(&in_words(&entry))));
                    (entry, words, place)
                })
                .collect();
            let mut shelves = self.write();
            ready.into_iter().for_each(|(entry, words, place)| shelves.put(entry, &words, &place));
        }
    }

    /// Removes an entry and what is known of its use. Says whether it was there.
    pub fn remove(&self, kind: Kind, name: &str) -> bool {
        self.write().remove(kind, name)
    }

    /// Remembers that something was chosen for a request, and how that went. Says whether the entry is there; of what is
    /// not there nothing is remembered.
    pub fn learn(&self, used: Use) -> bool {
        let place = Place::new(&self.embedder.embed(&used.text));
        self.write().learn(&used, &place)
    }

    /// What a text means, best first.
    pub fn search(&self, text: &str, wanted: &Wanted) -> Vec<Found> {
        let place = Place::new(&self.embedder.embed(text));
        self.read().search(text, &place, wanted)
    }

    /// What a request needs, which may be several things: it is taken apart, and what each part means comes first.
    pub fn shortlist(&self, request: &str, kinds: &[Kind], most: usize) -> Vec<Found> {
        self.search(request, &Wanted::new(kinds, most))
    }

    /// How much there is.
    pub fn size(&self) -> Size {
        let shelves = self.read();
        let entries: usize = shelves.slots.iter().flatten().map(bytes).sum();
        Size {
            entries: shelves.names.len(),
            uses: shelves.usage.len(),
            bytes: entries + shelves.lexicon.bytes() + shelves.places.bytes() + shelves.usage.bytes(),
        }
    }

    // What is half changed is still safe to read: each part checks what it is asked.
    fn read(&self) -> RwLockReadGuard<'_, Shelves> {
        self.shelves.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Shelves> {
        self.shelves.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelves {
    fn put(&mut self, entry: Entry, words: &[Weighed], place: &Place) {
        let key = (entry.kind, entry.name.clone());
        let slot = match self.names.get(&key) {
            Some(slot) => {
                let slot = *slot;
                if let Some(old) = self.slots[slot as usize].take() {
                    self.lexicon.remove(slot, &filed_under(&old));
                }
                slot
            }
            None => {
                let slot = self.free.pop().unwrap_or_else(|| {
                    self.slots.push(None);
                    self.slots.len() as u32 - 1
                });
                self.names.insert(key, slot);
                slot
            }
        };
        self.lexicon.put(slot, words);
        self.places.put(slot, place);
        self.slots[slot as usize] = Some(entry);
    }

    fn remove(&mut self, kind: Kind, name: &str) -> bool {
        let Some(slot) = self.names.remove(&(kind, name.to_owned())) else { return false };
        if let Some(old) = self.slots[slot as usize].take() {
            self.lexicon.remove(slot, &filed_under(&old));
        }
        self.usage.forget(slot);
        self.free.push(slot);
        true
    }

    fn learn(&mut self, used: &Use, place: &Place) -> bool {
        let Some(slot) = self.names.get(&(used.kind, used.name.clone())) else { return false };
        self.usage.learn(*slot, &used.text, place, used.good);
        true
    }
}

/// The words of an entry, each once, by how much they count: its name most, its parameters least.
fn filed_under(entry: &Entry) -> Vec<Weighed> {
    let mut counts: HashMap<String, f32> = HashMap::new();
    let keywords = entry.keywords.join(" ");
    let parameters = entry.parameters.join(" ");
    let fields = [
        (entry.name.as_str(), 3.0),
        (entry.family.as_deref().unwrap_or_default(), 1.0),
        (keywords.as_str(), 2.0),
        (entry.description.as_str(), 1.0),
        (parameters.as_str(), 0.4),
    ];
    for (text, weight) in fields {
        for term in words::terms(text) {
            if !words::empty(&term.said) {
                *counts.entry(term.stem).or_default() += weight;
            }
        }
    }
    let mut words: Vec<Weighed> = counts.into_iter().collect();
    words.sort_unstable_by(|one, two| one.0.cmp(&two.0));
    words
}

/// What is embedded of an entry.
fn in_words(entry: &Entry) -> String {
    let name: Vec<String> = words::terms(&entry.name).into_iter().map(|term| term.said).collect();
    format!("{} {} {}", name.join(" "), entry.keywords.join(" "), words::cut(&entry.description, words::LONGEST))
}

fn bytes(entry: &Entry) -> usize {
    let lists = entry.keywords.iter().chain(&entry.parameters).map(|word| word.len() + size_of::<String>());
    // The name stands in the entry and in the map of names.
    size_of::<Entry>() + 2 * (entry.name.len() + size_of::<String>()) + entry.description.len() + lists.sum::<usize>()
}
