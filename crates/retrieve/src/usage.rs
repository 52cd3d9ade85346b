//! What was chosen for which requests before, and how that went.
//!
//! Uses correct what words and meaning say. For each entry there are weights over the words, pairs of words and the
//! meaning of requests; their sum is added to the entry's log odds. A use moves them by as much as the index was wrong: what
//! went well is pulled up and what looked better is pushed down, what went badly is pushed down. Some earlier uses are gone
//! through again each time, so that late ones do not wash them out. Where there were no uses nothing changes.

use std::collections::HashMap;

use crate::entry::Tally;
use crate::places::{Place, Places};
use crate::words;
use reflex::features::hash;

/// Uses that are remembered; then the oldest makes room.
const MOST: usize = 20_000;
/// Words and pairs of words that have weights at most.
const FEATURES: usize = 400_000;
/// Entries of which a word knows weights at most.
const PER_FEATURE: usize = 512;
/// Words of a request that are looked at.
const WORDS: usize = 128;
/// Earlier uses that are gone through again with each new one.
const AGAIN: usize = 4;
/// How far a use moves the odds of the same request, at most.
const SPEED: f32 = 3.0;
/// How much of the likeness of two requests is their meaning; the rest is their words.
const MEANING: f32 = 0.25;
/// The chance below which what looked good need not be pushed down.
const SMALL: f32 = 0.005;
/// How near a request must be to count as such a request.
const SUCH: f32 = 0.6;

/// How much a use that went badly moves at least, the first time.
const BAD: f32 = 0.4;
/// The slot of a use whose entry has gone.
const NOBODY: u32 = u32::MAX;

/// Weights, and the uses they come from.
#[derive(Debug)]
pub(crate) struct Usage {
    uses: Vec<Example>,
    places: Places,
    /// The use that makes room next, once there are as many as are remembered.
    oldest: usize,
    rows: HashMap<u32, Vec<u32>>,
    good_for: HashMap<u64, Vec<u32>>,
    /// In how many uses a word stands.
    spread: HashMap<u32, u32>,
    by_word: HashMap<u32, Vec<(u32, f32)>>,
    by_meaning: HashMap<u32, Vec<f32>>,
    dice: u64,
}

#[derive(Debug)]
struct Example {
    slot: u32,
    good: bool,
    request: Request,
    /// What looked best without uses, with its log odds.
    rivals: Vec<(u32, f32)>,
}

/// A request as its uses are filed.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    text: u64,
    words: Vec<u32>,
    place: Vec<f32>,
}

impl Request {
    pub(crate) fn new(text: &str, place: Vec<f32>) -> Self {
        let terms = words::terms(text);
        let stems: Vec<(u32, bool)> =
            terms.iter().take(WORDS).map(|term| (hash(term.stem.bytes()), words::empty(&term.said))).collect();
        let pairs = stems.windows(2).filter(|pair| !(pair[0].1 && pair[1].1));
        let pairs = pairs.map(|pair| pair[0].0.rotate_left(7) ^ pair[1].0);
        let mut words: Vec<u32> = stems.iter().filter(|stem| !stem.1).map(|stem| stem.0).chain(pairs).collect();
        words.sort_unstable();
        words.dedup();
        let text = words.iter().fold(0, |sum: u64, word| sum.rotate_left(5).wrapping_mul(31) ^ u64::from(*word));
        Request { text, words, place }
    }
}

impl Usage {
    pub(crate) fn new(width: usize) -> Self {
        Usage {
            uses: Vec::new(),
            places: Places::new(width),
            oldest: 0,
            rows: HashMap::new(),
            good_for: HashMap::new(),
            spread: HashMap::new(),
            by_word: HashMap::new(),
            by_meaning: HashMap::new(),
            dice: 0,
        }
    }

