//! Cuts a sentence into words that can be compared, and remembers where each stood so that its own spelling can be quoted.

use std::ops::Range;

/// The most words a sentence may have and still be read as a command; also what fits the marks of a reading.
pub(super) const MOST: usize = 64;

/// A sentence as lower-case words. Numbers, `%` and `°` are words of their own, and so is a stop between sentences.
#[derive(Debug)]
pub(super) struct Words<'t> {
    text: &'t str,
    lower: String,
    list: Vec<Word>,
}

#[derive(Debug, Clone)]
struct Word {
    low: Range<usize>,
    at: Range<usize>,
}

impl<'t> Words<'t> {
    /// Nothing if there are more words than a command has.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let mut words = Words { text, lower: String::with_capacity(text.len() + 8), list: Vec::with_capacity(16) };
        let mut chars = text.char_indices().peekable();
        let mut stopped = false;
        while let Some((start, c)) = chars.next() {
            let end = start + c.len_utf8();
            if matches!(c, '.' | '!' | '?' | ';' | '\n') {
                stopped = true;
            } else if matches!(c, '%' | '°') {
                words.push(start..end);
            } else if c.is_alphanumeric() {
                if std::mem::take(&mut stopped) && !words.list.is_empty() {
                    words.stop(start);
                }
                let mut end = end;
                while let Some(&(at, next)) = chars.peek() {
                    if next.is_alphanumeric() || joins(&text[start..at], next, &text[at + next.len_utf8()..]) {
                        end = at + next.len_utf8();
                        chars.next();
                    } else {
                        break;
                    }
                }
                words.cut(start, end);
            }
            if words.list.len() > MOST {
                return None;
            }
        }
        Some(words)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The word at a place; nothing is there beyond the end.
    pub(super) fn get(&self, at: usize) -> &str {
        self.list.get(at).map_or("", |word| &self.lower[word.low.clone()])
    }

    /// What was written, from one word to before another.
    pub(super) fn quote(&self, range: Range<usize>) -> &'t str {
        match (self.list.get(range.start), range.end.checked_sub(1).and_then(|last| self.list.get(last))) {
            (Some(first), Some(last)) if first.at.start < last.at.end => &self.text[first.at.start..last.at.end],
            _ => "",
        }
    }

    /// One run of letters and digits becomes one word, or two: `what's` is *what* and *is*, `5min` is *5* and *min*.
    fn cut(&mut self, start: usize, end: usize) {
        let run = &self.text[start..end];
        if let Some(stem) = ["'s", "’s", "'S", "’S"].iter().find_map(|tail| run.strip_suffix(tail)) {
            let middle = start + stem.len();
            self.push(start..middle);
            let asks =
                ["what", "where", "who", "how", "when", "it", "that", "there"].contains(&self.get(self.len() - 1));
            self.push_as(if asks { "is" } else { "'s" }, middle..end);
            return;
        }
        if run.starts_with(|c: char| c.is_ascii_digit())
            && let Some(letters) = run.find(|c: char| c.is_alphabetic())
            && !matches!(run[letters..].to_ascii_lowercase().as_str(), "st" | "nd" | "rd" | "th")
        {
            self.push(start..start + letters);
            self.push(start + letters..end);
            return;
        }
        self.push(start..end);
    }

    fn push(&mut self, at: Range<usize>) {
        let from = self.lower.len();
        self.lower.extend(self.text[at.clone()].chars().flat_map(char::to_lowercase));
        self.list.push(Word { low: from..self.lower.len(), at });
    }

    fn push_as(&mut self, word: &str, at: Range<usize>) {
        let from = self.lower.len();
        self.lower.push_str(word);
        self.list.push(Word { low: from..self.lower.len(), at });
    }

    fn stop(&mut self, at: usize) {
        self.push_as(".", at..at);
    }
}

/// Whether a sign between two characters belongs to one word: `don't`, `20.5`, `1/2`.
fn joins(before: &str, sign: char, after: &str) -> bool {
    let digits = before.ends_with(|c: char| c.is_ascii_digit()) && after.starts_with(|c: char| c.is_ascii_digit());
    match sign {
        '\'' | '’' => after.starts_with(char::is_alphabetic),
        '.' | '/' => digits,
        _ => false,
    }
}
