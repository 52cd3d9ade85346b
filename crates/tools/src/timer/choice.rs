//! Which timer is meant: by id, name, duration, moment or kind, or because there is only one.

use jiff::Zoned;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::record::{Kind, Record};
use super::when;
use crate::phrase;

/// How alike two names must be.
const ALIKE: f64 = 0.7;
/// The most candidates a question names.
const NAMED: usize = 6;

/// What a call says about the timer it means.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub(super) struct Choice {
    /// The timer's id, where it is known.
    id: Option<String>,
    /// Its name, or the words of a reminder; small misspellings do not matter.
    name: Option<String>,
    /// How long it was set for, for example `PT10M`.
    duration: Option<String>,
    /// When it is due, for example `2026-11-15T19:00:00+01:00[Europe/Oslo]`, or the day.
    at: Option<String>,
    /// What it is.
    kind: Option<Kind>,
}

/// How many timers are meant.
pub(super) enum Chosen<'r> {
    One(&'r Record),
    /// Not exactly one: this is the answer.
    Not(Value),
}

impl Choice {
    /// Whether nothing was said.
    pub(super) fn is_open(&self) -> bool {
        self.id.is_none() && self.name.is_none() && self.duration.is_none() && self.at.is_none() && self.kind.is_none()
    }

    /// Those among the live ones that fit what was said.
    pub(super) fn fitting<'r>(&self, live: &[&'r Record], now: &Zoned) -> Result<Vec<&'r Record>, String> {
        let mut fitting: Vec<&Record> = live.to_vec();
        if let Some(id) = &self.id {
            fitting.retain(|record| record.id == *id);
        }
        if let Some(kind) = self.kind {
            fitting.retain(|record| record.kind == kind);
        }
        if let Some(text) = &self.duration {
            let span = when::span(text)?;
            let length = now.checked_add(span).ok().map(|end| now.timestamp().duration_until(end.timestamp()));
            fitting.retain(|record| record.length.is_some() && record.length == length);
        }
        if let Some(text) = &self.at {
            let at = when::moment(text, now.time_zone())?.with_time_zone(now.time_zone().clone());
            let home = |record: &Record| record.due.to_zoned(now.time_zone().clone());
            match fitting.iter().any(|record| record.due == at.timestamp()) {
                true => fitting.retain(|record| record.due == at.timestamp()),
                false if when::is_day(text) => fitting.retain(|record| home(record).date() == at.date()),
                // "The seven o'clock alarm" is that of any day.
                false => fitting.retain(|record| home(record).time() == at.time()),
            }
        }
        if let Some(name) = &self.name {
            fitting = by_name(fitting, name);
        }
        Ok(fitting)
    }

    /// The one that is meant, or the words that say why that is not clear. `deed` completes "Which one should I …".
    pub(super) fn one<'r>(&self, live: &[&'r Record], now: &Zoned, deed: &str) -> Result<Chosen<'r>, String> {
        Ok(match self.fitting(live, now)?.as_slice() {
            [only] => Chosen::One(only),
            [] => Chosen::Not(self.nothing(live, now)),
            several => Chosen::Not(which(several, now, deed)),
        })
    }

    /// The answer where nothing fits.
    pub(super) fn nothing(&self, live: &[&Record], now: &Zoned) -> Value {
        let kind = self.kind.map_or("timer", Kind::word);
        let described = match (&self.name, &self.duration) {
            (Some(name), _) => format!(" called “{}”", crate::words::capped(name, 60)),
            (None, Some(duration)) => match when::span(duration).ok().and_then(|span| now.checked_add(span).ok()) {
                Some(end) => format!(" of {}", phrase::duration(now.timestamp().duration_until(end.timestamp()))),
                None => String::new(),
            },
            (None, None) if self.id.is_some() => " with that id".into(),
            (None, None) if self.at.is_some() => " for that time".into(),
            (None, None) => String::new(),
        };
        let others = match live {
            [] => String::new(),
            [only] => format!("; there is the {}", only.label(now)),
            several => format!("; there are {}", labels(several, now, "and")),
        };
        json!({"found": false, "said": format!("There is no {kind}{described}{others}.")})
    }
}

/// The question that several candidates make.
fn which(several: &[&Record], now: &Zoned, deed: &str) -> Value {
    let candidates: Vec<Value> = several.iter().map(|record| record.view(now)).collect();
    let said = format!("Which one should I {deed}: {}?", labels(several, now, "or"));
    json!({"ambiguous": true, "candidates": candidates, "said": said})
}

/// The timers as they are told apart: by what they are, and where that is the same by how they stand.
pub(super) fn labels(records: &[&Record], now: &Zoned, word: &str) -> String {
    let plain: Vec<String> = records.iter().map(|record| record.label(now)).collect();
    let mut labels: Vec<String> = records
        .iter()
        .zip(&plain)
        .take(NAMED)
        .map(|(record, label)| match plain.iter().filter(|other| *other == label).count() {
            1 => format!("the {label}"),
            _ => format!("the {label} ({})", record.standing(now)),
        })
        .collect();
    if records.len() > NAMED {
        labels.push(format!("{} more", records.len() - NAMED));
    }
    phrase::listed(&labels, word)
}

fn by_name<'r>(records: Vec<&'r Record>, name: &str) -> Vec<&'r Record> {
    let wanted = plain(name);
    let called = |record: &&'r Record| record.called().map(plain);
    let some = |fits: &dyn Fn(&str) -> bool| -> Vec<&'r Record> {
        records.iter().filter(|record| called(record).is_some_and(|name| fits(&name))).copied().collect()
    };
    let exact = some(&|name| name == wanted);
    if !exact.is_empty() || wanted.is_empty() {
        return exact;
    }
    let within = some(&|name| wanted.split(' ').all(|word| name.split(' ').any(|known| known == word)));
    if !within.is_empty() {
        return within;
    }
    let alike = |name: &str| strsim::normalized_damerau_levenshtein(name, &wanted);
    let best = records.iter().filter_map(called).map(|name| alike(&name)).fold(0.0, f64::max);
    some(&|name| best >= ALIKE && alike(name) >= best)
}

/// A name without case, marks and the words that say only what kind of thing it names.
fn plain(name: &str) -> String {
    let lower = name.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let idle = ["the", "my", "a", "an", "for", "to", "timer", "alarm", "reminder", "called", "named"];
    let telling: Vec<&str> = words.iter().filter(|word| !idle.contains(word)).copied().collect();
    match (words.is_empty(), telling.is_empty()) {
        (true, _) => lower.trim().to_owned(),
        (false, true) => words.join(" "),
        (false, false) => telling.join(" "),
    }
}
