//! One answer of a script, and the asks it is for.

use std::time::Duration;

use domain::chat::{Ask, Message, ModelError, Reply, Stop, ToolCall, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One answer of a script. The form is in the documentation of [`crate::Scripted`]'s module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The asks it is for; without this it is the next in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// What is said.
    #[serde(default)]
    pub text: String,
    /// What is called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ScriptedCall>,
    /// What goes wrong instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ScriptedError>,
    /// How long it takes.
    #[serde(default)]
    pub millis: u64,
    /// Why it ended, if not because everything was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<Stop>,
    /// What it cost.
    #[serde(default)]
    pub usage: Usage,
}

/// Which asks a step answers: all that is given must be found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// In the last message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contains: Option<String>,
    /// In any message, instructions included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anywhere: Option<String>,
}

/// A call in a script; its id is made up where none is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The handle its result is given under.
    #[serde(default)]
    pub id: Option<String>,
    /// The tool, by its wire name.
    pub name: String,
    /// An object; empty where it is absent.
    #[serde(default = "nothing")]
    pub arguments: Value,
}

fn nothing() -> Value {
    Value::Object(serde_json::Map::new())
}

/// An error in a script: a kind, perhaps with words of its own, or an error as a program made it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ScriptedError(ErrorForm);

#[derive(Debug, Clone, PartialEq)]
enum ErrorForm {
    Made(ModelError),
    Kind { kind: Kind, words: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Busy,
    Unavailable,
    TimedOut,
    Garbled,
    TooLong,
    Refused,
}

impl TryFrom<String> for ScriptedError {
    type Error = serde::de::value::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        use serde::de::IntoDeserializer;
        let (kind, words) = text.split_once(':').unwrap_or((&text, "as the script says"));
        let kind = Kind::deserialize(kind.trim().into_deserializer())?;
        Ok(Self(ErrorForm::Kind { kind, words: words.trim().to_owned() }))
    }
}

impl From<ModelError> for ScriptedError {
    fn from(error: ModelError) -> Self {
        Self(ErrorForm::Made(error))
    }
}

impl From<ScriptedError> for String {
    fn from(error: ScriptedError) -> Self {
        match error.0 {
            ErrorForm::Made(error) => error.to_string(),
            ErrorForm::Kind { kind, words } => {
                let kind = serde_json::to_value(kind).unwrap_or_default();
                format!("{}: {words}", kind.as_str().unwrap_or_default())
            }
        }
    }
}

impl ScriptedError {
    fn error(&self, model: &str, after: Duration) -> ModelError {
        let model = model.to_owned();
        match &self.0 {
            ErrorForm::Made(error) => error.clone(),
            ErrorForm::Kind { kind, words } => match (kind, words.clone()) {
                (Kind::Busy, _) => ModelError::Busy { model, retry_after: None },
                (Kind::Unavailable, detail) => ModelError::Unavailable { model, detail },
                (Kind::TimedOut, _) => ModelError::TimedOut { model, after },
                (Kind::Garbled, detail) => ModelError::Garbled { model, detail },
                (Kind::TooLong, _) => ModelError::TooLong { model },
                (Kind::Refused, detail) => ModelError::Refused { model, detail },
            },
        }
    }
}

impl From<Result<Reply, ModelError>> for Step {
    fn from(answer: Result<Reply, ModelError>) -> Self {
        match answer {
            Err(error) => Self { error: Some(error.into()), ..Self::default() },
            Ok(Reply { text, calls, stop, usage }) => {
                let calls = calls.into_iter().map(|ToolCall { id, name, arguments }| ScriptedCall {
                    id: Some(id),
                    name,
                    arguments,
                });
                Self { text, calls: calls.collect(), stop: Some(stop), usage, ..Self::default() }
            }
        }
    }
}

impl Step {
    /// How long the answer takes.
    pub(super) fn takes(&self) -> Duration {
        Duration::from_millis(self.millis)
    }

    /// What comes of it.
    pub(super) fn answer(self, model: &str) -> Result<Reply, ModelError> {
        if let Some(error) = &self.error {
            return Err(error.error(model, self.takes()));
        }
        let stop = self.stop.unwrap_or(if self.calls.is_empty() { Stop::End } else { Stop::Tools });
        let calls = self.calls.into_iter().enumerate().map(|(at, call)| ToolCall {
            id: call.id.unwrap_or_else(|| format!("call_{at}")),
            name: call.name,
            arguments: call.arguments,
        });
        Ok(Reply { text: self.text, calls: calls.collect(), stop, usage: self.usage })
    }
}

impl When {
    pub(super) fn fits(&self, ask: &Ask) -> bool {
        let last = ask.messages.last().map(text).unwrap_or_default();
        self.contains.as_ref().is_none_or(|words| last.contains(words.as_str()))
            && self
                .anywhere
                .as_ref()
                .is_none_or(|words| ask.messages.iter().any(|message| text(message).contains(words.as_str())))
    }
}

/// The words of a turn.
pub(super) fn text(message: &Message) -> &str {
    match message {
        Message::System { text }
        | Message::User { text }
        | Message::Assistant { text, .. }
        | Message::Tool { text, .. } => text,
    }
}
