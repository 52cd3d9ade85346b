//! A text as words: what every finder reads. Case, curly apostrophes and thousands separators are gone; positions in the
//! text are kept.

use std::ops::Range;

use super::numbers::{self, Figure};

/// Requests are short. What comes after so many words is not read, so that no text is slow.
const MOST_WORDS: usize = 1000;

#[derive(Debug)]
pub(crate) struct Words<'a> {
    pub(crate) text: &'a str,
    lower: String,
    tokens: Vec<Token>,
    figures: Vec<Option<Figure>>,
}

#[derive(Debug, Clone, Copy)]
struct Token {
    start: usize,
    end: usize,
    low: usize,
    low_end: usize,
    glued: bool,
    class: Class,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Digits,
    Letters,
    Mark,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut words = Self {
            text,
            lower: String::with_capacity(text.len().min(1 << 16)),
            tokens: Vec::with_capacity(24),
            figures: Vec::new(),
        };
        words.read();
        words.figures = (0..words.len()).map(|i| numbers::figure(&words, i)).collect();
        words
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// The word in lower case; empty past either end.
    pub(crate) fn at(&self, i: usize) -> &str {
        self.tokens.get(i).map_or("", |token| &self.lower[token.low..token.low_end])
    }

    /// The word before the `i`th; empty for the first.
    pub(crate) fn before(&self, i: usize) -> &str {
        if i == 0 { "" } else { self.at(i - 1) }
    }

    /// Words from `from` to before `to`, in lower case, one space between.
    pub(crate) fn phrase(&self, from: usize, to: usize) -> &str {
        match (self.tokens.get(from), to.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if from < to => &self.lower[first.low..last.low_end],
            _ => "",
        }
    }

    /// Whether the words from `i` on are these.
    pub(crate) fn reads(&self, i: usize, words: &[&str]) -> bool {
        words.iter().enumerate().all(|(offset, word)| self.at(i + offset) == *word)
    }

    pub(crate) fn is(&self, i: usize, any: &[&str]) -> bool {
        any.contains(&self.at(i))
    }

    pub(crate) fn any(&self, any: &[&str]) -> bool {
        (0..self.len()).any(|i| self.is(i, any))
    }

    /// The number that starts at a word.
    pub(crate) fn figure(&self, i: usize) -> Option<Figure> {
        self.figures.get(i).copied().flatten()
    }

    pub(crate) fn class(&self, i: usize) -> Option<Class> {
        self.tokens.get(i).map(|token| token.class)
    }

    pub(crate) fn digits(&self, i: usize) -> bool {
        self.class(i) == Some(Class::Digits)
    }

    /// Whether no space stands before the word.
    pub(crate) fn glued(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|token| token.glued)
    }

    pub(crate) fn raw(&self, i: usize) -> &'a str {
        self.tokens.get(i).map_or("", |token| &self.text[token.start..token.end])
    }

    pub(crate) fn capital(&self, i: usize) -> bool {
        self.raw(i).chars().next().is_some_and(char::is_uppercase)
    }

    /// Where words stand in the text, in bytes.
    pub(crate) fn span(&self, words: &Range<usize>) -> Range<usize> {
        match (self.tokens.get(words.start), words.end.checked_sub(1).and_then(|last| self.tokens.get(last))) {
            (Some(first), Some(last)) if words.start < words.end => first.start..last.end,
            _ => 0..0,
        }
    }

    fn read(&mut self) {
        let text = self.text;
        let (mut at, mut glued) = (0, false);
        while let Some(letter) = text[at..].chars().next() {
            if self.tokens.len() == MOST_WORDS {
                return;
            }
            if letter.is_whitespace() {
                (at, glued) = (at + letter.len_utf8(), false);
                continue;
            }
            let rest = &text[at..];
            let (length, class) = if letter.is_ascii_digit() {
                (digits(rest, self.dotted(glued)), Class::Digits)
            } else if is_letter(letter) {
                (letters(rest), Class::Letters)
            } else if is_apostrophe(letter) && possessive(rest) {
                (letter.len_utf8() + 1, Class::Letters)
            } else {
                (letter.len_utf8(), Class::Mark)
            };
            self.push(at, length, glued, class);
            (at, glued) = (at + length, true);
        }
    }

    /// Whether a figure follows a full stop after a figure: `3.2027` of `5.3.2027` is no decimal.
    fn dotted(&self, glued: bool) -> bool {
        let count = self.len();
        glued && count >= 2 && self.at(count - 1) == "." && self.digits(count - 2)
    }

    fn push(&mut self, start: usize, length: usize, glued: bool, class: Class) {
        if !glued && !self.lower.is_empty() {
            self.lower.push(' ');
        }
        let low = self.lower.len();
        let raw = &self.text[start..start + length];
        match class {
            Class::Digits => self.lower.extend(raw.chars().filter(|letter| *letter != ',')),
            Class::Letters if raw.is_ascii() && half_of_day(raw).is_some() => {
                self.lower
                    .extend(raw.chars().filter(|letter| *letter != '.').map(|letter| letter.to_ascii_lowercase()));
            }
            Class::Letters | Class::Mark => {
                for letter in raw.chars() {
                    if is_apostrophe(letter) {
                        self.lower.push('\'');
                    } else {
                        self.lower.extend(letter.to_lowercase());
                    }
                }
            }
        }
        let low_end = self.lower.len();
        self.tokens.push(Token { start, end: start + length, low, low_end, glued, class });
    }
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '’' | 'ʼ')
}

fn is_letter(letter: char) -> bool {
    letter.is_alphabetic() || matches!(letter, '\u{300}'..='\u{36f}')
}

/// How long the number is that a text starts with: `1,000.5`, but only `5` of `5.3.2027`.
fn digits(text: &str, dotted: bool) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = run(0);
    while length <= 15 && bytes.get(length) == Some(&b',') && run(length + 1) == 3 {
        length += 4;
    }
    if bytes.get(length) == Some(&b'.') && !dotted {
        let decimals = run(length + 1);
        let after = length + 1 + decimals;
        if decimals > 0 && !(bytes.get(after) == Some(&b'.') && run(after + 1) > 0) {
            length = after;
        }
    }
    length
}

fn letters(text: &str) -> usize {
    if let Some(length) = half_of_day(text) {
        return length;
    }
    let run = |from: usize| -> usize {
        text[from..].chars().take_while(|letter| is_letter(*letter)).map(char::len_utf8).sum()
    };
    let length = run(0);
    let Some(apostrophe) = text[length..].chars().next().filter(|letter| is_apostrophe(*letter)) else { return length };
    let after = length + apostrophe.len_utf8();
    match run(after) {
        0 => length,
        _ if possessive(&text[length..]) => length,
        more => after + more,
    }
}

/// `'s`, alone or at the end of a word.
fn possessive(text: &str) -> bool {
    let mut letters = text.chars().skip(1);
    matches!(letters.next(), Some('s' | 'S')) && !letters.next().is_some_and(char::is_alphanumeric)
}

/// The length of `a.m.` or `p.m.` with its full stops.
fn half_of_day(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let matches = matches!(bytes, [b'a' | b'p' | b'A' | b'P', b'.', b'm' | b'M', ..]);
    let length = if bytes.get(3) == Some(&b'.') { 4 } else { 3 };
    (matches && !text[3..].chars().next().is_some_and(char::is_alphanumeric)).then_some(length)
}
