//! The body of a chat completion as a [`Reply`].

use std::borrow::Cow;

use domain::chat::{ModelError, Reply, Stop, ToolCall};
use domain::money::Price;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::content;
use crate::fault::{Complaint, Speaker};
use crate::wire::{raw_arguments, reply, usage};

/// Reads a whole answer.
pub(super) fn read(speaker: Speaker<'_>, price: &Price, body: &[u8]) -> Result<Reply, ModelError> {
    let answer: Answer<'_> =
        serde_json::from_slice(body).map_err(|error| speaker.garbled(format!("not a chat completion: {error}")))?;
    if let Some(complaint) = answer.error {
        return Err(speaker.complaint(complaint));
    }
    let choice = answer.choices.into_iter().next().ok_or_else(|| speaker.garbled("no choices"))?;
    let stop = stop(speaker, choice.finish_reason.as_deref())?;
    let message = choice.message;
    let mut calls = Vec::with_capacity(message.tool_calls.as_ref().map_or(0, Vec::len));
    for (at, call) in message.tool_calls.into_iter().flatten().enumerate() {
        calls.push(ToolCall {
            id: call_id(call.id, at),
            name: call.function.name.into_owned(),
            arguments: call.function.arguments.map_or_else(|| serde_json::json!({}), raw_arguments),
        });
    }
    let Tokens { prompt_tokens, completion_tokens } = answer.usage.unwrap_or_default();
    let usage = usage(price, prompt_tokens, completion_tokens);
    match (message.content, message.refusal) {
        (None, Some(refusal)) => reply(speaker, refusal.into_owned(), calls, Stop::Filtered, usage),
        (text, _) => reply(speaker, text.unwrap_or_default(), calls, stop, usage),
    }
}

/// Why the model stopped; one that does not say so has not.
pub(super) fn stop(speaker: Speaker<'_>, reason: Option<&str>) -> Result<Stop, ModelError> {
    match reason {
        Some("tool_calls" | "function_call") => Ok(Stop::Tools),
        Some("length" | "max_tokens" | "model_length") => Ok(Stop::Length),
        Some("content_filter") => Ok(Stop::Filtered),
        Some("error") => Err(speaker.unavailable("the answer ended in an error")),
        Some(_) => Ok(Stop::End),
        None => Err(speaker.garbled("no finish reason")),
    }
}

/// The provider's handle, or one of ours where local servers give none.
pub(super) fn call_id(id: Option<Cow<'_, str>>, at: usize) -> String {
    match id {
        Some(id) if !id.is_empty() => id.into_owned(),
        _ => format!("call_{at}"),
    }
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow, default)]
    choices: Vec<Choice<'a>>,
    #[serde(default)]
    usage: Option<Tokens>,
    #[serde(borrow, default)]
    error: Option<Complaint<'a>>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    message: Said<'a>,
    #[serde(borrow, default)]
    finish_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Said<'a> {
    #[serde(default, deserialize_with = "content::text")]
    content: Option<String>,
    #[serde(borrow, default)]
    refusal: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<Call<'a>>>,
}

#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    function: Function<'a>,
}

#[derive(Deserialize)]
struct Function<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

/// What was read and written, by the provider's count.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
pub(super) struct Tokens {
    #[serde(default)]
    pub(super) prompt_tokens: u64,
    #[serde(default)]
    pub(super) completion_tokens: u64,
}
