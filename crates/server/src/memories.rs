//! `/v1/memories`: what is remembered, and how it is forgotten.

use axum::Json;
use axum::extract::State;
use domain::id::RunId;
use domain::store::Memory;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::{ApiError, NothingMore, Problem};
use crate::extract::{Path, Query};
use crate::openapi::Nothing;
use crate::schema::{self, Line};

/// Which memories.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those that share words with this, best first.
    #[param(schema_with = schema::line, required = false)]
    text: Option<Line>,
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
}

/// What is remembered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Memories {
    memories: Vec<Remembered>,
}

/// One thing that is remembered.
#[derive(Debug, Serialize, ToSchema)]
struct Remembered {
    /// Which.
    id: String,
    /// What.
    text: String,
    /// How much it matters.
    #[schema(minimum = 0, maximum = 1)]
    importance: f64,
    /// The run it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::run_id, required = false)]
    run: Option<RunId>,
    /// Since when.
    #[schema(schema_with = schema::moment)]
    at: Timestamp,
}

/// A memory in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfMemory {
    /// Which memory.
    #[param(schema_with = schema::line)]
    memory: Line,
}

impl From<Memory> for Remembered {
    fn from(Memory { id, text, importance, run, at }: Memory) -> Self {
        Self { id, text, importance, run, at }
    }
}

/// `GET /v1/memories`: what is remembered: newest first, or what fits some words best.
#[utoipa::path(get, path = "/v1/memories", tag = "memories", params(Which), responses((status = 200, body = Memories)))]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Memories>, ApiError> {
    let limit = schema::page_length(which.limit)?;
    let found = match which.text {
        Some(text) => app.store.recall(text.as_str(), limit).await?,
        None => app.store.memories(limit).await?,
    };
    Ok(Json(Memories { memories: found.into_iter().map(Remembered::from).collect() }))
}

/// `DELETE /v1/memories/{memory}`: forgets something.
#[utoipa::path(
    delete, path = "/v1/memories/{memory}", tag = "memories", params(OfMemory),
    responses(
        (status = 204, description = "it is forgotten"),
        (status = 404, body = Problem, description = "nothing of that name is remembered")
    )
)]
pub(crate) async fn forget(
    State(app): State<App>,
    Path(OfMemory { memory }): Path<OfMemory>,
    _: Query<Nothing>,
) -> Result<NothingMore, ApiError> {
    match app.store.forget(memory.as_str()).await? {
        true => Ok(NothingMore),
        false => Err(ApiError::not_found(format!("nothing is remembered as `{}`", memory.as_str()))),
    }
}
