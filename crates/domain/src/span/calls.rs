//! Questions to models and calls of tools.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::attributes::{answered, finish, model, model_error, tool_error};
use super::{Attribute, Span, SpanId, SpanKind, Telling};
use crate::chat::{ModelError, Reply};
use crate::event::{Entry, Event, Outcome, Recorded, Seq};
use crate::id::ToolName;
use crate::intent::{Intent, Settlement};

/// A write on its way.
struct Declared<'l> {
    intent: &'l Intent,
    entry: &'l Entry,
    sent: Option<Timestamp>,
    attempts: u32,
}

pub(super) fn spans(telling: &Telling, ledger: &[Recorded], thinking: &HashMap<&str, SpanId>) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut declared: HashMap<&str, Declared<'_>> = HashMap::new();
    for Recorded { seq, entry } in ledger {
        match &entry.event {
            Event::ModelCalled { component, model, reply, millis } => {
                let mut span = chat(telling, (*seq, entry), component, model, reply, *millis);
                span.parent = thinking.get(entry.key.as_str()).copied().or(span.parent);
                spans.push(span);
            }
            Event::ToolCalled { tool, arguments, result, millis } => {
                let from = before(entry.at, *millis);
                let mut span = execution(telling, entry, (from, entry.at), *seq, tool);
                match result {
                    Outcome::Ok(result) => told(telling, &mut span, arguments, Some(result)),
                    Outcome::Err(error) => {
                        told(telling, &mut span, arguments, None);
                        telling.failed(&mut span, tool_error(error), || error.to_string());
                    }
                }
                spans.push(span);
            }
            Event::IntentDeclared { intent } => {
                declared.entry(&intent.key).or_insert(Declared { intent, entry, sent: None, attempts: 0 });
            }
            Event::IntentSent { intent, attempt } => {
                if let Some(declared) = declared.get_mut(intent.as_str()) {
                    declared.sent.get_or_insert(entry.at);
                    declared.attempts = declared.attempts.max(*attempt);
                }
            }
            Event::IntentSettled { intent, settlement } => {
                let settled = declared.remove(intent.as_str());
                spans.extend(settled.map(|declared| written(telling, &declared, (*seq, entry), settlement)));
            }
            _ => {}
        }
    }
    spans
}

/// So many milliseconds earlier.
pub(super) fn before(at: Timestamp, millis: u64) -> Timestamp {
    let millis = SignedDuration::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
    at.checked_sub(millis).unwrap_or(at)
}

fn chat(
    telling: &Telling,
    (seq, entry): (Seq, &Entry),
    component: &str,
    name: &str,
    reply: &Outcome<Reply, ModelError>,
    millis: u64,
) -> Span {
    let (provider, model) = model(name);
    let times = (before(entry.at, millis), entry.at);
    let mut span = telling.span(&entry.key, format!("chat {model}"), times, seq);
    span.kind = SpanKind::Client;
    let known: [(&'static str, Attribute); 4] = [
        ("gen_ai.operation.name", "chat".into()),
        ("gen_ai.provider.name", provider.into()),
        ("gen_ai.request.model", model.into()),
        ("agentwright.component", component.into()),
    ];
    span.attributes.extend(known);
    belongs(telling, &mut span, &entry.key);
    match reply {
        Outcome::Ok(reply) => {
            let known: [(&'static str, Attribute); 4] = [
                ("gen_ai.response.finish_reasons", vec![finish(reply.stop).to_owned()].into()),
                ("gen_ai.usage.input_tokens", reply.usage.input_tokens.into()),
                ("gen_ai.usage.output_tokens", reply.usage.output_tokens.into()),
                ("agentwright.usd", reply.usage.cost.as_dollars().into()),
            ];
            span.attributes.extend(known);
            if telling.tells() {
                span.attributes.push(("gen_ai.output.messages", answered(reply)));
            }
        }
        Outcome::Err(error) => telling.failed(&mut span, model_error(error), || error.to_string()),
    }
    span
}

/// A write: from when it left, or was wanted, until it was known what became of it.
fn written(telling: &Telling, declared: &Declared<'_>, (seq, entry): (Seq, &Entry), settled: &Settlement) -> Span {
    let Declared { intent, entry: wanted, sent, attempts } = declared;
    let times = (sent.unwrap_or(wanted.at), entry.at);
    let mut span = execution(telling, wanted, times, seq, &intent.tool);
    let status = settled.status().word();
    let known: [(&'static str, Attribute); 3] = [
        ("agentwright.intent", intent.key.as_str().into()),
        ("agentwright.intent.status", status.into()),
        ("agentwright.intent.attempts", (*attempts).into()),
    ];
    span.attributes.extend(known);
    match settled {
        Settlement::Done { result } => told(telling, &mut span, &intent.arguments, Some(result)),
        Settlement::Failed { error } => {
            told(telling, &mut span, &intent.arguments, None);
            telling.failed(&mut span, tool_error(error), || error.to_string());
        }
        Settlement::Unknown { detail } | Settlement::Withheld { detail } => {
            told(telling, &mut span, &intent.arguments, None);
            telling.failed(&mut span, status, || detail.clone());
        }
    }
    span
}

fn execution(telling: &Telling, entry: &Entry, times: (Timestamp, Timestamp), seq: Seq, tool: &ToolName) -> Span {
    let mut span = telling.span(&entry.key, format!("execute_tool {tool}"), times, seq);
    let known: [(&'static str, Attribute); 4] = [
        ("gen_ai.operation.name", "execute_tool".into()),
        ("gen_ai.tool.name", tool.as_str().into()),
        ("gen_ai.tool.type", "function".into()),
        ("gen_ai.tool.call.id", entry.key.trim_end_matches("/declared").into()),
    ];
    span.attributes.extend(known);
    belongs(telling, &mut span, &entry.key);
    span
}

/// Who did it, and for which step.
fn belongs(telling: &Telling, span: &mut Span, key: &str) {
    if let Some((owner, name)) = telling.agents.owner(telling.run, key) {
        span.parent = Some(owner);
        span.attributes.push(("gen_ai.agent.name", name.into()));
    }
    let mut parts = key.split('/');
    if let (Some("step"), Some(step), Some(attempt)) = (parts.next(), parts.next(), parts.next()) {
        span.attributes.push(("agentwright.step", step.into()));
        span.attributes.extend(attempt.parse::<u64>().ok().map(|attempt| ("agentwright.attempt", attempt.into())));
    }
}

fn told(telling: &Telling, span: &mut Span, arguments: &Value, result: Option<&Value>) {
    if telling.tells() {
        span.attributes.push(("gen_ai.tool.call.arguments", arguments.to_string().into()));
        span.attributes.extend(result.map(|result| ("gen_ai.tool.call.result", result.to_string().into())));
    }
}
