//! One request, one answer, within its limits: what the wires spoken here have in common.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use domain::chat::{Delta, ModelError, Reply, Stop, ToolCall, Usage};
use domain::money::Price;
use futures::stream::{BoxStream, StreamExt, try_unfold};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Response, Url};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::{Instant, timeout, timeout_at};

use crate::connect::{ApiKey, ConnectError};
use crate::fault::{Speaker, causes};
use crate::sse::Events;

/// An answer longer than this is no answer.
pub(crate) const LONGEST_ANSWER: usize = 32 << 20;

/// How long the end of a body is waited for once the answer is whole.
const LAST_BYTES: Duration = Duration::from_millis(25);

/// How long an answer may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// From asking to the last byte.
    pub(crate) whole: Duration,
    /// Between two pieces of a body.
    pub(crate) silence: Duration,
}

/// A model at an address.
#[derive(Debug)]
pub(crate) struct Endpoint {
    pub(crate) name: String,
    pub(crate) provider: String,
    pub(crate) model: String,
    pub(crate) base_url: Url,
    pub(crate) key: Option<ApiKey>,
    pub(crate) limits: Limits,
    pub(crate) price: Price,
    pub(crate) http: reqwest::Client,
}

impl Endpoint {
    /// Who is spoken to.
    pub(crate) fn speaker(&self) -> Speaker<'_> {
        Speaker { name: &self.name, key: self.key.as_ref() }
    }

    /// A header that carries the key.
    pub(crate) fn key_header(&self, prefix: &str) -> Result<Option<HeaderValue>, ConnectError> {
        let Some(key) = &self.key else { return Ok(None) };
        let mut value = HeaderValue::try_from(format!("{prefix}{}", key.reveal()))
            .map_err(|_| ConnectError::BadKey { provider: self.provider.clone() })?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    /// Everything about a request that does not change from call to call.
    pub(crate) fn line(self, path: &str, mut headers: HeaderMap) -> Arc<Line> {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let mut url = self.base_url.clone();
        url.set_path(&format!("{}/{path}", url.path().trim_end_matches('/')));
        Arc::new(Line { endpoint: self, url, headers })
    }
}

/// An open line to a model.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) endpoint: Endpoint,
    url: Url,
    headers: HeaderMap,
}

/// Turns the events of one stream into pieces of an answer.
pub(crate) trait Assemble: Send + 'static {
    /// Reads one event; what it gives is appended to `ready`, at last [`Delta::Done`].
    fn take(&mut self, data: &str, ready: &mut VecDeque<Delta>) -> Result<Progress, ModelError>;
}

/// Whether more events are to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    More,
    Whole,
}

impl Line {
    /// The whole body of the answer.
    pub(crate) async fn whole(&self, body: Vec<u8>) -> Result<Vec<u8>, ModelError> {
        let deadline = Instant::now() + self.endpoint.limits.whole;
        let mut response = self.send(body, deadline).await?;
        self.read(&mut response, deadline).await
    }

