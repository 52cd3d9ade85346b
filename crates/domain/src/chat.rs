//! The seam to language models: what is asked, what comes back, and what can go wrong.
//!
//! Retrying, metering, limiting and recording are wrappers that implement [`ChatModel`] themselves.

use std::time::Duration;

use async_trait::async_trait;
use futures::stream::BoxStream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::money::Usd;

/// Something that continues a conversation.
#[async_trait]
pub trait ChatModel: Send + Sync {
    /// `provider:model`, as it stands in the configuration and in the ledger.
    fn name(&self) -> &str;

    /// The whole answer. Dropping the future abandons the call.
    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError>;

    /// The answer as it is made. The last item of a whole answer is [`Delta::Done`]; a stream that ends without it was cut.
    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError>;
}

/// How able a model a component needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Small and quick.
    Weak,
    /// What most work is done with.
    #[default]
    Default,
    /// The best there is.
    Strong,
}

/// Everything a model is told and allowed for one answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// What the model may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Callable>,
    /// It must call one of them before it answers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must_call: bool,
    /// The form the answer must have, where the provider can be held to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<AnswerSchema>,
    /// How freely words are chosen; the provider's own default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The longest answer that is paid for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum Message {
    /// What the model is and must do.
    System {
        /// The instruction.
        text: String,
    },
    /// What a person, or we on a person's behalf, said.
    User {
        /// The words.
        text: String,
    },
    /// What the model said.
    Assistant {
        /// The words, possibly none.
        text: String,
        /// The tools it asked for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
    },
    /// What a tool answered.
    Tool {
        /// The [`ToolCall::id`] this answers.
        call: String,
        /// The tool, by its wire name.
        name: String,
        /// What the model gets to read.
        text: String,
    },
}

impl Message {
    /// How many characters of text the turn carries, arguments included.
    pub fn chars(&self) -> usize {
        match self {
            Message::System { text } | Message::User { text } | Message::Tool { text, .. } => text.len(),
            Message::Assistant { text, calls } => {
                text.len() + calls.iter().map(|call| call.name.len() + call.arguments.to_string().len()).sum::<usize>()
            }
        }
    }
}

/// A function as model providers describe them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Callable {
    /// Letters, digits, `_` and `-` only.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON schema of an object.
    pub parameters: Value,
}

/// The form of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerSchema {
    /// What the form is called; some providers want a name.
    pub name: String,
    /// JSON schema of the answer.
    pub schema: Value,
}

/// A model's wish to have a tool called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's handle, to be repeated with the answer.
    pub id: String,
    /// The wire name.
    pub name: String,
    /// An object, or the raw text as a string where the model wrote no valid JSON.
    pub arguments: Value,
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The words, possibly none.
    pub text: String,
    /// The tools to be called before the conversation can go on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// Why the model stopped.
    pub stop: Stop,
    /// What it cost.
    pub usage: Usage,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It had said everything.
    End,
    /// It waits for tools.
    Tools,
    /// It ran into `max_tokens`: the text is not whole.
    Length,
    /// The provider withheld the rest.
    Filtered,
}

/// Tokens and money of one call, or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// What the provider charges, by the prices in the configuration.
    pub cost: Usd,
}

impl Usage {
    /// Tokens read and written.
    pub fn tokens(&self) -> u64 {
        self.input_tokens + self.output_tokens
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.cost += other.cost;
    }
}

/// A piece of an answer under way.
#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    /// More words.
    Text(String),
    /// The answer is whole, and this is all of it.
    Done(Reply),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "error", rename_all = "snake_case")]
pub enum ModelError {
    /// Ask again later.
    #[error("{model} is over its rate limit")]
    Busy {
        /// Who refused.
        model: String,
        /// How long the provider wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// Ask again; if it goes on, ask somebody else.
    #[error("{model} cannot be reached or is failing: {detail}")]
    Unavailable {
        /// Who failed.
        model: String,
        /// What was seen.
        detail: String,
    },
    /// Ask again, or allow more time.
    #[error("{model} did not answer within {after:?}")]
    TimedOut {
        /// Who was silent.
        model: String,
        /// For how long.
        after: Duration,
    },
    /// Ask again: what arrived was cut off or not what the protocol allows.
    #[error("the answer of {model} is not whole: {detail}")]
    Garbled {
        /// Who sent it.
        model: String,
        /// What is wrong with it.
        detail: String,
    },
    /// Ask for less.
    #[error("request is too long for {model}")]
    TooLong {
        /// Whose limit it is.
        model: String,
    },
    /// Change the configuration: key, model name or request.
    #[error("{model} refused the request: {detail}")]
    Refused {
        /// Who refused.
        model: String,
        /// Its words.
        detail: String,
    },
    /// Stop, or ask a person for more.
    #[error("the budget does not allow another call of {model}: {detail}")]
    OverBudget {
        /// Who would have been called.
        model: String,
        /// Which limit, and how far it is used.
        detail: String,
    },
    /// Configure one, or ask for something that needs none.
    #[error("no model is configured")]
    NoModel,
}

impl ModelError {
    /// Whether the same question may well be answered a little later.
    pub fn is_passing(&self) -> bool {
        match self {
            ModelError::Busy { .. }
            | ModelError::Unavailable { .. }
            | ModelError::TimedOut { .. }
            | ModelError::Garbled { .. } => true,
            ModelError::TooLong { .. }
            | ModelError::Refused { .. }
            | ModelError::OverBudget { .. }
            | ModelError::NoModel => false,
        }
    }
}
