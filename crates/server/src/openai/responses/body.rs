//! What a client sends to have an input answered.

use axum::http::HeaderMap;
use domain::chat::{Message, ToolCall};
use domain::request::Lent;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Before;
use super::item::Echo;
use crate::error::ApiError;
use crate::openai::chat::session;
use crate::openai::models::Model;
use crate::openai::tools::{self, Style};
use crate::talk::{self, Talk, messages};

/// An input, and how it is to be answered. What is not named here is passed over.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct NewResponse {
    /// One of `GET /v1/models`.
    #[schema(example = "agentwright")]
    model: String,
    /// Words, or items: messages, calls and what came of them.
    #[schema(value_type = Value, example = "Will it rain in Oslo tomorrow?")]
    input: Value,
    /// What is to be heeded in this response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instructions: Option<String>,
    /// The response that is continued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous_response_id: Option<String>,
    /// A conversation by its name, or an object with its `id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    conversation: Option<Value>,
    /// Answer with events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    /// Whether it is kept how this was asked for; the run is kept in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
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
    /// `format` is the form of the answer: a model is asked directly where it is not `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    text: Option<Map<String, Value>>,
    /// How freely words are chosen, where a model is asked directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    /// The longest answer, where a model is asked directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
}

impl NewResponse {
    pub(super) fn stream(&self) -> bool {
        self.stream.unwrap_or_default()
    }

    pub(super) fn previous(&self) -> Option<&str> {
        self.previous_response_id.as_deref()
    }

    /// What a response says about how it was asked for.
    pub(super) fn echo(&self) -> Result<Echo, ApiError> {
        Ok(Echo {
            model: Model::named(&self.model)?.name().to_owned(),
            instructions: self.instructions.as_deref().map(messages::clean),
            previous_response_id: self.previous_response_id.clone(),
            metadata: self.metadata.clone().unwrap_or_default(),
            tools: self.tools.clone().unwrap_or_default(),
            tool_choice: self.tool_choice.clone().filter(|choice| !choice.is_null()),
            text: self.text.clone(),
            temperature: self.temperature,
            max_output_tokens: self.max_output_tokens,
            store: self.store.unwrap_or(true),
        })
    }

    /// What is said, after what was said before.
    pub(super) fn talk(self, headers: &HeaderMap, before: Option<Before>) -> Result<Talk, ApiError> {
        let (mut said, session_before) = before.map_or_else(Default::default, |it| (it.messages, it.session));
        if let Some(instructions) = self.instructions.as_deref().filter(|text| !text.trim().is_empty()) {
            said.insert(0, Message::System { text: messages::clean(instructions) });
        }
        read(&self.input, &mut said)?;
        let messages::Parts { earlier, text, since } = messages::apart(said, "input")?;
        let functions: Vec<Value> = self.tools.unwrap_or_default().into_iter().map(Value::Object).collect();
        let functions = tools::read(&functions, Style::Flat)?;
        let format = self.text.as_ref().and_then(|text| text.get("format"));
        let schema = tools::form(format, "text.format", Style::Flat)?;
        let direct = !functions.is_empty() || !since.is_empty() || schema.is_some();
        let (tools, must_call) = tools::choice(self.tool_choice.as_ref(), Style::Flat)?.among(functions)?;
        let (temperature, max_tokens) = (self.temperature, self.max_output_tokens);
        let lent = direct.then_some(Lent { tools, must_call, since, schema, temperature, max_tokens });
        let named = match session(headers, self.metadata.as_ref())? {
            Some(name) => Some(name),
            None => conversation(self.conversation.as_ref())?,
        };
        Ok(Talk {
            text,
            earlier,
            session: named.and_then(|name| talk::session(&name)).or(session_before),
            user: talk::user(self.user)?,
            planner: Model::named(&self.model)?.planner(),
            lent,
        })
    }
}

fn conversation(said: Option<&Value>) -> Result<Option<String>, ApiError> {
    match said {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) if !name.is_empty() => Ok(Some(name.clone())),
        Some(value) => match value["id"].as_str() {
            Some(name) if !name.is_empty() => Ok(Some(name.to_owned())),
            _ => Err(ApiError::invalid("conversation", "`conversation` must be a name, or have an `id`")),
        },
    }
}

/// Adds what an input says to a conversation.
fn read(input: &Value, said: &mut Vec<Message>) -> Result<(), ApiError> {
    match input {
        Value::String(text) => said.push(Message::User { text: messages::clean(text) }),
        Value::Array(items) if items.is_empty() => {
            return Err(ApiError::invalid("input", "there must be at least one item"));
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                one(item, &format!("input[{at}]"), said)?;
            }
        }
        _ => return Err(ApiError::invalid("input", "`input` must be a string or a list of items")),
    }
    Ok(())
}

fn one(item: &Value, at: &str, said: &mut Vec<Message>) -> Result<(), ApiError> {
    let word = |name: &str| {
        let param = format!("{at}.{name}");
        item[name].as_str().ok_or_else(|| ApiError::invalid(&param, format!("`{param}` must be a string")))
    };
    match item["type"].as_str().unwrap_or("message") {
        "message" => {
            let text = messages::words(&item["content"], &format!("{at}.content"))?;
            said.push(match word("role")? {
                "system" | "developer" => Message::System { text },
                "user" => Message::User { text },
                "assistant" => Message::Assistant { text, calls: Vec::new() },
                other => {
                    let words = format!("`{}` is no role of a message", messages::clean(other));
                    return Err(ApiError::invalid(&format!("{at}.role"), words));
                }
            });
        }
        "function_call" => {
            let called =
                messages::call(word("call_id")?, word("name")?, item["arguments"].as_str().unwrap_or_default());
            push_call(said, called);
        }
        "function_call_output" => {
            let id = word("call_id")?;
            let text = messages::words(&item["output"], &format!("{at}.output"))?;
            let result = messages::result(said, id, text, &format!("{at}.call_id"))?;
            said.push(result);
        }
        // What a model thought stays with it.
        "reasoning" => {}
        other => {
            let words =
                format!("`{at}` is of type `{}`; only messages and function calls are read", messages::clean(other));
            return Err(ApiError::invalid(&format!("{at}.type"), words));
        }
    }
    Ok(())
}

/// Adds a call to the last message, which calls in a row share.
fn push_call(said: &mut Vec<Message>, call: ToolCall) {
    match said.last_mut() {
        Some(Message::Assistant { calls, .. }) => calls.push(call),
        _ => said.push(Message::Assistant { text: String::new(), calls: vec![call] }),
    }
}