    /// Files a use. The rivals are what looked best without uses, the entry itself among them, with their log odds.
    pub(crate) fn learn(&mut self, slot: u32, request: Request, good: bool, rivals: Vec<(u32, f32)>) {
        for word in &request.words {
            if self.spread.len() < FEATURES || self.spread.contains_key(word) {
                *self.spread.entry(*word).or_default() += 1;
            }
        }
        if good {
            let slots = self.good_for.entry(request.text).or_default();
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
        let place = Place::new(&request.place);
        let example = Example { slot, good, request, rivals };
        let row = if self.uses.len() < MOST {
            self.uses.push(example);
            self.uses.len() - 1
        } else {
            self.replace_oldest(example)
        };
        self.places.put(row as u32, &place);
        self.rows.entry(slot).or_default().push(row as u32);
        self.go_through(row, if good { 0.0 } else { BAD });
        for _ in 0..AGAIN.min(self.uses.len() - 1) {
            self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.go_through((self.dice >> 33) as usize % self.uses.len(), 0.0);
        }
    }

    /// What uses add to the log odds of every slot.
    pub(crate) fn odds(&self, request: &Request, slots: usize) -> Vec<f32> {
        let mut sums = vec![0.0; slots];
        for (word, x) in self.features(request) {
            for (slot, weight) in self.by_word.get(&word).into_iter().flatten() {
                sums[*slot as usize] += x * weight;
            }
        }
        for (slot, weights) in &self.by_meaning {
            let sum: f32 = weights.iter().zip(&request.place).map(|(weight, x)| weight * x).sum();
            sums[*slot as usize] += MEANING.sqrt() * sum;
        }
        sums
    }

    /// How uses of a slot for such requests ended.
    pub(crate) fn such(&self, slot: u32, place: &Place) -> Tally {
        let mut tally = Tally::default();
        for row in self.rows.get(&slot).into_iter().flatten() {
            if self.places.near_row(*row, place) >= SUCH {
                let good = self.uses[*row as usize].good;
                *(if good { &mut tally.good } else { &mut tally.bad }) += 1;
            }
        }
        tally
    }

    /// Forgets everything about a slot.
    pub(crate) fn forget(&mut self, slot: u32) {
        self.by_meaning.remove(&slot);
        self.rows.remove(&slot);
        self.by_word.retain(|_, weights| {
            weights.retain(|(own, _)| *own != slot);
            !weights.is_empty()
        });
        self.good_for.retain(|_, slots| {
            slots.retain(|own| *own != slot);
            !slots.is_empty()
        });
        for example in &mut self.uses {
            example.rivals.retain(|(own, _)| *own != slot);
            if example.slot == slot {
                // It teaches nothing any more, and makes room in its turn.
                example.rivals.clear();
                example.slot = NOBODY;
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.values().map(Vec::len).sum()
    }

    /// The words of a request, rare ones heavier, together as long as their share of a likeness.
    fn features(&self, request: &Request) -> Vec<(u32, f32)> {
        let uses = self.uses.len() as f32;
        let known = request.words.iter().filter_map(|word| Some((*word, *self.spread.get(word)?)));
        let mut features: Vec<(u32, f32)> =
            known.map(|(word, spread)| (word, (1.0 + uses / spread as f32).ln())).collect();
        let strange = (request.words.len() - features.len()) as f32 * (1.0 + uses).ln().powi(2);
        let length = (features.iter().map(|(_, x)| x * x).sum::<f32>() + strange).sqrt().max(1e-6);
        features.iter_mut().for_each(|(_, x)| *x *= (1.0 - MEANING).sqrt() / length);
        features
    }

    /// Moves weights by how wrong the index is about a use; a bad one by at least so much.
    fn go_through(&mut self, row: usize, least: f32) {
        let example = &self.uses[row];
        if example.slot == NOBODY {
            return;
        }
        let moves = self.moves(example, least);
        let features = self.features(&example.request);
        let place = example.request.place.clone();
        for (slot, by) in moves {
            for (word, x) in &features {
                let weights = self.by_word.entry(*word).or_default();
                match weights.binary_search_by_key(&slot, |(own, _)| *own) {
                    Ok(at) => weights[at].1 += by * x,
                    Err(at) if weights.len() < PER_FEATURE => weights.insert(at, (slot, by * x)),
                    Err(_) => {}
                }
            }
            let weights = self.by_meaning.entry(slot).or_insert_with(|| vec![0.0; place.len()]);
            weights.iter_mut().zip(&place).for_each(|(weight, x)| *weight += by * MEANING.sqrt() * x);
        }
    }

    fn moves(&self, example: &Example, least: f32) -> Vec<(u32, f32)> {
        let chance = |odds: f32| (1.0 + (-odds).exp()).recip();
        let own = |slot: u32| example.rivals.iter().find(|(rival, _)| *rival == slot).map(|(_, odds)| *odds);
        let floor = example.rivals.iter().map(|(_, odds)| *odds).fold(0.0, f32::min);
        let highest = example.rivals.iter().map(|(slot, _)| *slot).chain(self.by_meaning.keys().copied()).max();
        let sums = self.odds(&example.request, highest.unwrap_or(0).max(example.slot) as usize + 1);
        let total = |slot: u32| own(slot).unwrap_or(floor) + sums[slot as usize];
        if !example.good {
            return vec![(example.slot, -SPEED * chance(total(example.slot)).max(least))];
        }
        let mut moves = vec![(example.slot, SPEED * (1.0 - chance(total(example.slot))))];
        let right = self.good_for.get(&example.request.text);
        let strong = sums.iter().zip(0..).filter(|(sum, _)| **sum > 1.0).map(|(_, slot)| slot);
        let mut others: Vec<u32> = example.rivals.iter().map(|(slot, _)| *slot).chain(strong).collect();
        others.sort_unstable();
        others.dedup();
        for slot in others {
            let wrong = slot != example.slot && right.is_none_or(|right| !right.contains(&slot));
            let chance = chance(total(slot));
            if wrong && chance > SMALL {
                moves.push((slot, -SPEED * chance));
            }
        }
        moves
    }

    fn replace_oldest(&mut self, example: Example) -> usize {
        let row = self.oldest;
        self.oldest = (row + 1) % MOST;
        let old = std::mem::replace(&mut self.uses[row], example);
        if let Some(rows) = self.rows.get_mut(&old.slot) {
            rows.retain(|own| *own as usize != row);
        }
        self.good_for.remove(&old.request.text);
        for word in &old.request.words {
            if let Some(spread) = self.spread.get_mut(word) {
                *spread -= 1;
                if *spread == 0 {
                    self.spread.remove(word);
                    self.by_word.remove(word);
                }
            }
        }
        row
    }

    pub(crate) fn bytes(&self) -> usize {
        let uses: usize = self
            .uses
            .iter()
            .map(|example| {
                let request = &example.request;
                size_of::<Example>()
                    + request.words.capacity() * 4
                    + request.place.capacity() * 4
                    + example.rivals.capacity() * 8
            })
            .sum();
        let weights: usize = self.by_word.values().map(|list| list.capacity() * 8 + 32).sum();
        let meanings: usize = self.by_meaning.values().map(|list| list.capacity() * 4 + 32).sum();
        uses + weights + meanings + self.places.bytes() + self.spread.capacity() * 9 + self.good_for.capacity() * 40
    }
}
