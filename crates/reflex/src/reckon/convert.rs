//! Units into other units of the same kind.

use serde_json::json;

use super::{Question, Reckoned, said, sentence};
use crate::slots::ratio::Ratio;
use crate::slots::units::{self, Measure, Unit};

/// An amount of a unit as it was said, and the word after it.
struct Quantity {
    amount: Ratio,
    unit: &'static Unit,
    said: String,
    next: usize,
}

/// The answer to `convert 20 celsius to fahrenheit` and its like.
pub(super) fn answer(question: &Question<'_>) -> Option<Reckoned> {
    let asked = [&["how", "many"][..], &["how", "much"]];
    if let Some(at) = question.past(question.start, &asked)
        && let Some((to, at)) = unit(question, at)
    {
        let at = question.skip(
            at,
            &[
                "are", "is", "there", "in", "per", "make", "makes", "up", "equal", "equals", "to", "does", "do", "fit",
                "into",
            ],
        );
        let quantity = quantity(question, at)?;
        let end = question.skip(quantity.next, &["have", "has", "contain", "make", "equal", "is", "that"]);
        return (end == question.end).then(|| converted(&quantity, to)).flatten();
    }
    let (start, _) = question.opened();
    let start = question.skip(start, &["convert", "change", "turn"]);
    let quantity = quantity(question, start)?;
    let links: &[&[&str]] = &[
        &["is", "how", "many"],
        &["equals", "how", "many"],
        &["is", "what", "in"],
        &["is", "equal", "to", "how", "many"],
        &["how", "many"],
        &["converted", "to"],
        &["converted", "into"],
        &["in"],
        &["to"],
        &["into"],
        &["as"],
        &["="],
    ];
    let at = question.past(quantity.next, links)?;
    let (to, end) = unit(question, at)?;
    (end == question.end).then(|| converted(&quantity, to)).flatten()
}

/// An amount of a unit; `5 feet 10 inches` is one amount.
fn quantity(question: &Question<'_>, i: usize) -> Option<Quantity> {
    let words = question.words;
    let article = matches!(question.at(i), "a" | "an" | "one") && unit(question, i + 1).is_some();
    let half = question.at(i) == "half" && matches!(question.at(i + 1), "a" | "an");
    let (mut amount, at) = match words.figure(i).filter(|figure| figure.next <= question.end) {
        _ if half => (Ratio::HALF, i + 2),
        _ if article => (Ratio::whole(1), i + 1),
        Some(figure) => (figure.value, figure.next),
        None => (Ratio::whole(1), i),
    };
    let (from, single) = unit(question, at)?;
    let mut next = single;
    loop {
        let more = next + usize::from(question.at(next) == "and");
        let Some(figure) = words.figure(more).filter(|figure| figure.next < question.end) else { break };
        let Some((unit, after)) =
            unit(question, figure.next).filter(|(unit, _)| unit.kind == from.kind && unit.id != from.id)
        else {
            break;
        };
        if from.kind == Measure::Temperature {
            break;
        }
        amount = amount.plus(figure.value.times(unit.factor()?)?.over(from.factor()?)?)?;
        next = after;
    }
    let said = if next > single { question.raw(i, next).to_owned() } else { from.said(&said(amount, true)) };
    Some(Quantity { amount, unit: from, said, next })
}

/// A unit by any of its names, the short ones included that are words elsewhere.
fn unit(question: &Question<'_>, i: usize) -> Option<(&'static Unit, usize)> {
    if i >= question.end {
        return None;
    }
    let short = match question.at(i) {
        "c" => "celsius",
        "f" => "fahrenheit",
        "k" => "kelvin",
        "m" => "meters",
        "g" => "grams",
        "l" => "liters",
        "h" => "hours",
        "s" => "seconds",
        "ton" | "tons" => "tonne",
        // At the end, or before its own `to`, `in` is an inch.
        "in" if i + 1 == question.end || matches!(question.at(i + 1), "to" | "in" | "into") => "inches",
        "nautical" if matches!(question.at(i + 1), "mile" | "miles") => return Some((units::named("nmi")?, i + 2)),
        "kilometers" | "kilometres" | "km" if question.reads(i + 1, &["per", "h"]) => {
            return Some((units::named("kmh")?, i + 3));
        }
        _ => return units::unit(question.words, i).filter(|(_, next)| *next <= question.end),
    };
    Some((units::named(short)?, i + 1))
}

fn converted(quantity: &Quantity, to: &'static Unit) -> Option<Reckoned> {
    let Quantity { amount, unit: from, .. } = *quantity;
    if from.kind != to.kind || from.kind == Measure::Money || from.id == to.id {
        return None;
    }
    // Degrees into one scale are degrees of the other.
    let scale = match (from.id, to.id) {
        ("degree", "fahrenheit") => Some(units::named("celsius")?),
        ("degree", "celsius") => Some(units::named("fahrenheit")?),
        _ => None,
    };
    let from = scale.unwrap_or(from);
    let result = if from.kind == Measure::Temperature {
        from_kelvin(to.id, kelvin(from.id, amount)?)?
    } else {
        if amount.is_negative() {
            return None;
        }
        amount.times(from.factor()?)?.over(to.factor()?)?
    };
    let shown = said_short(result);
    let (about, digits) = shown.strip_prefix("about ").map_or(("", shown.as_str()), |digits| ("about ", digits));
    let left = scale.map_or_else(|| quantity.said.clone(), |scale| scale.said(&said(amount, true)));
    Some(Reckoned {
        answer: sentence(&format!("{left} is {about}{}.", to.said(digits))),
        value: json!({"value": result.json(), "unit": to.id}),
    })
}

/// Four decimals are enough for a cook, more for what is small.
fn said_short(value: Ratio) -> String {
    let (digits, exact) = value.digits(4);
    if exact { digits } else { said(value, false) }
}

fn kelvin(unit: &str, amount: Ratio) -> Option<Ratio> {
    let zero = Ratio::new(27_315, 100)?;
    match unit {
        "celsius" => amount.plus(zero),
        "fahrenheit" => amount.minus(Ratio::whole(32))?.times(Ratio::new(5, 9)?)?.plus(zero),
        "kelvin" => Some(amount),
        _ => None,
    }
}

fn from_kelvin(unit: &str, kelvin: Ratio) -> Option<Ratio> {
    let celsius = kelvin.minus(Ratio::new(27_315, 100)?)?;
    match unit {
        "celsius" => Some(celsius),
        "fahrenheit" => celsius.times(Ratio::new(9, 5)?)?.plus(Ratio::whole(32)),
        "kelvin" => Some(kelvin),
        _ => None,
    }
}
