//! `/v1/traces`: what agents did, ours and others'; and how others are told of without OpenTelemetry.

pub(crate) mod list;
pub(crate) mod revoke;
mod shape;
pub(crate) mod start;
pub(crate) mod tell;

use axum::extract::State;
use axum::http::HeaderMap;
use domain::hash::Hash;
use domain::id::TraceId;
use domain::trace::{Part, Piece};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{Path, Query};
use crate::idempotency;
use crate::openapi::Nothing;
use crate::schema;
use shape::TracePage;

/// A trace in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfTrace {
    /// Which trace: a run's id for our own, 32 hexadecimal digits for one that came as spans.
    #[param(schema_with = schema::trace_id)]
    pub(crate) trace: TraceId,
}

/// `GET /v1/traces/{trace}`: one trace, as far as it has arrived.
#[utoipa::path(
    get, path = "/v1/traces/{trace}", tag = "traces", params(OfTrace),
    responses(
        (status = 200, body = TracePage),
        (status = 404, body = Problem, description = "there is no such trace")
    )
)]
pub(crate) async fn show(
    State(app): State<App>,
    Path(OfTrace { trace }): Path<OfTrace>,
    _: Query<Nothing>,
) -> Result<axum::Json<TracePage>, ApiError> {
    let found = app.store.trace(&trace).await?;
    let found = found.ok_or_else(|| ApiError::not_found(format!("there is no trace `{trace}`")))?;
    Ok(axum::Json(found.into()))
}

/// Something that is said once: what it is called, and when it was said first. With an `Idempotency-Key` that is the same
/// however often it is sent.
struct Once {
    name: String,
    at: Timestamp,
}

async fn once(app: &App, caller: &Caller, headers: &HeaderMap, said: &impl Serialize) -> Result<Once, ApiError> {
    let fresh = Uuid::now_v7().simple().to_string();
    match idempotency::key(headers)? {
        Some(key) => {
            let (used, _) = idempotency::used(app, caller, key, fresh, Hash::of_json(said)).await?;
            Ok(Once { name: used.made, at: used.at })
        }
        None => Ok(Once { name: fresh, at: Timestamp::now() }),
    }
}

/// Files a piece of a trace that is there. One that is not is named, so that nothing is lost unnoticed.
async fn file(app: &App, caller: &Caller, part: Part) -> Result<(), ApiError> {
    let trace = &part.trace;
    if trace.run().is_some() {
        let words = format!("`{trace}` is a run of this server, which writes its trace itself");
        return Err(ApiError::conflict("own_run", words));
    }
    match app.store.source_of(trace).await? {
        Some(source) if source == caller.source() => keep(app, caller, part).await,
        _ => {
            let words = format!("this key has no trace `{trace}`; begin one with `POST /v1/traces`, and use its `id`");
            Err(ApiError::not_found(words))
        }
    }
}

async fn keep(app: &App, caller: &Caller, part: Part) -> Result<(), ApiError> {
    let trace = part.trace.clone();
    let received = app.store.receive(&caller.source(), caller.standing, vec![part], Timestamp::now()).await?;
    if received.refused > 0 { Err(taken(&trace)) } else { Ok(()) }
}

fn taken(trace: &TraceId) -> ApiError {
    ApiError::conflict("taken", format!("`{trace}` is another's trace; choose another id, or none"))
}

fn part(trace: &TraceId, key: String, at: Timestamp, piece: Piece) -> Part {
    Part { trace: trace.clone(), key, at, piece }
}
