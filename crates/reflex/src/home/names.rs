//! Finds what a house calls its things in a sentence, even when a letter is wrong.

use domain::name::{Name, NameKind};

use super::lexicon;
use super::words::Words;

/// A place in a sentence where something is named.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention<'a> {
    pub(super) first: usize,
    /// The word after the last.
    pub(super) end: usize,
    pub(super) exact: bool,
    pub(super) name: &'a Name,
}

impl Mention<'_> {
    pub(super) fn is_place(&self) -> bool {
        matches!(self.name.kind, NameKind::Area | NameKind::Floor)
    }

    /// Whether it is something that can be asked or told: not a timer, an appointment or somewhere on the map.
    pub(super) fn is_device(&self) -> bool {
        matches!(self.name.kind, NameKind::Device | NameKind::Scene | NameKind::Person | NameKind::List)
    }

    pub(super) fn domain(&self) -> &str {
        domain_of(self.name)
    }
}

/// What a thing is good for, also where only its id says so.
pub(super) fn domain_of(name: &Name) -> &str {
    match (&name.domain, name.kind) {
        (Some(domain), _) => domain,
        (None, NameKind::Scene) => "scene",
        (None, NameKind::Person) => "person",
        (None, NameKind::List) => "todo",
        (None, _) => name.id.split_once('.').map_or("", |(domain, _)| domain),
    }
}

/// Everything that is named anywhere, longest first; where two stand in the same words, the exact one first.
pub(super) fn mentions<'a>(words: &Words<'_>, house: &'a [Name]) -> Vec<Mention<'a>> {
    let mut initials = [false; 256];
    for at in 0..words.len() {
        if let Some(first) = words.get(at).bytes().next() {
            initials[usize::from(first)] = true;
        }
    }
    let mut found = Vec::new();
    for name in house {
        for spelling in std::iter::once(&name.name).chain(&name.aliases) {
            let spelling = spelling.strip_prefix("The ").or(spelling.strip_prefix("the ")).unwrap_or(spelling);
            let first = spelling.bytes().next().map(|first| first.to_ascii_lowercase());
            // Most names do not begin like any word of the sentence, and need not be looked at further.
            if first.is_some_and(|first| !first.is_ascii() || initials[usize::from(first)])
                && let Some(spelt) = Words::of(spelling)
            {
                found.extend(
                    (0..words.len()).filter_map(|at| match_at(words, at, &spelt)).map(|(first, end, exact)| Mention {
                        first,
                        end,
                        exact,
                        name,
                    }),
                );
            }
        }
    }
    found.sort_by_key(|mention| (std::cmp::Reverse(mention.end - mention.first), !mention.exact, mention.first));
    found
}

/// Whether a name stands at a word: from where to where, and whether to the letter.
fn match_at(words: &Words<'_>, at: usize, spelt: &Words<'_>) -> Option<(usize, usize, bool)> {
    let count = spelt.len();
    if count == 0 {
        return None;
    }
    if count > 1 && is_joined(words.get(at), spelt) {
        return Some((at, at + 1, true));
    }
    if at + count > words.len() {
        return None;
    }
    // *left curtain* for *Curtain Left*
    if count == 2 && words.get(at) == spelt.get(1) && words.get(at + 1) == spelt.get(0) {
        return Some((at, at + 2, false));
    }
    let mut exact = true;
    for offset in 0..count {
        let (said, meant) = (words.get(at + offset), spelt.get(offset));
        if said != meant {
            // The plural of a name means several things, not the one with the name.
            let plural = offset + 1 == count && said.strip_suffix('s').is_some_and(|stem| stem == meant);
            if plural || !is_slip(said, meant) || lexicon::is_known(said) {
                return None;
            }
            exact = false;
        }
    }
    Some((at, at + count, exact))
}

/// `livingroom` for *Living Room*.
fn is_joined(word: &str, spelt: &Words<'_>) -> bool {
    let mut rest = word;
    for at in 0..spelt.len() {
        match rest.strip_prefix(spelt.get(at)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

/// Whether one word is another with one letter left out, put in, changed, or swapped with its neighbour.
pub(super) fn is_slip(said: &str, meant: &str) -> bool {
    let (said, meant) = (said.as_bytes(), meant.as_bytes());
    if meant.len() < 4 || said.len() < 4 || said.len().abs_diff(meant.len()) > 1 || said.first() != meant.first() {
        return false;
    }
    let ahead = said.iter().zip(meant).take_while(|(a, b)| a == b).count();
    let behind = said.iter().rev().zip(meant.iter().rev()).take_while(|(a, b)| a == b).count();
    let (longer, shorter) = (said.len().max(meant.len()), said.len().min(meant.len()));
    if longer > shorter || ahead + behind + 1 >= longer {
        // A changed letter in a short word makes another word: *lamp* and *lump*.
        return ahead + behind >= shorter || (longer >= 6 && ahead + behind + 1 >= longer && longer == shorter);
    }
    ahead + behind + 2 == longer && said[ahead] == meant[ahead + 1] && said[ahead + 1] == meant[ahead]
}
