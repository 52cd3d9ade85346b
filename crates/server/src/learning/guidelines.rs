//! `/v1/guidelines`: what agents are told, in versions that can be gone back to.

use axum::extract::State;
use axum::{Extension, Json};
use domain::guideline::Semver;
use domain::symbol::Symbol;
use runtime::learning;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::{refused, written};
use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{self, Path, Query};
use crate::openapi::Nothing;

/// An agent in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfAgent {
    /// Which kind of agent.
    #[param(pattern = "^[A-Za-z0-9_.-]{1,64}$")]
    agent: String,
}

/// Where to go back to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rollback {
    /// The version; the one before when absent.
    #[schema(pattern = "^[0-9]{1,6}\\.[0-9]{1,6}\\.[0-9]{1,6}$")]
    to: Option<String>,
}

/// What agents are told.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Guidelines {
    /// One version for each agent: `agent`, `version`, `hash`, `points`, `because`, `by`, `at`.
    #[schema(value_type = Vec<Object>)]
    guidelines: Vec<Value>,
}

/// What an agent has ever been told.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Versions {
    /// Newest first.
    versions: Vec<Entry>,
}

/// A version.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Entry {
    /// Whether it is the one that is told.
    told: bool,
    #[schema(value_type = Object)]
    version: Value,
}

/// `GET /v1/guidelines`: what agents are told now.
#[utoipa::path(get, path = "/v1/guidelines", tag = "learning", responses((status = 200, body = Guidelines)))]
pub(crate) async fn list(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Guidelines>, ApiError> {
    let told = app.store.guidelines().await?;
    Ok(Json(Guidelines { guidelines: told.iter().map(written).collect() }))
}

/// `GET /v1/guidelines/{agent}/versions`: what an agent has ever been told, newest first.
#[utoipa::path(
    get, path = "/v1/guidelines/{agent}/versions", tag = "learning", params(OfAgent),
    responses((status = 200, body = Versions), (status = 404, body = Problem, description = "it was never told anything"))
)]
pub(crate) async fn versions(
    State(app): State<App>,
    Path(OfAgent { agent }): Path<OfAgent>,
    _: Query<Nothing>,
) -> Result<Json<Versions>, ApiError> {
    let versions = app.store.guideline_versions(&Symbol::of(&agent)).await?;
    if versions.is_empty() {
        return Err(ApiError::not_found(format!("`{agent}` was never told anything")));
    }
    let entry = |(version, told): &(_, bool)| Entry { told: *told, version: written(version) };
    Ok(Json(Versions { versions: versions.iter().map(entry).collect() }))
}

/// `POST /v1/guidelines/{agent}/rollback`: an earlier version is told again.
#[utoipa::path(
    post, path = "/v1/guidelines/{agent}/rollback", tag = "learning", params(OfAgent), request_body = Rollback,
    responses(
        (status = 200, body = Object),
        (status = 404, body = Problem, description = "there is no such agent or version"),
        (status = 409, body = Problem, description = "there is nothing to go back to")
    )
)]
pub(crate) async fn rollback(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfAgent { agent }): Path<OfAgent>,
    _: Query<Nothing>,
    extract::Json(Rollback { to }): extract::Json<Rollback>,
) -> Result<Json<Value>, ApiError> {
    let to = to.as_deref().map(str::parse::<Semver>).transpose();
    let to = to.map_err(|error| ApiError::invalid("to", error.to_string()))?;
    let back = learning::roll_back(app.store.as_ref(), &Symbol::of(&agent), to, Some(&caller.to_string())).await;
    Ok(Json(written(&back.map_err(refused)?)))
}
