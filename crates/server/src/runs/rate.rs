//! What people say about a run: whether it was good. What it made is offered from then on, or no longer.

use axum::extract::State;
use domain::id::RunId;
use domain::library::Rating;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path, Query};
use crate::openapi::Nothing;
use crate::schema::{self, OfRun, Words};

/// What is said.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rate {
    /// Whether it was good.
    good: bool,
    /// What there is to say besides.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::words, required = false)]
    words: Option<Words>,
}

/// What was said.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Rated {
    #[schema(schema_with = schema::run_id)]
    run: RunId,
    /// Whether it was good.
    good: bool,
    /// What was said besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// When.
    #[schema(schema_with = schema::moment)]
    at: Timestamp,
}

/// `POST /v1/runs/{run}/rate`: says whether a run was good. The last word counts.
#[utoipa::path(
    post, path = "/v1/runs/{run}/rate", tag = "runs", params(OfRun), request_body = Rate,
    responses(
        (status = 200, body = Rated),
        (status = 404, body = Problem, description = "there is no such run"),
        (status = 409, body = Problem, description = "it has not ended")
    )
)]
pub(crate) async fn rate(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
    Json(Rate { good, words }): Json<Rate>,
) -> Result<axum::Json<Rated>, ApiError> {
    let words = words.map(String::from);
    let rating = Rating { good, words, by: app.person.name.clone(), at: Timestamp::now() };
    app.store.rate(run, &rating).await?;
    Ok(axum::Json(rated(run, rating)))
}

/// `GET /v1/runs/{run}/rate`: what was said about a run.
#[utoipa::path(
    get, path = "/v1/runs/{run}/rate", tag = "runs", params(OfRun),
    responses(
        (status = 200, body = Rated),
        (status = 404, body = Problem, description = "there is no such run, or nobody said anything about it")
    )
)]
pub(crate) async fn show(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
) -> Result<axum::Json<Rated>, ApiError> {
    super::summary(&app, run).await?;
    let rating = app.store.rating(run).await?;
    let rating = rating.ok_or_else(|| ApiError::not_found(format!("nobody said anything about {run}")))?;
    Ok(axum::Json(rated(run, rating)))
}

fn rated(run: RunId, rating: Rating) -> Rated {
    let Rating { good, words, by, at } = rating;
    Rated { run, good, words, by, at }
}
