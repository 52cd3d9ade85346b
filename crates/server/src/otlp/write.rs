//! From spans of ours to OTLP: the same messages that are read, written.

use domain::span::{Attribute, Mark, Span, SpanEnd, SpanKind};
use jiff::Timestamp;
use prost::Message;

use super::wire;
use super::wire::{
    Answer, Any, AnyValue, ArrayValue, Batch, Event, KeyValue, Link, Resource, ResourceSpans, STATUS_ERROR, Scope,
    ScopeSpans, Status,
};

/// A batch of spans as it is sent, of a program that is described by a few attributes.
pub fn otlp_batch(spans: &[Span], program: &[(String, String)]) -> Vec<u8> {
    let known = |(key, value): &(String, String)| pair(key, &Attribute::Text(value.clone()));
    let resource = Resource { attributes: program.iter().map(known).collect() };
    let scope = Scope { name: "agentwright".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
    let spans = ScopeSpans { scope: Some(scope), spans: spans.iter().map(span).collect() };
    Batch { resource_spans: vec![ResourceSpans { resource: Some(resource), scope_spans: vec![spans] }] }.encode_to_vec()
}

/// How many spans of a batch were not taken, and why, going by the answer to it. What cannot be read says nothing.
pub fn otlp_rejected(answer: &[u8]) -> Option<(u64, String)> {
    let partial = Answer::decode(answer).ok()?.partial_success?;
    let rejected = u64::try_from(partial.rejected_spans).ok().filter(|rejected| *rejected > 0)?;
    Some((rejected, partial.error_message))
}

fn span(span: &Span) -> wire::Span {
    wire::Span {
        trace_id: span.trace.to_vec(),
        span_id: span.id.to_vec(),
        parent_span_id: span.parent.map(|id| id.to_vec()).unwrap_or_default(),
        name: span.name.clone(),
        kind: match span.kind {
            SpanKind::Internal => 1,
            SpanKind::Client => 3,
        },
        start_time_unix_nano: nanos(span.from),
        end_time_unix_nano: nanos(span.to),
        attributes: pairs(&span.attributes),
        events: span.marks.iter().map(event).collect(),
        links: span.links.iter().map(|(trace, id)| Link { trace_id: trace.to_vec(), span_id: id.to_vec() }).collect(),
        status: match &span.ended {
            SpanEnd::Fine => None,
            SpanEnd::Failed(words) => Some(Status { message: words.clone().unwrap_or_default(), code: STATUS_ERROR }),
        },
    }
}

fn event(mark: &Mark) -> Event {
    Event { time_unix_nano: nanos(mark.at), name: mark.name.to_owned(), attributes: pairs(&mark.attributes) }
}

fn pairs(known: &[(&'static str, Attribute)]) -> Vec<KeyValue> {
    known.iter().map(|(key, value)| pair(key, value)).collect()
}

fn pair(key: &str, value: &Attribute) -> KeyValue {
    let text = |text: &String| AnyValue { value: Some(Any::String(text.clone())) };
    let value = match value {
        Attribute::Text(text) => Any::String(text.clone()),
        Attribute::Whole(number) => Any::Int(*number),
        Attribute::Real(number) => Any::Double(*number),
        Attribute::Truth(truth) => Any::Bool(*truth),
        Attribute::Texts(texts) => Any::Array(ArrayValue { values: texts.iter().map(text).collect() }),
    };
    KeyValue { key: key.to_owned(), value: Some(AnyValue { value: Some(value) }) }
}

fn nanos(at: Timestamp) -> u64 {
    u64::try_from(at.as_nanosecond()).unwrap_or_default()
}
