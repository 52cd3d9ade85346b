//! What a call does to the world, in words that need no knowledge of tools.

use domain::reference::{self, is_template};
use domain::tool::{Effect, ToolSpec};
use serde_json::Value;

use crate::context::cap;

/// How many characters of an argument are shown.
const SHOWN: usize = 80;
/// Arguments that say what a call is about, the most telling first.
const TELLING: [&str; 14] = [
    "title",
    "subject",
    "name",
    "device",
    "to",
    "recipient",
    "path",
    "url",
    "query",
    "place",
    "city",
    "label",
    "id",
    "text",
];

/// What a call with these arguments does: "adds 1 event to your calendar: “dentist”".
pub(super) fn of_call(tool: &ToolSpec, arguments: &Value) -> String {
    let done = match (switched(arguments), tool.name.as_str()) {
        (Some(words), _) => return words,
        (None, "calendar.add") => "adds 1 event to your calendar".to_owned(),
        (None, "calendar.cancel") => "takes an event out of your calendar".to_owned(),
        (None, "calendar.shift") => "moves an event in your calendar".to_owned(),
        (None, _) if tool.name.short() == "send" => "sends a message".to_owned(),
        (None, _) => described(tool),
    };
    let receiver = ["to", "recipient", "recipients"].iter().find_map(|name| shown(arguments.get(*name)?));
    match receiver {
        Some(receiver) if sends(tool) => format!("{done} to {receiver}"),
        _ => match told(tool, arguments) {
            Some(told) => format!("{done}: {told}"),
            None => done,
        },
    }
}

/// What an agent that has a tool can do with it: "can add events to your calendar".
pub(super) fn of_tool(tool: &ToolSpec) -> String {
    let done = match tool.name.as_str() {
        "calendar.add" => "adds events to your calendar".to_owned(),
        _ if tool.name.short() == "send" => "sends messages".to_owned(),
        _ => described(tool),
    };
    format!("its agent chooses when and with what: {done}")
}

/// A device and what happens to it: "turns on `kitchen`".
fn switched(arguments: &Value) -> Option<String> {
    let action = arguments.get("action")?.as_str().filter(|action| !is_template(action))?;
    let target = arguments.get("target").or_else(|| arguments.get("device")).or_else(|| arguments.get("name"))?;
    let target = match target {
        Value::Object(fields) => ["name", "id", "area", "floor", "domain"].iter().find_map(|name| fields.get(*name))?,
        other => other,
    };
    let (verb, rest) = action.split_once('_').unwrap_or((action, ""));
    let words = format!("{} {rest}", third_person(verb));
    Some(format!("{} {}", words.trim_end(), shown(target)?))
}

/// What a tool says of itself, as the rest of a sentence that begins with "it".
fn described(tool: &ToolSpec) -> String {
    let line = tool.description.lines().next().unwrap_or_default();
    let sentence = line.split(". ").next().unwrap_or_default().trim().trim_end_matches('.');
    let first = sentence.split_whitespace().next().unwrap_or_default();
    let speaks =
        first.len() > 2 && first != sentence && first.trim_end_matches(',').ends_with('s') && !first.contains('`');
    match sentence.chars().next() {
        Some(letter) if speaks => cap(&format!("{}{}", letter.to_lowercase(), &sentence[letter.len_utf8()..]), 160),
        _ => {
            let (verb, rest) = tool.name.short().split_once('_').unwrap_or((tool.name.short(), ""));
            let object = if rest.is_empty() { tool.name.domain() } else { rest };
            let reach = match tool.effect {
                Effect::Read => "reads",
                Effect::Egress => "sends data away",
                Effect::Write { .. } => "changes something",
            };
            format!("{reach} with `{}` ({} {})", tool.name, verb, object.replace('_', " "))
        }
    }
}

/// What it is about: its targets, or what tells most.
fn told(tool: &ToolSpec, arguments: &Value) -> Option<String> {
    let targets: &[String] = match &tool.effect {
        Effect::Write { targets, .. } => targets,
        Effect::Read | Effect::Egress => &[],
    };
    let names = targets.iter().map(String::as_str).chain(TELLING);
    names.into_iter().find_map(|name| shown(arguments.get(name)?))
}

