//! `/v1/otlp/v1/traces`: how other people's agents are watched, in the language their tracing speaks already.

mod agent;
mod attributes;
mod body;
mod json;
mod kind;
mod map;
mod messages;
mod step;
#[cfg(test)]
mod tests;
mod wire;
mod write;

use std::collections::{BTreeMap, HashMap, HashSet};

use axum::Extension;
use axum::extract::{Request, State};
use domain::id::TraceId;
use domain::trace::Part;
use jiff::Timestamp;
use serde_json::Value;

use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::extract::Query;
use crate::openapi::Nothing;
use attributes::Attributes;
use body::{Answered, Spans};
use map::{Flaw, Mapped};
use wire::{Answer, Batch, PartialSuccess, ResourceSpans};

pub(crate) use map::named;
pub(crate) use step::chars;
pub use write::{otlp_batch, otlp_rejected};

/// `POST /v1/otlp/v1/traces`: takes spans in, as OTLP sends them over HTTP. They are durable when it is answered.
#[utoipa::path(
    post, path = "/v1/otlp/v1/traces", tag = "traces",
    request_body(content(
        (body::SpansInJson = "application/json"),
        (body::SpansInProtobuf = "application/x-protobuf")
    )),
    responses((status = 200, description = "what became of them, written as they were", content(
        (body::AnswerInJson = "application/json"),
        (body::SpansInProtobuf = "application/x-protobuf")
    )))
)]
pub(crate) async fn take_in(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    _: Query<Nothing>,
    request: Request,
) -> Result<Answered, ApiError> {
    let Spans { batch, written } = body::spans(request, &app.limits).await?;
    let now = Timestamp::now();
    let Sorted { parts, spans, kept_out, mut rejected } = sort(&batch, now);
    let pieces = parts.len();
    if !parts.is_empty() && app.store.receive(&caller.source(), caller.standing, parts, now).await?.refused > 0 {
        rejected.insert(Flaw::Anothers, anothers(&app, &caller, &spans).await?);
    }
    let refused: usize = rejected.values().sum();
    tracing::debug!(caller = %caller.id, pieces, kept_out, refused, "spans arrived");
    Ok(Answered { answer: Answer { partial_success: partial(&rejected) }, written })
}

/// The pieces of traces that a batch of spans in JSON comes to, as collectors write them to files. Says what is wrong with
/// one that is none, or that has nothing in it that could be filed.
pub fn otlp_pieces(json: &Value, now: Timestamp) -> Result<Vec<Part>, String> {
    let batch = json::batch(json).map_err(|(param, wrong)| format!("`{param}`: {wrong}"))?;
    let Sorted { parts, rejected, .. } = sort(&batch, now);
    match (parts.is_empty(), partial(&rejected)) {
        (false, _) => Ok(parts),
        (true, Some(partial)) => Err(partial.error_message),
        (true, None) => Err("none of its spans has to do with agents".to_owned()),
    }
}

/// How many spans belong to traces that another began.
async fn anothers(app: &App, caller: &Caller, spans: &HashMap<TraceId, usize>) -> Result<usize, ApiError> {
    let mut many = 0;
    for (trace, spans) in spans {
        if app.store.source_of(trace).await?.is_some_and(|source| source != caller.source()) {
            many += spans;
        }
    }
    Ok(many)
}

/// What a batch comes to.
#[derive(Debug, Default)]
struct Sorted {
    parts: Vec<Part>,
    /// How many spans each trace got.
    spans: HashMap<TraceId, usize>,
    /// How many spans have nothing to do with agents.
    kept_out: usize,
    /// How many spans cannot be filed, and why.
    rejected: BTreeMap<Flaw, usize>,
}

fn sort(batch: &Batch, now: Timestamp) -> Sorted {
    let mut sorted = Sorted::default();
    for ResourceSpans { resource, scope_spans } in &batch.resource_spans {
        let program = Attributes::of(resource.as_ref().map(|it| it.attributes.as_slice()).unwrap_or_default());
        for span in scope_spans.iter().flat_map(|scope| &scope.spans) {
            match map::map(span, &program, now) {
                Mapped::Parts(parts) => {
                    if let Some(part) = parts.first() {
                        *sorted.spans.entry(part.trace.clone()).or_default() += 1;
                    }
                    sorted.parts.extend(parts);
                }
                Mapped::KeptOut => sorted.kept_out += 1,
                Mapped::Rejected(flaw) => *sorted.rejected.entry(flaw).or_default() += 1,
            }
        }
    }
    last_of_each(&mut sorted.parts);
    sorted
}

/// A span that is sent twice in one batch is one span: the later one.
fn last_of_each(parts: &mut Vec<Part>) {
    let mut seen = HashSet::with_capacity(parts.len());
    let keep: Vec<bool> = parts.iter().rev().map(|part| seen.insert((part.trace.clone(), part.key.clone()))).collect();
    let mut keep = keep.into_iter().rev();
    parts.retain(|_| keep.next().unwrap_or(true));
}

fn partial(rejected: &BTreeMap<Flaw, usize>) -> Option<PartialSuccess> {
    let total: usize = rejected.values().sum();
    let words = rejected.iter().map(|(flaw, many)| match flaw {
        Flaw::TraceId => format!("{many} without a trace id of 16 bytes that are not all zero"),
        Flaw::SpanId => format!("{many} without a span id of 8 bytes that are not all zero"),
        Flaw::Anothers => format!("{many} in traces that another key began"),
    });
    let error_message = format!("spans were rejected: {}", words.collect::<Vec<_>>().join(", "));
    (total > 0).then(|| PartialSuccess { rejected_spans: i64::try_from(total).unwrap_or(i64::MAX), error_message })
}
