//! A model that plays every agent of a team by its own script. What it says depends on what it is asked and on nothing
//! else, so that it says the same to a process that takes the run up.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, Message, ModelError, Reply};
use futures::stream::BoxStream;
use serde_json::{Value, json};

use crate::world::calls;

type Part = Box<dyn Fn(usize, &Ask) -> Reply + Send + Sync>;

/// Everybody's parts, and what was asked so far.
#[derive(Default)]
pub(crate) struct Cast {
    parts: BTreeMap<String, Part>,
    others: Option<Reply>,
    asks: Mutex<Vec<(String, Ask)>>,
}

impl Cast {
    /// What the agent of a step says in its turns, counted from 0.
    pub(crate) fn plays(mut self, step: &str, part: impl Fn(usize, &Ask) -> Reply + Send + Sync + 'static) -> Self {
        self.parts.insert(format!("agent:{step}"), Box::new(part));
        self
    }

    /// What everybody says who has no part.
    pub(crate) fn others_say(mut self, reply: Reply) -> Self {
        self.others = Some(reply);
        self
    }

    /// What an agent was asked, oldest first.
    pub(crate) fn asks_of(&self, step: &str) -> Vec<Ask> {
        let asks = self.asks.lock().expect("lock");
        asks.iter().filter(|(name, _)| *name == format!("agent:{step}")).map(|(_, ask)| ask.clone()).collect()
    }

    /// Everything that was asked, with who was asked.
    pub(crate) fn asks(&self) -> Vec<(String, Ask)> {
        self.asks.lock().expect("lock").clone()
    }
}

#[async_trait]
impl ChatModel for Cast {
    fn name(&self) -> &str {
        "scripted:cast"
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let name = who(ask);
        self.asks.lock().expect("lock").push((name.clone(), ask.clone()));
        tokio::task::yield_now().await;
        let turn = ask.messages.iter().filter(|message| matches!(message, Message::Assistant { .. })).count();
        match (self.parts.get(&name), &self.others) {
            (Some(part), _) => Ok(part(turn, ask)),
            (None, Some(reply)) => Ok(reply.clone()),
            (None, None) => {
                Err(ModelError::Refused { model: self.name().into(), detail: format!("`{name}` has no part") })
            }
        }
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        Err(ModelError::Refused { model: self.name().into(), detail: format!("{} wants a stream", who(ask)) })
    }
}

fn who(ask: &Ask) -> String {
    let Some(Message::System { text }) = ask.messages.first() else { return String::new() };
    text.split_once("You are `").and_then(|(_, rest)| rest.split_once('`')).map_or("", |(name, _)| name).to_owned()
}

/// Everything that is said in a conversation, for looking something up in it.
pub(crate) fn aloud(ask: &Ask) -> String {
    ask.messages
        .iter()
        .map(|message| match message {
            Message::System { text } | Message::User { text } | Message::Tool { text, .. } => text.clone(),
            Message::Assistant { text, calls } => format!("{text} {}", serde_json::to_string(calls).expect("json")),
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// A turn in which one message is sent.
pub(crate) fn sends(to: &str, purpose: &str, text: &str) -> Reply {
    calls(&[message(to, purpose, text)])
}

/// A call that sends a message.
pub(crate) fn message(to: &str, purpose: &str, text: &str) -> (&'static str, Value) {
    ("send_message", json!({"to": to, "purpose": purpose, "text": text}))
}

/// A turn in which a reply is waited for.
pub(crate) fn waits() -> Reply {
    calls(&[("wait_for_reply", json!({}))])
}
