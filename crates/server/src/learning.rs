//! What was learnt: `/v1/learning`, `/v1/patterns`, `/v1/lessons`, `/v1/guidelines` and `/v1/experiments`.

pub(crate) mod experiments;
pub(crate) mod guidelines;
pub(crate) mod lessons;

use axum::Json;
use axum::extract::State;
use runtime::learning::{self, ByHandError, LearnError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::{ApiError, Problem};
use crate::extract::{Path, Query};
use crate::openapi::Nothing;
use crate::traces::OfTrace;

/// How many cycles or patterns are told of unless somebody asks for more.
const USUAL: u16 = 30;

/// How many.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Limit {
    /// At most so many.
    #[param(minimum = 1, maximum = 1000, default = 30)]
    limit: Option<u16>,
}

impl Limit {
    fn get(&self) -> Result<usize, ApiError> {
        match self.limit.unwrap_or(USUAL) {
            limit @ 1..=1000 => Ok(limit.into()),
            limit => Err(ApiError::invalid("limit", format!("{limit} is not from 1 to 1000"))),
        }
    }
}

/// What separates success from failure.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Patterns {
    /// Strongest first: `id`, `mark`, `agent`, `problem`, `words`, `advice`, and `evidence` with effect, interval, support,
    /// confidence and examples.
    #[schema(value_type = Vec<Object>)]
    patterns: Vec<Value>,
    /// How many there are.
    found: usize,
}

/// What became of learning cycles.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Cycles {
    /// Newest first.
    #[schema(value_type = Vec<Object>)]
    cycles: Vec<Value>,
}

/// `GET /v1/learning`: how far learning has come.
#[utoipa::path(get, path = "/v1/learning", tag = "learning", responses((status = 200, body = Object)))]
pub(crate) async fn status(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Value>, ApiError> {
    let status = learning::status(app.store.as_ref(), &app.runtime.settings.learning).await?;
    Ok(Json(written(&status)))
}

/// `POST /v1/learning/run`: takes in what is new, and answers what came of it.
#[utoipa::path(
    post, path = "/v1/learning/run", tag = "learning",
    responses(
        (status = 200, body = Object),
        (status = 409, body = Problem, description = "somebody is learning already")
    )
)]
pub(crate) async fn run(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Value>, ApiError> {
    let policy = &app.runtime.settings.learning;
    let wordsmith = app.runtime.wordsmith();
    match learning::learn(app.store.as_ref(), policy, &app.runtime.worker, wordsmith.as_ref()).await {
        Ok(report) => Ok(Json(written(&report))),
        Err(LearnError::Store(error)) => Err(error.into()),
        Err(error @ (LearnError::Busy { .. } | LearnError::Contended)) => {
            Err(ApiError::conflict("learning", error.to_string()))
        }
    }
}

/// `GET /v1/learning/cycles`: what became of earlier cycles, newest first.
#[utoipa::path(
    get, path = "/v1/learning/cycles", tag = "learning", params(Limit), responses((status = 200, body = Cycles))
)]
pub(crate) async fn cycles(State(app): State<App>, Query(limit): Query<Limit>) -> Result<Json<Cycles>, ApiError> {
    let reports = app.store.reports(limit.get()?).await?;
    Ok(Json(Cycles { cycles: reports.iter().map(written).collect() }))
}

/// `GET /v1/patterns`: what separates success from failure, strongest first.
#[utoipa::path(get, path = "/v1/patterns", tag = "learning", params(Limit), responses((status = 200, body = Patterns)))]
pub(crate) async fn patterns(State(app): State<App>, Query(limit): Query<Limit>) -> Result<Json<Patterns>, ApiError> {
    let patterns = learning::patterns(app.store.as_ref(), &app.runtime.settings.learning).await?;
    let found = patterns.len();
    Ok(Json(Patterns { patterns: patterns.iter().take(limit.get()?).map(written).collect(), found }))
}

/// `GET /v1/traces/{trace}/prediction`: how likely it is a success, going by all others, and why.
#[utoipa::path(
    get, path = "/v1/traces/{trace}/prediction", tag = "learning", params(OfTrace),
    responses((status = 200, body = Object), (status = 404, body = Problem, description = "there is no such trace"))
)]
pub(crate) async fn predict(
    State(app): State<App>,
    Path(OfTrace { trace }): Path<OfTrace>,
    _: Query<Nothing>,
) -> Result<Json<Value>, ApiError> {
    let predicted = learning::predict(app.store.as_ref(), &trace).await?;
    let predicted = predicted.ok_or_else(|| ApiError::not_found(format!("there is no trace `{trace}`")))?;
    Ok(Json(written(&predicted)))
}

fn written(value: &impl Serialize) -> Value {
    // Our own types always serialise.
    serde_json::to_value(value).unwrap_or_default()
}

pub(crate) fn refused(error: ByHandError) -> ApiError {
    match error {
        ByHandError::Unknown { .. } => ApiError::not_found(error.to_string()),
        ByHandError::Pointless(_) => ApiError::conflict("pointless", error.to_string()),
        ByHandError::Contended => ApiError::conflict("contended", error.to_string()),
        ByHandError::Store(error) => error.into(),
    }
}
