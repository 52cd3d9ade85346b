//! Whether words can be the value of a parameter: what was seen before can, and what was not can where it is proven that
//! the place changes and where nothing in the words could mean another plan.

use std::collections::BTreeSet;
use std::ops::Range;

use domain::score::Score;
use domain::skill::{Example, Form, Parameter, ParameterKind, Source, Template};
use serde_json::Value;

use super::form::write;
use super::said::{Said, names_nothing, plain};

/// How many single words must have been seen in a place before it is anything but a choice among them.
const SINGLE_WORDS: usize = 4;

/// A parameter as its examples make it: words that were not seen to change enough are a choice.
pub(super) fn settled(mut parameter: Parameter) -> Parameter {
    if matches!(parameter.kind, ParameterKind::Text | ParameterKind::Choice) {
        let open = distinct(&parameter) >= wanted_of_text(&parameter);
        parameter.kind = if open { ParameterKind::Text } else { ParameterKind::Choice };
    }
    parameter
}

/// The value of a parameter and how sure it is, or why these words are none.
pub(super) fn judge(
    template: &Template,
    at: usize,
    said: &Said<'_>,
    words: &Range<usize>,
) -> Result<(Example, Score), String> {
    let parameter = &template.parameters()[at];
    let example = said.example(words);
    let seen = parameter.examples.iter().any(|known| alike(&known.said, &example.said));
    match parameter.kind {
        ParameterKind::Text | ParameterKind::Choice => {
            if said.cuts(words) {
                return Err("it is a part of a longer value".into());
            }
            if seen {
                return Ok((example, Score::ONE));
            }
            if parameter.kind == ParameterKind::Choice {
                return Err(format!("until now it was only ever {}", listed(parameter)));
            }
            plausible(parameter, &example, &said.within(words))?;
        }
        kind => {
            let Some(reading) = example.reading.as_ref().filter(|reading| reading.kind == kind) else {
                return Err(format!("it does not read as a {}", kind.word()));
            };
            let doubted = |known: &Example| known.reading.as_ref().is_some_and(|reading| reading.doubtful);
            if reading.doubtful && !parameter.examples.iter().any(doubted) {
                return Err("it could mean more than one thing".into());
            }
            if !seen && distinct(parameter) < wanted_of_value(template, at) {
                return Err(format!("until now it was only ever {}", listed(parameter)));
            }
        }
    }
    let certainty = match distinct(parameter) {
        _ if seen => 1.0,
        0..=1 => 0.9,
        2..=3 => 0.93,
        _ => 0.96,
    };
    Ok((example, Score::nearest(certainty)))
}

/// Whether words that were not seen before can be what a text parameter takes.
fn plausible(parameter: &Parameter, example: &Example, within: &BTreeSet<String>) -> Result<(), String> {
    if names_nothing(&example.said) {
        return Err("it names nothing".into());
    }
    if let Some(strange) = within.difference(&parameter.within).next() {
        let strange = strange.strip_prefix('#').map_or_else(|| format!("`{strange}`"), |kind| format!("a {kind}"));
        return Err(format!("there is {strange} in it, which no such value had until now"));
    }
    let longest = parameter.examples.iter().map(|known| plain(&known.said).len()).max().unwrap_or(0);
    if plain(&example.said).len() > 2 * longest + 1 {
        return Err("it is much longer than such values were until now".into());
    }
    Ok(())
}

/// How many different values were seen.
fn distinct(parameter: &Parameter) -> usize {
    let said: BTreeSet<Vec<String>> = parameter.examples.iter().map(|example| normal(&example.said)).collect();
    said.len()
}

/// How many different words must have been seen before others are taken. A single word could be what the plan hangs on.
fn wanted_of_text(parameter: &Parameter) -> usize {
    let common = |example: &Example| {
        plain(&example.said).len() == 1 && !example.said.chars().next().is_some_and(char::is_uppercase)
    };
    if parameter.examples.iter().all(common) { SINGLE_WORDS } else { 2 }
}

/// The same for values that can be read. One is enough where the plan has it in a form that is no coincidence.
fn wanted_of_value(template: &Template, at: usize) -> usize {
    let parameter = &template.parameters()[at];
    if matches!(parameter.kind, ParameterKind::Place | ParameterKind::Colour) {
        return 2;
    }
    let mut evident = false;
    let mut chance = false;
    let mut look = |sources: &BTreeSet<Source>| {
        for source in sources.iter().filter(|source| source.parameter == at) {
            let value = parameter.examples.first().and_then(|example| write(source.form, example));
            match value {
                Some(Value::Number(number)) if number.as_f64().is_some_and(|number| number.abs() < 100.0) => {
                    chance = true;
                }
                Some(Value::String(_)) if is_of_words(source.form) && parameter.kind != ParameterKind::Quoted => {}
                Some(_) => evident = true,
                None => {}
            }
        }
    };
    template.plan().holes(&mut look);
    if evident && !chance { 1 } else { 2 }
}

fn is_of_words(form: Form) -> bool {
    matches!(form, Form::AsSaid | Form::Lower | Form::Upper | Form::Capital | Form::Title)
}

fn alike(one: &str, other: &str) -> bool {
    normal(one) == normal(other)
}

fn normal(text: &str) -> Vec<String> {
    plain(text).into_iter().map(|(word, _)| word).collect()
}

fn listed(parameter: &Parameter) -> String {
    let mut known: Vec<String> = Vec::new();
    for example in &parameter.examples {
        let said = format!("`{}`", example.said);
        if !known.contains(&said) {
            known.push(said);
        }
    }
    known.join(" or ")
}
