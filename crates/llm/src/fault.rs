//! What a provider's failure means to whoever asked: which of the [`ModelError`]s it is, in whose words.

use std::error::Error;
use std::time::Duration;

use domain::chat::ModelError;
use jiff::Timestamp;
use reqwest::header::HeaderMap;
use serde::Deserialize;

use crate::connect::ApiKey;

/// How much of a provider's own words is kept.
const WORDS: usize = 300;

/// Who is spoken to, and the secret their words must not repeat.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Speaker<'a> {
    pub(crate) name: &'a str,
    pub(crate) key: Option<&'a ApiKey>,
}

impl Speaker<'_> {
    /// What arrived is not a whole answer.
    pub(crate) fn garbled(&self, detail: impl Into<String>) -> ModelError {
        ModelError::Garbled { model: self.name.to_owned(), detail: self.decent(detail.into()) }
    }

    /// Nothing usable arrived at all.
    pub(crate) fn unavailable(&self, detail: impl Into<String>) -> ModelError {
        ModelError::Unavailable { model: self.name.to_owned(), detail: self.decent(detail.into()) }
    }

    /// Asking again would not help.
    pub(crate) fn refused(&self, detail: impl Into<String>) -> ModelError {
        ModelError::Refused { model: self.name.to_owned(), detail: self.decent(detail.into()) }
    }

    /// The silence was too long.
    pub(crate) fn timed_out(&self, after: Duration) -> ModelError {
        ModelError::TimedOut { model: self.name.to_owned(), after }
    }

    /// An answer that is an error by its status.
    pub(crate) fn refusal(&self, status: u16, headers: &HeaderMap, body: &[u8]) -> ModelError {
        let words = Words::of(body);
        self.judged(status, words, retry_after(headers, Timestamp::now()))
    }

    /// An error that came inside an answer whose status promised none.
    pub(crate) fn complaint(&self, complaint: Complaint<'_>) -> ModelError {
        let words = Words { kind: complaint.kind(), text: complaint.message.unwrap_or_default().into_owned() };
        let status = match (complaint.code, words.kind.as_str()) {
            (Some(Code::Number(status)), _) => status,
            (_, "rate_limit_error" | "rate_limit_exceeded") => 429,
            (_, "overloaded_error") => 529,
            (_, "invalid_request_error" | "authentication_error" | "permission_error" | "not_found_error") => 400,
            (_, "request_too_large") => 413,
            _ => 500,
        };
        self.judged(status, words, None)
    }

    fn judged(&self, status: u16, words: Words, retry_after: Option<Duration>) -> ModelError {
        let model = self.name.to_owned();
        let detail = || self.decent(if words.text.is_empty() { format!("HTTP {status}") } else { words.text.clone() });
        match status {
            413 => ModelError::TooLong { model },
            400 | 422 if words.mean_too_long() => ModelError::TooLong { model },
            // An exhausted account says "too many requests", but waiting does not fill it.
            429 if words.kind == "insufficient_quota" => ModelError::Refused { model, detail: detail() },
            429 | 529 => ModelError::Busy { model, retry_after },
            408 | 425 | 500.. => ModelError::Unavailable { model, detail: detail() },
            300..400 => self.refused(format!("HTTP {status}, a redirect: check the base URL")),
            _ => ModelError::Refused { model, detail: detail() },
        }
    }

    /// Short, on one line, and without the key.
    fn decent(&self, words: String) -> String {
        let words = match self.key.map(ApiKey::reveal) {
            Some(key) if key.len() >= 4 => words.replace(key, "…"),
            _ => words,
        };
        let mut line = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = line.char_indices().nth(WORDS) {
            line.truncate(end);
            line.push('…');
        }
        line
    }
}

/// The innermost causes of a failed transfer, without the address it was for.
pub(crate) fn causes(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}

/// An error object, as all providers more or less agree on it.
#[derive(Debug, Deserialize)]
pub(crate) struct Complaint<'a> {
    #[serde(borrow, default)]
    message: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default)]
    r#type: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default)]
    code: Option<Code<'a>>,
}

impl Complaint<'_> {
    fn kind(&self) -> String {
        match (&self.code, &self.r#type) {
            (Some(Code::Word(code)), _) => code.to_string(),
            (_, Some(kind)) => kind.to_string(),
            _ => String::new(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Code<'a> {
    Number(u16),
    #[serde(borrow)]
    Word(std::borrow::Cow<'a, str>),
    Other(serde::de::IgnoredAny),
}

struct Words {
    kind: String,
    text: String,
}

impl Words {
    fn of(body: &[u8]) -> Self {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Body<'a> {
            Object {
                #[serde(borrow)]
                error: Complaint<'a>,
            },
            Sentence {
                #[serde(alias = "message", alias = "detail")]
                error: String,
            },
            List(Vec<Body<'a>>),
        }
        fn read(body: Body<'_>) -> Option<Words> {
            match body {
                Body::Object { error } => {
                    Some(Words { kind: error.kind(), text: error.message.unwrap_or_default().into_owned() })
                }
                Body::Sentence { error } => Some(Words { kind: String::new(), text: error }),
                Body::List(list) => list.into_iter().next().and_then(read),
            }
        }
        serde_json::from_slice(body).ok().and_then(read).unwrap_or_else(|| {
            let text = String::from_utf8_lossy(body);
            // A page for people says nothing that its status does not say better.
            let text = if text.trim_start().starts_with('<') { String::new() } else { text.into_owned() };
            Words { kind: String::new(), text }
        })
    }

    fn mean_too_long(&self) -> bool {
        const SIGNS: [&str; 9] = [
            "context length",
            "context window",
            "maximum context",
            "context size",
            "prompt is too long",
            "input is too long",
            "too many tokens",
            "input token count",
            "reduce the length",
        ];
        let text = self.text.to_lowercase();
        self.kind == "context_length_exceeded" || SIGNS.iter().any(|sign| text.contains(sign))
    }
}

/// How long to wait: `retry-after-ms`, or `retry-after` in seconds or as a date.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let seconds = |number: &str, unit: f64| {
        number.parse::<f64>().ok().and_then(|number| Duration::try_from_secs_f64(number * unit).ok())
    };
    if let Some(wait) = text("retry-after-ms").and_then(|number| seconds(number, 0.001)) {
        return Some(wait);
    }
    let value = text("retry-after")?;
    seconds(value, 1.0).or_else(|| {
        let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
        Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waited(name: &'static str, value: &'static str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(name, reqwest::header::HeaderValue::from_static(value));
        let now: Timestamp = "2026-11-15T06:00:00Z".parse().expect("timestamp");
        retry_after(&headers, now)
    }

    #[test]
    fn a_wait_may_be_given_in_seconds_milliseconds_or_as_a_date() {
        assert_eq!(waited("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(waited("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        assert_eq!(waited("retry-after", "Sun, 15 Nov 2026 06:01:00 GMT"), Some(Duration::from_secs(60)));
        assert_eq!(waited("retry-after", "Sun, 15 Nov 2026 05:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(waited("retry-after", "soon"), None);
    }
}
