//! The body of a message as a [`Reply`].

use std::borrow::Cow;

use domain::chat::{AnswerSchema, ModelError, Reply, Stop, ToolCall};
use domain::money::Price;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::fault::{Complaint, Speaker};
use crate::wire::{raw_arguments, reply, usage};

/// Reads a whole answer; a call of the `form` is the answer.
pub(super) fn read(
    speaker: Speaker<'_>,
    price: &Price,
    form: Option<&AnswerSchema>,
    body: &[u8],
) -> Result<Reply, ModelError> {
    let answer: Answer<'_> =
        serde_json::from_slice(body).map_err(|error| speaker.garbled(format!("not a message: {error}")))?;
    if let Some(complaint) = answer.error {
        return Err(speaker.complaint(complaint));
    }
    let stop = stop(speaker, answer.stop_reason.as_deref())?;
    let (mut said, mut formed, mut calls) = (String::new(), None, Vec::new());
    for block in answer.content {
        let name = block.name.unwrap_or_default();
        match (block.r#type.as_ref(), block.input) {
            ("text", _) => said.push_str(&block.text.unwrap_or_default()),
            ("tool_use", Some(input)) if form.is_some_and(|form| form.name == name) => {
                formed = Some(input.get().to_owned());
            }
            ("tool_use", Some(input)) => calls.push(ToolCall {
                id: block.id.unwrap_or_default().into_owned(),
                name: name.into_owned(),
                arguments: raw_arguments(input),
            }),
            // Thinking, citations and whatever comes next are not part of what was said.
            _ => {}
        }
    }
    let tokens = answer.usage;
    reply(speaker, formed.unwrap_or(said), calls, stop, usage(price, tokens.input(), tokens.output_tokens))
}

/// Why the model stopped; one that does not say so has not.
pub(super) fn stop(speaker: Speaker<'_>, reason: Option<&str>) -> Result<Stop, ModelError> {
    match reason {
        Some("tool_use") => Ok(Stop::Tools),
        Some("max_tokens" | "model_context_window_exceeded") => Ok(Stop::Length),
        Some("refusal") => Ok(Stop::Filtered),
        Some(_) => Ok(Stop::End),
        None => Err(speaker.garbled("no stop reason")),
    }
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow, default)]
    content: Vec<Block<'a>>,
    #[serde(borrow, default)]
    stop_reason: Option<Cow<'a, str>>,
    #[serde(default)]
    usage: Tokens,
    #[serde(borrow, default)]
    error: Option<Complaint<'a>>,
}

/// A block of any kind, whole or as it begins in a stream.
#[derive(Deserialize)]
pub(super) struct Block<'a> {
    #[serde(borrow)]
    pub(super) r#type: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) text: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) input: Option<&'a RawValue>,
}

/// What was read, from the cache or not, and written.
#[derive(Debug, Default, Clone, Copy, Deserialize)]
pub(super) struct Tokens {
    #[serde(default)]
    pub(super) input_tokens: Option<u64>,
    #[serde(default)]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default)]
    cache_read_input_tokens: Option<u64>,
    #[serde(default)]
    pub(super) output_tokens: u64,
}

impl Tokens {
    /// All that was read.
    pub(super) fn input(&self) -> u64 {
        [self.input_tokens, self.cache_creation_input_tokens, self.cache_read_input_tokens].into_iter().flatten().sum()
    }
}
