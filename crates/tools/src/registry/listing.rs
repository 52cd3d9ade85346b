//! The registry as a planner reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use domain::tool::{Effect, ToolSpec};
use serde_json::Value;

use super::Domain;
use crate::words::capped;

/// The longest description of one tool, in characters.
const DESCRIPTION: usize = 200;
/// The longest list of parameters of one tool, in characters.
const PARAMETERS: usize = 300;
/// The longest listing, in bytes: what does not fit is listed by name, and then by number.
const LISTING: usize = 24_000;

pub(super) fn summary<'s>(specs: impl Iterator<Item = &'s ToolSpec>) -> Vec<Domain> {
    let mut domains: BTreeMap<&str, Domain> = BTreeMap::new();
    for spec in specs {
        let name = spec.name.domain();
        let domain =
            domains.entry(name).or_insert_with(|| Domain { name: name.to_owned(), reads: 0, egresses: 0, writes: 0 });
        match spec.effect {
            Effect::Read => domain.reads += 1,
            Effect::Egress => domain.egresses += 1,
            Effect::Write { .. } => domain.writes += 1,
        }
    }
    domains.into_values().collect()
}

pub(super) fn listing<'s>(specs: impl Iterator<Item = &'s ToolSpec>) -> String {
    let mut domains: BTreeMap<&str, Vec<&ToolSpec>> = BTreeMap::new();
    for spec in specs {
        domains.entry(spec.name.domain()).or_default().push(spec);
    }
    let count = domains.values().map(Vec::len).sum();
    let mut text = format!("{} in {}.\n", counted(count, "tool"), counted(domains.len(), "domain"));
    let mut unnamed = 0;
    for (domain, specs) in domains {
        let _ = writeln!(text, "\n{domain} ({})", counted(specs.len(), "tool"));
        for spec in specs {
            let line = line(spec);
            // An eighth is kept for the names of those that do not fit in full.
            if text.len() + line.len() < LISTING / 8 * 7 {
                text.push_str(&line);
            } else if text.len() + spec.name.as_str().len() + 32 < LISTING {
                let _ = writeln!(text, "- {} [{}]", spec.name, spec.effect.word());
            } else {
                unnamed += 1;
            }
        }
    }
    if unnamed > 0 {
        let _ = writeln!(text, "\n… and {} more.", counted(unnamed, "tool"));
    }
    text
}

fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn line(spec: &ToolSpec) -> String {
    let description = spec.description.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(
        "- {}({}) — {} [{}]\n",
        spec.name,
        capped(&parameters(&spec.parameters), PARAMETERS),
        capped(&description, DESCRIPTION),
        spec.effect.word()
    )
}

/// The required ones first.
fn parameters(schema: &Value) -> String {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let is_required = |name: &String| required.contains(&name.as_str());
    let properties: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
    let (needed, optional): (Vec<_>, Vec<_>) = properties.into_iter().partition(|(name, _)| is_required(name));
    let needed = needed.into_iter().map(|(name, schema)| format!("{name}: {}", type_word(schema)));
    let optional = optional.into_iter().map(|(name, schema)| format!("{name}?: {}", type_word(schema)));
    needed.chain(optional).collect::<Vec<_>>().join(", ")
}

fn type_word(schema: &Value) -> String {
    if let Some(options) = schema["enum"].as_array() {
        let words: Vec<String> = options.iter().filter(|option| !option.is_null()).map(Value::to_string).collect();
        return capped(&words.join("|"), 80);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(options) = schema[choice].as_array() {
            let words: Vec<String> = options.iter().map(type_word).filter(|word| word != "null").collect();
            return capped(&words.join("|"), 80);
        }
    }
    match &schema["type"] {
        Value::String(word) if word == "array" && !schema["items"].is_null() => {
            format!("[{}]", type_word(&schema["items"]))
        }
        Value::String(word) => word.clone(),
        Value::Array(words) => {
            words.iter().filter_map(Value::as_str).filter(|word| *word != "null").collect::<Vec<_>>().join("|")
        }
        _ => "any".to_owned(),
    }
}
