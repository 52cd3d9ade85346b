//! What a client sends to have a conversation continued.

use axum::http::HeaderMap;
use domain::chat::Message;
use domain::request::Lent;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::openai::models::Model;
use crate::openai::tools::{self, Style};
use crate::talk::{self, Talk, messages};

/// The header that names a conversation.
const SESSION: &str = "X-Session";
/// What a chat interface calls a conversation, where it is told to tell.
const CHAT_ID: &str = "X-OpenWebUI-Chat-Id";

/// A conversation, and how its next message is wanted. What is not named here is passed over.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct NewCompletion {
    /// One of `GET /v1/models`.
    #[schema(example = "agentwright")]
    model: String,
    /// The conversation so far; its last message is from the user, or from a tool.
    #[schema(min_items = 1)]
    messages: Vec<Said>,
    /// Answer with events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    /// How many answers are wanted: one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 1)]
    n: Option<u64>,
    /// Who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    /// `session` names the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    metadata: Option<Map<String, Value>>,
    /// Functions that the client carries out itself: a model is asked directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    tools: Option<Vec<Map<String, Value>>>,
    /// `auto`, `none`, `required`, or a function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    tool_choice: Option<Value>,
    /// The form of the answer: a model is asked directly where it is not `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    response_format: Option<Map<String, Value>>,
    /// How freely words are chosen, where a model is asked directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    /// The longest answer, where a model is asked directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    /// The same under its older name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agentwright: Option<Particular>,
}

/// One message.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Said {
    /// `system`, `developer`, `user`, `assistant` or `tool`.
    role: String,
    /// A string, or parts of text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    content: Option<Value>,
    /// What the assistant wanted called.
    #[serde(default, alias = "toolCalls", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    tool_calls: Option<Vec<Map<String, Value>>>,
    /// Which call a tool answers.
    #[serde(default, alias = "toolCallId", skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
}

/// How events are wanted.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
struct StreamOptions {
    /// Say at the end what was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    include_usage: Option<bool>,
}

/// What only we understand.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
struct Particular {
    /// With `stream`: a line of `reasoning_content` for each stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    progress: Option<bool>,
}

/// The headers that name a conversation.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it says what the document says about a header that `session` reads")]
pub(crate) struct Session {
    /// The conversation it belongs to.
    #[param(rename = "X-Session", required = false)]
    session: Option<String>,
}

/// How the answer is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wants {
    pub(super) model: Model,
    pub(super) stream: bool,
    pub(super) usage: bool,
    pub(super) progress: bool,
}

impl NewCompletion {
    /// How the answer is wanted, if it can be had so.
    pub(super) fn wants(&self) -> Result<Wants, ApiError> {
        if self.n.is_some_and(|n| n != 1) {
            return Err(ApiError::invalid("n", "one answer can be had: `n` must be 1"));
        }
        Ok(Wants {
            model: Model::named(&self.model)?,
            stream: self.stream.unwrap_or_default(),
            usage: self.stream_options.and_then(|options| options.include_usage).unwrap_or_default(),
            progress: self.agentwright.and_then(|it| it.progress).unwrap_or_default(),
        })
    }

    /// What is said.
    pub(super) fn talk(self, headers: &HeaderMap) -> Result<Talk, ApiError> {
        let mut said: Vec<Message> = Vec::with_capacity(self.messages.len());
        for (at, message) in self.messages.iter().enumerate() {
            said.push(message.read(&said, at)?);
        }
        let messages::Parts { earlier, text, since } = messages::apart(said, "messages")?;
        let functions: Vec<Value> = self.tools.unwrap_or_default().into_iter().map(Value::Object).collect();
        let functions = tools::read(&functions, Style::Nested)?;
        let format = self.response_format.map(Value::Object);
        let schema = tools::form(format.as_ref(), "response_format", Style::Nested)?;
        let direct = !functions.is_empty() || !since.is_empty() || schema.is_some();
        let (tools, must_call) = tools::choice(self.tool_choice.as_ref(), Style::Nested)?.among(functions)?;
        let (temperature, max_tokens) = (self.temperature, self.max_completion_tokens.or(self.max_tokens));
        let lent = direct.then_some(Lent { tools, must_call, since, schema, temperature, max_tokens });
        let user = talk::user(self.user)?;
        let alone = earlier.iter().all(|message| matches!(message, Message::System { .. }));
        let named = session(headers, self.metadata.as_ref())?;
        // Who tells what was said before need not be recognised by who they are.
        let session = named.or_else(|| user.as_ref().filter(|_| alone).map(|user| format!("user {user}")));
        Ok(Talk {
            text,
            earlier,
            session: session.and_then(|name| talk::session(&name)),
            user,
            planner: Model::named(&self.model)?.planner(),
            lent,
        })
    }
}

/// The name of the conversation, where it has one.
pub(crate) fn session(headers: &HeaderMap, metadata: Option<&Map<String, Value>>) -> Result<Option<String>, ApiError> {
    for name in [SESSION, CHAT_ID] {
        if let Some(value) = headers.get(name) {
            let text =
                value.to_str().map_err(|_| ApiError::invalid(name, format!("`{name}` must be visible ASCII")))?;
            return Ok(Some(text.to_owned()).filter(|text| !text.is_empty()));
        }
    }
    match metadata.and_then(|metadata| metadata.get("session")) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(name.clone()).filter(|name| !name.is_empty())),
        Some(_) => Err(ApiError::invalid("metadata.session", "`metadata.session` must be a string")),
    }
}

impl Said {
    /// What it says, after what was said before.
    pub(crate) fn read(&self, before: &[Message], at: usize) -> Result<Message, ApiError> {
        let at = format!("messages[{at}]");
        let content = self.content.as_ref().unwrap_or(&Value::Null);
        let text = messages::words(content, &format!("{at}.content"))?;
        let has_content = || match content {
            Value::Null => Err(ApiError::invalid(&format!("{at}.content"), format!("`{at}.content` is missing"))),
            _ => Ok(()),
        };
        match self.role.as_str() {
            "system" | "developer" => has_content().map(|()| Message::System { text }),
            "user" => has_content().map(|()| Message::User { text }),
            "assistant" => {
                let calls = self.tool_calls.iter().flatten().enumerate();
                let calls = calls.map(|(nth, call)| called(call, &format!("{at}.tool_calls[{nth}]")));
                Ok(Message::Assistant { text, calls: calls.collect::<Result<_, _>>()? })
            }
            "tool" => {
                let param = format!("{at}.tool_call_id");
                let id = self.tool_call_id.as_deref();
                let id = id.ok_or_else(|| ApiError::invalid(&param, format!("`{param}` is missing")))?;
                messages::result(before, id, text, &param)
            }
            other => {
                let words =
                    format!("`{other}` is no role: there are `system`, `developer`, `user`, `assistant` and `tool`");
                Err(ApiError::invalid(&format!("{at}.role"), messages::clean(&words)))
            }
        }
    }
}

fn called(call: &Map<String, Value>, at: &str) -> Result<domain::chat::ToolCall, ApiError> {
    let function = call.get("function").unwrap_or(&Value::Null);
    let id = call.get("id").and_then(Value::as_str);
    match (id, function["name"].as_str()) {
        (Some(id), Some(name)) => Ok(messages::call(id, name, function["arguments"].as_str().unwrap_or_default())),
        _ => Err(ApiError::invalid(at, format!("`{at}` must have an `id` and a `function` with a `name`"))),
    }
}
