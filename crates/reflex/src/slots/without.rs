//! What is left of a text once its values are taken out: the title of an event, the text of a reminder.

use std::ops::Range;

use super::Slot;

const LEADS: &[&str] = &[
    "at",
    "on",
    "in",
    "for",
    "from",
    "by",
    "until",
    "till",
    "to",
    "around",
    "about",
    "the",
    "of",
    "near",
    "starting",
    "beginning",
    "called",
    "named",
    "titled",
    "labelled",
    "labeled",
    "between",
    "after",
    "before",
    "with",
    "a",
    "an",
    "as",
    "during",
    "since",
];

/// The text without these slots and the small words that introduced them, in one line.
pub fn without(text: &str, slots: &[&Slot]) -> String {
    let mut spans: Vec<Range<usize>> =
        slots.iter().flat_map(|slot| std::iter::once(&slot.span).chain(&slot.also)).cloned().collect();
    spans.retain(|span| text.get(span.clone()).is_some());
    spans.sort_by_key(|span| span.start);
    let mut left = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        if span.start > at {
            left.push_str(&text[at..span.start]);
        }
        strip_lead(&mut left);
        left.push(' ');
        at = at.max(span.end);
    }
    let rest = text.get(at..).unwrap_or_default();
    left.push_str(rest.strip_prefix("'s").or_else(|| rest.strip_prefix("’s")).unwrap_or(rest));
    tidied(&left)
}

/// Takes small words off the end, as many as introduce one value: `on the`.
fn strip_lead(left: &mut String) {
    for _ in 0..2 {
        let trimmed = left.trim_end_matches([' ', ',']);
        let word = trimmed.rsplit(char::is_whitespace).next().unwrap_or_default();
        if word.is_empty() || !LEADS.iter().any(|lead| word.eq_ignore_ascii_case(lead)) {
            return;
        }
        let length = trimmed.len() - word.len();
        left.truncate(length);
    }
}

fn tidied(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let mark = word.chars().all(|letter| matches!(letter, ',' | '.' | ';' | '?' | '!'));
        if !line.is_empty() && !mark {
            line.push(' ');
        }
        line.push_str(word);
    }
    let dangling = |line: &str| {
        let word = line.rsplit(' ').next().unwrap_or_default();
        let and =
            matches!(word.to_ascii_lowercase().as_str(), "and" | "at" | "on" | "for" | "the" | "from" | "by" | "until");
        (line.len() > word.len() && and).then(|| line.len() - word.len())
    };
    loop {
        let end = line.trim_end_matches([' ', ',', ';']).len();
        line.truncate(end);
        match dangling(&line) {
            Some(length) => line.truncate(length),
            None => break,
        }
    }
    line.trim_start_matches([' ', ',', ';', '.']).to_owned()
}
