//! What words and meaning say about entries: cheaply about all of them, then exactly about those that may be it.

use std::collections::HashMap;

use crate::question::{Part, Question};
use crate::shelves::Shelves;

/// Entries that are looked at exactly.
const CLOSE: usize = 2048;
/// Mentions that are read to find them. Words that most entries have come last and tell least.
const READ: usize = 1 << 20;

/// What words and meaning say about an entry, everything between 0 and 1 or a little beyond.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signals {
    /// The share of what the text says that the entry says in the same words.
    pub(crate) words: f32,
    /// The same, not as a share: a long text that is answered half says more than a word that is.
    pub(crate) said: f32,
    /// The share that it says in the same or in near words.
    pub(crate) kin: f32,
    /// The same of the step that it answers best.
    pub(crate) kin_of_step: f32,
    /// How near the meanings are.
    pub(crate) meaning: f32,
    /// The same of the step that is nearest.
    pub(crate) meaning_of_step: f32,
    /// The share that all of its family say together.
    pub(crate) family: f32,
    /// For each step, the share said in the same or near words, and how near the meaning is.
    pub(crate) steps: Vec<(f32, f32)>,
}

impl Shelves {
    /// The slots that may be it, in ascending order: all of them where they are few.
    pub(crate) fn close(&self, question: &Question, takes: impl Fn(u32) -> bool, also: &[u32]) -> Vec<u32> {
        let all = 0..self.slots.len() as u32;
        if self.slots.len() <= CLOSE {
            return all.filter(|slot| takes(*slot)).collect();
        }
        let mut sums = self.places.near(&question.whole.place);
        sums.resize(self.slots.len(), 0.0);
        let mut rarest: Vec<(u32, f32)> =
            question.words.iter().filter_map(|word| Some((word.id?, word.weight))).collect();
        rarest.sort_unstable_by_key(|(id, _)| self.lexicon.entries(*id).len());
        let mut read = 0;
        for (id, weight) in rarest {
            let entries = self.lexicon.entries(id);
            read += entries.len();
            if read > READ {
                break;
            }
            let weight = weight * (2.0 / question.whole.mass + 0.3);
            for entry in entries {
                sums[entry.of as usize] += weight * entry.impact;
            }
        }
        let mut close: Vec<u32> = all.filter(|slot| takes(*slot)).collect();
        if close.len() > CLOSE {
            let better = |one: &u32, two: &u32| {
                sums[*two as usize].total_cmp(&sums[*one as usize]).then_with(|| self.standing(*one, *two))
            };
            close.select_nth_unstable_by(CLOSE, better);
            close.truncate(CLOSE);
        }
        close.extend(also.iter().filter(|slot| takes(**slot)));
        close.sort_unstable();
        close.dedup();
        close
    }

    /// What words and meaning say about some slots, in their order.
    pub(crate) fn signals(&self, question: &Question, slots: &[u32]) -> Vec<Signals> {
        let mut families: HashMap<u32, Vec<f32>> = HashMap::new();
        let mut all = Vec::with_capacity(slots.len());
        let (mut same, mut kin) = (vec![0.0; question.words.len()], vec![0.0; question.words.len()]);
        for slot in slots {
            same.fill(0.0);
            kin.fill(0.0_f32);
            for mention in self.lexicon.mentions(*slot) {
                for answer in question.answers(mention.of) {
                    let (at, says) = (answer.asked as usize, answer.weight * mention.impact);
                    kin[at] = kin[at].max(says);
                    if answer.same {
                        same[at] = says;
                    }
                }
            }
            if let Some(family) = self.families.of(*slot) {
                let said = families.entry(family).or_insert_with(|| vec![0.0; same.len()]);
                said.iter_mut().zip(&same).for_each(|(most, own)| *most = most.max(*own));
            }
            all.push(self.weigh(question, *slot, &same, &kin));
        }
        for (slot, signals) in slots.iter().zip(&mut all) {
            let said = self.families.of(*slot).and_then(|family| families.get(&family));
            signals.family = said.map_or(signals.words, |said| said.iter().sum::<f32>() / question.whole.mass);
        }
        all
    }

    fn weigh(&self, question: &Question, slot: u32, same: &[f32], kin: &[f32]) -> Signals {
        let whole = &question.whole;
        let said: f32 = same.iter().sum();
        let share = |part: &Part| part.words.iter().map(|at| kin[*at as usize]).sum::<f32>() / part.mass;
        let steps: Vec<(f32, f32)> = question
            .steps
            .iter()
            .map(|step| (step.share * share(step), step.share * self.places.near_row(slot, &step.place)))
            .collect();
        let (kin, meaning) = (share(whole), self.places.near_row(slot, &whole.place));
        Signals {
            words: said / whole.mass,
            said,
            kin,
            kin_of_step: steps.iter().map(|step| step.0).fold(kin, f32::max),
            meaning,
            meaning_of_step: steps.iter().map(|step| step.1).fold(meaning, f32::max),
            family: 0.0,
            steps,
        }
    }
}
