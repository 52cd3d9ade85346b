//! What other agents say: words that begin a task, or what a task waits for.

use domain::approval::ApprovalId;
use domain::id::{RunId, SessionId};
use serde::Deserialize;
use serde_json::Value;

use super::rpc::Fault;
use crate::approvals::decide::Decide;
use crate::error::ApiError;
use crate::schema::Words;

/// A message and what is wished for with it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sent {
    message: Message,
    #[serde(default)]
    pub(super) configuration: Wishes,
}

/// How it is to be answered.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wishes {
    #[serde(default)]
    return_immediately: bool,
    /// As 0.3 asks for it.
    blocking: Option<bool>,
    pub(super) history_length: Option<u64>,
}

impl Wishes {
    /// Whether to wait until the task rests.
    pub(super) fn waits(&self) -> bool {
        !self.return_immediately && self.blocking != Some(false)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    #[serde(default)]
    context_id: String,
    #[serde(default)]
    task_id: String,
    parts: Vec<Part>,
}

/// A piece of a message: of all there can be, text and data are read.
#[derive(Debug, Deserialize)]
struct Part {
    text: Option<String>,
    data: Option<Value>,
}

/// What a message means.
pub(super) enum Meant {
    /// A new task, in a conversation or in none yet.
    Begin(Words, Option<SessionId>),
    /// What a task waits for, in words.
    Answer(RunId, Words),
    /// A decision about what a task proposes.
    Decide(RunId, Box<Decision>),
}

/// A decision, as `data` of a message.
#[derive(Debug, Deserialize)]
pub(super) struct Decision {
    pub(super) approval: ApprovalId,
    #[serde(flatten)]
    pub(super) decide: Decide,
}

impl Sent {
    /// What it means.
    pub(super) fn meant(self) -> Result<Meant, Fault> {
        let Message { context_id, task_id, parts } = self.message;
        let task = match task_id.as_str() {
            "" => None,
            id => Some(id.parse::<RunId>().map_err(|_| Fault::NoSuchTask(id.to_owned()))?),
        };
        let mut words = Vec::new();
        for part in parts {
            match (part, task) {
                (Part { text: Some(text), .. }, _) => words.push(text),
                (Part { data: Some(data), .. }, Some(run)) => {
                    let decision: Decision = serde_json::from_value(data).map_err(|error| wrong("data", &error))?;
                    return Ok(Meant::Decide(run, Box::new(decision)));
                }
                _ => return Err(Fault::OtherContent),
            }
        }
        let words = Words::try_from(words.join("\n")).map_err(|error| wrong("parts", &error))?;
        match task {
            Some(run) => Ok(Meant::Answer(run, words)),
            None if context_id.is_empty() => Ok(Meant::Begin(words, None)),
            None => {
                let context = SessionId::try_from(context_id).map_err(|error| wrong("contextId", &error))?;
                Ok(Meant::Begin(words, Some(context)))
            }
        }
    }
}

fn wrong(param: &str, error: &dyn std::fmt::Display) -> Fault {
    Fault::Api(ApiError::invalid(param, format!("`{param}` is wrong: {error}")))
}
