//! The events of a streamed message. The answer is whole once `message_stop` has come.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use domain::chat::{Delta, ModelError, Stop, ToolCall};
use serde::Deserialize;

use super::answer::{Block, Tokens, stop};
use crate::fault::Complaint;
use crate::wire::{Assemble, Line, Progress, arguments, reply, usage};

/// What has arrived of an answer.
pub(super) struct Blocks {
    line: Arc<Line>,
    /// The tool whose input is the answer.
    form: Option<String>,
    said: String,
    formed: Option<String>,
    calls: BTreeMap<usize, Call>,
    /// Blocks that have begun and not ended.
    open: usize,
    stop: Option<Stop>,
    read: u64,
    written: u64,
}

struct Call {
    id: String,
    name: String,
    input: String,
}

impl Blocks {
    pub(super) fn new(line: Arc<Line>, form: Option<String>) -> Self {
        let (said, calls) = (String::new(), BTreeMap::new());
        Self { line, form, said, formed: None, calls, open: 0, stop: None, read: 0, written: 0 }
    }

    fn begin(&mut self, index: usize, block: Block<'_>, ready: &mut VecDeque<Delta>) {
        self.open += 1;
        match block.r#type.as_ref() {
            "text" => self.say(block.text.unwrap_or_default(), ready),
            "tool_use" => {
                let (id, name) = (block.id.unwrap_or_default(), block.name.unwrap_or_default());
                let call = Call { id: id.into_owned(), name: name.into_owned(), input: String::new() };
                self.calls.insert(index, call);
            }
            _ => {}
        }
    }

    fn more(&mut self, index: usize, piece: Piece<'_>, ready: &mut VecDeque<Delta>) {
        if let Some(text) = piece.text {
            self.say(text, ready);
        }
        if let (Some(json), Some(call)) = (piece.partial_json, self.calls.get_mut(&index)) {
            call.input.push_str(&json);
            if self.form.as_deref() == Some(call.name.as_str()) && !json.is_empty() {
                ready.push_back(Delta::Text(json.into_owned()));
            }
        }
    }

    fn say(&mut self, text: Cow<'_, str>, ready: &mut VecDeque<Delta>) {
        if text.is_empty() {
            return;
        }
        self.said.push_str(&text);
        // Words beside a forced form are not the answer.
        if self.form.is_none() {
            ready.push_back(Delta::Text(text.into_owned()));
        }
    }

    fn count(&mut self, tokens: Tokens) {
        if tokens.input_tokens.is_some() {
            self.read = tokens.input();
        }
        self.written = self.written.max(tokens.output_tokens);
    }

    fn done(&mut self) -> Result<Delta, ModelError> {
        let endpoint = &self.line.endpoint;
        let speaker = endpoint.speaker();
        if self.open > 0 {
            return Err(speaker.garbled("a block was never ended"));
        }
        let stop = self.stop.ok_or_else(|| speaker.garbled("no stop reason"))?;
        let mut calls = Vec::with_capacity(self.calls.len());
        for call in std::mem::take(&mut self.calls).into_values() {
            if self.form.as_deref() == Some(call.name.as_str()) {
                self.formed = Some(call.input);
            } else {
                calls.push(ToolCall { id: call.id, name: call.name, arguments: arguments(&call.input) });
            }
        }
        let text = self.formed.take().unwrap_or_else(|| std::mem::take(&mut self.said));
        reply(speaker, text, calls, stop, usage(&endpoint.price, self.read, self.written)).map(Delta::Done)
    }
}

impl Assemble for Blocks {
    fn take(&mut self, data: &str, ready: &mut VecDeque<Delta>) -> Result<Progress, ModelError> {
        let line = Arc::clone(&self.line);
        let speaker = line.endpoint.speaker();
        let event: Event<'_> =
            serde_json::from_str(data).map_err(|error| speaker.garbled(format!("not an event: {error}")))?;
        if let Some(complaint) = event.error {
            return Err(speaker.complaint(complaint));
        }
        match (event.r#type.as_ref(), event.index.unwrap_or(0)) {
            ("message_start", _) => self.count(event.message.and_then(|message| message.usage).unwrap_or_default()),
            ("content_block_start", index) => {
                if let Some(block) = event.content_block {
                    self.begin(index, block, ready);
                }
            }
            ("content_block_delta", index) => self.more(index, event.delta.unwrap_or_default(), ready),
            ("content_block_stop", _) => self.open = self.open.saturating_sub(1),
            ("message_delta", _) => {
                self.count(event.usage.unwrap_or_default());
                if let Some(reason) = event.delta.and_then(|delta| delta.stop_reason) {
                    self.stop = Some(stop(speaker, Some(&reason))?);
                }
            }
            ("message_stop", _) => {
                ready.push_back(self.done()?);
                return Ok(Progress::Whole);
            }
            // Pings, and kinds that are yet to be invented: Anthropic asks to ignore them.
            _ => {}
        }
        Ok(Progress::More)
    }
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    #[serde(default)]
    index: Option<usize>,
    #[serde(default)]
    message: Option<Started>,
    #[serde(borrow, default)]
    content_block: Option<Block<'a>>,
    #[serde(borrow, default)]
    delta: Option<Piece<'a>>,
    #[serde(default)]
    usage: Option<Tokens>,
    #[serde(borrow, default)]
    error: Option<Complaint<'a>>,
}

#[derive(Deserialize)]
struct Started {
    #[serde(default)]
    usage: Option<Tokens>,
}

#[derive(Default, Deserialize)]
struct Piece<'a> {
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    partial_json: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    stop_reason: Option<Cow<'a, str>>,
}
