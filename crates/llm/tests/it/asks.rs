//! What is asked in these tests, and of whom.

use std::sync::Arc;
use std::time::Duration;

use domain::chat::{AnswerSchema, Ask, Callable, ChatModel, Delta, Message, ModelError, Reply, Stop, ToolCall, Usage};
use domain::money::Price;
use futures::StreamExt;
use llm::{ApiKey, Http, ModelConfig};
use serde_json::json;

use crate::server::Server;

pub(crate) const KEY: &str = "sk-secret-1234";

/// A model of that name at our server, with short limits.
pub(crate) fn model(server: &Server, name: &str) -> Arc<dyn ChatModel> {
    connected(server, name, Duration::from_secs(5), Duration::from_secs(2))
}

/// The same with limits of its own.
pub(crate) fn connected(server: &Server, name: &str, timeout: Duration, idle: Duration) -> Arc<dyn ChatModel> {
    let config = ModelConfig {
        base_url: Some(server.url.clone()),
        api_key: Some(ApiKey::new(KEY)),
        timeout,
        idle_timeout: idle,
        price: Price { input: 1.0, output: 10.0 },
        ..ModelConfig::new(name.parse().expect("a model name"))
    };
    llm::connect(&config, &Http::new().expect("a client")).expect("a model")
}

pub(crate) fn hello() -> Ask {
    Ask { messages: vec![Message::User { text: "Hello".to_owned() }], ..Ask::default() }
}

/// An ask with everything in it.
pub(crate) fn everything() -> Ask {
    Ask {
        messages: vec![
            Message::System { text: "Be brief.".to_owned() },
            Message::User { text: "Weather in Rome and Oslo?".to_owned() },
            Message::Assistant { text: String::new(), calls: vec![weather("c1", "Rome"), weather("c2", "Oslo")] },
            Message::Tool { call: "c1".to_owned(), name: "weather".to_owned(), text: "sunny".to_owned() },
            Message::Tool { call: "c2".to_owned(), name: "weather".to_owned(), text: "rain".to_owned() },
            Message::User { text: "And \"tomorrow\"?".to_owned() },
        ],
        tools: vec![tool()],
        must_call: false,
        schema: None,
        temperature: Some(0.5),
        max_tokens: Some(100),
    }
}

/// An ask for an answer of a form.
pub(crate) fn formed() -> Ask {
    let schema = json!({
        "type": "object", "properties": {"mood": {"type": "string"}},
        "required": ["mood"], "additionalProperties": false,
    });
    Ask { schema: Some(AnswerSchema { name: "mood".to_owned(), schema }), ..hello() }
}

pub(crate) fn tool() -> Callable {
    Callable {
        name: "weather".to_owned(),
        description: "Tells the weather.".to_owned(),
        parameters: json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}),
    }
}

pub(crate) fn weather(id: &str, city: &str) -> ToolCall {
    ToolCall { id: id.to_owned(), name: "weather".to_owned(), arguments: json!({"city": city}) }
}

pub(crate) fn said(text: &str) -> Reply {
    Reply { text: text.to_owned(), calls: Vec::new(), stop: Stop::End, usage: Usage::default() }
}

pub(crate) fn unavailable() -> ModelError {
    ModelError::Unavailable { model: "m".to_owned(), detail: "down".to_owned() }
}

/// The texts of a stream and how it ended; `None` where it just stopped.
pub(crate) async fn streamed(model: &dyn ChatModel, ask: &Ask) -> (Vec<String>, Option<Result<Reply, ModelError>>) {
    let mut stream = match model.stream(ask).await {
        Ok(stream) => stream,
        Err(error) => return (Vec::new(), Some(Err(error))),
    };
    let mut texts = Vec::new();
    while let Some(item) = stream.next().await {
        match item {
            Ok(Delta::Text(text)) => texts.push(text),
            Ok(Delta::Done(reply)) => {
                assert!(stream.next().await.is_none(), "nothing comes after the end");
                return (texts, Some(Ok(reply)));
            }
            Err(error) => return (texts, Some(Err(error))),
        }
    }
    (texts, None)
}

/// The kind of an error, which is what callers act upon.
pub(crate) fn kind(error: &ModelError) -> &'static str {
    match error {
        ModelError::Busy { .. } => "busy",
        ModelError::Unavailable { .. } => "unavailable",
        ModelError::TimedOut { .. } => "timed out",
        ModelError::Garbled { .. } => "garbled",
        ModelError::TooLong { .. } => "too long",
        ModelError::Refused { .. } => "refused",
        ModelError::OverBudget { .. } => "over budget",
        ModelError::NoModel => "no model",
    }
}
