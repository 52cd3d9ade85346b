//! How what was said is written in a plan. Lifting asks which ways explain a value, filling writes it that way: both ask
//! here, so that what is lifted is what is filled.

use domain::skill::{Example, Form, ParameterKind, Reading};
use jiff::civil::Date;
use jiff::{Span, SpanRelativeTo, Timestamp, Unit, Zoned};
use serde_json::{Value, json};

/// What was said, written in one way; nothing where it cannot be written so.
pub(super) fn write(form: Form, example: &Example) -> Option<Value> {
    let said = example.said.as_str();
    let reading = example.reading.as_ref();
    match form {
        Form::AsSaid => Some(json!(said)),
        Form::Lower => Some(json!(said.to_lowercase())),
        Form::Upper => Some(json!(said.to_uppercase())),
        Form::Capital => Some(json!(capital(said))),
        Form::Title => Some(json!(said.split(' ').map(capital).collect::<Vec<_>>().join(" "))),
        Form::Value => reading.map(|reading| reading.value.clone()),
        Form::Number => reading.and_then(number),
        Form::Unit => reading.filter(|reading| reading.kind == ParameterKind::Quantity)?.value.get("unit").cloned(),
        Form::Milliseconds => length(reading?, Unit::Millisecond),
        Form::Seconds => length(reading?, Unit::Second),
        Form::Minutes => length(reading?, Unit::Minute),
        Form::Hours => length(reading?, Unit::Hour),
        Form::Days => length(reading?, Unit::Day),
        Form::Day => Some(json!(moment(reading?)?.date().to_string())),
        Form::Clock => Some(json!(moment(reading?)?.strftime("%H:%M").to_string())),
        Form::Local => Some(json!(moment(reading?)?.strftime("%Y-%m-%dT%H:%M:%S").to_string())),
        Form::LocalMinute => Some(json!(moment(reading?)?.strftime("%Y-%m-%dT%H:%M").to_string())),
        Form::LocalSpaced => Some(json!(moment(reading?)?.strftime("%Y-%m-%d %H:%M").to_string())),
        Form::Offset => Some(json!(moment(reading?)?.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())),
        Form::Utc => Some(json!(moment(reading?)?.timestamp().to_string())),
        Form::Epoch => Some(json!(moment(reading?)?.timestamp().as_second())),
        Form::From => end(reading?, "from").cloned(),
        Form::To => end(reading?, "to").cloned(),
        Form::FirstDay => day(end(reading?, "from")?),
        Form::DayAfter => day(end(reading?, "to")?),
        Form::Id => thing(reading?, "id"),
        Form::Name => thing(reading?, "name"),
    }
}

/// The ways in which what was said is this value.
pub(super) fn explain(value: &Value, example: &Example) -> impl Iterator<Item = Form> {
    Form::ALL.into_iter().filter(|form| write(*form, example).is_some_and(|written| same(&written, value)))
}

/// Whether two values are the same one: 5 is 5.0.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        _ => one == other,
    }
}

/// Whether a text could be bound to a day or a moment: a calendar date stands in it.
pub(super) fn dated(text: &str) -> Option<&str> {
    let starts = text.char_indices().map(|(at, _)| at);
    starts.filter_map(|at| text.get(at..at + 10)).find(|ten| ten.as_bytes()[4] == b'-' && ten.parse::<Date>().is_ok())
}

/// Whether a number could be a moment of our days, in seconds or milliseconds.
pub(super) fn epochal(number: f64, now: Timestamp) -> bool {
    const TEN_YEARS: f64 = 3.2e8;
    let now = now.as_second() as f64;
    (number - now).abs() < TEN_YEARS || (number / 1000.0 - now).abs() < TEN_YEARS
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn number(reading: &Reading) -> Option<Value> {
    match reading.kind {
        ParameterKind::Number | ParameterKind::Percent => Some(reading.value.clone()),
        ParameterKind::Quantity => reading.value.get("value").cloned(),
        _ => None,
    }
}

fn length(reading: &Reading, unit: Unit) -> Option<Value> {
    if reading.kind != ParameterKind::Duration {
        return None;
    }
    let span: Span = reading.value.as_str()?.parse().ok()?;
    let total = span.total((unit, SpanRelativeTo::days_are_24_hours())).ok()?;
    let whole = total.fract() == 0.0 && total.abs() < 1e15;
    Some(if whole { json!(total as i64) } else { json!(total) })
}

fn moment(reading: &Reading) -> Option<Zoned> {
    let moment = (reading.kind == ParameterKind::Moment).then(|| reading.value.as_str())??;
    moment.parse().ok()
}

fn end<'r>(reading: &'r Reading, which: &str) -> Option<&'r Value> {
    (reading.kind == ParameterKind::Range).then(|| reading.value.get(which))?
}

fn day(moment: &Value) -> Option<Value> {
    let moment: Zoned = moment.as_str()?.parse().ok()?;
    Some(json!(moment.date().to_string()))
}

fn thing(reading: &Reading, field: &str) -> Option<Value> {
    // Where more than one thing has the name nobody knows which is meant.
    let alone = reading.kind == ParameterKind::Thing && reading.value.get("others").is_none();
    alone.then(|| reading.value.get(field).cloned())?
}
