//! What happens in a trace that has begun: calls, thoughts, its end, and what is said about it later.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use domain::id::TraceId;
use domain::score::Score;
use domain::symbol::Symbol;
use domain::trace::{CallEnd, Piece, Step, Trouble, Untrusted, Verdict};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::OfTrace;
use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path, Query};
use crate::idempotency;
use crate::openapi::Nothing;
use crate::otlp::{chars, named};
use crate::schema::{self, Line};

/// A call of a tool.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewCall {
    /// Which tool.
    #[schema(schema_with = schema::line)]
    tool: Line,
    /// With what.
    #[serde(default)]
    #[schema(value_type = Value, required = false)]
    arguments: Value,
    /// Whether it brought what it should; nobody said when absent, unless there is an `error`.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(nullable = false)]
    success: Option<bool>,
    /// What it said when it failed.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(nullable = false)]
    error: Option<String>,
    /// What it answered: text, or anything else.
    #[serde(default)]
    #[schema(value_type = Value, required = false)]
    response: Value,
    /// How long it took.
    #[serde(default, deserialize_with = "schema::perhaps_whole")]
    #[schema(value_type = u64, minimum = 0, maximum = 9_007_199_254_740_992_u64, required = false, nullable = false)]
    duration_ms: Option<u64>,
    /// Which agent did it, where there are several.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    by: Option<Line>,
    /// What it is called within its trace: the same again replaces it. A new name when absent.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    key: Option<Line>,
    /// When it was; now when absent.
    #[serde(default, deserialize_with = "schema::perhaps_moment")]
    #[schema(schema_with = schema::moment, required = false)]
    at: Option<Timestamp>,
}

/// Something that was thought.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewThought {
    /// What.
    text: String,
    /// What kind of thinking it is: `thought`, `plan`, `critique`, …
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    kind: Option<Line>,
    /// How sure the agent is.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(value_type = f64, minimum = 0, maximum = 1, required = false, nullable = false)]
    confidence: Option<Score>,
    /// Which agent did it, where there are several.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    by: Option<Line>,
    /// What it is called within its trace: the same again replaces it. A new name when absent.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    key: Option<Line>,
    /// When it was; now when absent.
    #[serde(default, deserialize_with = "schema::perhaps_moment")]
    #[schema(schema_with = schema::moment, required = false)]
    at: Option<Timestamp>,
}

/// How a trace ended.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewEnd {
    /// Whether it was a success; not known when absent.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(nullable = false)]
    success: Option<bool>,
    /// How good it was.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(nullable = false)]
    score: Option<f64>,
    /// What came of it.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(nullable = false)]
    answer: Option<String>,
    /// What would have been right.
    #[serde(default)]
    #[schema(value_type = Value, required = false)]
    ground_truth: Value,
    /// Numbers besides: tokens, dollars, scores.
    #[serde(default)]
    metrics: BTreeMap<String, f64>,
    /// When it ended; now when absent.
    #[serde(default, deserialize_with = "schema::perhaps_moment")]
    #[schema(schema_with = schema::moment, required = false)]
    ended_at: Option<Timestamp>,
}

/// What is said about a trace later.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLabel {
    /// Whether it was a success.
    success: bool,
    /// How good it was.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(nullable = false)]
    score: Option<f64>,
}

/// Something that was filed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Filed {
    /// In which trace.
    #[schema(schema_with = schema::trace_id)]
    trace: TraceId,
    /// What it is called there.
    key: String,
}

/// `POST /v1/traces/{trace}/calls`: a tool was called.
#[utoipa::path(
    post, path = "/v1/traces/{trace}/calls", tag = "traces", params(OfTrace, idempotency::Once), request_body = NewCall,
    responses(
        (status = 200, body = Filed),
        (status = 404, body = Problem, description = "there is no such trace of this key"),
        (status = 409, body = Problem, description = "it is a run of this server, or the `Idempotency-Key` was used with another body")
    )
)]
pub(crate) async fn call(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfTrace { trace }): Path<OfTrace>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(new): Json<NewCall>,
) -> Result<axum::Json<Filed>, ApiError> {
    let once = super::once(&app, &caller, &headers, &(&trace, "call", &new)).await?;
    let key = called("call", new.key.as_ref(), once.name);
    let at = new.at.unwrap_or(once.at);
    filed(&app, &caller, trace, key, at, Piece::Did { step: new.step(at) }).await
}

/// `POST /v1/traces/{trace}/thoughts`: the agent thought something.
#[utoipa::path(
    post, path = "/v1/traces/{trace}/thoughts", tag = "traces", params(OfTrace, idempotency::Once),
    request_body = NewThought,
    responses(
        (status = 200, body = Filed),
        (status = 404, body = Problem, description = "there is no such trace of this key"),
        (status = 409, body = Problem, description = "it is a run of this server, or the `Idempotency-Key` was used with another body")
    )
)]
pub(crate) async fn thought(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfTrace { trace }): Path<OfTrace>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(new): Json<NewThought>,
) -> Result<axum::Json<Filed>, ApiError> {
    let once = super::once(&app, &caller, &headers, &(&trace, "thought", &new)).await?;
    let key = called("thought", new.key.as_ref(), once.name);
    let at = new.at.unwrap_or(once.at);
    filed(&app, &caller, trace, key, at, Piece::Did { step: new.step(at) }).await
}

