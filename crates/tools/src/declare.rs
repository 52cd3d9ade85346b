//! What every tool of ours says about itself, and how it reads its arguments.

use domain::store::StoreError;
use domain::tool::{Effect, Repeat, ToolError, ToolSpec};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

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
        | StoreError::Conflict { .. }
        | StoreError::Newer { .. }
        | StoreError::Damaged { .. }
        | StoreError::BadCursor { .. } => errors::failed(spec, error.to_string()),
    }
}
