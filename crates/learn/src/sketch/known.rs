//! Where the arguments of a call come from: from the user, from a tool, or from nowhere.

use std::collections::HashMap;

use domain::trace::{Cue, Means};
use serde_json::Value;

/// A value with fewer characters says nothing: it may stand anywhere.
const SHORT: usize = 3;
/// How many values of a call's arguments are looked at.
const MOST_VALUES: usize = 64;

/// Who brought something up first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    User,
    Agent,
    Tool,
}

/// The words that have appeared so far.
#[derive(Default)]
pub(super) struct Known {
    words: HashMap<String, Origin>,
    things: HashMap<String, u32>,
    cut: bool,
}

impl Known {
    /// Takes note of a text that had so many characters before it was cut.
    pub(super) fn learn(&mut self, text: &str, length: u32, origin: Origin) {
        self.cut |= text.chars().count() < length as usize;
        for word in words(text) {
            self.words.entry(word).or_insert(origin);
        }
    }

    /// What is noticed about arguments, and the things they name.
    pub(super) fn arguments(&mut self, arguments: &Value) -> (Vec<Cue>, Vec<u32>) {
        let mut leaves = Vec::new();
        collect(arguments, "", &mut leaves);
        let mut cues = Vec::new();
        let mut things = Vec::new();
        for (key, value) in &leaves {
            let value = value.to_lowercase();
            if let Some(means) = means(key, &value) {
                cues.push(Cue::Pays(means));
            }
            if !is_telling(&value) {
                continue;
            }
            cues.push(match self.words.get(&value) {
                Some(Origin::User) => Cue::Given,
                Some(Origin::Tool) => Cue::Found,
                Some(Origin::Agent) => continue,
                None if self.cut => Cue::Unseen,
                None => Cue::MadeUp,
            });
            if key.ends_with("id") {
                let next = u32::try_from(self.things.len()).unwrap_or(u32::MAX);
                things.push(*self.things.entry(value).or_insert(next));
            }
        }
        for (_, value) in leaves {
            self.words.entry(value.to_lowercase()).or_insert(Origin::Agent);
        }
        cues.sort_unstable();
        cues.dedup();
        things.sort_unstable();
        things.dedup();
        (cues, things)
    }
}

/// Whether a value could hardly be there by accident: one word with a digit in it.
fn is_telling(value: &str) -> bool {
    value.len() >= SHORT
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && !value.contains(|c: char| c.is_whitespace())
}

fn means(key: &str, value: &str) -> Option<Means> {
    if !key.contains("payment") {
        return None;
    }
    let any = |signs: &[&str]| signs.iter().any(|sign| value.contains(sign));
    if any(&["gift", "certificate", "voucher", "coupon"]) {
        Some(Means::Gift)
    } else if any(&["card", "visa", "mastercard"]) {
        Some(Means::Card)
    } else if any(&["paypal", "account", "bank", "wallet"]) {
        Some(Means::Account)
    } else {
        None
    }
}

/// The values in a value, each with the name it has.
fn collect<'a>(value: &'a Value, key: &'a str, into: &mut Vec<(&'a str, String)>) {
    if into.len() >= MOST_VALUES {
        return;
    }
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| collect(value, key, into)),
        Value::Array(values) => values.iter().for_each(|value| collect(value, key, into)),
        Value::String(text) => into.push((key, text.clone())),
        Value::Number(number) => into.push((key, number.to_string())),
        Value::Bool(_) | Value::Null => {}
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_alphanumeric() || "#@_.-".contains(c)))
        .map(|word| word.trim_matches(['.', '-']).to_lowercase())
        .filter(|word| word.len() >= SHORT && word.bytes().any(|byte| byte.is_ascii_digit()))
}
