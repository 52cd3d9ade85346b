//! The next message of a conversation as chat completions write it: whole, or in chunks.

use domain::chat::{Stop, ToolCall, Usage};
use domain::event::Recorded;
use domain::id::RunId;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::body::Wants;
use crate::error::ApiError;
use crate::talk::follow::{Tells, frame};
use crate::talk::messages;
use crate::talk::progress;
use crate::talk::reply::{About, Reply};

const DONE: &str = "data: [DONE]\n\n";

/// The next message.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Completion {
    id: String,
    object: &'static str,
    /// Seconds since 1970.
    created: i64,
    model: &'static str,
    choices: Vec<Choice>,
    usage: Used,
    agentwright: About,
}

/// The only answer.
#[derive(Debug, Serialize, ToSchema)]
struct Choice {
    index: u32,
    message: Message,
    #[schema(value_type = Option<Object>, required = true)]
    logprobs: Option<()>,
    /// `stop`, `tool_calls`, `length` or `content_filter`.
    finish_reason: &'static str,
}

/// What is said.
#[derive(Debug, Serialize, ToSchema)]
struct Message {
    role: &'static str,
    #[schema(required = true)]
    content: Option<String>,
    #[schema(value_type = Option<String>, required = true)]
    refusal: Option<()>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    tool_calls: Vec<Call>,
}

/// What the client is to call.
#[derive(Debug, Serialize, ToSchema)]
struct Call {
    /// Its place, in a chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    id: String,
    r#type: &'static str,
    function: Function,
}

/// A function and its arguments.
#[derive(Debug, Serialize, ToSchema)]
struct Function {
    name: String,
    /// JSON.
    arguments: String,
}

/// What was used.
#[derive(Debug, Serialize, ToSchema)]
struct Used {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
}

/// A piece of the next message.
#[derive(Serialize)]
struct Chunk<'c> {
    id: &'c str,
    object: &'static str,
    created: i64,
    model: &'static str,
    choices: Vec<Piece<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<Option<Used>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agentwright: Option<&'c About>,
}

#[derive(Serialize)]
struct Piece<'c> {
    index: u32,
    delta: Delta<'c>,
    logprobs: Option<()>,
    finish_reason: Option<&'static str>,
}

#[derive(Default, Serialize)]
struct Delta<'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'c str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call>,
}

/// Tells a client what comes of its conversation.
pub(super) struct Told {
    id: String,
    created: i64,
    pub(super) wants: Wants,
}

impl Told {
    pub(super) fn new(run: RunId, wants: Wants) -> Self {
        let id = format!("chatcmpl-{}", run.to_string().trim_start_matches("run_"));
        Self { id, created: Timestamp::now().as_second(), wants }
    }

    /// All at once.
    pub(super) fn whole(self, reply: Reply) -> Completion {
        let finish_reason = finish(&reply);
        let calls: Vec<Call> = reply.calls.iter().map(|call| Call::of(call, None)).collect();
        let content = Some(reply.text).filter(|text| !text.is_empty() || calls.is_empty());
        let message = Message { role: "assistant", content, refusal: None, tool_calls: calls };
        Completion {
            id: self.id,
            object: "chat.completion",
            created: reply.created_at.as_second(),
            model: self.wants.model.name(),
            choices: vec![Choice { index: 0, message, logprobs: None, finish_reason }],
            usage: reply.usage.into(),
            agentwright: reply.about,
        }
    }

    fn piece(&self, delta: Delta<'_>, end: Option<(&'static str, &About)>) -> String {
        let finish_reason = end.map(|(reason, _)| reason);
        frame(&Chunk {
            choices: vec![Piece { index: 0, delta, logprobs: None, finish_reason }],
            // Whoever wants to know what was used is told at the end, and before that told that it is not yet known.
            usage: self.wants.usage.then_some(None),
            agentwright: end.map(|(_, about)| about),
            ..self.chunk()
        })
    }

    fn chunk(&self) -> Chunk<'_> {
        Chunk {
            id: &self.id,
            object: "chat.completion.chunk",
            created: self.created,
            model: self.wants.model.name(),
            choices: Vec::new(),
            usage: None,
            agentwright: None,
        }
    }
}

impl Tells for Told {
    fn begins(&mut self) -> String {
        self.piece(Delta { role: Some("assistant"), content: Some(""), ..Delta::default() }, None)
    }

    fn happens(&mut self, event: &Recorded) -> String {
        match progress::line(&event.entry.event).filter(|_| self.wants.progress) {
            Some(line) => self.piece(Delta { reasoning_content: Some(&format!("{line}\n")), ..Delta::default() }, None),
            None => String::new(),
        }
    }

    fn rests(&mut self, reply: Reply) -> String {
        let mut text = String::new();
        if !reply.text.is_empty() {
            text.push_str(&self.piece(Delta { content: Some(&reply.text), ..Delta::default() }, None));
        }
        if !reply.calls.is_empty() {
            let tool_calls = reply.calls.iter().enumerate().map(|(at, call)| Call::of(call, Some(at))).collect();
            text.push_str(&self.piece(Delta { tool_calls, ..Delta::default() }, None));
        }
        text.push_str(&self.piece(Delta::default(), Some((finish(&reply), &reply.about))));
        if self.wants.usage {
            text.push_str(&frame(&Chunk { usage: Some(Some(reply.usage.into())), ..self.chunk() }));
        }
        text + DONE
    }

    fn breaks(&mut self, why: ApiError) -> String {
        frame(&why.in_a_stream()) + DONE
    }
}

impl Call {
    fn of(call: &ToolCall, index: Option<usize>) -> Self {
        let function = Function { name: call.name.clone(), arguments: messages::arguments(call) };
        Self { index, id: call.id.clone(), r#type: "function", function }
    }
}

impl From<Usage> for Used {
    fn from(usage: Usage) -> Self {
        let (prompt_tokens, completion_tokens) = (usage.input_tokens, usage.output_tokens);
        Self { prompt_tokens, completion_tokens, total_tokens: usage.tokens() }
    }
}

fn finish(reply: &Reply) -> &'static str {
    match reply.stop {
        _ if !reply.calls.is_empty() => "tool_calls",
        Stop::End | Stop::Tools => "stop",
        Stop::Length => "length",
        Stop::Filtered => "content_filter",
    }
}
