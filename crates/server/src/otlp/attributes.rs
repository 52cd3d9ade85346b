//! What is known about a span, by name and in the type that is wanted, whatever type it was sent in.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Number, Value};

use super::wire::{Any, AnyValue, KeyValue};

/// Attributes by their names. Of several with one name the first counts.
pub(super) struct Attributes<'s>(HashMap<&'s str, &'s Any>);

impl<'s> Attributes<'s> {
    pub(super) fn of(pairs: &'s [KeyValue]) -> Self {
        let mut known = HashMap::with_capacity(pairs.len());
        for KeyValue { key, value } in pairs {
            if let Some(AnyValue { value: Some(value) }) = value {
                known.entry(key.as_str()).or_insert(value);
            }
        }
        Self(known)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The first that is there of several names, as it was sent.
    fn first(&self, names: &[&str]) -> Option<&'s Any> {
        names.iter().find_map(|name| self.0.get(name)).copied()
    }

    /// As text: what is no text is written as JSON.
    pub(super) fn text(&self, names: &[&str]) -> Option<Cow<'s, str>> {
        self.first(names).map(text_of).filter(|text| !text.is_empty())
    }

    /// As JSON: text that is JSON is read as such.
    pub(super) fn json(&self, names: &[&str]) -> Option<Value> {
        Some(match self.first(names)? {
            Any::String(text) => parsed(text),
            other => value_of(other),
        })
    }

    /// As a number.
    pub(super) fn number(&self, names: &[&str]) -> Option<f64> {
        let number = match self.first(names)? {
            Any::Int(number) => *number as f64,
            Any::Double(number) => *number,
            Any::String(text) => text.trim().parse().ok()?,
            Any::Bool(_) | Any::Array(_) | Any::Map(_) | Any::Bytes(_) => return None,
        };
        number.is_finite().then_some(number)
    }

    /// As a count: a whole number that is not negative.
    pub(super) fn count(&self, names: &[&str]) -> Option<u64> {
        self.number(names).filter(|number| *number >= 0.0).map(|number| number as u64)
    }

    /// As yes or no.
    pub(super) fn yes(&self, names: &[&str]) -> Option<bool> {
        match self.first(names)? {
            Any::Bool(yes) => Some(*yes),
            Any::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
            Any::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
            Any::Int(0) => Some(false),
            Any::Int(1) => Some(true),
            _ => None,
        }
    }

    /// As a list of texts; one text is a list of one.
    pub(super) fn texts(&self, name: &str) -> Vec<Cow<'s, str>> {
        match self.first(&[name]) {
            Some(Any::Array(list)) => list.values.iter().filter_map(|it| it.value.as_ref()).map(text_of).collect(),
            Some(one) => vec![text_of(one)],
            None => Vec::new(),
        }
    }

    /// Those whose names begin so, by the rest of their names.
    pub(super) fn under<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'s str, &'s Any)> + 'a {
        self.0.iter().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, *value)))
    }
}

/// JSON that text is, or the text itself.
pub(super) fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

fn text_of(value: &Any) -> Cow<'_, str> {
    match value {
        Any::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(value_of(other).to_string()),
    }
}

fn value_of(value: &Any) -> Value {
    let inner = |it: &AnyValue| it.value.as_ref().map_or(Value::Null, value_of);
    match value {
        Any::String(text) => Value::String(text.clone()),
        Any::Bool(yes) => Value::Bool(*yes),
        Any::Int(number) => Value::from(*number),
        Any::Double(number) => Number::from_f64(*number).map_or(Value::Null, Value::Number),
        Any::Array(list) => Value::Array(list.values.iter().map(inner).collect()),
        Any::Map(list) => {
            let pairs = list.values.iter().map(|it| (it.key.clone(), it.value.as_ref().map_or(Value::Null, inner)));
            Value::Object(pairs.collect::<Map<_, _>>())
        }
        // Nobody reads these.
        Any::Bytes(bytes) => Value::String(format!("{} bytes", bytes.len())),
    }
}
