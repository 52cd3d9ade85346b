//! Values that texts name: a small language to say what is found at a moment.

mod amounts;
mod days;
mod durations;
mod moments;
mod names;
mod ranges;
mod recurrences;
mod robust;
mod titles;

use domain::name::{Name, NameKind};
use jiff::Zoned;
use reflex::slots::{Kind, Slot, Surroundings, find};
use serde_json::Value;

/// A Sunday, ten in the morning.
pub(crate) const SUNDAY: &str = "2026-11-15T10:00[Europe/Oslo]";

pub(crate) struct At {
    now: Zoned,
    names: Vec<Name>,
}

pub(crate) fn at(moment: &str) -> At {
    At { now: moment.parse().expect("a moment with a zone"), names: Vec::new() }
}

impl At {
    pub(crate) fn knows(mut self, kind: NameKind, id: &str, name: &str, aliases: &[&str]) -> Self {
        self.names.push(Name {
            kind,
            id: id.to_owned(),
            name: name.to_owned(),
            aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
            domain: None,
            class: None,
            within: None,
        });
        self
    }

    pub(crate) fn slots(&self, text: &str) -> Vec<Slot> {
        find(text, &Surroundings { now: self.now.clone(), names: &self.names })
    }

    /// What is found, as `kind value`, joined by `; `, and ` ?` after what is in doubt. Moments lose seconds and zone.
    pub(crate) fn found(&self, text: &str) -> String {
        let shown: Vec<_> = self.slots(text).iter().map(shown).collect();
        shown.join("; ")
    }

    #[track_caller]
    pub(crate) fn finds(&self, text: &str, expected: &str) -> &Self {
        assert_eq!(self.found(text), expected, "in `{text}`");
        self
    }

    /// The question or explanation of the only doubt in a text.
    #[track_caller]
    pub(crate) fn asks(&self, text: &str, question: &str) -> &Self {
        let doubts: Vec<_> = self.slots(text).into_iter().filter_map(|slot| slot.doubt).collect();
        assert_eq!(doubts, [question], "in `{text}`");
        self
    }
}

/// Every row is a text and what is found in it, on a Sunday at ten.
#[track_caller]
pub(crate) fn all(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(text, expected)| {
            let found = at(SUNDAY).found(text);
            (found != *expected).then(|| format!("{text}\n   found    {found}\n   expected {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows differ:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

fn shown(slot: &Slot) -> String {
    let kind = match slot.kind {
        Kind::Duration => "for",
        Kind::Moment => "at",
        Kind::Date => "on",
        Kind::Range => "during",
        Kind::Recurrence => "every",
        Kind::Number => "number",
        Kind::Quantity => "quantity",
        Kind::Percent => "percent",
        Kind::Colour => "colour",
        Kind::Place => "place",
        Kind::Thing => "thing",
        Kind::Quoted => "quoted",
    };
    let value = match &slot.value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => short(text),
        Value::Object(object) if slot.kind == Kind::Range => {
            format!("{}..{}", short(text(&object["from"])), short(text(&object["to"])))
        }
        Value::Object(object) if slot.kind == Kind::Quantity => {
            format!("{} {}", object["value"], text(&object["unit"]))
        }
        Value::Object(object) if slot.kind == Kind::Thing => text(&object["id"]).to_owned(),
        other => other.to_string(),
    };
    format!("{kind} {value}{}", if slot.doubt.is_some() { " ?" } else { "" })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// `2026-11-15T19:00` of a moment, anything else as it is.
fn short(text: &str) -> String {
    match text.parse::<Zoned>() {
        Ok(moment) => moment.strftime("%Y-%m-%dT%H:%M").to_string(),
        Err(_) => text.to_owned(),
    }
}
