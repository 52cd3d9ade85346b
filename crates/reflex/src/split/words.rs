//! A text as the words and marks that matter where requests meet. Contractions come apart (`what's` and `what s` read the
//! same) and whatever stands in quotation marks is kept from being cut.

use std::ops::Range;

use super::classes::{self, Class};

/// One word or mark.
#[derive(Debug, Clone)]
pub struct Word {
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// What tells it from other words.
    pub hash: u32,
    /// The same for how it begins, so that `card` and `cards` are alike.
    pub stem: u32,
    /// What part it can play.
    pub class: Class,
    /// Which mark it is, if it is one.
    pub mark: Option<char>,
    /// Whether it stands within quotation marks.
    pub quoted: bool,
}

impl Word {
    /// The word itself where its class is closed, otherwise only the class.
    pub(super) fn symbol(&self) -> u32 {
        if self.class.is_closed() { self.hash } else { self.class as u32 }
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.mark.is_none() && self.hash == classes::hash(word.as_bytes())
    }
}

/// Words beyond this many are not looked at.
const MOST: usize = 1024;

/// Marks beyond this many are not taken to open a quotation.
const MOST_QUOTATIONS: usize = 32;

/// A quotation that is longer, in bytes, is not taken for one.
const LONGEST_QUOTATION: usize = 2000;

/// The words and marks of a text, in order. Nothing past a bound is read, however long the text.
pub fn read(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::with_capacity(text.len().min(MOST * 5) / 5 + 1);
    let mut quoted_until = 0;
    let mut tried = 0;
    let mut at = 0;
    while at < text.len() && words.len() < MOST {
        let Some(letter) = text[at..].chars().next() else { break };
        let end = at + letter.len_utf8();
        let quoted = at < quoted_until;
        if letter.is_alphanumeric() {
            let end = word_end(text, at);
            words.push(word(text, at..end, quoted));
            at = end;
            continue;
        }
        let opens = !quoted && tried < MOST_QUOTATIONS && matches!(letter, '"' | '“' | '„' | '«' | '\'' | '‘');
        tried += usize::from(opens);
        if opens && let Some(until) = quotation(text, at, letter) {
            quoted_until = until;
        } else if let Some(mark) = mark(text, at, letter, words.last()) {
            words.push(Word {
                span: at..end,
                hash: mark as u32,
                stem: mark as u32,
                class: Class::Mark,
                mark: Some(mark),
                quoted,
            });
        }
        at = end;
    }
    words
}

fn word(text: &str, span: Range<usize>, quoted: bool) -> Word {
    let bytes = &text.as_bytes()[span.clone()];
    let mut lower = [0_u8; 24];
    let length = bytes.len().min(lower.len());
    lower[..length].copy_from_slice(&bytes[..length]);
    let lower = &mut lower[..length];
    lower.make_ascii_lowercase();
    let hash = classes::hash(lower);
    Word {
        span,
        hash,
        stem: classes::hash(&lower[..length.min(5).min(length.max(4) - 1)]),
        class: classes::class(lower, hash),
        mark: None,
        quoted,
    }
}

/// A word goes on through letters and digits, and through `.`, `,` and `:` between digits (`7:30`, `1,000`).
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut previous = ' ';
    for (offset, letter) in text[start..].char_indices() {
        let at = start + offset;
        let within = letter.is_alphanumeric()
            || letter == '-' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
            || matches!(letter, '.' | ',' | ':' | '/')
                && previous.is_ascii_digit()
                && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !within {
            return at;
        }
        previous = letter;
    }
    text.len()
}

/// Where the quotation ends that opens here.
fn quotation(text: &str, at: usize, letter: char) -> Option<usize> {
    let close = match letter {
        '"' => '"',
        '“' | '„' => '”',
        '«' => '»',
        '\'' | '‘' => {
            let before = text[..at].chars().next_back();
            if before.is_some_and(char::is_alphanumeric) {
                return None;
            }
            if letter == '\'' { '\'' } else { '’' }
        }
        _ => return None,
    };
    let from = at + letter.len_utf8();
    let rest = text[from..].char_indices().take_while(|(offset, _)| *offset < LONGEST_QUOTATION);
    for (offset, found) in rest {
        let end = from + offset + found.len_utf8();
        let apostrophe = matches!(close, '\'' | '’') && text[end..].starts_with(char::is_alphanumeric);
        if found == close && offset > 0 && !apostrophe {
            return Some(end);
        }
    }
    None
}

/// The mark that is meant, where it can part two requests: not the stop in `a.m.` or `dr. who`.
fn mark(text: &str, at: usize, letter: char, before: Option<&Word>) -> Option<char> {
    match letter {
        ',' | ';' | '\n' | '&' => Some(letter),
        '?' | '!' => Some(letter),
        '.' => {
            let ends = text[at + 1..].chars().next().is_none_or(|next| next.is_whitespace() || next == '.');
            let short = before.is_some_and(|word| {
                let text = text[word.span.clone()].to_ascii_lowercase();
                word.span.end == at
                    && (text.len() == 1 && !text.starts_with(|c: char| c.is_ascii_digit())
                        || ABBREVIATIONS.contains(&text.as_str()))
            });
            (ends && !short).then_some('.')
        }
        '-' | '–' | '—' => {
            let spaced = text[..at].ends_with(' ') && text[at + letter.len_utf8()..].starts_with(' ');
            (spaced || letter == '—').then_some('-')
        }
        _ => None,
    }
}

const ABBREVIATIONS: &[&str] =
    &["dr", "mr", "mrs", "ms", "st", "vs", "etc", "no", "jr", "sr", "prof", "ave", "approx", "mt"];
