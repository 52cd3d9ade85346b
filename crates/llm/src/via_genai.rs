//! Gemini, and every provider whose wire is not spoken here, through the crate `genai`.
//!
//! Two things that `genai` gets wrong are put right here: it ends a stream of Gemini's that was cut as if it were whole,
//! only without a finish reason, and it gives calls that come in different chunks the same id. What cannot be put right
//! is that it reads bodies of any length and makes `serde_json` keep the order of keys in the whole program.

mod ask;
mod failure;

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply, Stop, ToolCall, Usage};
use domain::money::Price;
use futures::FutureExt;
use futures::stream::{BoxStream, StreamExt, try_unfold};
use genai::adapter::AdapterKind;
use genai::chat::{ChatStream, ChatStreamEvent, StopReason};
use genai::resolver::{AuthData, Endpoint};
use genai::{ModelIden, ServiceTarget};
use tokio::time::{Instant, timeout_at};

use crate::connect::{ApiKey, ConnectError, ModelConfig, parse_url};
use crate::fault::Speaker;
use crate::http::Http;
use crate::wire::{LONGEST_ANSWER, Limits, reply, usage};

/// A model that `genai` speaks to.
pub(crate) struct ViaGenai {
    client: genai::Client,
    target: ServiceTarget,
    asked: Asked,
}

/// What is needed to judge what comes back.
#[derive(Debug, Clone)]
struct Asked {
    name: String,
    key: Option<ApiKey>,
    limits: Limits,
    price: Price,
}

impl ViaGenai {
    pub(crate) fn new(
        kind: AdapterKind,
        config: &ModelConfig,
        http: &Http,
        base_url: Option<&str>,
    ) -> Result<Self, ConnectError> {
        let provider = config.name.provider();
        let client = genai::Client::builder().with_reqwest(http.0.clone()).build().map_err(ConnectError::Genai)?;
        let own = || own_address(&client, kind).ok_or_else(|| ConnectError::NeedsUrl { provider: provider.to_owned() });
        let base_url = base_url.map_or_else(own, |url| Ok(url.to_owned()))?;
        // `genai` appends to the address without a slash of its own.
        let address = format!("{}/", parse_url(&base_url)?.as_str().trim_end_matches('/'));
        let key = config.api_key.as_ref().map_or("", ApiKey::reveal);
        if !key.chars().all(|c| c.is_ascii_graphic()) {
            return Err(ConnectError::BadKey { provider: provider.to_owned() });
        }
        Ok(Self {
            client,
            target: ServiceTarget {
                endpoint: Endpoint::from_owned(address),
                auth: AuthData::from_single(key),
                model: ModelIden::new(kind, config.name.model()),
            },
            asked: Asked {
                name: config.name.to_string(),
                key: config.api_key.clone(),
                limits: Limits { whole: config.timeout, silence: config.idle_timeout },
                price: config.price,
            },
        })
    }
}

/// Where `genai` finds a provider, except for those whose address it would read from the environment.
fn own_address(client: &genai::Client, kind: AdapterKind) -> Option<String> {
    match kind {
        AdapterKind::Vertex | AdapterKind::BedrockApi | AdapterKind::Omlx | AdapterKind::Custom(_) => None,
        kind => {
            let target = client.resolve_service_target(ModelIden::new(kind, "any")).now_or_never()?.ok()?;
            Some(target.endpoint.base_url().to_owned())
        }
    }
}

#[async_trait]
impl ChatModel for ViaGenai {
    fn name(&self) -> &str {
        &self.asked.name
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let speaker = self.asked.speaker();
        let (request, options) = ask::translated(ask);
        let call = self.client.exec_chat(self.target.clone(), request, Some(&options));
        let answer = match tokio::time::timeout(self.asked.limits.whole, call).await {
            Err(_) => return Err(speaker.timed_out(self.asked.limits.whole)),
            Ok(Err(error)) => return Err(failure::judged(speaker, error)),
            Ok(Ok(answer)) => answer,
        };
        let text = answer.content.texts().concat();
        let calls = answer.content.into_tool_calls();
        self.asked.reply(text, calls, answer.stop_reason, Some(answer.usage))
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let deadline = Instant::now() + self.asked.limits.whole;
        let (request, options) = ask::translated(ask);
        let call = self.client.exec_chat_stream(self.target.clone(), request, Some(&options));
        let response = match timeout_at(deadline, call).await {
            Err(_) => return Err(self.asked.speaker().timed_out(self.asked.limits.whole)),
            Ok(Err(error)) => return Err(failure::judged(self.asked.speaker(), error)),
            Ok(Ok(response)) => response,
        };
        let asked = self.asked.clone();
        let reading =
            Reading { asked, stream: response.stream, deadline, begun: false, over: false, text: String::new() };
        Ok(try_unfold(reading, Reading::next).boxed())
    }
}

