//! Words as everything learned sees them: lower-cased, cut the same way when training and when asked.

use std::borrow::Cow;
use std::ops::Range;

/// Signs that mean something alone; all others only part words.
const SYMBOLS: [char; 8] = ['%', '$', '€', '£', '°', '+', '*', '='];

/// A run of letters, a run of digits, an ending such as `'s`, or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'a> {
    /// In lower case, with a straight apostrophe; borrowed where the text has it so.
    pub text: Cow<'a, str>,
    /// Where it stands in the text, in bytes.
    pub span: Range<usize>,
}

/// The words of a text, in order.
pub fn words(text: &str) -> Vec<Word<'_>> {
    walk(text).collect()
}

/// The same one by one, for callers who stop early.
pub fn walk(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = Rest { text, at: 0 };
    std::iter::from_fn(move || rest.next_word())
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Letter,
    Digit,
    Symbol,
    Apostrophe,
    Gap,
}

struct Rest<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    fn next_word(&mut self) -> Option<Word<'a>> {
        loop {
            let begin = self.at;
            let char = self.text[begin..].chars().next()?;
            self.at += char.len_utf8();
            match class(char) {
                Class::Gap => {}
                Class::Symbol => return Some(self.word(begin)),
                Class::Apostrophe => {
                    let follows = self.text[..begin].chars().next_back().is_some_and(|c| class(c) == Class::Letter);
                    if follows && self.peek() == Some(Class::Letter) {
                        self.run(Class::Letter);
                        return Some(self.word(begin));
                    }
                }
                run => {
                    self.run(run);
                    return Some(self.word(begin));
                }
            }
        }
    }

    fn peek(&self) -> Option<Class> {
        self.text[self.at..].chars().next().map(class)
    }

    fn run(&mut self, wanted: Class) {
        let end = self.text[self.at..].find(|c| class(c) != wanted);
        self.at = end.map_or(self.text.len(), |length| self.at + length);
    }

    fn word(&self, begin: usize) -> Word<'a> {
        let text = &self.text[begin..self.at];
        let plain = text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
        let lowered = || text.chars().flat_map(char::to_lowercase).map(|c| if c == '’' { '\'' } else { c }).collect();
        Word { text: if plain { Cow::Borrowed(text) } else { Cow::Owned(lowered()) }, span: begin..self.at }
    }
}

fn class(char: char) -> Class {
    match char {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Digit,
        '\'' | '’' => Class::Apostrophe,
        _ if char.is_alphabetic() => Class::Letter,
        _ if char.is_numeric() => Class::Digit,
        _ if SYMBOLS.contains(&char) => Class::Symbol,
        _ => Class::Gap,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| word.text.into_owned()).collect()
    }

    #[test]
    fn endings_numbers_and_signs_stand_alone() {
        assert_eq!(cut("What's 7am in Oslo, 50% off?"), ["what", "'s", "7", "am", "in", "oslo", "50", "%", "off"]);
        assert_eq!(cut("DON’T 'quote' me"), ["don", "'t", "quote", "me"]);
        assert_eq!(cut("  …!? "), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn spans_are_in_order_and_on_characters(text in "\\PC{0,80}") {
            let mut last = 0;
            for word in words(&text) {
                prop_assert!(word.span.start >= last && word.span.end > word.span.start);
                prop_assert!(text.get(word.span.clone()).is_some());
                prop_assert!(!word.text.is_empty());
                last = word.span.end;
            }
        }
    }
}
