//! Numbers, numbers with units, percentages and colours.

use std::ops::Range;

use serde_json::{Value, json};

use super::Kind;
use super::numbers::{self, Style};
use super::ratio::Ratio;
use super::units::{self, Measure};
use super::words::Words;

/// An amount and the words that name it.
pub(super) struct Amount {
    pub(super) kind: Kind,
    pub(super) value: Value,
    pub(super) words: Range<usize>,
}

/// The amount that starts at a word.
pub(super) fn amount(words: &Words<'_>, i: usize) -> Option<Amount> {
    let found = |kind, value, next| Some(Amount { kind, value, words: i..next });
    if let Some((name, next)) = colour(words, i) {
        return found(Kind::Colour, json!(name), next);
    }
    if let Some((percent, next)) = level(words, i) {
        return found(Kind::Percent, percent.json(), next);
    }
    if words.is(i, &["$", "£", "€", "¥", "₹"]) {
        let figure = words.figure(i + 1).filter(|figure| words.digits(i + 1) && !figure.value.is_negative())?;
        let unit = units::named(words.at(i))?;
        return found(Kind::Quantity, json!({"value": figure.value.json(), "unit": unit.id}), figure.next);
    }
    let Some(figure) = words.figure(i) else {
        let (number, next) = numbers::ordinal(words, i).filter(|(_, next)| *next > i + 1)?;
        return found(Kind::Number, json!(number), next);
    };
    let hyphen = usize::from(words.at(figure.next) == "-" && words.glued(figure.next) && words.glued(figure.next + 1));
    let at = figure.next + hyphen;
    if let Some(next) = percent(words, at) {
        return found(Kind::Percent, figure.value.json(), next);
    }
    if let Some((id, next)) = measured(words, i, at) {
        let below = matches!(id, "degree" | "celsius" | "fahrenheit") && words.is(next, &["below"]);
        if below && words.is(next + 1, &["zero", "0", "freezing"]) {
            let value = figure.value.negative().json();
            return found(Kind::Quantity, json!({"value": value, "unit": id}), next + 2);
        }
        return found(Kind::Quantity, json!({"value": figure.value.json(), "unit": id}), next);
    }
    if let Some((number, next)) = numbers::ordinal(words, i).filter(|(_, next)| *next > figure.next) {
        return found(Kind::Number, json!(number), next);
    }
    // `a few` is no number that anything could be set to, and `one` is also a word for things.
    let pronoun = words.at(i) == "one"
        && figure.next == i + 1
        && words.is(i.wrapping_sub(1), &["that", "this", "which", "the", "no", "any", "each", "another"]);
    if figure.style == Style::Vague || pronoun {
        return None;
    }
    found(Kind::Number, figure.value.json(), figure.next)
}

fn percent(words: &Words<'_>, i: usize) -> Option<usize> {
    match words.at(i) {
        "%" | "percent" | "pct" | "percents" => Some(i + 1),
        "per" if words.at(i + 1) == "cent" => Some(i + 2),
        _ => None,
    }
}

/// `halfway`, and where something is set to a level also `half` and `full`.
fn level(words: &Words<'_>, i: usize) -> Option<(Ratio, usize)> {
    const SET: &[&str] = &[
        "set",
        "dim",
        "brighten",
        "turn",
        "open",
        "close",
        "raise",
        "lower",
        "put",
        "brightness",
        "volume",
        "change",
        "make",
        "crank",
    ];
    match words.at(i) {
        "halfway" => return Some((Ratio::whole(50), i + 1)),
        "half" if words.at(i + 1) == "way" => return Some((Ratio::whole(50), i + 2)),
        _ => {}
    }
    let what = ["brightness", "volume", "power", "blast", "speed", "open"];
    let trailing = usize::from(words.is(i + 1, &what));
    let the = usize::from(words.before(i) == "the");
    let led = words.is(i.wrapping_sub(1 + the), &["to", "at", "on"]) && words.any(SET);
    let named = trailing == 1 && words.is(i + 1, &["brightness", "volume", "speed"]);
    let ends = trailing == 1 || words.is(i + 1, &["", ".", "!", "please", "and", "in", ","]);
    if !(led || named) || !ends {
        return None;
    }
    let level = match words.at(i) {
        "half" => 50,
        "full" | "max" | "maximum" | "highest" => 100,
        // A lamp at nothing would be off.
        "min" | "minimum" | "lowest" if words.any(&["brightness", "light", "lights", "lamp", "lamps", "dim"]) => 1,
        "min" | "minimum" | "lowest" if words.any(&["volume", "speed"]) => 0,
        _ => return None,
    };
    Some((Ratio::whole(level), i + 1 + trailing))
}

