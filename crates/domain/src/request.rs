//! What a person asks for, and the circumstances they ask in.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::budget::Budget;
use crate::chat::{AnswerSchema, Callable, Message};
use crate::id::SessionId;
use crate::plan::Strategy;
use crate::thought::Orchestration;

/// The longest request that is read, in characters.
pub const MAX_CHARS: usize = 32_000;

/// The words of a request: not empty, not too long, no control characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Text(String);

/// Why some words are not a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRequest {
    /// Say something.
    #[error("the request is empty")]
    Empty,
    /// Say it shorter, or put the long part in a file that a tool can read.
    #[error("the request has {chars} characters; at most {MAX_CHARS} are read")]
    TooLong {
        /// How long it is.
        chars: usize,
    },
    /// Remove the character.
    #[error("the request contains the control character U+{code:04X} at character {at}")]
    ControlCharacter {
        /// Which character.
        code: u32,
        /// Where, counted from 1.
        at: usize,
    },
}

impl Text {
    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Text {
    type Error = BadRequest;

    fn try_from(text: String) -> Result<Self, BadRequest> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Err(BadRequest::Empty);
        }
        let chars = trimmed.chars().count();
        if chars > MAX_CHARS {
            return Err(BadRequest::TooLong { chars });
        }
        let forbidden = |c: &(usize, char)| c.1.is_control() && !matches!(c.1, '\n' | '\t' | '\r');
        match trimmed.chars().enumerate().find(forbidden) {
            Some((at, c)) => Err(BadRequest::ControlCharacter { code: c.into(), at: at + 1 }),
            None if trimmed.len() == text.len() => Ok(Self(text)),
            None => Ok(Self(trimmed.to_owned())),
        }
    }
}

impl From<Text> for String {
    fn from(text: Text) -> String {
        text.0
    }
}

impl std::str::FromStr for Text {
    type Err = BadRequest;

    fn from_str(text: &str) -> Result<Self, BadRequest> {
        text.to_owned().try_into()
    }
}

/// A request with its circumstances, fixed when it is received.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The words.
    pub text: Text,
    /// When it was received.
    pub at: Timestamp,
    /// The person's time zone, by its IANA name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Where the person is, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The conversation it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    /// Who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// What was said before it, oldest first, where whoever asks tells that themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Message>,
    /// How it is to be carried out.
    #[serde(default)]
    pub wishes: Wishes,
}

/// What the caller fixes about how a request is carried out; the rest is configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Wishes {
    /// How agents are made from the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// How much stands between the request and its plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orchestration: Option<Orchestration>,
    /// What it may cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// A plan, as JSON, to be carried out as it is: no planner is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Value>,
    /// Whether a planner is asked, whatever the request looks like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planner: Option<Asked>,
    /// Functions that whoever asks carries out themselves: a model is asked directly, and its calls go back to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lent: Option<Box<Lent>>,
    /// Stop after planning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plan_only: bool,
    /// Undo and repair steps whose result fails their check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub validate: bool,
    /// Record what would be written to the world, but write nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry: bool,
}

/// When somebody is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Not even when there is no other way.
    Never,
    /// Even when there is another way.
    Always,
}

/// Functions that whoever asks carries out themselves, and how a model is to answer them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Lent {
    /// What the model may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Callable>,
    /// It must call one of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must_call: bool,
    /// What was called for this request so far, and what came of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub since: Vec<Message>,
    /// The form the answer must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<AnswerSchema>,
    /// How freely words are chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The longest answer that is paid for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> Result<Text, BadRequest> {
        words.parse()
    }

    #[test]
    fn what_is_not_a_request_says_why() {
        assert_eq!(text(" \n"), Err(BadRequest::Empty));
        assert_eq!(text(&"x".repeat(1_000_000)), Err(BadRequest::TooLong { chars: 1_000_000 }));
        assert_eq!(
            text("ring the \u{7}bell").map_err(|why| why.to_string()),
            Err("the request contains the control character U+0007 at character 10".into())
        );
    }

    #[test]
    fn lines_tabs_and_other_scripts_are_words() {
        for fine in ["two\nlines\tand a tab", "שלום", "日本語 🙂"] {
            assert_eq!(text(fine).expect("valid").as_str(), fine);
        }
        assert_eq!(text("  trimmed ").expect("valid").as_str(), "trimmed");
    }
}
