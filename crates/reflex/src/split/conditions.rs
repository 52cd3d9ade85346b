//! Requests that hold only if something is so: what the condition is, and what is wanted then.

use std::ops::Range;

use super::classes::Class;
use super::features::{Mood, core, mood};
use super::words::Word;

/// A condition within a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Condition {
    /// The words that say what must be so.
    pub(super) condition: Range<usize>,
    /// The words that say what is wanted then.
    pub(super) wanted: Range<usize>,
    /// Whether it must not be so: `unless`.
    pub(super) negated: bool,
}

/// The condition of the request that these words make, if it has one and asks for something to be done.
pub(super) fn find(words: &[Word]) -> Option<Condition> {
    leading(words).or_else(|| trailing(words))
}

/// Whether these words are a condition that still waits for its request.
pub(super) fn waits(words: &[Word]) -> bool {
    opens(words).is_some() && leading(words).is_none()
}

/// Where the condition's own words begin, and whether it is negated.
fn opens(words: &[Word]) -> Option<(usize, bool)> {
    let at = words.len() - core(words).len();
    let first = words.get(at).filter(|word| word.class == Class::Condition && !word.quoted)?;
    Some((at + 1, first.is("unless")))
}

fn leading(words: &[Word]) -> Option<Condition> {
    let (start, negated) = opens(words)?;
    // A comma or `then` parts them; without one, the first verb that is nobody's does.
    let parted = (start + 1..words.len()).find(|at| {
        let parts = words[*at].mark == Some(',') || words[*at].is("then");
        parts && !words[*at].quoted && requests(&words[at + 1..])
    });
    let (end, wanted) = match parted {
        Some(at) => (at, at + 1 + usize::from(words.get(at + 1).is_some_and(|word| word.is("then")))),
        None => (start + 2..words.len()).find(|at| is_loose_verb(words, *at)).map(|at| (at, at))?,
    };
    Some(Condition { condition: start..end, wanted: wanted..words.len(), negated })
}

fn trailing(words: &[Word]) -> Option<Condition> {
    let asked = matches!(mood(words), Mood::Imperative | Mood::Inverted | Mood::Wish) && requests(words);
    if !asked {
        return None;
    }
    let at = (2..words.len().saturating_sub(2)).rfind(|at| {
        let word = &words[*at];
        word.class == Class::Condition && !word.quoted && (word.is("if") || word.is("unless"))
    })?;
    let subject = matches!(
        words[at + 1].class,
        Class::I | Class::You | Class::Pronoun | Class::Pointer | Class::Article | Class::Owner
    );
    // `tell me if it rains` asks a question.
    let whether = words[at.saturating_sub(3)..at].iter().any(|word| WHETHER.iter().any(|verb| word.is(verb)))
        || words[..at.min(3)].iter().any(|word| WHETHER.iter().any(|verb| word.is(verb)));
    let negated = words[at].is("unless");
    if !subject || whether && !negated {
        return None;
    }
    let end = if words[at - 1].mark.is_some() { at - 1 } else { at };
    Some(Condition { condition: at + 1..words.len(), wanted: 0..end, negated })
}

const WHETHER: &[&str] = &[
    "tell",
    "know",
    "check",
    "see",
    "ask",
    "find",
    "wonder",
    "wondering",
    "sure",
    "confirm",
    "verify",
    "determine",
    "as",
];

/// Whether these words ask for something to be done, rather than for an answer.
fn requests(words: &[Word]) -> bool {
    match mood(words) {
        Mood::Imperative => true,
        Mood::Inverted => core(words).get(1).is_some_and(|word| word.class == Class::You),
        Mood::Wish => core(words).iter().take(6).any(|word| word.class == Class::You),
        _ => false,
    }
}

/// Whether a verb stands here that has no subject, so that it opens a request: `if it rains remind me`.
fn is_loose_verb(words: &[Word], at: usize) -> bool {
    let please = words[at].class == Class::Please && words.get(at + 1).is_some_and(|word| word.class == Class::Verb);
    let bound = matches!(
        words[at - 1].class,
        Class::I
            | Class::You
            | Class::Pronoun
            | Class::Wh
            | Class::Be
            | Class::Do
            | Class::Modal
            | Class::Have
            | Class::Article
            | Class::Owner
            | Class::Preposition
            | Class::Joint
            | Class::Negation
            | Class::Wish
            | Class::Clitic
            | Class::Number
            | Class::Adverb
    ) || words[at - 1].class == Class::Pointer && !words[at - 1].is("there") && !words[at - 1].is("here");
    let goes_on = words.get(at + 1).is_some_and(|next| {
        !matches!(next.class, Class::Be | Class::Have | Class::Modal | Class::Clitic | Class::Do) && !next.is("of")
    });
    // The condition has to have said something: a subject and its verb.
    let said = words[..at].iter().any(|word| {
        matches!(
            word.class,
            Class::Be | Class::Do | Class::Have | Class::Modal | Class::Clitic | Class::Plural | Class::Verb
        ) || matches!(word.class, Class::Past | Class::Other)
    });
    !words[at].quoted && goes_on && said && (please || words[at].class == Class::Verb && !bound)
}
