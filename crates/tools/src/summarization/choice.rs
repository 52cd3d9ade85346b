//! Which sentences say most of a text: those with its most frequent words, early ones first, and none that repeats what
//! another has said already.

use std::collections::{HashMap, HashSet};

use super::sentences::Outline;
use crate::search::telling_stems;

/// How much less a word is worth once it has been said.
const SAID: f64 = 0.25;
/// How alike two sentences may be, as the share of their words.
const ALIKE: f64 = 0.6;

/// The places of up to `count` sentences, in the order of the text.
pub(super) fn choose(outline: &Outline, count: usize) -> Vec<usize> {
    let sentences = &outline.sentences;
    if sentences.len() <= count {
        return (0..sentences.len()).collect();
    }
    let words: Vec<HashSet<String>> =
        sentences.iter().map(|sentence| telling_stems(&sentence.text).into_iter().collect()).collect();
    let mut weights = weights(outline, &words);
    let favours: Vec<f64> = (0..sentences.len()).map(|at| favour(outline, at, words[at].len())).collect();
    let mut chosen: Vec<usize> = Vec::new();
    let mut open: Vec<usize> = (0..sentences.len()).filter(|at| !words[*at].is_empty()).collect();
    while chosen.len() < count {
        let score = |at: usize| {
            // Sorted, so that the sum does not depend on the order in which a set is walked.
            let mut known: Vec<f64> = words[at].iter().filter_map(|word| weights.get(word).copied()).collect();
            known.sort_by(f64::total_cmp);
            favours[at] * known.iter().sum::<f64>() / (words[at].len() as f64 + 4.0)
        };
        // Of equals the first: `max_by` keeps the last.
        let scored = open.iter().rev().map(|at| (score(*at), *at));
        let Some((_, best)) = scored.max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
        chosen.push(best);
        for word in &words[best] {
            if let Some(weight) = weights.get_mut(word) {
                *weight *= SAID;
            }
        }
        open.retain(|at| *at != best && alike(&words[*at], &words[best]) < ALIKE);
    }
    if chosen.is_empty() {
        return (0..count).collect();
    }
    chosen.sort_unstable();
    chosen
}

/// How much each word says about the text: by how many sentences use it, and whether a heading does.
fn weights(outline: &Outline, words: &[HashSet<String>]) -> HashMap<String, f64> {
    let mut uses: HashMap<String, f64> = HashMap::new();
    for word in words.iter().flatten() {
        *uses.entry(word.clone()).or_default() += 1.0;
    }
    let most = words.len() as f64;
    // A word in most sentences tells as little as one in a single sentence.
    let mut weights: HashMap<String, f64> =
        uses.into_iter().map(|(word, uses)| (word, uses.ln_1p() * (1.0 + (most / uses).ln() / 4.0))).collect();
    for word in outline.headings.iter().flat_map(|heading| telling_stems(heading)) {
        if let Some(weight) = weights.get_mut(&word) {
            *weight *= 1.5;
        }
    }
    weights
}

/// What its place and its form add to a sentence or take from it.
fn favour(outline: &Outline, at: usize, words: usize) -> f64 {
    let sentence = &outline.sentences[at];
    let place = match (at, sentence.first) {
        (0, _) => 1.5,
        (_, true) => 1.15,
        _ if at + 1 == outline.sentences.len() => 1.1,
        _ => 1.0,
    };
    let length = match words {
        0..=2 => 0.4,
        3..=35 => 1.0,
        _ => 0.7,
    };
    let question = if sentence.text.ends_with('?') { 0.7 } else { 1.0 };
    place * length * question
}

/// The words two sentences share, of those that the shorter one has.
fn alike(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let shorter = a.len().min(b.len()).max(1);
    a.intersection(b).count() as f64 / shorter as f64
}

#[cfg(test)]
mod tests {
    use super::super::sentences::split;
    use super::*;

    #[test]
    fn what_was_said_is_not_said_again() {
        let text = "The harbour was closed because of the storm. Because of the storm the harbour was closed. \
                    The storm closed the harbour. Ferries wait in Kiel until the harbour opens. Nobody was hurt. \
                    A dog barked.";
        let chosen = choose(&split(text), 2);
        assert_eq!(chosen, [0, 3]);
    }

    #[test]
    fn every_text_gives_what_was_asked_for_at_most_and_always_the_same() {
        let text: String =
            (0..200).map(|n| format!("Sentence {n} speaks of topic {} and thing {}. ", n % 7, n % 13)).collect();
        for count in 1..20 {
            let chosen = choose(&split(&text), count);
            assert!(chosen.len() <= count && !chosen.is_empty());
            assert!(chosen.is_sorted());
            assert_eq!(chosen, choose(&split(&text), count));
        }
    }
}
