//! Whether a public plan keeps to the declarations it came with, judged without the verifier: so that its refusals can be
//! told from its mistakes.

use std::collections::{BTreeMap, BTreeSet};

use domain::tool::ToolSpec;
use serde_json::Value;

/// What is wrong with the arguments of a call, as they are declared.
pub(super) fn wrong_call(spec: Option<&ToolSpec>, arguments: &Value) -> Option<String> {
    let Some(spec) = spec else { return Some("calls a tool that is not declared".into()) };
    let given = arguments.as_object()?;
    let properties = &spec.parameters["properties"];
    if given.keys().any(|name| properties.get(name).is_none()) {
        return Some("gives an argument that is not declared".into());
    }
    let mut required = spec.parameters["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if required.any(|name| !given.contains_key(name)) {
        return Some("lacks an argument that is required".into());
    }
    if given.values().filter_map(Value::as_str).any(|text| text.starts_with("YOUR_") && text.ends_with("_HERE")) {
        return Some("gives a placeholder".into());
    }
    if !given.iter().all(|(name, value)| fits(&properties[name], value)) {
        return Some("gives an argument of another type than declared".into());
    }
    let allowed = |(name, value): (&String, &Value)| {
        inner(value).is_some() || properties[name]["enum"].as_array().is_none_or(|options| options.contains(value))
    };
    (!given.iter().all(allowed)).then(|| "gives a value that is not among those declared".into())
}

/// References to calls that are not there, or to parts that are not declared.
pub(super) fn wrong_references(
    specs: &BTreeMap<String, ToolSpec>,
    steps: &[Value],
    labels: &BTreeSet<String>,
    arguments: &Value,
) -> Option<String> {
    match arguments {
        Value::String(_) => {
            let inner = inner(arguments)?;
            let label = &inner[..inner.find(['.', '[']).unwrap_or(inner.len())];
            if !labels.contains(label) {
                return Some("refers to a call that is not there".into());
            }
            let undeclared = matches!(declared(specs, steps, inner), Declared::Not);
            undeclared.then(|| "refers to a field that is not declared".into())
        }
        Value::Array(items) => items.iter().find_map(|item| wrong_references(specs, steps, labels, item)),
        Value::Object(fields) => fields.values().find_map(|field| wrong_references(specs, steps, labels, field)),
        _ => None,
    }
}

/// References to values whose declared type is another than that of the argument.
pub(super) fn wrong_types(
    specs: &BTreeMap<String, ToolSpec>,
    steps: &[Value],
    spec: &ToolSpec,
    arguments: &Value,
) -> Option<String> {
    let numeric = |kind: &str| matches!(kind, "integer" | "number");
    let differs = |(name, value): (&String, &Value)| {
        let Some(Declared::As(schema)) = inner(value).map(|inner| declared(specs, steps, inner)) else { return false };
        let kinds = spec.parameters["properties"][name]["type"].as_str().zip(schema["type"].as_str());
        // A whole result is an object or a list.
        let whole = schema["type"].is_array();
        let plain = matches!(
            spec.parameters["properties"][name]["type"].as_str(),
            Some("string" | "integer" | "number" | "boolean")
        );
        kinds.is_some_and(|(wanted, brought)| wanted != brought && !(numeric(wanted) && numeric(brought)))
            || (whole && plain)
    };
    let found = arguments.as_object().is_some_and(|given| given.iter().any(differs));
    found.then(|| "refers to a value of another type than declared".into())
}

enum Declared<'s> {
    As(&'s Value),
    Not,
    Unknown,
}

/// What is declared about `label.field[0].field`.
fn declared<'s>(specs: &'s BTreeMap<String, ToolSpec>, steps: &[Value], inner: &str) -> Declared<'s> {
    let parts: Vec<&str> = inner.split(['.', '[']).collect();
    let tool = steps.iter().find(|step| step["id"] == parts[0]).and_then(|step| step["tool"].as_str());
    let Some(mut schema) = tool.and_then(|tool| specs.get(tool)).and_then(|spec| spec.returns.as_ref()) else {
        return Declared::Unknown;
    };
    for part in &parts[1..] {
        let next = match part.ends_with(']') {
            true => schema.get("items"),
            false if schema["type"] == "array" => return Declared::Not,
            false => schema["properties"].get(part),
        };
        schema = match next {
            Some(next) => next,
            None if part.ends_with(']') || schema.get("properties").is_none() => return Declared::Unknown,
            None => return Declared::Not,
        };
    }
    Declared::As(schema)
}

fn inner(value: &Value) -> Option<&str> {
    value.as_str()?.strip_prefix("${")?.strip_suffix('}')
}

fn fits(schema: &Value, value: &Value) -> bool {
    if inner(value).is_some() {
        return true;
    }
    match schema["type"].as_str().unwrap_or_default() {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.as_array().is_some_and(|items| items.iter().all(|item| fits(&schema["items"], item))),
        "object" => value
            .as_object()
            .is_some_and(|fields| fields.iter().all(|(name, field)| fits(&schema["properties"][name], field))),
        _ => true,
    }
}
