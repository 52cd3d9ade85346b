//! What is left of the request in a plan after lifting. A value that is replaced in one place and stays in another would
//! make a plan that does two different things.

use std::collections::BTreeSet;

use domain::skill::{Lifted, TextPiece};
use serde_json::Value;

use super::form::{dated, epochal};
use super::lift::{Words, births};
use super::place::{Place, without_references};
use super::said::{Said, names_nothing, plain};
use crate::slots::Surroundings;

/// Why a plan with holes is not what it should be.
pub(super) enum Leak {
    /// These words are holes, and part of what they say still stands elsewhere.
    Hides(Vec<Words>),
    /// Something stays that is true only now.
    Dated(String),
}

/// The first thing of the request that was left behind.
pub(super) fn find(
    holed: &Lifted,
    place: Place,
    said: &Said<'_>,
    chosen: &[Words],
    surroundings: &Surroundings<'_>,
) -> Option<Leak> {
    let left = |value: &Value, whole: bool| {
        let hides = hides(value, whole.then_some(place), said, chosen);
        if hides.is_empty() { bound(value, said, surroundings).map(Leak::Dated) } else { Some(Leak::Hides(hides)) }
    };
    match holed {
        Lifted::Hole(_) | Lifted::Request => None,
        Lifted::Fixed(_) if place == Place::Frame => None,
        Lifted::Fixed(value) => left(value, true),
        Lifted::Text(pieces) => pieces.iter().find_map(|piece| match piece {
            TextPiece::Words(words) => left(&Value::String(words.clone()), false),
            TextPiece::Hole(_) => None,
        }),
        Lifted::List(items) => items.iter().find_map(|item| find(item, place, said, chosen, surroundings)),
        Lifted::Fields(fields) => {
            fields.iter().find_map(|(name, field)| find(field, place.of_field(name), said, chosen, surroundings))
        }
    }
}

/// The holes of which a fixed value has a part.
fn hides(value: &Value, whole: Option<Place>, said: &Said<'_>, chosen: &[Words]) -> Vec<Words> {
    let mut found = BTreeSet::new();
    if let Some(place) = whole {
        births(value, place, said, &mut found);
    }
    if let Value::String(text) = value {
        let fixed: BTreeSet<String> = plain(&without_references(text)).into_iter().map(|(word, _)| word).collect();
        for at in (0..said.len()).filter(|at| fixed.contains(said.word(*at)) && !names_nothing(said.word(*at))) {
            found.insert(Words { start: at, end: at + 1 });
        }
    }
    chosen.iter().filter(|hole| found.iter().any(|left| left.overlaps(**hole))).copied().collect()
}

/// What is true only on this day, and was not said so.
fn bound(value: &Value, said: &Said<'_>, surroundings: &Surroundings<'_>) -> Option<String> {
    let said_so = |words: &str| said.text().contains(words);
    match value {
        Value::String(text) => dated(text).filter(|date| !said_so(date)).map(str::to_owned),
        Value::Number(number) => {
            let moment = number.as_f64().is_some_and(|number| epochal(number, surroundings.now.timestamp()));
            (moment && !said_so(&number.to_string())).then(|| number.to_string())
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
