//! Whether a request wants one thing or several, and where one ends and the next begins.
//!
//! Every conjunction, comma and stop is a seam that could part two requests. How both sides open, end and go together
//! decides, by a small linear model that knows words only by their class where it can: it has to understand conjunction,
//! not to recognise subjects.

mod classes;
mod conditions;
pub mod features;
pub mod seams;
mod weights;
pub mod words;

use std::ops::Range;

pub use self::classes::Class;
pub use self::weights::{Learned, NotWeights, UNITS, Weights};
use self::words::Word;

/// What a request wants.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// The things it wants, in order. Empty only if the text has no words.
    pub parts: Vec<Part>,
    /// How likely it is that they are several, between 0 and 1. A condition does not make them more.
    pub several: f32,
}

impl Split {
    /// The same as log odds: above 0 there are several.
    pub fn odds(&self) -> f32 {
        (self.several / (1.0 - self.several)).ln()
    }
}

/// One thing that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The request in words, without what joins it to others and without its condition.
    pub text: String,
    /// Where these words stand in the whole, in bytes.
    pub span: Range<usize>,
    /// How it goes on from what came before.
    pub link: Link,
    /// The word that stands for something said before: `there`, `it`. In the first part, that was said earlier still.
    pub refers_back: Option<String>,
}

/// How a part goes on from the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// It comes first, whatever happens.
    First,
    /// It is wanted too.
    And,
    /// It is wanted afterwards.
    Then,
    /// It is wanted only if this is so.
    If {
        /// What must be so, in words: `it rains`.
        condition: String,
    },
    /// It is wanted only if this is not so.
    Unless {
        /// What must not be so, in words.
        condition: String,
    },
    /// It is wanted only if the condition before did not hold.
    Otherwise,
}

/// The things a request wants, in order, each as text that stands alone as well as it can, and how sure that is.
pub fn split(text: &str) -> Split {
    split_with(Weights::shipped(), text)
}

/// The same, by other weights than those compiled in.
pub fn split_with(weights: &Weights, text: &str) -> Split {
    let words = words::read(text);
    let seams = seams::find(&words);
    let scores = judge(weights, &words, &seams);
    let odds = pooled(&scores);
    // Where there are several there are easily more: a request that is parted is parted wherever that is likely.
    let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let enough = if odds > 0.0 { MORE.min(best) } else { f32::INFINITY };
    let mut parts = Vec::new();
    let (mut word, mut byte, mut joint) = (0, 0, 0);
    for (seam, _) in seams.iter().zip(&scores).filter(|(_, score)| **score >= enough) {
        parts.extend(part(text, &words[word..seam.start], byte..words[seam.start].span.start, joint, parts.is_empty()));
        (word, byte, joint) = (seam.end, words[seam.end - 1].span.end, seam.joint);
    }
    parts.extend(part(text, &words[word..], byte..text.len(), joint, parts.is_empty()));
    Split { parts, several: 1.0 / (1.0 + (-odds).exp()) }
}

/// The log odds that there is a seam among several.
fn pooled(scores: &[f32]) -> f32 {
    scores.iter().map(|score| score.exp()).sum::<f32>().ln()
}

/// The log odds of `otherwise` before a request.
const CERTAIN: f32 = 4.0;

/// The log odds from which on a request that has parts has another.
const MORE: f32 = -2.0;

/// The log odds of each seam that two requests meet there, from left to right: where one was found, the next begins.
fn judge(weights: &Weights, words: &[Word], seams: &[seams::Seam]) -> Vec<f32> {
    let mut left = 0;
    let mut seen = features::Sight::default();
    let mut scores = Vec::with_capacity(seams.len());
    for (at, seam) in seams.iter().enumerate() {
        features::features(words, seam, left, [at.checked_sub(1).map(|at| &seams[at]), seams.get(at + 1)], &mut seen);
        let parts_condition =
            seam.joint & !(seams::COMMA | seams::THEN) == 0 && conditions::waits(&words[left..seam.start]);
        let alternative = seam.joint & seams::OTHERWISE != 0 && features::asks(&words[seam.end..]);
        let score = match () {
            () if parts_condition => f32::NEG_INFINITY,
            () if alternative => weights.score(&seen).max(CERTAIN),
            () => weights.score(&seen).clamp(-30.0, 30.0),
        };
        if score > 0.0 {
            left = seam.end;
        }
        scores.push(score);
    }
    scores
}

fn part(text: &str, words: &[Word], within: Range<usize>, joint: u16, first: bool) -> Option<Part> {
    words.iter().find(|word| word.mark.is_none())?;
    let condition = conditions::find(words);
    let (span, wanted) = match &condition {
        Some(found) => {
            let start = if found.wanted.start == 0 { within.start } else { words[found.wanted.start].span.start };
            let end = if found.wanted.end == words.len() { within.end } else { words[found.wanted.end].span.start };
            (start..end, &words[found.wanted.clone()])
        }
        None => (within, words),
    };
    let span = trim(text, span);
    let link = match condition {
        Some(found) => {
            let span = words[found.condition.start].span.start..words[found.condition.end - 1].span.end;
            let condition = text[span].to_owned();
            if found.negated { Link::Unless { condition } } else { Link::If { condition } }
        }
        None if first => Link::First,
        None if joint & seams::OTHERWISE != 0 => Link::Otherwise,
        None if joint & (seams::THEN | seams::AFTER) != 0 => Link::Then,
        None => Link::And,
    };
    let refers_back = features::refers_back(wanted).map(|word| text[word.span.clone()].to_owned());
    Some(Part { text: text[span.clone()].to_owned(), span, link, refers_back })
}

fn trim(text: &str, span: Range<usize>) -> Range<usize> {
    let idle = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';');
    let within = &text[span.clone()];
    let start = span.start + within.len() - within.trim_start_matches(idle).len();
    start..(start + text[start..span.end].trim_end_matches(idle).len())
}
