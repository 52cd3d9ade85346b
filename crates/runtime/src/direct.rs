//! A model answers whoever asks, with their functions and without ours. What it wants called goes back to them, and they
//! come again with what came of it: each time is a run of its own.

use domain::chat::{Ask, Message, Reply, Tier};
use domain::run::{Ending, FailureKind};

use crate::record::Halt;
use crate::work::Work;

/// What the model's reply is on record under, and on whose behalf it was asked.
pub const DIRECT: &str = "direct";

/// Has a model answer the whole conversation.
pub(crate) async fn direct(work: &Work<'_>) -> Result<Ending, Halt> {
    let lent = work.request.wishes.lent.as_deref().cloned().unwrap_or_default();
    let mut messages = work.request.earlier.clone();
    messages.push(Message::User { text: work.request.text.as_str().to_owned() });
    messages.extend(lent.since);
    let mut ask = Ask {
        messages,
        tools: lent.tools,
        must_call: lent.must_call,
        schema: lent.schema,
        temperature: lent.temperature,
        max_tokens: lent.max_tokens,
    };
    Ok(match work.model(DIRECT, DIRECT, Tier::Default, &mut ask).await? {
        Ok(reply) => Ending::Completed { answer: answer(reply) },
        Err(error) => Ending::Failed { reason: FailureKind::Model, error: error.to_string(), answer: None },
    })
}

/// The words, or what is to be called where there are none.
fn answer(reply: Reply) -> String {
    let names: Vec<String> = reply.calls.iter().map(|call| format!("`{}`", call.name)).collect();
    match (reply.text.trim(), names.as_slice()) {
        ("", [_, ..]) => format!("Whoever asks is to call {}.", names.join(", ")),
        _ => reply.text,
    }
}
