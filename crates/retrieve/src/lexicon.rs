//! The full-text index: for each word the texts it stands in, and how much it says there.
//!
//! It is our own because the index changes one entry at a time while others search, and because a score has to say which
//! words it comes from and mean the same in every registry. How much a word says in a text is therefore fixed when the
//! text comes in: it hangs on the text alone, not on the average length of all texts.

use std::collections::HashMap;

/// How fast saying a word again stops to count.
const SATURATION: f32 = 1.2;
/// How much longer texts lose.
const LENGTH: f32 = 0.5;
/// The length at which a text neither wins nor loses.
const USUAL: f32 = 30.0;

/// A word of a text, by its stem, and how often it counts there.
pub(crate) type Weighed = (String, f32);

#[derive(Debug, Clone, Copy)]
struct Posting {
    slot: u32,
    /// Between 0 and 1.
    impact: f32,
}

/// Texts by their words. A text has a number, its slot.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    words: HashMap<Box<str>, u32>,
    lists: Vec<Vec<Posting>>,
    texts: usize,
}

impl Lexicon {
    /// Files a text under its words, each of which stands in the list once.
    pub(crate) fn put(&mut self, slot: u32, words: &[Weighed]) {
        self.texts += 1;
        let length: f32 = words.iter().map(|(_, count)| count).sum();
        let hold = SATURATION * (1.0 - LENGTH + LENGTH * length / USUAL);
        for (word, count) in words {
            let next = self.lists.len() as u32;
            let id = *self.words.entry(word.as_str().into()).or_insert(next);
            if id == next {
                self.lists.push(Vec::new());
            }
            let list = &mut self.lists[id as usize];
            let posting = Posting { slot, impact: count / (count + hold) };
            match list.last() {
                Some(last) if last.slot >= slot => {
                    let at = list.partition_point(|other| other.slot < slot);
                    list.insert(at, posting);
                }
                _ => list.push(posting),
            }
        }
    }

    /// Forgets a text that was filed under these words.
    pub(crate) fn remove(&mut self, slot: u32, words: &[Weighed]) {
        self.texts = self.texts.saturating_sub(1);
        for (word, _) in words {
            let Some(id) = self.words.get(word.as_str()) else { continue };
            let list = &mut self.lists[*id as usize];
            if let Ok(at) = list.binary_search_by_key(&slot, |posting| posting.slot) {
                list.remove(at);
            }
        }
    }

    /// How much a word says about which text is meant: nothing if it stands in all of them, 1 if in none.
    pub(crate) fn rarity(&self, word: &str) -> f32 {
        let texts = self.texts as f32;
        let with = self.words.get(word).map_or(0, |id| self.lists[*id as usize].len()) as f32;
        (1.0 + (texts - with + 0.5) / (with + 0.5)).ln() / (1.0 + (texts + 0.5) / 0.5).ln()
    }

    /// Adds to each text's sum what a word says there times its weight.
    pub(crate) fn add(&self, word: &str, weight: f32, sums: &mut [f32]) {
        let Some(id) = self.words.get(word) else { return };
        for posting in &self.lists[*id as usize] {
            sums[posting.slot as usize] += weight * posting.impact;
        }
    }

    /// Whether a text has a word.
    pub(crate) fn has(&self, slot: u32, word: &str) -> bool {
        let list = self.words.get(word).map(|id| &self.lists[*id as usize]);
        list.is_some_and(|list| list.binary_search_by_key(&slot, |posting| posting.slot).is_ok())
    }

    /// Bytes it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let lists: usize = self.lists.iter().map(|list| list.capacity() * size_of::<Posting>()).sum();
        let words: usize = self.words.keys().map(|word| word.len()).sum();
        lists
            + words
            + self.words.capacity() * (size_of::<(Box<str>, u32)>() + 1)
            + self.lists.capacity() * size_of::<Vec<Posting>>()
    }
}
