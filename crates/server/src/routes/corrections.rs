//! What people say about routes: where a request should have gone.

use axum::Extension;
use axum::extract::State;
use domain::id::RunId;
use domain::route;
use jiff::Timestamp;
use runtime::CorrectError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, NothingMore, Problem};
use crate::extract::{Json, Path, Query};
use crate::openapi::Nothing;
use crate::schema::{self, Line, OfRun};

/// Where a request should have gone.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Correct {
    #[serde(deserialize_with = "schema::written_as_we_do")]
    #[schema(schema_with = schema::run_id)]
    run: RunId,
    /// A role, or `plan`.
    #[schema(schema_with = schema::line)]
    role: Line,
}

/// What people said.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Corrections {
    /// Newest first.
    corrections: Vec<Correction>,
}

/// What somebody said about a route.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Correction {
    /// The run that went the wrong way.
    run: String,
    /// What was asked.
    text: String,
    /// Who answered, where a role did.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<String>,
    /// Who should have: a role, or `plan`. Absent where nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    /// Who said so.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// When.
    #[schema(schema_with = schema::moment)]
    at: Timestamp,
}

fn correction(run: String, it: route::Correction) -> Correction {
    Correction { run, text: it.text, was: it.role, role: it.to, by: it.by, at: it.at }
}

/// `POST /v1/routes/corrections`: says where a request should have gone. The same words go there from then on.
#[utoipa::path(
    post, path = "/v1/routes/corrections", tag = "routes", request_body = Correct,
    responses(
        (status = 200, body = Correction),
        (status = 404, body = Problem, description = "there is no such run"),
        (status = 409, body = Problem, description = "there is no such role, or it went there")
    )
)]
pub(crate) async fn correct(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    _: Query<Nothing>,
    Json(Correct { run, role }): Json<Correct>,
) -> Result<axum::Json<Correction>, ApiError> {
    let corrected = app.runtime.correct(run, role.as_str(), Some(caller.to_string())).await;
    let corrected = corrected.map_err(|error| match error {
        CorrectError::NoSuchRole(_) => ApiError::conflict("no_such_role", error.to_string()),
        CorrectError::AsItWas(_) => ApiError::conflict("as_it_was", error.to_string()),
        CorrectError::Store(error) => error.into(),
    })?;
    Ok(axum::Json(correction(run.to_string(), corrected)))
}

/// `GET /v1/routes/corrections`: what people said about routes, newest first.
#[utoipa::path(get, path = "/v1/routes/corrections", tag = "routes", responses((status = 200, body = Corrections)))]
pub(crate) async fn list(State(app): State<App>, _: Query<Nothing>) -> Result<axum::Json<Corrections>, ApiError> {
    let corrections = app.runtime.corrections().await?;
    Ok(axum::Json(Corrections { corrections: corrections.into_iter().map(|(run, it)| correction(run, it)).collect() }))
}

/// `DELETE /v1/routes/corrections/{run}`: takes a correction back.
#[utoipa::path(
    delete, path = "/v1/routes/corrections/{run}", tag = "routes", params(OfRun),
    responses(
        (status = 204, description = "it does not count any more"),
        (status = 404, body = Problem, description = "nobody corrected this run")
    )
)]
pub(crate) async fn withdraw(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
) -> Result<NothingMore, ApiError> {
    match app.runtime.uncorrect(run).await? {
        true => Ok(NothingMore),
        false => Err(ApiError::not_found(format!("nobody corrected {run}"))),
    }
}
