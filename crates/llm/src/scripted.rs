//! A model that says what a script tells it to: for tests, for demonstrations, and for trying out everything else
//! without a provider. In the configuration this is the model `scripted:PATH`.
//!
//! A script is a JSON array of steps, or a TOML file of `[[steps]]`:
//!
//! ```json
//! [
//!   { "when": { "contains": "weather" }, "calls": [{ "name": "weather", "arguments": { "city": "Rome" } }] },
//!   { "when": { "anywhere": "You are a planner" }, "text": "{\"steps\": []}" },
//!   { "text": "Hello." },
//!   { "error": "busy" },
//!   { "text": "Here I am again.", "millis": 200, "usage": { "input_tokens": 9, "output_tokens": 4, "cost": 0.01 } }
//! ]
//! ```
//!
//! A step with `when` answers every ask it fits: `contains` looks in the last message, `anywhere` in all of them, and
//! where both are given both must be found. An ask that fits none takes the next step without `when`; each of those
//! is used once. A step answers with `text`, with `calls`, with both, or with an `error`: `busy`, `unavailable`,
//! `timed_out`, `garbled`, `too_long` or `refused`, which may be followed by a colon and words. `millis` is how long
//! the answer takes, `usage` what it costs, `stop` (`length`, `filtered`) why it ended early.

mod step;

use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, ModelError, Reply};
use futures::stream::{self, BoxStream, StreamExt};

pub use step::{ScriptedCall, ScriptedError, Step, When};

/// Why a script cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum BadScript {
    /// Correct the path.
    #[error("`{path}` cannot be read")]
    Unreadable {
        /// Where it should be.
        path: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// Correct the script.
    #[error("script is not JSON of the right form")]
    Json(#[source] serde_json::Error),
    /// Correct the script.
    #[error("script is not TOML of the right form")]
    Toml(#[source] toml::de::Error),
}

/// A model that answers from a script, and remembers what it was asked.
#[derive(Debug)]
pub struct Scripted {
    name: String,
    rules: Vec<Step>,
    in_turn: Vec<Step>,
    told: Mutex<Told>,
    then: Option<Step>,
}

#[derive(Debug, Default)]
struct Told {
    in_turn: usize,
    asks: Vec<Ask>,
}

impl Scripted {
    /// Plays these steps.
    pub fn new(name: impl Into<String>, steps: impl IntoIterator<Item = Step>) -> Self {
        let (rules, in_turn) = steps.into_iter().partition(|step| step.when.is_some());
        Self { name: name.into(), rules, in_turn, told: Mutex::default(), then: None }
    }

    /// Gives these answers, one after the other.
    pub fn replies(answers: impl IntoIterator<Item = Result<Reply, ModelError>>) -> Self {
        Self::new("scripted:replies", answers.into_iter().map(Step::from))
    }

    /// Gives the same answer for ever.
    pub fn endless(reply: Reply) -> Self {
        Self { then: Some(Step::from(Ok(reply))), ..Self::new("scripted:endless", []) }
    }

    /// Reads a file, as TOML where its name ends in `.toml` and as JSON otherwise.
    pub fn from_path(path: &Path) -> Result<Self, BadScript> {
        let unreadable = |source| BadScript::Unreadable { path: path.display().to_string(), source };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let name = format!("scripted:{}", path.display());
        match path.extension().is_some_and(|extension| extension == "toml") {
            true => Self::from_toml(name, &text),
            false => Self::from_json(name, &text),
        }
    }

    /// Reads an array of steps.
    pub fn from_json(name: impl Into<String>, text: &str) -> Result<Self, BadScript> {
        Ok(Self::new(name, serde_json::from_str::<Vec<Step>>(text).map_err(BadScript::Json)?))
    }

    /// Reads `[[steps]]`.
    pub fn from_toml(name: impl Into<String>, text: &str) -> Result<Self, BadScript> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Script {
            steps: Vec<Step>,
        }
        Ok(Self::new(name, toml::from_str::<Script>(text).map_err(BadScript::Toml)?.steps))
    }

    /// How often it was asked.
    pub fn calls(&self) -> usize {
        self.told().asks.len()
    }

    /// What it was asked, oldest first.
    pub fn asks(&self) -> Vec<Ask> {
        self.told().asks.clone()
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn step(&self, ask: &Ask) -> Result<Step, ModelError> {
        let mut told = self.told();
        told.asks.push(ask.clone());
        if let Some(rule) = self.rules.iter().find(|rule| rule.when.as_ref().is_some_and(|when| when.fits(ask))) {
            return Ok(rule.clone());
        }
        let next = self.in_turn.get(told.in_turn).or(self.then.as_ref()).cloned();
        told.in_turn += 1;
        next.ok_or_else(|| {
            let last = ask.messages.last().map(step::text).unwrap_or_default();
            let begins: String = last.chars().take(80).collect();
            let (steps, rules) = (self.in_turn.len(), self.rules.len());
            let detail =
                format!("script ran out: its {steps} steps are used, none of its {rules} rules fits `{begins}`");
            ModelError::Refused { model: self.name.clone(), detail }
        })
    }
}

#[async_trait]
impl ChatModel for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let step = self.step(ask)?;
        if !step.takes().is_zero() {
            tokio::time::sleep(step.takes()).await;
        }
        step.answer(&self.name)
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        self.reply(ask).await.map(told)
    }
}

/// A whole answer, word by word.
pub(crate) fn told(reply: Reply) -> BoxStream<'static, Result<Delta, ModelError>> {
    let words: Vec<_> = reply.text.split_inclusive(' ').map(|word| Ok(Delta::Text(word.to_owned()))).collect();
    stream::iter(words.into_iter().chain([Ok(Delta::Done(reply))])).boxed()
}
