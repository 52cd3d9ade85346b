//! The form of a request, counted: verbs, words of order, conditions, marks, names. And its words and pairs of words as
//! slots of a table.
//!
//! What stands in quotation marks is one thing, however much it says: it is passed on, not done.

use std::ops::Range;
use std::sync::LazyLock;

use crate::split::Class;
use crate::split::words::{self, Word};

/// How many signals there are.
pub const SIGNALS: usize = Signal::ALL.len();
/// Counts beyond this one are as good as it.
pub const LEVELS: usize = 8;
/// How many slots words and pairs share.
pub const SLOTS: usize = 1 << 17;
/// Words and marks that are looked at; what follows changes nothing.
const MOST: usize = 256;

/// Something about the form of a request that can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// How long it is, in words.
    Words,
    /// Verbs that ask for something to be done.
    Acts,
    /// Things wanted, as the splitter counts them.
    Parts,
    /// `then`, `once`, `finally`.
    Order,
    /// `based on`, `the result`.
    Results,
    /// `if`, `unless`, `depending on`.
    Conditions,
    /// `compare`, `cheapest`, `than`.
    Comparisons,
    /// `each`, `all`, `three`.
    Quantities,
    /// `also`, `moreover`.
    Additions,
    /// `plan`, `itinerary`, `research`.
    Planning,
    /// Commas and semicolons.
    Commas,
    /// Sentences that have ended.
    Sentences,
    /// Files, addresses and quotations.
    Artefacts,
    /// Question marks, or a question word in front.
    Questions,
}

impl Signal {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Signal; 14] = [
        Self::Words,
        Self::Acts,
        Self::Parts,
        Self::Order,
        Self::Results,
        Self::Conditions,
        Self::Comparisons,
        Self::Quantities,
        Self::Additions,
        Self::Planning,
        Self::Commas,
        Self::Sentences,
        Self::Artefacts,
        Self::Questions,
    ];
}

/// What was counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Form {
    /// One count a signal.
    pub counts: [usize; SIGNALS],
    /// Words and pairs of words, each slot once, with where in the text it was first seen.
    pub slots: Vec<(u32, Range<usize>)>,
}

impl Form {
    /// How often a signal was seen.
    pub fn count(&self, signal: Signal) -> usize {
        self.counts[signal as usize]
    }

    /// The count as a step of its scale: 0 to [`LEVELS`].
    pub fn level(&self, signal: Signal) -> usize {
        match signal {
            Signal::Words => LENGTHS.partition_point(|length| *length <= self.count(signal)),
            _ => self.count(signal).min(LEVELS),
        }
    }

    /// What one slot weighs, so that all together have length one.
    pub fn share(&self) -> f32 {
        (self.slots.len().max(1) as f32).sqrt().recip()
    }
}

/// Words from which on a request is a step longer.
const LENGTHS: [usize; LEVELS] = [5, 8, 12, 17, 24, 34, 48, 70];

/// Counts the form of a request of which the splitter made so many parts.
pub fn read(text: &str, parts: usize) -> Form {
    let mut form = Form::default();
    let mut tokens: Vec<(u32, Range<usize>)> = Vec::with_capacity(64);
    let mut before: Option<&Word> = None;
    // Up to here everything is one name: a quotation, a file, an address.
    let mut named = 0;
    let words = words::read(text);
    for (at, word) in words.iter().take(MOST).enumerate() {
        if word.span.start < named {
            continue;
        }
        if word.mark.is_none() {
            form.counts[Signal::Words as usize] += 1;
        }
        if word.quoted {
            named = words[at..].iter().take_while(|word| word.quoted).last().map_or(named, |word| word.span.end);
            form.counts[Signal::Artefacts as usize] += 1;
            tokens.push((QUOTATION, word.span.clone()));
        } else if let Some(end) = name_end(text, word) {
            named = end;
            form.counts[Signal::Artefacts as usize] += 1;
            tokens.push((NAME, word.span.clone()));
        } else {
            form.see(word, before, at == 0);
            tokens.push((token(word), word.span.clone()));
        }
        before = Some(word);
    }
    form.counts[Signal::Parts as usize] = parts.max(1) - 1;
    form.slots = slots(&tokens);
    form
}

