//! How values become attributes, and the words that the conventions have for ours.

use serde_json::{Value, json};

use super::Attribute;
use crate::chat::{ModelError, Reply, Stop};
use crate::tool::ToolError;

impl From<&str> for Attribute {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Attribute {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Attribute {
    fn from(number: u64) -> Self {
        Self::Whole(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Attribute {
    fn from(number: u32) -> Self {
        Self::Whole(number.into())
    }
}

impl From<usize> for Attribute {
    fn from(number: usize) -> Self {
        Self::Whole(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Attribute {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl From<bool> for Attribute {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

impl From<Vec<String>> for Attribute {
    fn from(texts: Vec<String>) -> Self {
        Self::Texts(texts)
    }
}

/// The provider and the model that a name such as `openai:gpt-5` means, in the words of the conventions.
pub(super) fn model(name: &str) -> (&str, &str) {
    let (provider, model) = name.split_once([':', '/']).unwrap_or(("unknown", name));
    let provider = match provider {
        "gemini" => "gcp.gemini",
        "mistral" => "mistral_ai",
        "xai" => "x_ai",
        "moonshot" => "moonshot_ai",
        other => other,
    };
    (provider, model)
}

pub(super) fn finish(stop: Stop) -> &'static str {
    match stop {
        Stop::End => "stop",
        Stop::Tools => "tool_call",
        Stop::Length => "length",
        Stop::Filtered => "content_filter",
    }
}

pub(super) fn model_error(error: &ModelError) -> &'static str {
    match error {
        ModelError::Busy { .. } => "busy",
        ModelError::Unavailable { .. } => "unavailable",
        ModelError::TimedOut { .. } => "timeout",
        ModelError::Garbled { .. } => "garbled",
        ModelError::TooLong { .. } => "too_long",
        ModelError::Refused { .. } => "refused",
        ModelError::OverBudget { .. } => "over_budget",
        ModelError::NoModel => "no_model",
    }
}

pub(super) fn tool_error(error: &ToolError) -> &'static str {
    match error {
        ToolError::Unknown { .. } => "not_found",
        ToolError::BadArguments { .. } => "bad_arguments",
        ToolError::Unavailable { .. } => "unavailable",
        ToolError::Failed { .. } => "failed",
        ToolError::TimedOut { .. } => "timeout",
        ToolError::InDoubt { .. } => "in_doubt",
        ToolError::Denied { .. } => "denied",
        ToolError::OverBudget { .. } => "over_budget",
    }
}

/// One message of a conversation, as the conventions write a list of them.
pub(super) fn said(role: &str, words: &str) -> Attribute {
    json!([{"role": role, "parts": [{"type": "text", "content": words}]}]).to_string().into()
}

/// What a model answered, as the conventions write it.
pub(super) fn answered(reply: &Reply) -> Attribute {
    let words = (!reply.text.is_empty()).then(|| json!({"type": "text", "content": reply.text}));
    let calls = reply
        .calls
        .iter()
        .map(|call| json!({"type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments}));
    let parts: Vec<Value> = words.into_iter().chain(calls).collect();
    json!([{"role": "assistant", "parts": parts, "finish_reason": finish(reply.stop)}]).to_string().into()
}
