//! What every tool of ours says about itself, and how it reads its arguments.

use domain::store::StoreError;
use domain::tool::{Effect, Repeat, ToolError, ToolSpec};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::errors;

/// A declaration whose parameters are the fields of `A`.
pub(crate) fn spec<A: JsonSchema>(name: &str, description: &str, effect: Effect) -> ToolSpec {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut parameters = settings.into_generator().into_root_schema_for::<A>();
    parameters.remove("title");
    parameters.remove("description");
    let mut parameters = parameters.to_value();
    if parameters.get("properties").is_none() {
        parameters["properties"] = json!({});
    }
    ToolSpec {
        name: name.parse().expect("built-in names are tool names"),
        description: description.to_owned(),
        parameters,
        returns: None,
        effect,
        timeout: None,
    }
}

/// The declaration together with the schema of its results. Plans are checked against it before they begin and results
/// after each call, so it must know every field that any answer has.
pub(crate) fn returning(spec: ToolSpec, returns: Value) -> ToolSpec {
    ToolSpec { returns: Some(returns), ..spec }
}

/// The schema of an object: the fields it always has and those that only some answers have. The schema of a field may be
/// just its type, `"string"` or `["number", "null"]`.
pub(crate) fn fields(always: Value, sometimes: Value) -> Value {
    let required: Vec<Value> = always.as_object().into_iter().flatten().map(|(name, _)| name.clone().into()).collect();
    let properties: Map<String, Value> = [always, sometimes]
        .into_iter()
        .filter_map(|fields| match fields {
            Value::Object(fields) => Some(fields),
            _ => None,
        })
        .flatten()
        .map(|(name, schema)| (name, typed(schema)))
        .collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// The schema of a list of these.
pub(crate) fn list(of: impl Into<Value>) -> Value {
    json!({"type": "array", "items": typed(of.into())})
}

/// The schema of an object that has the fields of both.
pub(crate) fn and(mut one: Value, other: Value) -> Value {
    if let (Some(properties), Value::Object(more)) = (one["properties"].as_object_mut(), &other["properties"]) {
        properties.extend(more.clone());
    }
    if let (Some(required), Value::Array(more)) = (one["required"].as_array_mut(), &other["required"]) {
        required.extend(more.clone());
    }
    one
}

/// The same object where any field may be missing.
pub(crate) fn partly(mut schema: Value) -> Value {
    schema["required"] = json!([]);
    schema
}

/// The same object where there may be null instead.
pub(crate) fn or_null(mut schema: Value) -> Value {
    schema["type"] = json!(["object", "null"]);
    schema
}

fn typed(schema: Value) -> Value {
    match schema {
        kind @ (Value::String(_) | Value::Array(_)) => json!({"type": kind}),
        schema => schema,
    }
}

/// A write on this machine that cannot be taken back.
pub(crate) fn local_write(repeat: Repeat) -> Effect {
    Effect::Write { reversible: false, repeat, external: false, targets: Vec::new() }
}

pub(crate) fn parse<A: DeserializeOwned>(spec: &ToolSpec, arguments: &Value) -> Result<A, ToolError> {
    let arguments = if arguments.is_null() { json!({}) } else { arguments.clone() };
    serde_json::from_value(arguments).map_err(|error| errors::bad_argument(spec, error.to_string()))
}

/// What a store's refusal means for a call.
pub(crate) fn from_store(spec: &ToolSpec, error: &StoreError) -> ToolError {
    match error {
        // The answer may have been lost after the transaction was not.
        StoreError::Unavailable(_) => errors::lost(spec, error.to_string()),
        StoreError::Full => errors::unavailable(spec, error.to_string()),
        StoreError::Fenced { .. }
        | StoreError::NoSuchRun { .. }
        | StoreError::NotEnded { .. }
        | StoreError::Conflict { .. }
        | StoreError::Newer { .. }
        | StoreError::Damaged { .. }
        | StoreError::BadCursor { .. } => errors::failed(spec, error.to_string()),
    }
}
