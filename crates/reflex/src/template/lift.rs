//! From a request and its plan to a template: which words of the request stand in the plan, and where.

use std::collections::BTreeSet;
use std::ops::Range;

use domain::plan::PlanDraft;
use domain::reference::aloud;
use domain::skill::{BadTemplate, Example, Form, Lifted, Parameter, ParameterKind, Piece, Template};
use serde_json::Value;

use super::form::{explain, write};
use super::judge::settled;
use super::leak::{self, Leak};
use super::place::{Place, lifted, stands_in};
use super::said::{Said, names_nothing, plain};
use crate::slots::Surroundings;

/// Why nothing can be lifted out of a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotLifted {
    /// Plan the next such request anew.
    #[error("the request has no words, or too many to look for")]
    Words,
    /// Plan the next such request anew: tomorrow this would be wrong.
    #[error("the plan says `{0}`, and the request does not tell where that comes from")]
    Dated(String),
    /// Plan the next such request anew.
    #[error(transparent)]
    Template(#[from] BadTemplate),
}

/// Takes what came from the request out of a plan: values that stand in the request, or that the reader of values proves
/// to be named there. What cannot be told for sure stays as it is, in the request and in the plan.
pub fn lift(request: &str, surroundings: &Surroundings<'_>, draft: &PlanDraft) -> Result<Template, NotLifted> {
    let said = Said::read(request, surroundings).ok_or(NotLifted::Words)?;
    let plan = serde_json::to_value(draft).unwrap_or_default();
    let mut candidates = BTreeSet::new();
    births(&plan, Place::Frame, &said, &mut candidates);
    // What turns out to hide a value that the plan has besides is given up for the smaller ones within.
    loop {
        let chosen = longest_apart(&candidates);
        let examples: Vec<Example> = chosen.iter().map(|words| said.example(&words.range())).collect();
        let holed = lifted(&plan, Place::Frame, request, &examples);
        let given_up = match leak::find(&holed, Place::Frame, &said, &chosen, surroundings) {
            Some(Leak::Dated(text)) => return Err(NotLifted::Dated(text)),
            Some(Leak::Hides(hides)) => hides,
            None => unused(&holed, &chosen),
        };
        if given_up.is_empty() {
            return Ok(template(&said, &chosen, holed)?);
        }
        candidates.retain(|words| !given_up.contains(words));
    }
}

fn unused(holed: &Lifted, chosen: &[Words]) -> Vec<Words> {
    let mut used = BTreeSet::new();
    holed.holes(&mut |sources| used.extend(sources.iter().map(|source| source.parameter)));
    chosen.iter().enumerate().filter(|(at, _)| !used.contains(at)).map(|(_, words)| *words).collect()
}

/// Some words of the request, in order of where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Words {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Words {
    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    pub(super) fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl From<&Range<usize>> for Words {
    fn from(words: &Range<usize>) -> Self {
        Self { start: words.start, end: words.end }
    }
}

/// The longest that do not overlap, in order.
fn longest_apart(candidates: &BTreeSet<Words>) -> Vec<Words> {
    let mut by_length: Vec<Words> = candidates.iter().copied().collect();
    by_length.sort_by_key(|words| (std::cmp::Reverse(words.end - words.start), words.start));
    let mut chosen: Vec<Words> = Vec::new();
    for words in by_length {
        if !chosen.iter().any(|other| other.overlaps(words)) {
            chosen.push(words);
        }
    }
    chosen.sort();
    chosen
}

/// The words that a value of the plan could come from.
pub(super) fn births(value: &Value, place: Place, said: &Said<'_>, found: &mut BTreeSet<Words>) {
    if place == Place::Argument {
        for named in said.named() {
            if explain(value, &said.example(&named.words)).next().is_some() {
                found.insert((&named.words).into());
            }
        }
    }
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => match place {
            Place::Frame => {}
            Place::Argument => {
                found.extend(whole(text, said));
                found.extend(parts(text, said));
            }
            Place::Words => found.extend(parts(text, said)),
        },
        Value::Array(items) => items.iter().for_each(|item| births(item, place, said, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| births(field, place.of_field(name), said, found));
        }
    }
}

