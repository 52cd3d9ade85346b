//! A response as clients know it: what was asked for, and the items that came of it.

use domain::chat::{ToolCall, Usage};
use domain::request::{Asked, Request};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::fields;
use crate::openai::models::Model;
use crate::talk::messages;
use crate::talk::reply::About;

/// A response.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Answer {
    pub(super) id: String,
    pub(super) object: &'static str,
    /// Seconds since 1970.
    pub(super) created_at: i64,
    #[schema(required = true)]
    pub(super) completed_at: Option<i64>,
    /// `in_progress`, `completed`, `incomplete`, `failed` or `cancelled`.
    pub(super) status: &'static str,
    /// Why it failed.
    #[schema(value_type = Option<Object>, required = true)]
    pub(super) error: Option<Value>,
    /// Why it is not whole.
    #[schema(value_type = Option<Object>, required = true)]
    pub(super) incomplete_details: Option<Value>,
    /// What came of it: a message, calls of functions.
    #[schema(value_type = Vec<Object>)]
    pub(super) output: Vec<Value>,
    #[schema(required = true)]
    pub(super) usage: Option<Used>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) agentwright: Option<About>,
    /// How it was asked for.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub(super) echo: Map<String, Value>,
}

/// What was used.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Used {
    input_tokens: u64,
    #[schema(value_type = Object)]
    input_tokens_details: Value,
    output_tokens: u64,
    #[schema(value_type = Object)]
    output_tokens_details: Value,
    total_tokens: u64,
}

impl From<Usage> for Used {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            input_tokens_details: json!({"cached_tokens": 0}),
            output_tokens: usage.output_tokens,
            output_tokens_details: json!({"reasoning_tokens": 0}),
            total_tokens: usage.tokens(),
        }
    }
}

/// How a response was asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Echo {
    pub(super) model: String,
    pub(super) instructions: Option<String>,
    pub(super) previous_response_id: Option<String>,
    pub(super) metadata: Map<String, Value>,
    pub(super) tools: Vec<Map<String, Value>>,
    pub(super) tool_choice: Option<Value>,
    pub(super) text: Option<Map<String, Value>>,
    pub(super) temperature: Option<f64>,
    pub(super) max_output_tokens: Option<u32>,
    pub(super) store: bool,
}

impl Default for Echo {
    fn default() -> Self {
        Self {
            model: Model::Usual.name().to_owned(),
            instructions: None,
            previous_response_id: None,
            metadata: Map::new(),
            tools: Vec::new(),
            tool_choice: None,
            text: None,
            temperature: None,
            max_output_tokens: None,
            store: true,
        }
    }
}

impl Echo {
    /// As far as a request tells.
    pub(super) fn of(request: &Request) -> Self {
        let model = match request.wishes.planner {
            None => Model::Usual,
            Some(Asked::Never) => Model::Fast,
            Some(Asked::Always) => Model::Plan,
        };
        Self { model: model.name().to_owned(), store: false, ..Self::default() }
    }

    pub(super) fn read(value: Value) -> Self {
        serde_json::from_value(value).unwrap_or_default()
    }

    pub(super) fn written(&self) -> Value {
        // Our own types always serialise.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// What was to be heeded.
    pub(super) fn instructions(self) -> Option<String> {
        self.instructions
    }

    /// As a response says it, with what nobody can choose here.
    pub(super) fn shown(&self) -> Map<String, Value> {
        let text = self.text.clone().map_or_else(|| json!({"format": {"type": "text"}}), Value::Object);
        fields(json!({
            "model": self.model,
            "instructions": self.instructions,
            "previous_response_id": self.previous_response_id,
            "metadata": self.metadata,
            "tools": self.tools,
            "tool_choice": self.tool_choice.clone().unwrap_or_else(|| json!("auto")),
            "text": text,
            "temperature": self.temperature,
            "max_output_tokens": self.max_output_tokens,
            "store": self.store,
            "background": false,
            "frequency_penalty": 0.0,
            "max_tool_calls": null,
            "parallel_tool_calls": true,
            "presence_penalty": 0.0,
            "prompt_cache_key": null,
            "reasoning": {"effort": null, "summary": null},
            "safety_identifier": null,
            "service_tier": "default",
            "top_logprobs": 0,
            "top_p": null,
            "truncation": "disabled",
        }))
    }
}

/// What is said, as an item.
pub(super) fn message(id: &str, text: &str) -> Value {
    json!({"type": "message", "id": id, "status": "completed", "role": "assistant", "content": [part(text)]})
}

/// What is said, as a part of a message.
pub(super) fn part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

/// What the client is to call, as an item.
pub(super) fn call(id: &str, call: &ToolCall) -> Value {
    json!({"type": "function_call", "id": id, "call_id": call.id, "name": call.name,
        "arguments": messages::arguments(call), "status": "completed"})
}
