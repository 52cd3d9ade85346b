//! The tools that are always there, one file each. A write returns once its effect is durable or acknowledged: what
//! was not confirmed is an error.

mod audit_note;
mod error_report;
mod journal;
mod memory_forget;
mod memory_recall;
mod memory_remember;
mod notification_send;
mod time_now;
mod workflow_start;

use std::path::PathBuf;
use std::sync::Arc;

use domain::store::{Store, StoreError};
use domain::tool::{Effect, Repeat, Tool, ToolError, ToolSpec};
use jiff::tz::TimeZone;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use notification_send::Notify;
pub use workflow_start::Starter;

use crate::errors;

/// What the built-in tools work with.
pub struct Builtins {
    /// Where notifications go.
    pub notify: Notify,
    /// The file that audit notes are appended to.
    pub audit: PathBuf,
    /// The file that error reports are appended to.
    pub errors: PathBuf,
    /// Where memories are kept.
    pub store: Arc<dyn Store>,
    /// Who starts runs.
    pub starter: Arc<dyn Starter>,
    /// The zone in which the time is told unless another is asked for.
    pub zone: TimeZone,
}

/// The built-in tools.
pub fn builtin(with: Builtins) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(audit_note::AuditNote::new(with.audit)),
        Arc::new(error_report::ErrorReport::new(with.errors)),
        Arc::new(memory_forget::Forget::new(Arc::clone(&with.store))),
        Arc::new(memory_recall::Recall::new(Arc::clone(&with.store))),
        Arc::new(memory_remember::Remember::new(with.store)),
        Arc::new(notification_send::Send::new(with.notify)),
        Arc::new(time_now::Now::new(with.zone)),
        Arc::new(workflow_start::Start::new(with.starter)),
    ]
}

/// A declaration whose parameters are the fields of `A`.
fn spec<A: JsonSchema>(name: &str, description: &str, effect: Effect) -> ToolSpec {
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
fn local_write(repeat: Repeat) -> Effect {
    Effect::Write { reversible: false, repeat, external: false, targets: Vec::new() }
}

fn parse<A: DeserializeOwned>(spec: &ToolSpec, arguments: &Value) -> Result<A, ToolError> {
    let arguments = if arguments.is_null() { json!({}) } else { arguments.clone() };
    serde_json::from_value(arguments).map_err(|error| errors::bad_argument(spec, error.to_string()))
}

/// What a store's refusal means for a call.
fn from_store(spec: &ToolSpec, error: &StoreError) -> ToolError {
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
