//! A request as templates see it: its words without courtesies, and the values that they name.

use std::collections::BTreeSet;
use std::ops::Range;

use domain::skill::{Example, ParameterKind, Reading};

use crate::pattern::{LONGEST, without_courtesies};
use crate::slots::{self, Kind, Surroundings};
use crate::split::{self, Class};
use crate::tokens;

/// A request in words.
#[derive(Debug)]
pub(super) struct Said<'t> {
    text: &'t str,
    words: Vec<(String, Range<usize>)>,
    named: Vec<Named>,
}

/// Words that name a value.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) words: Range<usize>,
    pub(super) reading: Reading,
}

impl<'t> Said<'t> {
    /// Takes a request apart; nothing where it has no words, or too many.
    pub(super) fn read(text: &'t str, surroundings: &Surroundings<'_>) -> Option<Self> {
        let mut words = plain(text);
        if words.is_empty() || words.len() > LONGEST {
            return None;
        }
        let slots = slots::find(text, surroundings);
        let quoted = |span: &Range<usize>| {
            slots
                .iter()
                .any(|slot| slot.kind == Kind::Quoted && slot.span.start <= span.start && span.end <= slot.span.end)
        };
        // What is quoted is not said to be polite.
        let polite: Vec<&str> = words.iter().map(|(word, span)| if quoted(span) { "\"" } else { word }).collect();
        let meant = without_courtesies(&polite);
        words.truncate(meant.end);
        words.drain(..meant.start);
        let named = slots.into_iter().filter(|slot| !slot.value.is_null() && slot.also.is_empty()).filter_map(|slot| {
            let words = within(&words, &slot.span)?;
            let reading = Reading { kind: kind(slot.kind), value: slot.value, doubtful: slot.doubt.is_some() };
            Some(Named { words, reading })
        });
        let named = named.collect();
        Some(Self { text, words, named })
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The request without courtesies, with the quotation marks that belong to its first and last words.
    pub(super) fn meant(&self) -> &'t str {
        let is_mark = |mark: &char| "\"'“”‘’«»".contains(*mark);
        let Range { start, end } = self.span(&(0..self.len()));
        let before = self.text[..start].chars().next_back().filter(is_mark).map_or(0, char::len_utf8);
        let after = self.text[end..].chars().next().filter(is_mark).map_or(0, char::len_utf8);
        &self.text[start - before..end + after]
    }

    /// A word in small letters.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |(word, _)| word)
    }

    pub(super) fn named(&self) -> &[Named] {
        &self.named
    }

    /// Where some words stand, in bytes.
    pub(super) fn span(&self, words: &Range<usize>) -> Range<usize> {
        match (self.words.get(words.start), words.end.checked_sub(1).and_then(|last| self.words.get(last))) {
            (Some((_, first)), Some((_, last))) if first.start <= last.end => first.start..last.end,
            _ => 0..0,
        }
    }

    /// Some words as they were written.
    pub(super) fn slice(&self, words: &Range<usize>) -> &'t str {
        self.text.get(self.span(words)).unwrap_or_default()
    }

    /// Some words with what exactly they name.
    pub(super) fn example(&self, words: &Range<usize>) -> Example {
        let reading = self.named.iter().find(|named| named.words == *words).map(|named| named.reading.clone());
        Example { said: self.slice(words).to_owned(), reading }
    }

    /// Whether some words begin or end in the middle of a value.
    pub(super) fn cuts(&self, words: &Range<usize>) -> bool {
        let inside = |at: usize, value: &Range<usize>| value.start < at && at < value.end;
        self.named.iter().any(|named| {
            let encloses = named.words.start <= words.start && words.end <= named.words.end;
            !encloses && (inside(words.start, &named.words) || inside(words.end, &named.words))
        })
    }

    /// What stands within some words besides names and things.
    pub(super) fn within(&self, words: &Range<usize>) -> BTreeSet<String> {
        let mut found = marks_and_joints(self.slice(words));
        for named in self.named.iter().filter(|named| words.start <= named.words.start && named.words.end <= words.end)
        {
            found.insert(format!("#{}", named.reading.kind.word()));
        }
        found
    }
}

