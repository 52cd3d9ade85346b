//! `genai`'s errors in ours.

use domain::chat::ModelError;
use genai::webc;

use crate::fault::{Speaker, causes};

/// What went wrong, to whoever asked.
pub(super) fn judged(speaker: Speaker<'_>, error: genai::Error) -> ModelError {
    match error {
        genai::Error::HttpError { status, body, headers, .. } => {
            speaker.refusal(status.as_u16(), &headers, body.as_bytes())
        }
        genai::Error::WebModelCall { webc_error, .. } | genai::Error::WebAdapterCall { webc_error, .. } => {
            web(speaker, webc_error)
        }
        genai::Error::WebStream { error, cause, .. } => match error.downcast::<genai::Error>() {
            Ok(error) => judged(speaker, *error),
            Err(error) => match error.downcast::<reqwest::Error>() {
                Ok(error) => transfer(speaker, *error),
                Err(_) => speaker.garbled(cause),
            },
        },
        genai::Error::ChatResponse { body, .. } => complaint(speaker, &body),
        genai::Error::ChatResponseGeneration { cause, .. } => speaker.garbled(cause),
        genai::Error::StreamParse { serde_error, .. } => speaker.garbled(serde_error.to_string()),
        error @ (genai::Error::NoChatResponse { .. }
        | genai::Error::InvalidJsonResponseElement { .. }
        | genai::Error::JsonValueExt(_)
        | genai::Error::SerdeJson(_)) => speaker.garbled(error.to_string()),
        other => speaker.refused(other.to_string()),
    }
}

fn web(speaker: Speaker<'_>, error: webc::Error) -> ModelError {
    match error {
        webc::Error::ResponseFailedStatus { status, body, headers } => {
            speaker.refusal(status.as_u16(), &headers, body.as_bytes())
        }
        webc::Error::ResponseFailedNotJson { content_type, .. } => {
            speaker.garbled(format!("answer is `{content_type}`, not JSON"))
        }
        webc::Error::ResponseFailedInvalidJson { cause, .. } => speaker.garbled(format!("not JSON: {cause}")),
        webc::Error::JsonValueExt(error) => speaker.garbled(error.to_string()),
        webc::Error::Reqwest(error) => transfer(speaker, error),
    }
}

fn transfer(speaker: Speaker<'_>, error: reqwest::Error) -> ModelError {
    if error.is_body() || error.is_decode() {
        speaker.garbled(causes(error))
    } else {
        speaker.unavailable(causes(error))
    }
}

fn complaint(speaker: Speaker<'_>, body: &serde_json::Value) -> ModelError {
    match body.get("error").map(ToString::to_string) {
        Some(error) => match serde_json::from_str(&error) {
            Ok(complaint) => speaker.complaint(complaint),
            Err(_) => speaker.unavailable(error),
        },
        None => speaker.garbled(body.to_string()),
    }
}
