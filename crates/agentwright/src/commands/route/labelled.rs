//! Requests whose role is known: a file with a JSON object on each line.

use std::collections::BTreeSet;
use std::path::Path;

use domain::role::OTHER;
use serde::Deserialize;
use serde_json::Value;

use crate::exit::Refusal;

/// A request and what is known about it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Labelled {
    /// What it is called in results; its line when absent.
    #[serde(default)]
    pub(super) id: Option<Value>,
    pub(super) text: String,
    /// Who should answer; requests without it only count for what else is known about them.
    #[serde(default)]
    pub(super) role: Option<String>,
    /// The values it names: `{name: value}`, or a list of objects with `text`.
    #[serde(default)]
    pub(super) slots: Option<Value>,
    /// Whether it wants several things.
    #[serde(default)]
    pub(super) multi: Option<bool>,
    /// A finer label; `oos` marks what nobody could answer.
    #[serde(default)]
    pub(super) label: Option<String>,
}

/// All of them, or the first line that cannot be read.
pub(super) fn read(file: &Path) -> anyhow::Result<Vec<Labelled>> {
    let wrong = |problem: String| {
        Refusal::usage(format!("`{}` cannot be used: {problem}", file.display()))
            .hint("each line is a JSON object with `text`, and `role` or `multi`")
    };
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    let mut labelled = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let read: Labelled = serde_json::from_str(line).map_err(|error| wrong(format!("line {}: {error}", at + 1)))?;
        if read.role.is_none() && read.multi.is_none() && read.slots.is_none() {
            return Err(wrong(format!("line {}: nothing is known about it", at + 1)).into());
        }
        labelled.push(read);
    }
    match labelled.is_empty() {
        true => Err(wrong("it holds no requests".to_owned()).into()),
        false => Ok(labelled),
    }
}

/// The roles that a file speaks of. Roles of ours that it does not know count as `other` when they are compared.
pub(super) fn roles(labelled: &[Labelled]) -> BTreeSet<String> {
    labelled.iter().filter_map(|one| one.role.clone()).chain([OTHER.to_owned()]).collect()
}

impl Labelled {
    /// The values of its slots, in words.
    pub(super) fn values(&self) -> Vec<String> {
        let words = |value: &Value| match value {
            Value::String(text) => Some(text.to_lowercase()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        match &self.slots {
            Some(Value::Object(slots)) => slots.values().filter_map(words).collect(),
            Some(Value::Array(slots)) => slots.iter().filter_map(|slot| words(slot.get("text")?)).collect(),
            _ => Vec::new(),
        }
    }
}
