//! What the index holds, in slots that every part of it counts by.

use std::collections::HashMap;
use std::sync::Arc;

use domain::embed::Embedder;
use domain::library::Kind;

use crate::entry::Entry;
use crate::kin::Kin;
use crate::lexicon::{Lexicon, Weighed};
use crate::places::{Place, Places};
use crate::usage::Usage;
use crate::words;

/// Entries, and everything that finds them.
pub(crate) struct Shelves {
    pub(crate) embedder: Arc<dyn Embedder>,
    pub(crate) slots: Vec<Option<Entry>>,
    free: Vec<u32>,
    names: HashMap<(Kind, String), u32>,
    pub(crate) lexicon: Lexicon,
    pub(crate) kin: Kin,
    pub(crate) places: Places,
    pub(crate) families: Families,
    pub(crate) usage: Usage,
}

/// An entry that only has to be put on the shelves.
pub(crate) struct Ready {
    entry: Entry,
    words: Vec<Weighed>,
    place: Place,
}

impl Ready {
    pub(crate) fn new(embedder: &dyn Embedder, entry: Entry) -> Self {
        let words = filed_under(&entry);
        let place = Place::new(&embedder.embed(&in_words(&entry)));
        Ready { entry, words, place }
    }
}

impl Shelves {
    pub(crate) fn new(embedder: Arc<dyn Embedder>) -> Self {
        let width = embedder.dimensions();
        Shelves {
            embedder,
            slots: Vec::new(),
            free: Vec::new(),
            names: HashMap::new(),
            lexicon: Lexicon::default(),
            kin: Kin::new(width),
            places: Places::new(width),
            families: Families::default(),
            usage: Usage::new(width),
        }
    }

    pub(crate) fn put(&mut self, ready: Ready) {
        let Ready { entry, words, place } = ready;
        let key = (entry.kind, entry.name.clone());
        let slot = match self.names.get(&key) {
            Some(slot) => {
                self.lexicon.remove(*slot);
                *slot
            }
            None => {
                let slot = self.free.pop().unwrap_or(self.slots.len() as u32);
                self.names.insert(key, slot);
                slot
            }
        };
        self.lexicon.put(slot, &words);
        // Words get their numbers in order, so the new ones are those that the kin do not have.
        for word in &words {
            if self.lexicon.id(&word.stem) == Some(self.kin.len() as u32) {
                let place = if words::has_kin(&word.said) { self.embedder.embed(&word.said) } else { Vec::new() };
                self.kin.push(&Place::new(&place));
            }
        }
        self.places.put(slot, &place);
        self.families.put(slot, entry.family.as_deref());
        if self.slots.len() <= slot as usize {
            self.slots.resize(slot as usize + 1, None);
        }
        self.slots[slot as usize] = Some(entry);
    }

    pub(crate) fn remove(&mut self, kind: Kind, name: &str) -> bool {
        let Some(slot) = self.names.remove(&(kind, name.to_owned())) else { return false };
        self.lexicon.remove(slot);
        self.slots[slot as usize] = None;
        self.usage.forget(slot);
        self.free.push(slot);
        true
    }

    pub(crate) fn slot(&self, kind: Kind, name: &str) -> Option<u32> {
        self.names.get(&(kind, name.to_owned())).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        let entries: usize = self.slots.iter().map(|slot| slot.as_ref().map_or(0, bytes) + size_of::<Entry>()).sum();
        entries + self.lexicon.bytes() + self.kin.bytes() + self.places.bytes() + self.usage.bytes()
    }
}

/// Which entries belong together.
#[derive(Debug, Default)]
pub(crate) struct Families {
    numbers: HashMap<String, u32>,
    of: Vec<Option<u32>>,
}

impl Families {
    fn put(&mut self, slot: u32, family: Option<&str>) {
        if self.of.len() <= slot as usize {
            self.of.resize(slot as usize + 1, None);
        }
        let next = self.numbers.len() as u32;
        let number = |family: &str| match self.numbers.get(family) {
            Some(number) => *number,
            None => {
                self.numbers.insert(family.to_owned(), next);
                next
            }
        };
        self.of[slot as usize] = family.map(number);
    }

    /// The number of a slot's family.
    pub(crate) fn of(&self, slot: u32) -> Option<u32> {
        self.of.get(slot as usize).copied().flatten()
    }
}

/// The words of an entry, each once, by how much they count: its name most, its parameters least.
fn filed_under(entry: &Entry) -> Vec<Weighed> {
    let (keywords, parameters) = (entry.keywords.join(" "), entry.parameters.join(" "));
    let fields = [
        (entry.name.as_str(), 3.0),
        (keywords.as_str(), 2.0),
        (entry.description.as_str(), 1.0),
        (entry.family.as_deref().unwrap_or_default(), 0.7),
        (parameters.as_str(), 0.7),
    ];
    let mut filed: Vec<Weighed> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for (text, count) in fields {
        for term in words::terms(text).into_iter().filter(|term| !words::empty(&term.said)) {
            match known.get(&term.stem) {
                Some(at) => filed[*at].count += count,
                None => {
                    known.insert(term.stem.clone(), filed.len());
                    filed.push(Weighed { stem: term.stem, said: term.said, count });
                }
            }
        }
    }
    filed
}

/// What is embedded of an entry.
fn in_words(entry: &Entry) -> String {
    let name: Vec<String> = words::terms(&entry.name).into_iter().map(|term| term.said).collect();
    format!("{} {} {}", name.join(" "), entry.keywords.join(" "), words::cut(&entry.description, words::LONGEST))
}

/// Bytes of what an entry points to. Its name stands in the map of names too.
fn bytes(entry: &Entry) -> usize {
    let lists = entry.keywords.iter().chain(&entry.parameters).map(|word| word.len() + size_of::<String>());
    let names = 2 * entry.name.len() + size_of::<(Kind, String, u32)>();
    names + entry.description.len() + entry.family.as_ref().map_or(0, String::len) + lists.sum::<usize>()
}