impl Form {
    fn see(&mut self, word: &Word, before: Option<&Word>, first: bool) {
        let counts = &mut self.counts;
        let cue = cue(word.hash);
        match (word.mark, cue) {
            (Some(',' | ';'), _) => counts[Signal::Commas as usize] += 1,
            (Some('?'), _) => counts[Signal::Questions as usize] += 1,
            (Some('.' | '!' | '\n'), _) => counts[Signal::Sentences as usize] += 1,
            (None, Some(Cue::Counts(signal))) => counts[signal as usize] += 1,
            _ => {}
        }
        if first && word.class == Class::Wh {
            counts[Signal::Questions as usize] += 1;
        }
        let doing = word.class == Class::Verb && cue != Some(Cue::Weak) || cue == Some(Cue::Verb);
        if doing && before.is_none_or(opens) {
            counts[Signal::Acts as usize] += 1;
        }
    }
}

/// Whether what follows this word can be an order: `and book`, `please book`, `to book`, `can you book`.
fn opens(word: &Word) -> bool {
    match word.class {
        Class::Mark | Class::Joint | Class::Please | Class::Filler | Class::Greeting | Class::You => true,
        Class::Adverb | Class::Object | Class::Modal | Class::Time => true,
        Class::Preposition => cue(word.hash) == Some(Cue::To),
        _ => cue(word.hash) == Some(Cue::Counts(Signal::Order)),
    }
}

/// Where a file, a page or a mailbox that begins with this word ends: `notes.txt`, `https://…`, `ann@example.org`.
fn name_end(text: &str, word: &Word) -> Option<usize> {
    let bytes = text.as_bytes();
    let follows = |at: usize| bytes.get(word.span.end + at);
    let dotted = follows(0) == Some(&b'.') && follows(1).is_some_and(u8::is_ascii_alphanumeric) && word.span.len() > 1;
    let address = follows(0) == Some(&b'@') || follows(0) == Some(&b':') && follows(1) == Some(&b'/');
    let number = word.class == Class::Number;
    if word.mark.is_some() || number || !(dotted || address) {
        return None;
    }
    let rest = &text[word.span.end..text.floor_char_boundary(word.span.end + LONGEST_NAME)];
    let ends =
        |letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"' | ',' | ')' | ';' | '?' | '’' | '”');
    Some(word.span.end + rest.find(ends).unwrap_or(rest.len()))
}

/// Bytes after which a name is not followed any further.
const LONGEST_NAME: usize = 200;

const QUOTATION: u32 = 1;
const NAME: u32 = 2;
const NUMBER: u32 = 3;

/// What tells a word from others; figures are all alike.
fn token(word: &Word) -> u32 {
    if word.class == Class::Number && word.mark.is_none() && cue(word.hash).is_none() { NUMBER } else { word.hash }
}

fn slots(tokens: &[(u32, Range<usize>)]) -> Vec<(u32, Range<usize>)> {
    let slot = |mixed: u32| (mixed ^ (mixed >> 16)).wrapping_mul(0x9e37_79b1) >> (32 - SLOTS.trailing_zeros());
    let singles = tokens.iter().map(|(hash, span)| (slot(*hash), span.clone()));
    let pairs = tokens.windows(2).map(|pair| {
        let mixed = pair[0].0.wrapping_mul(0x85eb_ca6b).rotate_left(13) ^ pair[1].0;
        (slot(mixed), pair[0].1.start..pair[1].1.end)
    });
    let mut slots: Vec<(u32, Range<usize>)> = singles.chain(pairs).collect();
    slots.sort_unstable_by_key(|(slot, span)| (*slot, span.start, span.end));
    slots.dedup_by_key(|(slot, _)| *slot);
    slots
}

