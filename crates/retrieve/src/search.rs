//! One search: three opinions about every entry, fused into one number that means the same for every query.

use std::cmp::Ordering;

use crate::entry::{Entry, Found, Wanted};
use crate::question::{Question, Text};
use crate::shelves::Shelves;
use crate::signals::Signals;
use crate::usage::Said;

pub const K: usize = 7;

impl Shelves {
    pub(crate) fn dump(&self, whole: Text, steps: Vec<Text>) -> Vec<(String, [f32; K])> {
        let question = Question::new(&self.lexicon, &self.kin, &*self.embedder, whole, steps);
        let close = self.close(&question, |slot| self.slots[slot as usize].is_some(), &[]);
        let s = self.signals(&question, &close);
        close
            .iter()
            .zip(s)
            .map(|(slot, s)| {
                (
                    self.slots[*slot as usize].as_ref().unwrap().name.clone(),
                    [s.words, s.said, s.meaning, s.meaning_of_step, s.kin, s.kin_of_step, s.family],
                )
            })
            .collect()
    }

    pub(crate) fn search(&self, whole: Text, steps: Vec<Text>, wanted: &Wanted) -> Vec<Found> {
        let place = whole.place.clone();
        let question = Question::new(&self.lexicon, &self.kin, &*self.embedder, whole, steps);
        let said = self.usage.say(&place, self.slots.len());
        let takes = |slot: u32| self.slots[slot as usize].as_ref().is_some_and(|entry| wanted.takes(entry.kind));
        let close = self.close(&question, takes, &[]);
        let signals = self.signals(&question, &close);
        let mut ranked: Vec<(f32, usize)> = Vec::new();
        for (at, slot) in close.iter().enumerate() {
            ranked.push((odds(&signals[at], said[*slot as usize].odds), at));
        }
        let better = |one: &(f32, usize), two: &(f32, usize)| {
            two.0.total_cmp(&one.0).then_with(|| self.standing(close[one.1], close[two.1]))
        };
        if ranked.len() > wanted.most && wanted.most > 0 {
            ranked.select_nth_unstable_by(wanted.most - 1, better);
        }
        ranked.truncate(wanted.most);
        ranked.sort_unstable_by(better);
        let found = ranked.into_iter().filter_map(|(odds, at)| {
            let slot = close[at];
            let entry = self.slots[slot as usize].as_ref()?;
            let (words, meaning, said) =
                (signals[at].words.min(1.0), signals[at].meaning.clamp(0.0, 1.0), said[slot as usize]);
            let has = |id: u32| self.lexicon.mentions(slot).iter().any(|mention| mention.of == id);
            let shared = question.words.iter().filter(|word| word.id.is_some_and(has));
            let shared: Vec<&str> = shared.map(|word| word.said.as_str()).collect();
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

    /// Of two that are equally likely: what went well more often first; then by name.
    pub(crate) fn standing(&self, one: u32, two: u32) -> Ordering {
        let entry = |slot: u32| self.slots[slot as usize].as_ref();
        let share = |slot: u32| entry(slot).map_or(0.0, |entry| entry.tally.share());
        let key = |slot: u32| entry(slot).map(|entry: &Entry| (&entry.name, entry.kind));
        share(two).total_cmp(&share(one)).then_with(|| key(one).cmp(&key(two)))
    }
}

fn odds(s: &Signals, usage: f32) -> f32 {
    -8.0 + 4.69 * s.words
        + 0.75 * s.said
        + 2.77 * s.meaning
        + 5.15 * s.meaning_of_step
        + 8.45 * s.kin
        + 1.19 * s.kin_of_step
        + 10.2 * s.family
        + 2.0 * usage
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