    /// The answer as it is made.
    pub(crate) async fn streamed(
        self: &Arc<Self>,
        body: Vec<u8>,
        assembler: impl Assemble,
    ) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let deadline = Instant::now() + self.endpoint.limits.whole;
        let response = self.send(body, deadline).await?;
        let reading = Reading {
            line: Arc::clone(self),
            response,
            deadline,
            events: Events::default(),
            assembler,
            ready: VecDeque::new(),
            progress: Progress::More,
            received: 0,
        };
        Ok(try_unfold(reading, Reading::next).boxed())
    }

    async fn send(&self, body: Vec<u8>, deadline: Instant) -> Result<Response, ModelError> {
        let speaker = self.endpoint.speaker();
        let request = self.endpoint.http.post(self.url.clone()).headers(self.headers.clone()).body(body);
        let mut response = match timeout_at(deadline, request.send()).await {
            Err(_) => return Err(speaker.timed_out(self.endpoint.limits.whole)),
            Ok(Err(error)) => return Err(speaker.unavailable(causes(error))),
            Ok(Ok(response)) => response,
        };
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        // The status decides; words that do not arrive are not worth another error.
        let words = self.read(&mut response, deadline).await.unwrap_or_default();
        Err(speaker.refusal(status.as_u16(), response.headers(), &words))
    }

    async fn read(&self, response: &mut Response, deadline: Instant) -> Result<Vec<u8>, ModelError> {
        let announced = response.content_length().unwrap_or(0).min(1 << 20);
        let mut body = Vec::with_capacity(announced as usize);
        while let Some(piece) = self.piece(response, deadline).await? {
            if body.len() + piece.len() > LONGEST_ANSWER {
                return Err(self.endpoint.speaker().garbled("longer than 32 MiB"));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    async fn piece(
        &self,
        response: &mut Response,
        deadline: Instant,
    ) -> Result<Option<impl std::ops::Deref<Target = [u8]> + use<>>, ModelError> {
        let speaker = self.endpoint.speaker();
        let silent = Instant::now() + self.endpoint.limits.silence;
        match timeout_at(silent.min(deadline), response.chunk()).await {
            Ok(Ok(piece)) => Ok(piece),
            Ok(Err(error)) => Err(speaker.garbled(causes(error))),
            Err(_) if silent < deadline => Err(speaker.timed_out(self.endpoint.limits.silence)),
            Err(_) => Err(speaker.timed_out(self.endpoint.limits.whole)),
        }
    }
}

struct Reading<A> {
    line: Arc<Line>,
    response: Response,
    deadline: Instant,
    events: Events,
    assembler: A,
    ready: VecDeque<Delta>,
    progress: Progress,
    received: usize,
}

impl<A: Assemble> Reading<A> {
    async fn next(mut self) -> Result<Option<(Delta, Self)>, ModelError> {
        let line = Arc::clone(&self.line);
        let speaker = line.endpoint.speaker();
        loop {
            if let Some(delta) = self.ready.pop_front() {
                return Ok(Some((delta, self)));
            }
            if self.progress == Progress::Whole {
                return Ok(None);
            }
            if let Some(data) = self.events.next().map_err(|_| speaker.garbled("stream is not text"))? {
                self.progress = self.assembler.take(&data, &mut self.ready)?;
                if self.progress == Progress::Whole {
                    // Reading the end of the body, which is usually here already, lets the connection be used again.
                    let _ = timeout(LAST_BYTES, self.response.chunk()).await;
                }
                continue;
            }
            let Some(piece) = line.piece(&mut self.response, self.deadline).await? else {
                return Err(speaker.garbled("stream ended before the answer did"));
            };
            self.received += piece.len();
            if self.received > LONGEST_ANSWER {
                return Err(speaker.garbled("longer than 32 MiB"));
            }
            self.events.push(&piece);
        }
    }
}

/// The raw text of arguments as an object; what is none stays text.
pub(crate) fn arguments(raw: &str) -> Value {
    match serde_json::from_str(raw) {
        Ok(object @ Value::Object(_)) => object,
        Ok(Value::Null) => Value::Object(serde_json::Map::new()),
        Err(_) if raw.trim().is_empty() => Value::Object(serde_json::Map::new()),
        Ok(_) | Err(_) => Value::String(raw.to_owned()),
    }
}

/// Arguments that some write as a string of JSON, others as JSON.
pub(crate) fn raw_arguments(raw: &RawValue) -> Value {
    match raw.get().as_bytes().first() {
        Some(b'"') => arguments(&serde_json::from_str::<String>(raw.get()).unwrap_or_default()),
        _ => arguments(raw.get()),
    }
}

/// The tokens of one call and what they cost.
pub(crate) fn usage(price: &Price, input_tokens: u64, output_tokens: u64) -> Usage {
    Usage { input_tokens, output_tokens, cost: price.of(input_tokens, output_tokens) }
}

/// An answer that says something, or an error: models that stop without a word have not answered.
pub(crate) fn reply(
    speaker: Speaker<'_>,
    text: String,
    calls: Vec<ToolCall>,
    stop: Stop,
    usage: Usage,
) -> Result<Reply, ModelError> {
    let stop = match stop {
        // Some say "stop" and call nevertheless, some say "tools" and call none.
        Stop::End | Stop::Tools if calls.is_empty() => Stop::End,
        Stop::End | Stop::Tools => Stop::Tools,
        Stop::Length | Stop::Filtered => stop,
    };
    if text.is_empty() && stop == Stop::End {
        return Err(speaker.garbled("empty answer"));
    }
    Ok(Reply { text, calls, stop, usage })
}
