//! Values that are named in a text: durations, moments, recurrences, numbers, things with names.
//!
//! [`find`] says what is there and where. Whether a value is wanted is for whoever knows the request to say.

mod amounts;
mod clock;
pub(crate) mod days;
mod feasts;
mod join;
pub(crate) mod lengths;
pub(crate) mod numbers;
mod pairs;
mod periods;
pub(crate) mod places;
mod quoted;
pub(crate) mod ratio;
mod rules;
mod settle;
mod things;
pub(crate) mod units;
mod when;
mod without;
pub(crate) mod words;

use std::ops::Range;

use domain::name::Name;
use jiff::Zoned;
use serde_json::{Value, json};

pub use without::without;
use words::Words;

/// What must be known to read values: the moment and zone of the request, and what things are called.
#[derive(Debug, Clone)]
pub struct Surroundings<'a> {
    /// When and where in time the person is.
    pub now: Zoned,
    /// Things that have names.
    pub names: &'a [Name],
}

/// A value that a text names.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// What kind of value.
    pub kind: Kind,
    /// Where it stands, in bytes.
    pub span: Range<usize>,
    /// Where else: `at five` of `tomorrow call Ann at five`.
    pub also: Vec<Range<usize>>,
    /// The value as tools take it; null when there is no such value, and `doubt` says why.
    pub value: Value,
    /// What else it could mean, or why it cannot be: a question that a person can answer.
    pub doubt: Option<String>,
}

/// Kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// How long: ISO 8601, `PT10M`.
    Duration,
    /// When, to the minute: RFC 9557, `2026-11-15T19:00:00+01:00[Europe/Oslo]`.
    Moment,
    /// A day: `2026-11-15`.
    Date,
    /// A part of the calendar, up to and without its end: `{"from": moment, "to": moment}`.
    Range,
    /// How often: an RFC 5545 rule, `FREQ=WEEKLY;BYDAY=MO`. A time that was said is a moment of its own, the first one.
    Recurrence,
    /// A number.
    Number,
    /// A number with a unit: `{"value": 20, "unit": "celsius"}`.
    Quantity,
    /// A percentage, 0 to 100.
    Percent,
    /// A colour by name.
    Colour,
    /// Somewhere: the words that name it.
    Place,
    /// Something with a name: `{"kind", "name", "id"}`, and `others` where more have that name.
    Thing,
    /// What stands in quotation marks.
    Quoted,
}

/// The values that a text names, in order, none within another.
pub fn find(text: &str, surroundings: &Surroundings<'_>) -> Vec<Slot> {
    let words = Words::new(text);
    let now = &surroundings.now;
    let pieces = when::pieces(&words, now);
    let timed: Vec<Range<usize>> = pieces.iter().map(|piece| piece.words.clone()).collect();
    let quotes = quoted::quotes(&words, &timed);
    let mut found = Found { words: &words, slots: Vec::new(), taken: Vec::new() };
    for quote in quotes {
        let value = json!(text.get(quote.inner).unwrap_or_default());
        found.add_bytes(Kind::Quoted, quote.outer, value);
    }
    let (exact, near): (Vec<_>, Vec<_>) =
        things::things(&words, surroundings.names).into_iter().partition(|thing| thing.exact);
    // June is somebody, the 3rd of June is a day.
    let within_time = |words: &Range<usize>| {
        timed.iter().any(|time| time.start <= words.start && words.end <= time.end && time != words)
    };
    for thing in exact.into_iter().filter(|thing| !within_time(&thing.words)) {
        found.add(Kind::Thing, &[thing.words], thing.value, thing.doubt);
    }
    let free: Vec<when::Piece> = pieces.into_iter().filter(|piece| found.is_free(&piece.words)).collect();
    for joined in join::join(&words, now, &free) {
        found.add(joined.kind, &joined.places, joined.value, joined.doubt);
    }
    for thing in near {
        found.add(Kind::Thing, &[thing.words], thing.value, thing.doubt);
    }
    let mut i = 0;
    while i < words.len() {
        match amounts::amount(&words, i).filter(|amount| found.is_free(&amount.words)) {
            Some(amount) => {
                i = amount.words.end;
                found.add(amount.kind, &[amount.words], amount.value, None);
            }
            None => i += 1,
        }
    }
    for place in places::places(&words, &found.taken) {
        let value = json!(text.get(words.span(&place)).unwrap_or_default());
        found.add(Kind::Place, &[place], value, None);
    }
    let mut slots = found.slots;
    slots.sort_by_key(|slot| slot.span.start);
    slots
}

/// Slots so far, and the words that they took.
struct Found<'a> {
    words: &'a Words<'a>,
    slots: Vec<Slot>,
    taken: Vec<Range<usize>>,
}

impl Found<'_> {
    fn is_free(&self, range: &Range<usize>) -> bool {
        !self.taken.iter().any(|other| other.start < range.end && range.start < other.end)
    }

    /// Adds a value, unless its words are taken. Places that touch become one.
    fn add(&mut self, kind: Kind, places: &[Range<usize>], value: Value, doubt: Option<String>) {
        let mut places: Vec<Range<usize>> = places.iter().filter(|place| self.is_free(place)).cloned().collect();
        places.sort_by_key(|place| place.start);
        let mut merged: Vec<Range<usize>> = Vec::new();
        for place in places {
            match merged.last_mut().filter(|last| self.beside(last.end, place.start)) {
                Some(last) => last.end = place.end,
                None => merged.push(place),
            }
        }
        let mut spans = merged.iter().map(|place| self.words.span(place));
        if let Some(span) = spans.next() {
            let also = spans.collect();
            self.slots.push(Slot { kind, span, also, value, doubt });
        }
        self.taken.extend(merged);
    }

    fn beside(&self, from: usize, to: usize) -> bool {
        (from..to)
            .all(|i| self.words.is(i, &["at", "on", "in", "the", "of", ",", "by", "for", "around", "about", "from"]))
            && self.is_free(&(from..to))
    }

    /// Adds what was found in the bytes of the text.
    fn add_bytes(&mut self, kind: Kind, span: Range<usize>, value: Value) {
        let within = |i: &usize| {
            let word = self.words.span(&(*i..*i + 1));
            span.start <= word.start && word.end <= span.end
        };
        let mut inside = (0..self.words.len()).filter(within);
        if let Some(first) = inside.next() {
            let last = inside.next_back().unwrap_or(first);
            self.add(kind, std::slice::from_ref(&(first..last + 1)), value, None);
        }
    }
}