/// What a single word is looked up for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cue {
    Counts(Signal),
    /// `to`, after which orders follow.
    To,
    /// A verb that asks for nothing by itself: `help`, `know`.
    Weak,
    /// A verb of doing that the splitter has no use for.
    Verb,
}

fn cue(hash: u32) -> Option<Cue> {
    let cues = &*CUES;
    cues.binary_search_by_key(&hash, |(known, _)| *known).ok().map(|at| cues[at].1)
}

/// By hash, so that a word is found in a few steps.
static CUES: LazyLock<Vec<(u32, Cue)>> = LazyLock::new(|| {
    let hashes = |(list, cue): &(&str, Cue)| words::read(list).into_iter().map(|word| (word.hash, *cue)).collect();
    let mut cues: Vec<(u32, Cue)> = WORDS.iter().flat_map(|entry| -> Vec<(u32, Cue)> { hashes(entry) }).collect();
    cues.sort_by_key(|(hash, _)| *hash);
    cues.dedup_by_key(|(hash, _)| *hash);
    cues
});

/// A word that stands twice belongs to the list that names it first.
const WORDS: &[(&str, Cue)] = &[
    ("to", Cue::To),
    (
        "then after afterwards afterward once next finally lastly later before firstly secondly thirdly subsequently \
         following until first eventually",
        Cue::Counts(Signal::Order),
    ),
    (
        "based using result results resulting output outputs accordingly corresponding whichever findings",
        Cue::Counts(Signal::Results),
    ),
    ("if unless whether otherwise depending depends provided else case", Cue::Counts(Signal::Conditions)),
    (
        "compare comparing comparison versus vs better cheaper cheapest best fastest shortest difference than options \
         alternatives rank pros cons",
        Cue::Counts(Signal::Comparisons),
    ),
    (
        "each every all both several multiple various many two three four five six seven eight nine ten twelve dozen",
        Cue::Counts(Signal::Quantities),
    ),
    ("also additionally moreover furthermore plus besides too along together", Cue::Counts(Signal::Additions)),
    (
        "plan planning itinerary organize organise arrange prepare research project trip strategy budget compile \
         roadmap proposal workflow",
        Cue::Counts(Signal::Planning),
    ),
    ("help let know see try use want need go keep wait have do like", Cue::Weak),
    (
        "analyze analyse annotate assemble attend automate backup borrow classify colorize combine consult coordinate crawl \
         deploy design enhance enroll file gather hire interview investigate negotiate optimize outline \
         paraphrase pitch recognize rewrite sell sketch stitch summarise synchronize tag transform visualize",
        Cue::Verb,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> Vec<(Signal, usize)> {
        let form = read(text, 1);
        Signal::ALL.into_iter().map(|signal| (signal, form.count(signal))).filter(|(_, count)| *count > 0).collect()
    }

    #[test]
    fn verbs_count_where_they_ask_for_something() {
        assert_eq!(read("book a table and call the booking office", 1).count(Signal::Acts), 2);
        assert_eq!(read("can you find the call log", 1).count(Signal::Acts), 1);
        assert_eq!(read("Plan the trip, book the train, then mail it to Ann", 1).count(Signal::Acts), 3);
        assert_eq!(read("i need help", 1).count(Signal::Acts), 0);
    }

    #[test]
    fn quotations_files_and_addresses_are_one_name_each() {
        let text = "send \"plan it, then book it and then call me\" to ann@example.org with notes.txt";
        assert_eq!(counted(text), [(Signal::Words, 6), (Signal::Acts, 1), (Signal::Artefacts, 3)]);
        assert_eq!(read("see https://example.org/a,b now", 1).count(Signal::Artefacts), 1);
        assert_eq!(read("at 7.30 p.m. in 3.5 km", 1).count(Signal::Artefacts), 0);
    }

    #[test]
    fn order_and_conditions_are_seen() {
        let form = read("once it is done, tell me; if not, wait until noon?", 3);
        assert_eq!((form.count(Signal::Order), form.count(Signal::Conditions)), (2, 1));
        assert_eq!((form.count(Signal::Parts), form.count(Signal::Questions)), (2, 1));
    }
}
