//! An [`Ask`] as the body of `POST /messages`, written in one go from borrowed parts.

use domain::chat::{AnswerSchema, Ask, Message, ToolCall};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// What Anthropic, which insists on a limit, is told where the ask has none.
const DEFAULT_MAX_TOKENS: u32 = 4096;

/// The form the answer is forced into; tools take objects only, so that other forms are left to the prompt.
pub(super) fn form(ask: &Ask) -> Option<&AnswerSchema> {
    ask.schema.as_ref().filter(|form| form.schema["type"] == "object")
}

/// The body of the request.
pub(super) fn body(model: &str, ask: &Ask, stream: bool) -> Result<Vec<u8>, serde_json::Error> {
    let form = form(ask);
    let tools = ask
        .tools
        .iter()
        .map(|tool| Tool { name: &tool.name, description: &tool.description, input_schema: &tool.parameters })
        .chain(form.map(|form| Tool {
            name: &form.name,
            description: "Give the final answer in this form.",
            input_schema: &form.schema,
        }))
        .collect();
    serde_json::to_vec(&Request {
        model,
        max_tokens: ask.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS),
        system: ask.messages.iter().filter_map(instruction).collect(),
        messages: turns(&ask.messages),
        tools,
        tool_choice: match form {
            Some(form) if ask.tools.is_empty() => Some(ToolChoice::Tool { name: &form.name }),
            form => (form.is_some() || (ask.must_call && !ask.tools.is_empty())).then_some(ToolChoice::Any),
        },
        temperature: ask.temperature,
        stream,
    })
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ToolChoice<'a> {
    Any,
    Tool { name: &'a str },
}

#[derive(Serialize)]
struct Turn<'a> {
    role: Role,
    content: Vec<Block<'a>>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Role {
    User,
    Assistant,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text {
        text: &'a str,
    },
    ToolUse {
        id: &'a str,
        name: &'a str,
        #[serde(serialize_with = "as_object")]
        input: &'a Value,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: &'a str,
    },
}

/// Input must be an object; arguments that never were JSON are shown to the model as what it wrote.
fn as_object<S: Serializer>(input: &&Value, serializer: S) -> Result<S::Ok, S::Error> {
    match input {
        Value::Object(map) => map.serialize(serializer),
        other => serializer.collect_map([("not_an_object", other)]),
    }
}

fn instruction(message: &Message) -> Option<Block<'_>> {
    match message {
        Message::System { text } => said(text),
        Message::User { .. } | Message::Assistant { .. } | Message::Tool { .. } => None,
    }
}

/// Turns must alternate, and all results of one turn's tools must stand together in the next.
fn turns(messages: &[Message]) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::with_capacity(messages.len());
    for message in messages {
        let (role, content) = match message {
            Message::System { .. } => continue,
            Message::User { text } => (Role::User, said(text).into_iter().collect()),
            Message::Tool { call, text, .. } => {
                (Role::User, vec![Block::ToolResult { tool_use_id: call, content: text }])
            }
            Message::Assistant { text, calls } => {
                (Role::Assistant, said(text).into_iter().chain(calls.iter().map(used)).collect::<Vec<_>>())
            }
        };
        match turns.last_mut() {
            _ if content.is_empty() => {}
            Some(last) if last.role == role => last.content.extend(content),
            _ => turns.push(Turn { role, content }),
        }
    }
    turns
}

/// Empty text is an error to Anthropic.
fn said(text: &str) -> Option<Block<'_>> {
    (!text.trim().is_empty()).then_some(Block::Text { text })
}

fn used(call: &ToolCall) -> Block<'_> {
    Block::ToolUse { id: &call.id, name: &call.name, input: &call.arguments }
}
