//! What came back, and what that says about whether a write happened.

use std::error::Error as _;
use std::time::Duration;

use domain::tool::{ToolError, ToolSpec};
use reqwest::header::{CONTENT_TYPE, LOCATION, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::Value;

use crate::errors;
use crate::words::{capped, size};

/// The most of a refusal that goes into an error, in characters.
const REFUSAL: usize = 500;

/// A status and as much of the body as was wanted.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    json: bool,
    body: Vec<u8>,
    whole: bool,
    note: String,
}

/// Whether whoever was sent something says that they have it. What else they say does not matter.
pub(crate) async fn accepted(spec: &ToolSpec, patience: Duration, response: Response) -> Result<(), ToolError> {
    if response.status().is_success() {
        return Ok(());
    }
    Err(read(spec, patience, response, 4 << 10).await?.refusal(spec))
}

/// Reads an answer up to `cap` bytes.
pub(super) async fn read(
    spec: &ToolSpec,
    patience: Duration,
    response: Response,
    cap: usize,
) -> Result<Answer, ToolError> {
    collect(response, cap).await.map_err(|error| match error.is_timeout() {
        true => errors::timed_out(spec, patience),
        false => errors::lost(spec, format!("the answer broke off: {}", cause(&error))),
    })
}

async fn collect(mut response: Response, cap: usize) -> Result<Answer, reqwest::Error> {
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let kind = header(CONTENT_TYPE).unwrap_or_default();
    let note = match (header(LOCATION), header(RETRY_AFTER)) {
        (Some(location), _) if response.status().is_redirection() => {
            format!(", a redirect to `{}` that is not followed", capped(&location, 100))
        }
        (_, Some(seconds)) => format!(", to be tried again after `{}`", capped(&seconds, 40)),
        _ => String::new(),
    };
    let mut answer = Answer {
        status: response.status(),
        json: kind.split(';').next().is_some_and(|kind| kind.trim().ends_with("json")),
        body: Vec::new(),
        whole: true,
        note,
    };
    while let Some(chunk) = response.chunk().await? {
        let room = cap - answer.body.len();
        answer.body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            answer.whole = false;
            break;
        }
    }
    Ok(answer)
}

impl Answer {
    /// The result a tool returns for it. A write that was answered with success has happened, however odd the answer.
    pub(super) fn into_result(self, spec: &ToolSpec, pointer: Option<&str>, cap: usize) -> Result<Value, ToolError> {
        if !self.status.is_success() {
            return Err(self.refusal(spec));
        }
        let text = String::from_utf8_lossy(&self.body).into_owned();
        match (self.parse(&text, pointer, cap), spec.effect.is_write()) {
            (Ok(value), _) => Ok(value),
            (Err(_), true) => Ok(Value::String(text)),
            (Err(detail), false) => Err(errors::failed(spec, detail)),
        }
    }

    fn parse(&self, text: &str, pointer: Option<&str>, cap: usize) -> Result<Value, String> {
        if !self.whole {
            return Err(format!("it answered more than {}", size(cap)));
        }
        if text.trim().is_empty() && pointer.is_none() {
            return Ok(Value::Null);
        }
        if !self.json && pointer.is_none() {
            return Ok(Value::String(text.to_owned()));
        }
        let value: Value = serde_json::from_str(text)
            .map_err(|error| format!("it answered something that is not JSON ({error}): {}", capped(text, 200)))?;
        match pointer {
            None => Ok(value),
            Some(pointer) => value
                .pointer(pointer)
                .cloned()
                .ok_or_else(|| format!("its answer has no `{pointer}`: {}", capped(text, 200))),
        }
    }

    fn refusal(&self, spec: &ToolSpec) -> ToolError {
        let status = self.status;
        let detail = self.words();
        let untouched = [
            StatusCode::REQUEST_TIMEOUT,
            StatusCode::TOO_EARLY,
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::NOT_IMPLEMENTED,
            StatusCode::SERVICE_UNAVAILABLE,
        ];
        if untouched.contains(&status) {
            errors::unavailable(spec, detail)
        } else if status.is_server_error() {
            // Whoever broke while working on a write may have broken after doing it.
            errors::lost(spec, detail)
        } else {
            errors::failed(spec, detail)
        }
    }

    /// The status and the beginning of the body.
    pub(super) fn words(&self) -> String {
        let body = String::from_utf8_lossy(&self.body);
        let body = body.trim();
        let colon = if body.is_empty() { "" } else { ": " };
        format!("it answered {}{}{colon}{}", self.status, self.note, capped(body, REFUSAL))
    }
}

/// What it means that no answer came: a request that never left has done nothing.
pub(crate) fn unsent(spec: &ToolSpec, patience: Duration, error: &reqwest::Error) -> ToolError {
    if error.is_connect() {
        errors::unavailable(spec, format!("no connection: {}", cause(error)))
    } else if error.is_builder() {
        errors::failed(spec, format!("the request cannot be made: {}", cause(error)))
    } else if error.is_timeout() {
        errors::timed_out(spec, patience)
    } else {
        errors::lost(spec, format!("no answer: {}", cause(error)))
    }
}

/// The innermost reason; the outer ones repeat the URL, which may hold secrets.
pub(crate) fn cause(error: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = match error.source() {
        Some(source) => source,
        None => return "the request broke".into(),
    };
    while let Some(source) = inner.source() {
        inner = source;
    }
    capped(&inner.to_string(), 200)
}