/// The words of a text in small letters, endings without their apostrophe.
pub(super) fn plain(text: &str) -> Vec<(String, Range<usize>)> {
    tokens::walk(text).map(|word| (word.text.trim_start_matches('\'').to_owned(), word.span)).collect()
}

/// Words that do not name anything, and marks: they can turn what is asked for into something else.
pub(super) fn marks_and_joints(text: &str) -> BTreeSet<String> {
    const TURNS: [&str; 22] = [
        "except",
        "excluding",
        "instead",
        "rather",
        "otherwise",
        "else",
        "everything",
        "everyone",
        "everybody",
        "anything",
        "anyone",
        "nothing",
        "nobody",
        "something",
        "someone",
        "twice",
        "once",
        "afterwards",
        "whenever",
        "including",
        "besides",
        "yet",
    ];
    let mut found: BTreeSet<String> =
        text.chars().filter(|c| !c.is_alphanumeric() && !" '’-\"“”".contains(*c)).map(String::from).collect();
    for word in split::words::read(text) {
        let lower = text.get(word.span.clone()).unwrap_or_default().to_lowercase();
        if is_closed(word.class, &lower) || TURNS.contains(&lower.as_str()) {
            found.insert(lower);
        }
    }
    found
}

/// Whether some words name nothing: `it`, `to the`.
pub(super) fn names_nothing(text: &str) -> bool {
    split::words::read(text).iter().all(|word| {
        let lower = text.get(word.span.clone()).unwrap_or_default().to_lowercase();
        lower.chars().count() < 2
            || is_closed(word.class, &lower)
            || matches!(word.class, Class::Article | Class::Owner)
    })
}

fn is_closed(class: Class, word: &str) -> bool {
    match class {
        Class::Wh
        | Class::Be
        | Class::Do
        | Class::Modal
        | Class::Have
        | Class::I
        | Class::You
        | Class::Pronoun
        | Class::Pointer
        | Class::Object
        | Class::Preposition
        | Class::Joint
        | Class::Negation
        | Class::Condition
        | Class::Reason
        | Class::Filler
        | Class::Please
        | Class::Wish => true,
        Class::Article => !matches!(word, "the" | "a" | "an"),
        Class::Owner
        | Class::Clitic
        | Class::Number
        | Class::Time
        | Class::Verb
        | Class::Greeting
        | Class::Ing
        | Class::Past
        | Class::Adverb
        | Class::Plural
        | Class::Other
        | Class::Mark => false,
    }
}

/// The words that make up a stretch of the text; nothing where it ends within one.
fn within(words: &[(String, Range<usize>)], span: &Range<usize>) -> Option<Range<usize>> {
    let first = words.iter().position(|(_, word)| word.end > span.start)?;
    let last = words.iter().rposition(|(_, word)| word.start < span.end)?;
    let whole = words[first].1.start >= span.start && words[last].1.end <= span.end;
    (whole && first <= last).then_some(first..last + 1)
}

fn kind(kind: Kind) -> ParameterKind {
    match kind {
        Kind::Duration => ParameterKind::Duration,
        Kind::Moment => ParameterKind::Moment,
        Kind::Date => ParameterKind::Date,
        Kind::Range => ParameterKind::Range,
        Kind::Recurrence => ParameterKind::Recurrence,
        Kind::Number => ParameterKind::Number,
        Kind::Quantity => ParameterKind::Quantity,
        Kind::Percent => ParameterKind::Percent,
        Kind::Colour => ParameterKind::Colour,
        Kind::Place => ParameterKind::Place,
        Kind::Thing => ParameterKind::Thing,
        Kind::Quoted => ParameterKind::Quoted,
    }
}
