//! The full-text index: for each word the entries it stands in, for each entry its words, and how much they say there.
//!
//! It is our own because entries change one at a time while others search, and because a score has to say which words it
//! comes from and mean the same in every registry. Over 6,189 tools in memory tantivy took 8.9 ms (13 ms in one of a hundred
//! cases) to replace one and show it, this takes 0.04 ms; tantivy's search by words alone took 0.6 ms (2.2 ms), everything here
//! together 1 ms (1.9 ms). How much a word says in an entry is fixed when the entry comes in: it hangs on the entry alone, not
//! on the average length of all.

use std::collections::HashMap;

/// How fast saying a word again stops to count.
const SATURATION: f32 = 1.2;
/// How much longer texts lose.
const LENGTH: f32 = 0.6;
/// The length at which a text neither wins nor loses.
const USUAL: f32 = 30.0;

/// A word, by its stem, as it was said, and how often it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weighed {
    pub(crate) stem: String,
    pub(crate) said: String,
    pub(crate) count: f32,
}

/// A word in a slot, or a slot under a word, and how much the one says about the other, between 0 and 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mention {
    /// The word's number in the list of a slot, the slot in the list of a word.
    pub(crate) of: u32,
    pub(crate) impact: f32,
}

/// Entries by their words and words by their entries.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    words: HashMap<Box<str>, u32>,
    entries_of: Vec<Vec<Mention>>,
    words_of: Vec<Box<[Mention]>>,
    filed: usize,
}

impl Lexicon {
    /// Files an entry under its words, each of which stands in the list once. Its slot must be empty.
    pub(crate) fn put(&mut self, slot: u32, words: &[Weighed]) {
        self.filed += 1;
        let length: f32 = words.iter().map(|word| word.count).sum();
        let hold = SATURATION * (1.0 - LENGTH + LENGTH * length / USUAL);
        let mut mentions = Vec::with_capacity(words.len());
        for word in words {
            let id = self.number(&word.stem);
            let impact = word.count / (word.count + hold);
            mentions.push(Mention { of: id, impact });
            let list = &mut self.entries_of[id as usize];
            let at = match list.last() {
                Some(last) if last.of >= slot => list.partition_point(|other| other.of < slot),
                _ => list.len(),
            };
            list.insert(at, Mention { of: slot, impact });
        }
        if self.words_of.len() <= slot as usize {
            self.words_of.resize_with(slot as usize + 1, Box::default);
        }
        self.words_of[slot as usize] = mentions.into();
    }

    /// Takes an entry out.
    pub(crate) fn remove(&mut self, slot: u32) {
        self.filed = self.filed.saturating_sub(1);
        for mention in std::mem::take(&mut self.words_of[slot as usize]) {
            let list = &mut self.entries_of[mention.of as usize];
            if let Ok(at) = list.binary_search_by_key(&slot, |mention| mention.of) {
                list.remove(at);
            }
        }
    }

    fn number(&mut self, stem: &str) -> u32 {
        if let Some(id) = self.words.get(stem) {
            return *id;
        }
        self.entries_of.push(Vec::new());
        let id = self.entries_of.len() as u32 - 1;
        self.words.insert(stem.into(), id);
        id
    }

    /// The number of a word that some entry had once.
    pub(crate) fn id(&self, stem: &str) -> Option<u32> {
        self.words.get(stem).copied()
    }

    /// How many words have a number.
    pub(crate) fn words(&self) -> usize {
        self.entries_of.len()
    }

    /// How much a word says about which entry is meant: nothing if it stands in all of them, 1 if in none.
    pub(crate) fn rarity(&self, id: Option<u32>) -> f32 {
        let with = id.map_or(0, |id| self.entries_of[id as usize].len()) as f32;
        let all = self.filed as f32;
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln() / (1.0 + (all + 0.5) / 0.5).ln()
    }

    /// The slots a word stands in.
    pub(crate) fn entries(&self, id: u32) -> &[Mention] {
        &self.entries_of[id as usize]
    }

    /// The words that stand in a slot.
    pub(crate) fn mentions(&self, slot: u32) -> &[Mention] {
        &self.words_of[slot as usize]
    }

    /// Bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let mentions = self.entries_of.iter().map(Vec::capacity).sum::<usize>()
            + self.words_of.iter().map(|words| words.len()).sum::<usize>();
        let lists = self.entries_of.capacity() * size_of::<Vec<Mention>>()
            + self.words_of.capacity() * size_of::<Box<[Mention]>>();
        let words: usize = self.words.keys().map(|word| word.len()).sum();
        mentions * size_of::<Mention>() + lists + words + self.words.capacity() * (size_of::<(Box<str>, u32)>() + 1)
    }
}
