//! The order in which a request with several steps is answered.

use crate::search::Candidate;

/// Candidates that are put in order; the others are far behind.
const LOOKED_AT: usize = 150;
/// How much it counts that a step is answered better than by anything before.
const NEWS: f32 = 0.5;
/// How much near words and meaning count for answering a step.
const WORDS: f32 = 14.0;
const MEANING: f32 = 8.0;
/// How well every step counts as answered from the start.
const ANSWERED: f32 = 4.0;

/// The best candidate, then again and again the one that is best together with what it adds: how much better it answers
/// a step than all before it. Takes candidates best first.
pub(crate) fn spread(mut candidates: Vec<Candidate>, steps: usize, most: usize) -> Vec<Candidate> {
    let rest = candidates.split_off(candidates.len().min(LOOKED_AT));
    let mut answered = vec![ANSWERED; steps];
    let mut chosen: Vec<Candidate> = Vec::new();
    while chosen.len() < most && !candidates.is_empty() {
        let worth = |candidate: &Candidate| {
            let news = answers(candidate).zip(&answered).map(|(answer, before)| answer - before).fold(0.0, f32::max);
            candidate.odds + if chosen.is_empty() { 0.0 } else { NEWS * news }
        };
        let mut best = (0, f32::NEG_INFINITY);
        for (at, candidate) in candidates.iter().enumerate() {
            let worth = worth(candidate);
            if worth > best.1 {
                best = (at, worth);
            }
        }
        let next = candidates.remove(best.0);
        answered.iter_mut().zip(answers(&next)).for_each(|(before, answer)| *before = before.max(answer));
        chosen.push(next);
    }
    chosen.extend(candidates);
    chosen.extend(rest);
    chosen
}

/// How well a candidate answers each step.
fn answers(candidate: &Candidate) -> impl Iterator<Item = f32> {
    candidate.signals.steps.iter().map(|(words, meaning)| WORDS * words + MEANING * meaning)
}