/// `POST /v1/traces/{trace}/end`: it ended. The last word about that counts.
#[utoipa::path(
    post, path = "/v1/traces/{trace}/end", tag = "traces", params(OfTrace, idempotency::Once), request_body = NewEnd,
    responses(
        (status = 200, body = Filed),
        (status = 404, body = Problem, description = "there is no such trace of this key"),
        (status = 409, body = Problem, description = "it is a run of this server, or the `Idempotency-Key` was used with another body")
    )
)]
pub(crate) async fn end(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfTrace { trace }): Path<OfTrace>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(new): Json<NewEnd>,
) -> Result<axum::Json<Filed>, ApiError> {
    let once = super::once(&app, &caller, &headers, &(&trace, "end", &new)).await?;
    let at = new.ended_at.unwrap_or(once.at);
    filed(&app, &caller, trace, "end".into(), at, new.end()).await
}

/// `POST /v1/traces/{trace}/label`: whether it was a success, said later. The last word counts, whatever was said at the
/// end.
#[utoipa::path(
    post, path = "/v1/traces/{trace}/label", tag = "traces", params(OfTrace, idempotency::Once), request_body = NewLabel,
    responses(
        (status = 200, body = Filed),
        (status = 404, body = Problem, description = "there is no such trace of this key"),
        (status = 409, body = Problem, description = "it is a run of this server, or the `Idempotency-Key` was used with another body")
    )
)]
pub(crate) async fn label(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfTrace { trace }): Path<OfTrace>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(new): Json<NewLabel>,
) -> Result<axum::Json<Filed>, ApiError> {
    let once = super::once(&app, &caller, &headers, &(&trace, "label", &new)).await?;
    let outcome = Verdict { success: new.success, score: new.score, answer: None };
    filed(&app, &caller, trace, "label".into(), once.at, Piece::Label { outcome }).await
}

async fn filed(
    app: &App,
    caller: &Caller,
    trace: TraceId,
    key: String,
    at: Timestamp,
    piece: Piece,
) -> Result<axum::Json<Filed>, ApiError> {
    super::file(app, caller, super::part(&trace, key.clone(), at, piece)).await?;
    Ok(axum::Json(Filed { trace, key }))
}

/// What a step is called: names that clients give are never those that we give.
fn called(kind: &str, given: Option<&Line>, fresh: String) -> String {
    given.map_or_else(|| format!("{kind}-{fresh}"), |given| format!("{kind}:{}", given.as_str()))
}

impl NewCall {
    fn step(self, at: Timestamp) -> Step {
        let response = match self.response {
            Value::String(text) => text,
            Value::Null => self.error.clone().unwrap_or_default(),
            other => other.to_string(),
        };
        let ended = match (self.success, &self.error) {
            (Some(true), _) => CallEnd::Done,
            (Some(false), error) => CallEnd::Failed(Trouble::of(error.as_deref().unwrap_or_default())),
            (None, Some(error)) => CallEnd::Failed(Trouble::of(error)),
            (None, None) => CallEnd::Unknown,
        };
        Step::Call {
            tool: named(self.tool.as_str()),
            by: self.by.map(|by| named(by.as_str())),
            arguments: Untrusted::value(self.arguments),
            length: chars(&response),
            response: Untrusted::text(&response),
            ended,
            at: Some(at),
            millis: self.duration_ms,
        }
    }
}

impl NewThought {
    fn step(self, at: Timestamp) -> Step {
        Step::Thought {
            what: self.kind.map_or_else(|| Symbol::of("thought"), |kind| named(kind.as_str())),
            by: self.by.map(|by| named(by.as_str())),
            length: chars(&self.text),
            text: Untrusted::text(&self.text),
            confidence: self.confidence,
            at: Some(at),
        }
    }
}

impl NewEnd {
    fn end(self) -> Piece {
        let mut metrics: BTreeMap<Symbol, f64> =
            self.metrics.into_iter().map(|(name, value)| (named(&name), value)).collect();
        let answer = self.answer.map(|text| Untrusted::text(&text));
        let outcome = self.success.map(|success| Verdict { success, score: self.score, answer });
        if outcome.is_none() {
            metrics.extend(self.score.map(|score| (Symbol::of("score"), score)));
        }
        let ground_truth = (!self.ground_truth.is_null()).then(|| Untrusted::value(self.ground_truth));
        Piece::End { depth: 0, outcome, ground_truth, metrics }
    }
}
