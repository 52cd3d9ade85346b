//! A plan in which values are replaced by holes. It is a tree of its own, not a text with marks in it: no value can be
//! taken for a hole, and no hole for a value.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A JSON value with holes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lifted {
    /// The same whatever was said: a text, a number, a truth value, nothing.
    Fixed(Value),
    /// What was said, written in one of these ways. While there are several they have to agree.
    Hole(BTreeSet<Source>),
    /// A text with holes.
    Text(Vec<TextPiece>),
    /// The whole request in its own words.
    Request,
    /// A list.
    List(Vec<Lifted>),
    /// An object, its fields in the order in which the planner wrote them.
    Fields(Vec<(String, Lifted)>),
}

/// A part of a text with holes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextPiece {
    /// Always the same.
    Words(String),
    /// What was said, read aloud.
    Hole(BTreeSet<Source>),
}

/// Where the value of a hole comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// Which parameter, counted from 0.
    pub parameter: usize,
    /// How it is written.
    pub form: Form,
}

/// How what was said is written in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The words as they were said.
    AsSaid,
    /// In small letters.
    Lower,
    /// In capitals.
    Upper,
    /// With a capital at the start.
    Capital,
    /// With a capital at the start of each word.
    Title,
    /// The value that the words name, as tools take it.
    Value,
    /// The number in it.
    Number,
    /// The unit in it.
    Unit,
    /// How long, in milliseconds.
    Milliseconds,
    /// How long, in seconds.
    Seconds,
    /// How long, in minutes.
    Minutes,
    /// How long, in hours.
    Hours,
    /// How long, in days.
    Days,
    /// The day of a moment: `2026-11-16`.
    Day,
    /// The time of day of a moment: `08:00`.
    Clock,
    /// A moment on the person's clock: `2026-11-16T08:00:00`.
    Local,
    /// The same to the minute: `2026-11-16T08:00`.
    LocalMinute,
    /// The same with a space: `2026-11-16 08:00`.
    LocalSpaced,
    /// A moment with its distance from UTC: `2026-11-16T08:00:00+01:00`.
    Offset,
    /// A moment in UTC: `2026-11-16T07:00:00Z`.
    Utc,
    /// Seconds since 1970.
    Epoch,
    /// The beginning of a stretch of time.
    From,
    /// The end of a stretch of time.
    To,
    /// The first day of a stretch of time.
    FirstDay,
    /// The day after a stretch of time.
    DayAfter,
    /// How tools know a thing with a name.
    Id,
    /// How people know a thing with a name.
    Name,
}

impl Form {
    /// All of them, those that keep the words first.
    pub const ALL: [Form; 27] = [
        Self::AsSaid,
        Self::Lower,
        Self::Upper,
        Self::Capital,
        Self::Title,
        Self::Value,
        Self::Number,
        Self::Unit,
        Self::Milliseconds,
        Self::Seconds,
        Self::Minutes,
        Self::Hours,
        Self::Days,
        Self::Day,
        Self::Clock,
        Self::Local,
        Self::LocalMinute,
        Self::LocalSpaced,
        Self::Offset,
        Self::Utc,
        Self::Epoch,
        Self::From,
        Self::To,
        Self::FirstDay,
        Self::DayAfter,
        Self::Id,
        Self::Name,
    ];
}

impl Lifted {
    /// Calls `each` with the sources of every hole, in order.
    pub fn holes(&self, each: &mut impl FnMut(&BTreeSet<Source>)) {
        match self {
            Lifted::Fixed(_) | Lifted::Request => {}
            Lifted::Hole(sources) => each(sources),
            Lifted::Text(pieces) => pieces.iter().for_each(|piece| match piece {
                TextPiece::Words(_) => {}
                TextPiece::Hole(sources) => each(sources),
            }),
            Lifted::List(items) => items.iter().for_each(|item| item.holes(each)),
            Lifted::Fields(fields) => fields.iter().for_each(|(_, field)| field.holes(each)),
        }
    }

    /// The field of an object.
    pub fn get(&self, name: &str) -> Option<&Lifted> {
        match self {
            Lifted::Fields(fields) => fields.iter().find(|(field, _)| field == name).map(|(_, value)| value),
            Lifted::Fixed(_) | Lifted::Hole(_) | Lifted::Text(_) | Lifted::Request | Lifted::List(_) => None,
        }
    }

    /// The value as JSON, each hole written as `named` says: for reading, not for carrying out.
    pub fn sketch(&self, named: &dyn Fn(usize) -> String) -> Value {
        let name = |sources: &BTreeSet<Source>| sources.first().map_or_else(String::new, |one| named(one.parameter));
        match self {
            Lifted::Fixed(value) => value.clone(),
            Lifted::Hole(sources) => Value::String(name(sources)),
            Lifted::Text(pieces) => {
                let said = pieces.iter().map(|piece| match piece {
                    TextPiece::Words(words) => words.clone(),
                    TextPiece::Hole(sources) => name(sources),
                });
                Value::String(said.collect())
            }
            Lifted::Request => Value::String("{{request}}".to_owned()),
            Lifted::List(items) => items.iter().map(|item| item.sketch(named)).collect(),
            Lifted::Fields(fields) => {
                Value::Object(fields.iter().map(|(field, value)| (field.clone(), value.sketch(named))).collect())
            }
        }
    }
}