impl Asked {
    fn speaker(&self) -> Speaker<'_> {
        Speaker { name: &self.name, key: self.key.as_ref() }
    }

    fn reply(
        &self,
        text: String,
        calls: Vec<genai::chat::ToolCall>,
        stop: Option<StopReason>,
        tokens: Option<genai::chat::Usage>,
    ) -> Result<Reply, ModelError> {
        let stop = match stop {
            Some(StopReason::Completed(_) | StopReason::StopSequence(_)) => Stop::End,
            Some(StopReason::ToolCall(_)) => Stop::Tools,
            Some(StopReason::MaxTokens(_)) => Stop::Length,
            Some(StopReason::ContentFilter(_)) => Stop::Filtered,
            Some(StopReason::Other(reason)) => return Err(self.speaker().garbled(format!("stopped by `{reason}`"))),
            None => return Err(self.speaker().garbled("no finish reason")),
        };
        reply(self.speaker(), text, distinct(calls), stop, self.usage(tokens))
    }

    fn usage(&self, tokens: Option<genai::chat::Usage>) -> Usage {
        let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or(0);
        let tokens = tokens.unwrap_or_default();
        usage(&self.price, count(tokens.prompt_tokens), count(tokens.completion_tokens))
    }
}

/// Gives calls that share an id different ones, in the form from which `genai` knows that the provider gave none.
fn distinct(calls: Vec<genai::chat::ToolCall>) -> Vec<ToolCall> {
    let mut taken = BTreeSet::new();
    calls
        .into_iter()
        .map(|call| {
            let mut id = call.call_id;
            let mut at = taken.len();
            while !taken.insert(id.clone()) {
                id = format!("call#{}#{at}", call.fn_name);
                at += 1;
            }
            let arguments = match call.fn_arguments {
                serde_json::Value::Null => serde_json::json!({}),
                arguments => arguments,
            };
            ToolCall { id, name: call.fn_name, arguments }
        })
        .collect()
}

struct Reading {
    asked: Asked,
    stream: ChatStream,
    deadline: Instant,
    begun: bool,
    over: bool,
    text: String,
}

impl Reading {
    async fn next(mut self) -> Result<Option<(Delta, Self)>, ModelError> {
        let Limits { whole, silence } = self.asked.limits;
        while !self.over {
            // Before the first byte the model may think as long as the whole answer may take.
            let silent = if self.begun { Instant::now() + silence } else { self.deadline };
            let (until, after): (Instant, Duration) =
                if silent < self.deadline { (silent, silence) } else { (self.deadline, whole) };
            let event = match timeout_at(until, self.stream.next()).await {
                Err(_) => return Err(self.asked.speaker().timed_out(after)),
                Ok(None) => return Err(self.asked.speaker().garbled("stream ended before the answer did")),
                Ok(Some(Err(error))) => return Err(failure::judged(self.asked.speaker(), error)),
                Ok(Some(Ok(event))) => event,
            };
            match event {
                ChatStreamEvent::Chunk(chunk) if !chunk.content.is_empty() => {
                    self.begun = true;
                    self.text.push_str(&chunk.content);
                    if self.text.len() > LONGEST_ANSWER {
                        return Err(self.asked.speaker().garbled("longer than 32 MiB"));
                    }
                    return Ok(Some((Delta::Text(chunk.content), self)));
                }
                ChatStreamEvent::End(end) => {
                    self.over = true;
                    let stop = end.captured_stop_reason.clone();
                    let tokens = end.captured_usage.clone();
                    let calls = end.captured_into_tool_calls().unwrap_or_default();
                    let reply = self.asked.reply(std::mem::take(&mut self.text), calls, stop, tokens)?;
                    return Ok(Some((Delta::Done(reply), self)));
                }
                // `genai` says this before it has asked.
                ChatStreamEvent::Start => {}
                ChatStreamEvent::Chunk(_)
                | ChatStreamEvent::ReasoningChunk(_)
                | ChatStreamEvent::ThoughtSignatureChunk(_)
                | ChatStreamEvent::ToolCallChunk(_)
                | ChatStreamEvent::Heartbeat => self.begun = true,
            }
        }
        Ok(None)
    }
}
