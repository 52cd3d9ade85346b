//! One search: what words, meaning and uses say, fused and put in order.

use std::cmp::Ordering;

use crate::entry::{Entry, Found, Wanted};
use crate::fuse::{chance, odds, opinion, why};
use crate::places::Place;
use crate::question::{Question, Text};
use crate::shelves::Shelves;
use crate::shortlist::spread;
use crate::signals::Signals;
use crate::usage::Request;

/// What looks best without uses, of which a use takes note.
const RIVALS: usize = 20;
/// The log odds that uses must add for an entry to be looked at whatever its words are.
const USED: f32 = 1.0;

/// A text that is looked for, made before the index is asked.
pub(crate) struct Sought {
    pub(crate) request: Request,
    pub(crate) whole: Text,
    pub(crate) steps: Vec<Text>,
}

/// An entry in the running.
#[derive(Debug)]
pub(crate) struct Candidate {
    slot: u32,
    pub(crate) odds: f32,
    usage: f32,
    pub(crate) signals: Signals,
}

impl Shelves {
    /// What is meant, best first; where there are steps, so that each of them is answered early.
    pub(crate) fn search(&self, sought: Sought, wanted: &Wanted) -> Vec<Found> {
        let Sought { request, whole, steps } = sought;
        let place = whole.place.clone();
        let question = self.question(whole, steps);
        let usage = self.usage.odds(&request, self.slots.len());
        let takes = |slot: u32| self.slots[slot as usize].as_ref().is_some_and(|entry| wanted.takes(entry.kind));
        let used: Vec<u32> = usage.iter().zip(0..).filter(|(odds, _)| **odds > USED).map(|(_, slot)| slot).collect();
        let close = self.close(&question, takes, &used);
        let signals = self.signals(&question, &close);
        let mut candidates: Vec<Candidate> = close
            .into_iter()
            .zip(signals)
            .map(|(slot, signals)| {
                let usage = usage[slot as usize];
                Candidate { slot, odds: odds(&signals) + usage, usage, signals }
            })
            .collect();
        let better = |one: &Candidate, two: &Candidate| {
            two.odds.total_cmp(&one.odds).then_with(|| self.standing(one.slot, two.slot))
        };
        candidates.sort_unstable_by(better);
        let chosen =
            if question.steps.is_empty() { candidates } else { spread(candidates, question.steps.len(), wanted.most) };
        chosen.into_iter().take(wanted.most).filter_map(|candidate| self.found(&question, &place, &candidate)).collect()
    }

    /// What of the same kind looks best without uses, and one entry in any case, with their log odds. Nobody chooses
    /// between an agent and a tool.
    pub(crate) fn rivals(&self, whole: Text, steps: Vec<Text>, slot: u32) -> Vec<(u32, f32)> {
        let question = self.question(whole, steps);
        let kind = |slot: u32| self.slots[slot as usize].as_ref().map(|entry| entry.kind);
        let own = kind(slot);
        let close = self.close(&question, |other| own.is_some() && kind(other) == own, &[slot]);
        let signals = self.signals(&question, &close);
        let mut rivals: Vec<(u32, f32)> =
            close.into_iter().zip(&signals).map(|(slot, signals)| (slot, odds(signals))).collect();
        rivals.sort_unstable_by(|one, two| (two.0 == slot).cmp(&(one.0 == slot)).then(two.1.total_cmp(&one.1)));
        rivals.truncate(RIVALS);
        rivals
    }

    /// Of two that are equally likely: what went well more often first; then by name.
    pub(crate) fn standing(&self, one: u32, two: u32) -> Ordering {
        let entry = |slot: u32| self.slots[slot as usize].as_ref();
        let share = |slot: u32| entry(slot).map_or(0.0, |entry| entry.tally.share());
        let key = |slot: u32| entry(slot).map(|entry: &Entry| (&entry.name, entry.kind));
        share(two).total_cmp(&share(one)).then_with(|| key(one).cmp(&key(two)))
    }

    fn question(&self, whole: Text, steps: Vec<Text>) -> Question {
        Question::new(&self.lexicon, &self.kin, &*self.embedder, whole, steps)
    }

    fn found(&self, question: &Question, place: &Place, candidate: &Candidate) -> Option<Found> {
        let Candidate { slot, odds, usage, signals } = candidate;
        let entry = self.slots[*slot as usize].as_ref()?;
        let has = |id: u32| self.lexicon.mentions(*slot).iter().any(|mention| mention.of == id);
        let shared = question.words.iter().filter(|word| word.id.is_some_and(has));
        let shared: Vec<&str> = shared.map(|word| word.said.as_str()).collect();
        let meaning = signals.meaning_of_step.clamp(0.0, 1.0);
        Some(Found {
            kind: entry.kind,
            name: entry.name.clone(),
            score: chance(*odds),
            words: signals.words.clamp(0.0, 1.0),
            meaning,
            usage: opinion(*usage),
            why: why(&shared, meaning, self.usage.such(*slot, place)),
        })
    }
}
