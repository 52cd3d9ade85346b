//! Questions that only need reckoning: sums, units, the calendar and the clock.
//!
//! [`reckon`] answers when the whole text is such a question. A word that it does not understand means that it does not
//! understand the question.

mod arithmetic;
mod calendar;
mod convert;

use jiff::Zoned;
use serde_json::Value;

use crate::slots::ratio::Ratio;
use crate::slots::words::{Class, Words};

/// Longer texts are not sums.
const LONGEST: usize = 300;

/// What was reckoned.
#[derive(Debug, Clone, PartialEq)]
pub struct Reckoned {
    /// A whole sentence that a person can read.
    pub answer: String,
    /// The result for a program: a number, `{"value", "unit"}`, a date or a moment; null when there is none.
    pub value: Value,
}

/// Answers a sum, a conversion of units or a question about the calendar; nothing when the text is anything else.
pub fn reckon(text: &str, now: &Zoned) -> Option<Reckoned> {
    if text.len() > LONGEST {
        return None;
    }
    let words = Words::new(text);
    let question = Question::new(&words)?;
    calendar::answer(&question, now).or_else(|| convert::answer(&question)).or_else(|| arithmetic::answer(&question))
}

/// A text without what is said for politeness at both ends.
struct Question<'a> {
    words: &'a Words<'a>,
    start: usize,
    end: usize,
    /// Whether it was asked, not only written down.
    asked: bool,
}

impl<'a> Question<'a> {
    fn new(words: &'a Words<'a>) -> Option<Self> {
        const POLITE: &[&[&str]] = &[
            &["hey"],
            &["hi"],
            &["hello"],
            &["ok"],
            &["okay"],
            &["please"],
            &["so"],
            &["and"],
            &[","],
            &["can", "you"],
            &["could", "you"],
            &["would", "you"],
            &["do", "you", "know"],
            &["i", "want", "to", "know"],
            &["i", "need", "to", "know"],
            &["i'd", "like", "to", "know"],
            &["tell", "me"],
            &["give", "me"],
            &["let", "me", "know"],
            &["quick", "question"],
            &["quickly"],
        ];
        let (mut start, mut end, mut asked) = (0, words.len(), false);
        while let Some(phrase) = POLITE.iter().find(|phrase| words.reads(start, phrase)) {
            start += phrase.len();
            asked = true;
        }
        while end > start && (words.is(end - 1, &["?", ".", "!", "please", "thanks", "=", "right", "now", ","])) {
            // `right` and `now` go together, or not at all.
            if words.at(end - 1) == "right" {
                break;
            }
            asked |= words.is(end - 1, &["?", "="]);
            end -= if words.at(end - 1) == "now" && words.before(end - 1) == "right" { 2 } else { 1 };
        }
        // `what 30% off 235 is`.
        if end > start + 2
            && words.at(start) == "what"
            && words.at(end - 1) == "is"
            && !words.is(start + 1, &["is", "time", "day", "date", "year"])
        {
            (start, end, asked) = (start + 1, end - 1, true);
        }
        (start < end).then_some(Self { words, start, end, asked })
    }

    /// The word at a place; empty past the end of the question.
    fn at(&self, i: usize) -> &str {
        if i < self.end { self.words.at(i) } else { "" }
    }

    fn reads(&self, i: usize, phrase: &[&str]) -> bool {
        i + phrase.len() <= self.end && self.words.reads(i, phrase)
    }

    /// The place after the first of these phrases that stands here.
    fn past(&self, i: usize, phrases: &[&[&str]]) -> Option<usize> {
        phrases.iter().find(|phrase| self.reads(i, phrase)).map(|phrase| i + phrase.len())
    }

    /// Skips any of these words.
    fn skip(&self, mut i: usize, any: &[&str]) -> usize {
        while i < self.end && any.contains(&self.at(i)) {
            i += 1;
        }
        i
    }

    /// The end of the question without any of these words.
    fn skip_back(&self, any: &[&str]) -> usize {
        let mut end = self.end;
        while end > self.start && any.contains(&self.at(end - 1)) {
            end -= 1;
        }
        end
    }

    /// Past `what is`, `calculate` and the like, and whether one stood there.
    fn opened(&self) -> (usize, bool) {
        const OPENINGS: &[&[&str]] = &[
            &["what", "'s"],
            &["what", "is"],
            &["what", "are"],
            &["what", "does"],
            &["whats"],
            &["how", "much", "is"],
            &["how", "much", "are"],
            &["how", "much", "does"],
            &["calculate"],
            &["compute"],
            &["solve"],
            &["evaluate"],
            &["work", "out"],
            &["figure", "out"],
            &["add", "up"],
        ];
        match self.past(self.start, OPENINGS) {
            Some(next) => (next, true),
            None => (self.start, false),
        }
    }

    fn raw(&self, from: usize, to: usize) -> &'a str {
        self.words.text.get(self.words.span(&(from..to))).unwrap_or_default()
    }

    fn is_mark(&self, i: usize) -> bool {
        self.words.class(i) == Some(Class::Mark)
    }
}

/// A number for a sentence: with `about` where digits were cut.
fn said(value: Ratio, exact: bool) -> String {
    let size = value.float().abs();
    let places = match () {
        () if size >= 1000.0 => 2,
        () if size >= 1.0 => 4,
        () => 8,
    };
    // Few decimals are shown whole.
    let (digits, whole) = value.digits(if exact { 10 } else { places });
    if exact && whole {
        return digits;
    }
    format!("about {}", value.digits(places).0)
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
