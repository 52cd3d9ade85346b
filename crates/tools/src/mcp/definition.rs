//! What a server says about one of its tools, word for word: this is what people accept and what is compared.

use domain::hash::Hash;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::words::{capped, shown};

/// A tool as its server declares it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// What the server calls it.
    pub name: String,
    /// What the server says it does.
    #[serde(default)]
    pub description: String,
    /// JSON schema of its arguments.
    pub input_schema: Value,
    /// JSON schema of its structured results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// What the server says about its effect.
    #[serde(default)]
    pub hints: Hints,
}

/// What a server claims about a tool's effect. Nobody has checked it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    /// That nothing is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// That something can be lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// That a repetition changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// That it deals with things outside of the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

impl Definition {
    /// The address of everything that is said.
    pub fn hash(&self) -> Hash {
        Hash::of_json(self)
    }

    /// How a newer definition differs, a sentence for each difference.
    pub fn differences(&self, now: &Definition) -> Vec<String> {
        let mut found = Vec::new();
        if self.description != now.description {
            let (before, after) = (capped(&self.description, 400), capped(&now.description, 400));
            found.push(format!("its description was \"{before}\" and is now \"{after}\""));
        }
        arguments(&self.input_schema, &now.input_schema, &mut found);
        if self.output_schema != now.output_schema {
            found.push("the schema of its results has changed".to_owned());
        }
        let hints = [
            ("readOnlyHint", self.hints.read_only, now.hints.read_only),
            ("destructiveHint", self.hints.destructive, now.hints.destructive),
            ("idempotentHint", self.hints.idempotent, now.hints.idempotent),
            ("openWorldHint", self.hints.open_world, now.hints.open_world),
        ];
        let word = |hint: Option<bool>| hint.map_or("not given".to_owned(), |hint| hint.to_string());
        for (name, before, after) in hints.into_iter().filter(|(_, before, after)| before != after) {
            found.push(format!("`{name}` was {} and is now {}", word(before), word(after)));
        }
        found
    }
}

impl From<rmcp::model::Tool> for Definition {
    fn from(tool: rmcp::model::Tool) -> Self {
        let hints = tool.annotations.unwrap_or_default();
        Self {
            name: tool.name.into_owned(),
            description: tool.description.map(std::borrow::Cow::into_owned).unwrap_or_default(),
            input_schema: Value::Object(Map::clone(&tool.input_schema)),
            output_schema: tool.output_schema.map(|schema| Value::Object(Map::clone(&schema))),
            hints: Hints {
                read_only: hints.read_only_hint,
                destructive: hints.destructive_hint,
                idempotent: hints.idempotent_hint,
                open_world: hints.open_world_hint,
            },
        }
    }
}

fn arguments(before: &Value, now: &Value, found: &mut Vec<String>) {
    if before == now {
        return;
    }
    let none = Map::new();
    let of = |schema: &'_ Value| schema["properties"].as_object().cloned().unwrap_or_else(|| none.clone());
    let (old, new) = (of(before), of(now));
    let start = found.len();
    for (name, schema) in &new {
        match old.get(name) {
            None => found.push(format!("the argument `{name}` is new: {}", shown(schema))),
            Some(was) if was != schema => {
                found.push(format!("the argument `{name}` was {} and is now {}", shown(was), shown(schema)));
            }
            Some(_) => {}
        }
    }
    found.extend(
        old.keys().filter(|name| !new.contains_key(*name)).map(|name| format!("the argument `{name}` is gone")),
    );
    if before["required"] != now["required"] {
        found.push(format!("required were {} and are now {}", shown(&before["required"]), shown(&now["required"])));
    }
    if found.len() == start {
        found.push("the schema of its arguments has changed".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn definition(description: &str, schema: Value, hints: Hints) -> Definition {
        Definition {
            name: "t".into(),
            description: description.into(),
            input_schema: schema,
            output_schema: None,
            hints,
        }
    }

    #[test]
    fn every_difference_is_said_and_changes_the_hash() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]});
        let before = definition("Reads.", schema, Hints { read_only: Some(true), ..Hints::default() });
        assert!(before.differences(&before).is_empty());
        let schema = json!({"type": "object", "properties": {"a": {"type": "number"}, "c": {}}, "required": []});
        let now = definition("Deletes.", schema, Hints::default());
        assert_ne!(before.hash(), now.hash());
        assert_eq!(
            before.differences(&now),
            [
                "its description was \"Reads.\" and is now \"Deletes.\"",
                "the argument `a` was {\"type\":\"string\"} and is now {\"type\":\"number\"}",
                "the argument `c` is new: {}",
                "the argument `b` is gone",
                "required were [\"a\"] and are now []",
                "`readOnlyHint` was true and is now not given",
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn definitions_differ_exactly_if_their_hashes_do(
            one in "[ab]{0,2}", other in "[ab]{0,2}", key in "[ab]", key_other in "[ab]", hint: Option<bool>, hint_other: Option<bool>
        ) {
            let make = |text: &str, key: &str, hint| {
                let schema = json!({"type": "object", "properties": {key: {}}});
                definition(text, schema, Hints { idempotent: hint, ..Hints::default() })
            };
            let (a, b) = (make(&one, &key, hint), make(&other, &key_other, hint_other));
            proptest::prop_assert_eq!(a.hash() == b.hash(), a.differences(&b).is_empty());
        }
    }
}