/// The words of the request that are a whole text of the plan and name something.
fn whole(text: &str, said: &Said<'_>) -> Vec<Words> {
    let words = plain(text);
    if words.is_empty() || words.len() >= said.len() || names_nothing(text) {
        return Vec::new();
    }
    let fits = |start: &usize| {
        let same = words.iter().enumerate().all(|(offset, (word, _))| said.word(start + offset) == word);
        let range = *start..start + words.len();
        same && !said.cuts(&range) && explain(&Value::String(text.to_owned()), &said.example(&range)).next().is_some()
    };
    let starts = (0..=said.len() - words.len()).filter(fits);
    starts.map(|start| Words { start, end: start + words.len() }).collect()
}

/// The words of the request that stand within a longer text and can be told by themselves: values, and names in the middle
/// of a sentence.
fn parts(text: &str, said: &Said<'_>) -> Vec<Words> {
    let stands = |example: &Example| {
        Form::ALL.iter().filter_map(|form| write(*form, example)).any(|value| stands_in(text, &aloud(&value)))
    };
    let values = said.named().iter().filter(|named| stands(&said.example(&named.words)));
    let mut found: Vec<Words> = values.map(|named| (&named.words).into()).collect();
    for start in 1..said.len() {
        let name = said.slice(&(start..start + 1));
        let capital = name.chars().next().is_some_and(char::is_uppercase) && name.chars().count() > 2;
        if capital && !names_nothing(name) && !said.cuts(&(start..start + 1)) && stands_in(text, name) {
            found.push(Words { start, end: start + 1 });
        }
    }
    found
}

fn template(said: &Said<'_>, chosen: &[Words], holed: Lifted) -> Result<Template, BadTemplate> {
    let mut parameters: Vec<Parameter> = Vec::new();
    let mut pieces = Vec::new();
    let mut at = 0;
    for words in chosen {
        if at < words.start {
            pieces.push(Piece::Words(said.slice(&(at..words.start)).to_owned()));
        }
        pieces.push(Piece::Hole(parameters.len()));
        at = words.end;
        let example = said.example(&words.range());
        let kind = example.reading.as_ref().map_or(ParameterKind::Text, |reading| reading.kind);
        let taken: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let name = name(&holed, parameters.len(), kind, &taken);
        let within = said.within(&words.range());
        parameters.push(settled(Parameter { name, kind, examples: vec![example], within, required: true }));
    }
    if at < said.len() {
        pieces.push(Piece::Words(said.slice(&(at..said.len())).to_owned()));
    }
    Template::new(pieces, parameters, holed, vec![said.text().to_owned()])
}

/// What a parameter is called: as the first argument that is nothing else, otherwise as its kind, and like no other.
pub(super) fn name(holed: &Lifted, parameter: usize, kind: ParameterKind, taken: &[&str]) -> String {
    let name = argument(holed, parameter).unwrap_or(kind.word());
    let fresh = (2..).map(|nth| format!("{name}_{nth}")).find(|name| !taken.contains(&name.as_str()));
    fresh.filter(|_| taken.contains(&name)).unwrap_or_else(|| name.to_owned())
}

fn argument(holed: &Lifted, parameter: usize) -> Option<&str> {
    match holed {
        Lifted::Fixed(_) | Lifted::Hole(_) | Lifted::Text(_) | Lifted::Request => None,
        Lifted::List(items) => items.iter().find_map(|item| argument(item, parameter)),
        Lifted::Fields(fields) => fields.iter().find_map(|(name, field)| match field {
            Lifted::Hole(sources) if sources.iter().any(|source| source.parameter == parameter) => Some(name.as_str()),
            field => argument(field, parameter),
        }),
    }
}