/// The unit of a number. Time is not measured here: it makes durations.
fn measured<'u>(words: &Words<'_>, number: usize, i: usize) -> Option<(&'u str, usize)> {
    if words.glued(i) && words.digits(number) {
        let short = match words.at(i) {
            "c" => Some("celsius"),
            "f" => Some("fahrenheit"),
            "m" => Some("meter"),
            "g" => Some("gram"),
            "l" => Some("liter"),
            "w" => Some("watt"),
            "k" => Some("kelvin"),
            _ => None,
        };
        if let Some(id) = short {
            return Some((id, i + 1));
        }
    }
    let (unit, next) = units::unit(words, i)?;
    let money = || {
        words.any(&[
            "pay",
            "paid",
            "cost",
            "costs",
            "price",
            "spend",
            "spent",
            "transfer",
            "account",
            "money",
            "overdraft",
            "send",
            "sent",
            "bill",
            "loan",
            "budget",
            "deposit",
            "owe",
            "worth",
            "payment",
            "balance",
            "card",
            "bank",
            "charged",
            "refund",
        ])
    };
    match (unit.kind, unit.id) {
        (Measure::Time, _) => None,
        // A bit is a little, and seconds are also ordinals.
        (_, "bit") if words.at(i) == "bit" => None,
        (_, "pound") if matches!(words.at(i), "pound" | "pounds") && money() => Some(("pound_sterling", next)),
        (_, id) => Some((id, next)),
    }
}

/// The colour that starts at a word: its name as lamps know it.
fn colour(words: &Words<'_>, i: usize) -> Option<(&'static str, usize)> {
    let two = match (words.at(i), words.at(i + 1)) {
        ("warm", "white") => Some("warm white"),
        ("cool" | "cold", "white") => Some("cool white"),
        ("soft", "white") => Some("soft white"),
        ("daylight", "white") => Some("daylight"),
        ("light", "blue") => Some("lightblue"),
        ("dark", "blue") => Some("darkblue"),
        ("sky", "blue") => Some("skyblue"),
        ("navy", "blue") => Some("navy"),
        ("royal", "blue") => Some("royalblue"),
        ("light", "green") => Some("lightgreen"),
        ("dark", "green") => Some("darkgreen"),
        ("lime", "green") => Some("limegreen"),
        ("forest", "green") => Some("forestgreen"),
        ("dark", "red") => Some("darkred"),
        ("hot", "pink") => Some("hotpink"),
        ("light", "pink") => Some("lightpink"),
        ("dark", "orange") => Some("darkorange"),
        _ => None,
    };
    if let Some(name) = two {
        return Some((name, i + 2));
    }
    COLOURS.iter().find(|name| **name == words.at(i)).map(|name| (*name, i + 1))
}

const COLOURS: &[&str] = &[
    "red",
    "green",
    "blue",
    "yellow",
    "orange",
    "purple",
    "pink",
    "white",
    "black",
    "gray",
    "grey",
    "brown",
    "cyan",
    "magenta",
    "turquoise",
    "teal",
    "violet",
    "indigo",
    "lime",
    "gold",
    "silver",
    "maroon",
    "navy",
    "olive",
    "aqua",
    "fuchsia",
    "beige",
    "coral",
    "crimson",
    "lavender",
    "salmon",
    "amber",
    "ivory",
    "khaki",
    "orchid",
    "plum",
    "tan",
    "tomato",
    "azure",
    "lilac",
];
