//! Who takes part in a race: a receiver that remembers everything, a model that always has another idea, and processes
//! that die.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use async_trait::async_trait;
use domain::chat::{Ask, ChatModel, Delta, Message, ModelError, Reply, Stop, ToolCall, Usage};
use domain::id::RunId;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use futures::StreamExt;
use futures::stream::BoxStream;
use serde_json::{Value, json};

use super::audit::Deed;

/// What the world remembers, whoever dies.
#[derive(Default)]
pub(super) struct Deeds(Mutex<HashMap<RunId, Vec<Deed>>>);

impl Deeds {
    fn note(&self, run: RunId, deed: Deed) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(run).or_default().push(deed);
    }

    /// Everything that was done for a run.
    pub(super) fn of(&self, run: RunId) -> Vec<Deed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&run).cloned().unwrap_or_default()
    }
}

/// A write that must not be repeated, and that takes effect at once.
pub(super) struct Receiver {
    spec: ToolSpec,
    deeds: Arc<Deeds>,
}

impl Receiver {
    /// One that notes what it is told.
    pub(super) fn noting(deeds: Arc<Deeds>) -> Arc<dyn Tool> {
        let spec = ToolSpec {
            name: "door.write".parse().expect("a tool name"),
            description: "Writes on the door.".into(),
            parameters: json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"],
                "additionalProperties": false}),
            returns: None,
            effect: Effect::Write { reversible: false, repeat: Repeat::Never, external: false, targets: Vec::new() },
            timeout: None,
        };
        Arc::new(Self { spec, deeds })
    }
}

#[async_trait]
impl Tool for Receiver {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let step = call.step.as_ref().map(ToString::to_string).unwrap_or_default();
        self.deeds.note(call.run, (step, arguments.clone()));
        // Whoever called may die before they hear of it.
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        Ok(arguments.clone())
    }
}

/// A model that plans anew when it is asked to, never the same twice, and whose agents write once.
#[derive(Default)]
pub(super) struct Ideas(AtomicU64);

impl Ideas {
    fn answer(&self, ask: &Ask) -> Reply {
        let nth = self.0.fetch_add(1, Ordering::Relaxed);
        let reply = |text: String, calls: Vec<ToolCall>| {
            let stop = if calls.is_empty() { Stop::End } else { Stop::Tools };
            Reply { text, calls, stop, usage: Usage::default() }
        };
        let writes = ask.tools.iter().any(|tool| tool.name == "door__write");
        let told = matches!(ask.messages.last(), Some(Message::Tool { .. }));
        if writes && !told {
            let arguments = json!({"text": format!("idea {nth}")});
            return reply(String::new(), vec![ToolCall { id: "1".into(), name: "door__write".into(), arguments }]);
        }
        if writes || !ask.tools.is_empty() {
            return reply("done".into(), Vec::new());
        }
        let plan = super::plan(&format!("idea {nth}"), &format!("another {nth}"));
        let agent = json!({"plan": plan, "system_prompt": "You write.", "tool_names": ["door.write"]});
        reply(agent.to_string(), Vec::new())
    }
}

#[async_trait]
impl ChatModel for Ideas {
    fn name(&self) -> &str {
        "bench:ideas"
    }

    async fn reply(&self, ask: &Ask) -> Result<Reply, ModelError> {
        Ok(self.answer(ask))
    }

    async fn stream(&self, ask: &Ask) -> Result<BoxStream<'static, Result<Delta, ModelError>>, ModelError> {
        let reply = self.reply(ask).await?;
        Ok(futures::stream::iter([Ok(Delta::Done(reply))]).boxed())
    }
}

/// Work that ends when its process does, after so many moments.
pub(super) struct Mortal<F> {
    inner: Pin<Box<F>>,
    moments: u64,
}

impl<F> Mortal<F> {
    /// Lives so long.
    pub(super) fn new(inner: F, moments: u64) -> Self {
        Self { inner: Box::pin(inner), moments }
    }
}

impl<F: Future> Future for Mortal<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if self.moments == 0 {
            return Poll::Ready(None);
        }
        self.moments -= 1;
        self.inner.as_mut().poll(context).map(Some)
    }
}
