//! Where in a plan values can stand, a plan with its values replaced by holes, and the way back.

use std::collections::BTreeSet;

use domain::reference::aloud;
use domain::skill::{Example, Form, Lifted, Source, TextPiece};
use serde_json::Value;

use super::form::{explain, same, write};

/// What stands at a place of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// Names of steps and tools, and what holds them together: never a value of the request.
    Frame,
    /// Words for people and agents, and conditions.
    Words,
    /// What a tool is given.
    Argument,
}

impl Place {
    /// What stands in a field.
    pub(super) fn of_field(self, name: &str) -> Self {
        match (self, name) {
            (Place::Argument, _) | (Place::Frame, "arguments") => Place::Argument,
            (Place::Frame, "goal" | "prompt" | "answer" | "expects" | "when" | "check") => Place::Words,
            (Place::Frame | Place::Words, _) => Place::Frame,
        }
    }
}

/// The shortest request that an argument can be as a whole, in words.
const SHORTEST_REQUEST: usize = 3;

/// A value in which everything that was said is a hole.
pub(super) fn lifted(value: &Value, place: Place, request: &str, said: &[Example]) -> Lifted {
    match value {
        Value::Object(fields) if place == Place::Frame => fields_of(fields, place, request, said),
        Value::Array(items) if place == Place::Frame => {
            Lifted::List(items.iter().map(|item| lifted(item, place, request, said)).collect())
        }
        _ if place == Place::Frame => Lifted::Fixed(value.clone()),
        Value::Null | Value::Bool(_) => Lifted::Fixed(value.clone()),
        Value::String(text)
            if text.trim() == request.trim() && request.split_whitespace().count() >= SHORTEST_REQUEST =>
        {
            Lifted::Request
        }
        _ => {
            let sources: BTreeSet<Source> = said
                .iter()
                .enumerate()
                .flat_map(|(parameter, example)| explain(value, example).map(move |form| Source { parameter, form }))
                .collect();
            match value {
                _ if !sources.is_empty() => Lifted::Hole(sources),
                Value::String(text) => text_of(text, said),
                Value::Array(items) => {
                    Lifted::List(items.iter().map(|item| lifted(item, place, request, said)).collect())
                }
                Value::Object(fields) => fields_of(fields, place, request, said),
                Value::Null | Value::Bool(_) | Value::Number(_) => Lifted::Fixed(value.clone()),
            }
        }
    }
}

fn fields_of(fields: &serde_json::Map<String, Value>, place: Place, request: &str, said: &[Example]) -> Lifted {
    let lift = |(name, field): (&String, &Value)| (name.clone(), lifted(field, place.of_field(name), request, said));
    Lifted::Fields(fields.iter().map(lift).collect())
}

/// A text in which whole words that were said are holes. What it takes from results is left alone.
fn text_of(text: &str, said: &[Example]) -> Lifted {
    let mut written: Vec<(String, Source)> = Vec::new();
    for (parameter, example) in said.iter().enumerate() {
        for form in Form::ALL {
            let words = write(form, example).map(|value| aloud(&value)).unwrap_or_default();
            if words.chars().any(char::is_alphanumeric) {
                written.push((words, Source { parameter, form }));
            }
        }
    }
    let mut pieces = Vec::new();
    let mut fixed = String::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        if rest.starts_with("${") {
            let end = rest.find('}').map_or(rest.len(), |end| end + 1);
            fixed.push_str(&rest[..end]);
            at += end;
            continue;
        }
        let here = written.iter().filter(|(words, _)| stands_at(text, at, words));
        match here.map(|(words, _)| words.len()).max() {
            Some(length) => {
                if !fixed.is_empty() {
                    pieces.push(TextPiece::Words(std::mem::take(&mut fixed)));
                }
                let words = &rest[..length];
                let sources = written.iter().filter(|(other, _)| other == words).map(|(_, source)| *source).collect();
                pieces.push(TextPiece::Hole(sources));
                at += length;
            }
            None => {
                fixed.push(letter);
                at += letter.len_utf8();
            }
        }
    }
    if pieces.is_empty() {
        return Lifted::Fixed(Value::String(text.to_owned()));
    }
    if !fixed.is_empty() {
        pieces.push(TextPiece::Words(fixed));
    }
    Lifted::Text(pieces)
}

/// Whether words stand at a place of a text, as whole words.
fn stands_at(text: &str, at: usize, words: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text[at..].starts_with(words)
        && !(part(words.chars().next()) && part(text[..at].chars().next_back()))
        && !(part(words.chars().next_back()) && part(text[at + words.len()..].chars().next()))
}

/// Whether words stand anywhere in a text, as whole words and not in what it takes from results.
pub(super) fn stands_in(text: &str, words: &str) -> bool {
    let text = without_references(text);
    !words.is_empty() && text.match_indices(words).any(|(at, _)| stands_at(&text, at, words))
}

/// A text without what it takes from results.
pub(super) fn without_references(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        left.push_str(&rest[..start]);
        left.push(' ');
        rest = rest[start..].find('}').map_or("", |end| &rest[start + end + 1..]);
    }
    left + rest
}

/// What a plan with holes is when they are filled; or where its sources do not agree.
pub(super) fn written(holed: &Lifted, request: &str, values: &[Example]) -> Result<Value, String> {
    match holed {
        Lifted::Fixed(value) => Ok(value.clone()),
        Lifted::Hole(sources) => agreed(sources, values),
        Lifted::Text(pieces) => {
            let mut text = String::new();
            for piece in pieces {
                match piece {
                    TextPiece::Words(words) => text.push_str(words),
                    TextPiece::Hole(sources) => text.push_str(&aloud(&agreed(sources, values)?)),
                }
            }
            Ok(Value::String(text))
        }
        Lifted::Request => Ok(Value::String(request.to_owned())),
        Lifted::List(items) => items.iter().map(|item| written(item, request, values)).collect(),
        Lifted::Fields(fields) => {
            let filled = fields.iter().map(|(name, field)| Ok((name.clone(), written(field, request, values)?)));
            filled.collect::<Result<serde_json::Map<_, _>, String>>().map(Value::Object)
        }
    }
}

/// The value that all sources of a hole give.
fn agreed(sources: &BTreeSet<Source>, values: &[Example]) -> Result<Value, String> {
    let mut agreed: Option<Value> = None;
    for source in sources {
        let value = values.get(source.parameter).and_then(|value| write(source.form, value));
        let value = value.ok_or("a value cannot be written as the plan has it")?;
        match &agreed {
            Some(other) if !same(other, &value) => {
                return Err(format!("the plan could take `{}` or `{}`", aloud(other), aloud(&value)));
            }
            _ => agreed = Some(value),
        }
    }
    agreed.ok_or_else(|| "a hole has no source".to_owned())
}
