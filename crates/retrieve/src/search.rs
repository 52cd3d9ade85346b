//! One search: three opinions about every entry, fused into one number that means the same for every query.

use std::cmp::Ordering;

use crate::entry::{Entry, Found, Wanted};
use crate::index::Shelves;
use crate::places::Place;
use crate::usage::Said;
use crate::words;

/// A word of a query.
struct Asked {
    stem: String,
    said: String,
    weight: f32,
}

impl Shelves {
    pub(crate) fn search(&self, text: &str, place: &Place, wanted: &Wanted) -> Vec<Found> {
        let asked = self.asked(text);
        let mut sums = vec![0.0; self.slots.len()];
        asked.iter().for_each(|asked| self.lexicon.add(&asked.stem, asked.weight, &mut sums));
        let near = self.places.near(place);
        let said = self.usage.say(place, self.slots.len());
        let mut ranked: Vec<(f32, u32)> = Vec::new();
        for (slot, entry) in self.slots.iter().enumerate() {
            if entry.as_ref().is_some_and(|entry| wanted.takes(entry.kind)) {
                ranked.push((odds(sums[slot], near[slot], said[slot].odds), slot as u32));
            }
        }
        let better = |one: &(f32, u32), two: &(f32, u32)| self.order(*one, *two);
        if ranked.len() > wanted.most && wanted.most > 0 {
            ranked.select_nth_unstable_by(wanted.most - 1, better);
        }
        ranked.truncate(wanted.most);
        ranked.sort_unstable_by(better);
        let found = ranked.into_iter().filter_map(|(odds, slot)| {
            let at = slot as usize;
            let entry = self.slots[at].as_ref()?;
            let (words, meaning, said) = (sums[at].min(1.0), near[at].clamp(0.0, 1.0), said[at]);
            let shared: Vec<&str> = asked
                .iter()
                .filter(|asked| self.lexicon.has(slot, &asked.stem))
                .map(|asked| asked.said.as_str())
                .collect();
            let why = why(&shared, meaning, said);
            let score = (1.0 + (-odds).exp()).recip();
            Some(Found {
                kind: entry.kind,
                name: entry.name.clone(),
                score,
                words,
                meaning,
                usage: said.odds.tanh(),
                why,
            })
        });
        found.collect()
    }

    /// Better odds first; then what went well more often; then by name.
    fn order(&self, one: (f32, u32), two: (f32, u32)) -> Ordering {
        let entry = |slot: u32| self.slots[slot as usize].as_ref();
        let standing = |slot: u32| entry(slot).map_or(0.0, |entry| entry.tally.share());
        let key = |slot: u32| entry(slot).map(|entry: &Entry| (&entry.name, entry.kind));
        let odds = two.0.total_cmp(&one.0);
        odds.then_with(|| standing(two.1).total_cmp(&standing(one.1))).then_with(|| key(one.1).cmp(&key(two.1)))
    }

    /// The words of a query with their share of what it says; all of them together are 1.
    fn asked(&self, text: &str) -> Vec<Asked> {
        let mut asked: Vec<Asked> = Vec::new();
        for term in words::terms(text) {
            if !words::empty(&term.said) && !asked.iter().any(|other| other.stem == term.stem) {
                let weight = self.lexicon.rarity(&term.stem);
                asked.push(Asked { stem: term.stem, said: term.said, weight });
            }
        }
        let whole: f32 = asked.iter().map(|asked| asked.weight).sum();
        asked.iter_mut().for_each(|asked| asked.weight /= whole.max(1e-6));
        asked
    }
}

fn odds(words: f32, meaning: f32, usage: f32) -> f32 {
    -5.0 + 6.0 * words + 5.0 * meaning + 2.0 * usage
}

/// What speaks for and against it, in plain words.
fn why(shared: &[&str], meaning: f32, said: Said) -> String {
    let mut parts = Vec::new();
    if !shared.is_empty() {
        let words: Vec<String> = shared.iter().take(6).map(|word| format!("`{word}`")).collect();
        parts.push(format!("shares the word{} {}", if words.len() == 1 { "" } else { "s" }, words.join(", ")));
    }
    parts.push(match meaning {
        0.75.. => format!("means nearly the same ({meaning:.2})"),
        0.5.. => format!("means something alike ({meaning:.2})"),
        0.25.. => format!("means something distantly alike ({meaning:.2})"),
        _ => format!("means something else ({meaning:.2})"),
    });
    let uses = said.good + said.bad;
    if uses > 0 {
        parts.push(format!(
            "was used {uses} time{} for such requests, {} went well",
            if uses == 1 { "" } else { "s" },
            if said.good == uses { "all".to_owned() } else { said.good.to_string() },
        ));
    }
    parts.join("; ")
}
