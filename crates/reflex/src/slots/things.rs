//! Things with names, however they are written: any case, one wrong letter, one or many.

use std::ops::Range;

use domain::name::Name;
use serde_json::{Value, json};

use super::words::{Class, Words};

/// Something with a name, and the words that name it.
pub(super) struct Thing {
    pub(super) value: Value,
    pub(super) words: Range<usize>,
    /// Whether every letter is right.
    pub(super) exact: bool,
    pub(super) doubt: Option<String>,
}

struct Match<'a> {
    name: &'a Name,
    words: Range<usize>,
    wrong: usize,
}

/// Which of the things a text names; the longest name wins, then the one with fewer wrong letters.
pub(super) fn things(words: &Words<'_>, names: &[Name]) -> Vec<Thing> {
    let mut matches: Vec<Match<'_>> = Vec::new();
    for name in names {
        for phrase in std::iter::once(&name.name).chain(&name.aliases) {
            named(words, phrase, |found, wrong| matches.push(Match { name, words: found, wrong }));
        }
    }
    matches.sort_by(|a, b| (b.words.len(), a.wrong, a.words.start).cmp(&(a.words.len(), b.wrong, b.words.start)));
    let mut things: Vec<Thing> = Vec::new();
    let mut taken: Vec<(Range<usize>, usize, Vec<&Name>)> = Vec::new();
    for found in &matches {
        if let Some((_, wrong, same)) = taken.iter_mut().find(|(words, _, _)| *words == found.words) {
            if *wrong == found.wrong
                && !same.iter().any(|name| name.id == found.name.id && name.kind == found.name.kind)
            {
                same.push(found.name);
            }
        } else if !taken.iter().any(|(words, _, _)| words.start < found.words.end && found.words.start < words.end) {
            taken.push((found.words.clone(), found.wrong, vec![found.name]));
        }
    }
    for (place, wrong, same) in taken {
        let Some((first, others)) = same.split_first() else { continue };
        let mut value = shown(first);
        if let Some(object) = value.as_object_mut().filter(|_| !others.is_empty()) {
            object.insert("others".to_owned(), others.iter().map(|name| shown(name)).collect());
        }
        let twins = others.iter().find(|other| other.kind == first.kind && other.domain == first.domain);
        let doubt = twins.map(|_| {
            let ids: Vec<_> = same.iter().map(|name| name.id.as_str()).collect();
            format!("Which {} do you mean: {}?", first.name, ids.join(" or "))
        });
        things.push(Thing { value, words: place, exact: wrong == 0, doubt });
    }
    things
}

fn shown(name: &Name) -> Value {
    json!({"kind": name.kind, "id": name.id, "name": name.name})
}

/// Calls back for every place where the words of a name stand, with the number of wrong letters.
fn named(words: &Words<'_>, phrase: &str, mut found: impl FnMut(Range<usize>, usize)) {
    let mut parts = phrase.split([' ', '-', '_', '\t']).filter(|part| !part.is_empty());
    let Some(mut first) = parts.next() else { return };
    // The article is optional on both sides.
    if first.eq_ignore_ascii_case("the") {
        match parts.clone().next() {
            Some(second) => {
                first = second;
                parts.next();
            }
            None => return,
        }
    }
    for start in 0..words.len() {
        if !could_be(words.at(start), first) {
            continue;
        }
        let Some(mut wrong) = alike(words, start, first, parts.clone().next().is_none()) else { continue };
        let mut at = start + spelt(words, start, first);
        let mut rest = parts.clone().peekable();
        let mut whole = true;
        while let Some(part) = rest.next() {
            at += usize::from(words.at(at) == "-");
            match alike(words, at, part, rest.peek().is_none()) {
                Some(more) => (wrong, at) = (wrong + more, at + spelt(words, at, part)),
                None => {
                    whole = false;
                    break;
                }
            }
        }
        if whole && wrong <= 1 {
            found(start..at, wrong);
        }
    }
}

/// A quick look that sends most words away: they start otherwise, and do not end alike either.
fn could_be(word: &str, part: &str) -> bool {
    let ends = |text: &str| {
        let bytes = text.as_bytes();
        Some((bytes.first()?.to_ascii_lowercase(), bytes.last()?.to_ascii_lowercase(), bytes.len()))
    };
    let (Some((first, last, length)), Some((other_first, other_last, other_length))) = (ends(word), ends(part)) else {
        return false;
    };
    first == other_first || !other_first.is_ascii() || last == other_last && length.abs_diff(other_length) <= 1
}

/// How many words of the text one word of a name takes: `Tom's` is two.
fn spelt(words: &Words<'_>, i: usize, part: &str) -> usize {
    let possessive = part.ends_with("'s") || part.ends_with("’s");
    let lettered = part.chars().any(char::is_alphabetic) && part.chars().any(|letter| letter.is_ascii_digit());
    match () {
        () if possessive && words.at(i + 1) == "'s" => 2,
        () if lettered => 2,
        () => 1,
    }
}

/// How many letters differ, where few enough do.
fn alike(words: &Words<'_>, i: usize, part: &str, last: bool) -> Option<usize> {
    let word = words.at(i);
    if word.is_empty() {
        return None;
    }
    let taken = spelt(words, i, part);
    let (word, part) = if taken == 2 && words.glued(i + 1) {
        if part.ends_with('s') && !part.chars().any(|letter| letter.is_ascii_digit()) {
            (word, part.trim_end_matches(['s', '\'', '’']))
        } else {
            (words.phrase(i, i + 2), part)
        }
    } else {
        (word, part)
    };
    let difference = word.len().abs_diff(part.len());
    if difference > 2 {
        return None;
    }
    if same(word, part) {
        return Some(0);
    }
    if last {
        let plural = |many: &str, one: &str| {
            many.strip_suffix('s')
                .is_some_and(|stem| same(stem, one) || stem.strip_suffix('e').is_some_and(|stem| same(stem, one)))
        };
        let one = part.to_lowercase();
        if plural(word, &one) || plural(&one, word) {
            return Some(0);
        }
    }
    let letters = words.class(i) == Some(Class::Letters) && part.len() >= 5 && word.len() >= 4 && difference <= 1;
    let ends = word.as_bytes().first() == part.to_ascii_lowercase().as_bytes().first()
        || word.as_bytes().last() == part.to_ascii_lowercase().as_bytes().last();
    (letters && ends && one_apart(word, &part.to_lowercase())).then_some(1)
}

fn same(word: &str, part: &str) -> bool {
    if word.is_ascii() && part.is_ascii() {
        return word.eq_ignore_ascii_case(part);
    }
    word.chars().eq(part.chars().flat_map(char::to_lowercase))
}

/// One letter more, less or other, or two neighbours swapped.
fn one_apart(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let Some(at) = long.iter().zip(&short).position(|(x, y)| x != y) else { return long.len() - short.len() == 1 };
    match long.len() - short.len() {
        0 => {
            let swapped = at + 1 < long.len() && long[at] == short[at + 1] && long[at + 1] == short[at];
            long[at + 1..] == short[at + 1..] || swapped && long[at + 2..] == short[at + 2..]
        }
        1 => long[at + 1..] == short[at..],
        _ => false,
    }
}