fn sends(tool: &ToolSpec) -> bool {
    ["send", "mail", "notify", "post", "message", "forward", "reply"]
        .iter()
        .any(|verb| tool.name.short().split('_').any(|part| part == *verb))
}

/// A value as people read it; one that is still to come says where from.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if is_template(text) => {
            let steps = reference::steps_in(value).ok()?;
            let steps: Vec<String> = steps.iter().map(|step| format!("`{step}`")).collect();
            Some(format!("what {} brings", steps.join(" and ")))
        }
        Value::String(text) if text.trim().is_empty() => None,
        Value::String(text) if text.contains(char::is_whitespace) => Some(format!("“{}”", cap(text.trim(), SHOWN))),
        Value::String(text) => Some(format!("`{}`", cap(text, SHOWN))),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(items) if !items.is_empty() => {
            let few: Vec<String> = items.iter().take(5).filter_map(shown).collect();
            let more = items.len().saturating_sub(5);
            Some(if more > 0 { format!("{} and {more} more", few.join(", ")) } else { few.join(", ") })
        }
        Value::Object(fields) => ["name", "id", "title"].iter().find_map(|name| shown(fields.get(*name)?)),
        Value::Array(_) | Value::Null | Value::Bool(_) => None,
    }
}

fn third_person(verb: &str) -> String {
    let stem = verb.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match stem {
        Some(stem) => format!("{stem}ies"),
        None if verb.ends_with("ch") || verb.ends_with("sh") || verb.ends_with(['s', 'x', 'o']) => format!("{verb}es"),
        None => format!("{verb}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::tool::Repeat;
    use serde_json::json;

    fn tool(name: &str, description: &str, targets: &[&str]) -> ToolSpec {
        ToolSpec {
            name: name.parse().expect("a name"),
            description: description.to_owned(),
            parameters: json!({"type": "object"}),
            returns: None,
            effect: Effect::Write {
                reversible: false,
                repeat: Repeat::Never,
                external: true,
                targets: targets.iter().map(ToString::to_string).collect(),
            },
            timeout: None,
        }
    }

    #[test]
    fn effects_are_told_in_plain_words() {
        let house = "Switches, dims, colours, opens, locks, heats, plays or activates things in the house, by name.";
        for (name, description, targets, arguments, words) in [
            (
                "calendar.add",
                "Adds.",
                &[][..],
                json!({"title": "the dentist"}),
                "adds 1 event to your calendar: “the dentist”",
            ),
            ("mail.send", "x", &["to"], json!({"to": "kari@example.org"}), "sends a message to `kari@example.org`"),
            ("mail.send", "x", &["to"], json!({"to": "${find.address}"}), "sends a message to what `find` brings"),
            ("mail.send", "x", &["to"], json!({"to": ["a@b.c", "d@e.f"]}), "sends a message to `a@b.c`, `d@e.f`"),
            (
                "smart_home.control",
                house,
                &["target"],
                json!({"action": "turn_on", "target": {"name": "kitchen"}}),
                "turns on `kitchen`",
            ),
            (
                "smart_home.control",
                house,
                &["target"],
                json!({"action": "play", "target": {"area": "hall"}}),
                "plays `hall`",
            ),
            (
                "memory.forget",
                "Forgets something that was remembered.",
                &["id"],
                json!({"id": "m1"}),
                "forgets something that was remembered: `m1`",
            ),
            ("files.drop_all", "dangerous", &[], json!({}), "changes something with `files.drop_all` (drop all)"),
        ] {
            assert_eq!(of_call(&tool(name, description, targets), &arguments), words);
        }
    }

    proptest::proptest! {
        #[test]
        fn there_are_words_for_any_call(name in "[a-zé_]{1,6}\\.[a-zé_]{1,6}", description in "\\PC{0,30}", to in "\\PC{0,200}") {
            if let Ok(name) = name.parse() {
                let tool = ToolSpec { name, ..tool("a.b", &description, &["to"]) };
                assert!(!of_call(&tool, &json!({"to": to, "action": to, "target": [to]})).is_empty());
                assert!(!of_tool(&tool).is_empty());
            }
        }
    }
}
