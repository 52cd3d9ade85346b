//! Values that are named in a text: durations, moments, recurrences, numbers, things with names.
//!
//! [`find`] says what is there and where. Whether a value is wanted is for whoever knows the request to say.

use std::ops::Range;

use domain::name::Name;
use jiff::Zoned;
use serde_json::Value;

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
    /// The value as tools take it.
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
    /// A part of the calendar: `{"from": moment, "to": moment}`.
    Range,
    /// How often: an RFC 5545 rule, `FREQ=WEEKLY;BYDAY=MO`.
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
    /// Something with a name: `{"kind", "name", "id"}`.
    Thing,
    /// What stands in quotation marks.
    Quoted,
}

/// The values that a text names, in order, none within another.
pub fn find(_text: &str, _surroundings: &Surroundings<'_>) -> Vec<Slot> {
    Vec::new()
}

/// A text without some of its values.
pub fn without(text: &str, slots: &[&Slot]) -> String {
    let mut rest = text.to_owned();
    for slot in slots.iter().rev() {
        rest.replace_range(slot.span.clone(), "");
    }
    rest
}
