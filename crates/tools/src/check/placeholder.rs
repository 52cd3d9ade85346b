//! Values that stand for values nobody filled in. Only whole values count: a message may well say `TODO list`.

use serde_json::Value;

use super::Stage;
use crate::words::capped;

/// Reports every placeholder in the arguments, wherever it stands.
pub(super) fn find(schema: &Value, arguments: &Value, stage: Stage, problems: &mut Vec<String>) {
    walk(schema, arguments, "", &mut |path, text| {
        if is_placeholder(text) && !(stage == Stage::Draft && domain::reference::is_template(text)) {
            problems.push(format!("`{path}` is a placeholder: `{}`", capped(text.trim(), 60)));
        }
    });
}

fn walk(schema: &Value, value: &Value, path: &str, found: &mut impl FnMut(&str, &str)) {
    match value {
        // What the schema names as a choice is a choice, even `TODO`.
        Value::String(_) if names(schema, value) => {}
        Value::String(text) => found(path, text),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                walk(&schema["items"], item, &format!("{path}[{at}]"), found);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                walk(&schema["properties"][name], field, &path, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn names(schema: &Value, value: &Value) -> bool {
    schema["const"] == *value || schema["enum"].as_array().is_some_and(|options| options.contains(value))
}

fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let word = |text: &str| {
        !text.trim().is_empty()
            && text.len() <= 60
            && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.'))
    };
    let within = |open: &str, close: &str| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    matches!(text, "TODO" | "TBD" | "FIXME" | "REQUIRED" | "PLACEHOLDER" | "..." | "…")
        || within("<", ">").is_some_and(word)
        || within("{{", "}}").is_some_and(word)
        || is_yours(text)
}

/// `your_api_key_here`, `YOUR-CITY-HERE`, `YOUR_TOKEN`.
fn is_yours(text: &str) -> bool {
    let joined = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let lower = text.to_ascii_lowercase();
    let begins = lower.starts_with("your_") || lower.starts_with("your-");
    let ends = lower.ends_with("_here") || lower.ends_with("-here");
    joined && begins && (ends || text.chars().all(|c| !c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_values_that_stand_for_others_are_placeholders() {
        for text in [
            "TODO",
            " TBD ",
            "REQUIRED",
            "PLACEHOLDER",
            "...",
            "…",
            "<city>",
            "<your city>",
            "{{city}}",
            "{{ user.name }}",
            "your_api_key_here",
            "YOUR-CITY-HERE",
            "YOUR_TOKEN",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn text_that_merely_contains_them_is_text() {
        for text in [
            "TODO list",
            "todo",
            "required",
            "Please fix the TODO in main.rs",
            "<b>bold</b>",
            "a < b > c",
            "<ada@example.org>",
            "wait...",
            "your friends are here",
            "Placeholder",
            "{\"a\": 1}",
            "",
            "<>",
            "{{}}",
        ] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
