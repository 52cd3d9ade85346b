//! What stands in quotation marks, or after `called`.

use std::ops::Range;

use super::words::{Class, Words};

/// Quoted words: what they are without the marks, and where they stand with them.
pub(super) struct Quote {
    pub(super) inner: Range<usize>,
    pub(super) outer: Range<usize>,
}

/// Everything that is quoted, in bytes of the text. Words where a mention of time starts end a name after `called`.
pub(super) fn quotes(words: &Words<'_>, timed: &[Range<usize>]) -> Vec<Quote> {
    let mut found = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let quote = marked(words, i).or_else(|| called(words, i, timed));
        match quote {
            Some((quote, next)) => {
                found.push(quote);
                i = next;
            }
            None => i += 1,
        }
    }
    found
}

fn marked(words: &Words<'_>, i: usize) -> Option<(Quote, usize)> {
    let closing: &[&str] = match words.at(i) {
        "\"" => &["\""],
        "“" | "„" => &["”", "“"],
        "«" => &["»"],
        "‘" => &["'", "’"],
        // An apostrophe opens only where a word starts.
        "'" if !words.glued(i) && words.glued(i + 1) => &["'"],
        _ => return None,
    };
    let end = (i + 1..words.len()).find(|at| {
        words.is(*at, closing) && (closing != ["'"] || !words.glued(at + 1) || words.class(at + 1) == Some(Class::Mark))
    })?;
    let inner = words.span(&(i + 1..end));
    (end > i + 1).then(|| (Quote { inner, outer: words.span(&(i..end + 1)) }, end + 1))
}

/// `a timer called pasta for ten minutes`.
fn called(words: &Words<'_>, i: usize, timed: &[Range<usize>]) -> Option<(Quote, usize)> {
    let names = match words.at(i) {
        "called" | "named" | "titled" | "labelled" | "labeled" => i > 0,
        _ => false,
    };
    let somebody = [
        "i", "who", "he", "she", "they", "we", "you", "has", "have", "had", "just", "mom", "dad", "be", "is", "was",
        "been",
    ];
    if !names || somebody.contains(&words.before(i)) {
        return None;
    }
    let start = i + 1;
    let ends = |at: usize| {
        words.is(
            at,
            &[
                "at", "on", "for", "from", "in", "to", "until", "starting", "then", "and", "every", ",", ".", "?", "!",
                ";", "\"", "“", "«",
            ],
        ) || timed.iter().any(|range| range.start == at)
    };
    let end = (start..words.len()).find(|at| ends(*at)).unwrap_or(words.len());
    (end > start && end - start <= 8).then(|| {
        let span = words.span(&(start..end));
        (Quote { inner: span.clone(), outer: span }, end)
    })
}
