//! An [`Ask`] as the body of `POST /chat/completions`, written in one go from borrowed parts.

use domain::chat::{Ask, Message, ToolCall};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// What the limit of an answer is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LengthField {
    MaxTokens,
    MaxCompletionTokens,
}

/// Whether the answer comes at once or as it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivery {
    Whole,
    Streamed,
}

/// The body of the request.
pub(super) fn body(
    model: &str,
    ask: &Ask,
    length: LengthField,
    delivery: Delivery,
) -> Result<Vec<u8>, serde_json::Error> {
    let limit = |field| ask.max_tokens.filter(|_| length == field);
    serde_json::to_vec(&Request {
        model,
        messages: Messages(&ask.messages),
        tools: Tools(&ask.tools),
        tool_choice: (ask.must_call && !ask.tools.is_empty()).then_some("required"),
        response_format: ask.schema.as_ref().map(|schema| ResponseFormat {
            r#type: "json_schema",
            json_schema: JsonSchema {
                name: &schema.name,
                strict: is_object(&schema.schema) && is_strict(&schema.schema),
                schema: &schema.schema,
            },
        }),
        temperature: ask.temperature,
        max_tokens: limit(LengthField::MaxTokens),
        max_completion_tokens: limit(LengthField::MaxCompletionTokens),
        stream: delivery == Delivery::Streamed,
        stream_options: (delivery == Delivery::Streamed).then_some(StreamOptions { include_usage: true }),
    })
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: Messages<'a>,
    #[serde(skip_serializing_if = "Tools::is_empty")]
    tools: Tools<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: JsonSchema<'a>,
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a Value,
}

struct Messages<'a>(&'a [Message]);

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Turn<'a> {
    System {
        content: &'a str,
    },
    User {
        content: &'a str,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Calls::is_empty")]
        tool_calls: Calls<'a>,
    },
    Tool {
        tool_call_id: &'a str,
        content: &'a str,
    },
}

impl Serialize for Messages<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|message| match message {
            Message::System { text } => Turn::System { content: text },
            Message::User { text } => Turn::User { content: text },
            Message::Assistant { text, calls } => Turn::Assistant {
                content: Some(text.as_str()).filter(|text| !text.is_empty() || calls.is_empty()),
                tool_calls: Calls(calls),
            },
            Message::Tool { call, text, .. } => Turn::Tool { tool_call_id: call, content: text },
        }))
    }
}

struct Calls<'a>(&'a [ToolCall]);

impl Calls<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: CalledFunction<'a>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    #[serde(serialize_with = "as_text")]
    arguments: &'a Value,
}

impl Serialize for Calls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|call| Call {
            id: &call.id,
            r#type: "function",
            function: CalledFunction { name: &call.name, arguments: &call.arguments },
        }))
    }
}

/// Arguments travel as text; those that never were JSON go back as they came.
fn as_text<S: Serializer>(arguments: &&Value, serializer: S) -> Result<S::Ok, S::Error> {
    match arguments {
        Value::String(raw) => serializer.serialize_str(raw),
        value => serializer.collect_str(value),
    }
}

struct Tools<'a>(&'a [domain::chat::Callable]);

impl Tools<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: &'a domain::chat::Callable,
}

impl Serialize for Tools<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for function in self.0 {
            list.serialize_element(&Tool { r#type: "function", function })?;
        }
        list.end()
    }
}

fn is_object(schema: &Value) -> bool {
    schema["type"] == "object"
}

/// Whether OpenAI's strict mode takes a schema: every object is closed and requires all it has, and no word is used
/// that strict mode does not know. In doubt it is not strict, which costs a guarantee but never the answer.
fn is_strict(schema: &Value) -> bool {
    const KNOWN: [&str; 7] = ["type", "properties", "required", "additionalProperties", "items", "enum", "description"];
    let Some(map) = schema.as_object() else { return false };
    if !map.keys().all(|key| KNOWN.contains(&key.as_str())) {
        return false;
    }
    if !is_object(schema) {
        return map.get("items").is_none_or(is_strict);
    }
    let Some(properties) = map.get("properties").and_then(Value::as_object) else { return false };
    let required = map.get("required").and_then(Value::as_array).map_or(0, Vec::len);
    map.get("additionalProperties") == Some(&Value::Bool(false))
        && required == properties.len()
        && properties.values().all(is_strict)
}
