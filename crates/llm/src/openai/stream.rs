//! The chunks of a streamed chat completion. The answer is whole once a finish reason and `[DONE]` have come.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use domain::chat::{Delta, ModelError, Stop, ToolCall};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::answer::{Tokens, call_id, stop};
use super::content;
use crate::fault::Complaint;
use crate::wire::{Assemble, Line, Progress, arguments, reply, usage};

/// What has arrived of an answer.
pub(super) struct Chunks {
    line: Arc<Line>,
    text: String,
    calls: BTreeMap<usize, Fragments>,
    stop: Option<Stop>,
    refused: bool,
    tokens: Tokens,
}

#[derive(Default)]
struct Fragments {
    id: String,
    name: String,
    arguments: String,
}

impl Chunks {
    pub(super) fn new(line: Arc<Line>) -> Self {
        let tokens = Tokens::default();
        Self { line, text: String::new(), calls: BTreeMap::new(), stop: None, refused: false, tokens }
    }

    fn done(&mut self) -> Result<Delta, ModelError> {
        let endpoint = &self.line.endpoint;
        let speaker = endpoint.speaker();
        let stop = self.stop.ok_or_else(|| speaker.garbled("no finish reason"))?;
        let stop = if self.refused { Stop::Filtered } else { stop };
        let calls = std::mem::take(&mut self.calls).into_values().enumerate().map(|(at, call)| ToolCall {
            id: call_id(Some(call.id.into()), at),
            name: call.name,
            arguments: arguments(&call.arguments),
        });
        let usage = usage(&endpoint.price, self.tokens.prompt_tokens, self.tokens.completion_tokens);
        reply(speaker, std::mem::take(&mut self.text), calls.collect(), stop, usage).map(Delta::Done)
    }

    fn call(&mut self, call: CallPiece<'_>) {
        // A server that counts no fragments sends each call whole.
        let index = call.index.unwrap_or(self.calls.len());
        let fragments = self.calls.entry(index).or_default();
        if let Some(id) = call.id.filter(|id| !id.is_empty()) {
            fragments.id = id.into_owned();
        }
        let Some(function) = call.function else { return };
        if let Some(name) = function.name {
            fragments.name.push_str(&name);
        }
        if let Some(raw) = function.arguments {
            match serde_json::from_str::<Cow<'_, str>>(raw.get()) {
                Ok(piece) => fragments.arguments.push_str(&piece),
                Err(_) if raw.get() == "null" => {}
                Err(_) => fragments.arguments.push_str(raw.get()),
            }
        }
    }
}

impl Assemble for Chunks {
    fn take(&mut self, data: &str, ready: &mut VecDeque<Delta>) -> Result<Progress, ModelError> {
        if data.trim() == "[DONE]" {
            ready.push_back(self.done()?);
            return Ok(Progress::Whole);
        }
        let line = Arc::clone(&self.line);
        let speaker = line.endpoint.speaker();
        let chunk: Chunk<'_> =
            serde_json::from_str(data).map_err(|error| speaker.garbled(format!("not a chunk: {error}")))?;
        if let Some(complaint) = chunk.error {
            return Err(speaker.complaint(complaint));
        }
        if let Some(tokens) = chunk.usage {
            self.tokens = tokens;
        }
        // Only the first choice was asked for.
        let Some(choice) = chunk.choices.into_iter().next() else { return Ok(Progress::More) };
        if let Some(delta) = choice.delta {
            self.refused |= delta.refusal.is_some();
            if let Some(text) = delta.content.or(delta.refusal.map(Cow::into_owned)).filter(|text| !text.is_empty()) {
                self.text.push_str(&text);
                ready.push_back(Delta::Text(text));
            }
            delta.tool_calls.into_iter().flatten().for_each(|call| self.call(call));
        }
        if choice.finish_reason.is_some() {
            self.stop = Some(stop(speaker, choice.finish_reason.as_deref())?);
        }
        Ok(Progress::More)
    }
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    choices: Vec<Choice<'a>>,
    #[serde(default)]
    usage: Option<Tokens>,
    #[serde(borrow, default)]
    error: Option<Complaint<'a>>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow, default)]
    delta: Option<Piece<'a>>,
    #[serde(borrow, default)]
    finish_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Piece<'a> {
    #[serde(default, deserialize_with = "content::text")]
    content: Option<String>,
    #[serde(borrow, default)]
    refusal: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<CallPiece<'a>>>,
}

#[derive(Deserialize)]
struct CallPiece<'a> {
    #[serde(default)]
    index: Option<usize>,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    function: Option<FunctionPiece<'a>>,
}

#[derive(Deserialize)]
struct FunctionPiece<'a> {
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}
