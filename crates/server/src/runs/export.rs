//! A run to take away: everything that is on record about it, as one document.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_DISPOSITION;
use axum::response::{IntoResponse, Response};
use domain::event::Recorded;
use domain::id::RunId;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Run, summary};
use crate::app::App;
use crate::error::{ApiError, Problem};
use crate::extract::{Path, Query};
use crate::openapi::Nothing;
use crate::schema::OfRun;

/// A run and its whole ledger.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Exported {
    run: Run,
    /// Every event, in order, as it is on record.
    #[schema(value_type = Vec<Object>)]
    events: Vec<Recorded>,
}

/// `GET /v1/runs/{run}/export`: everything that is on record about a run, as a file.
#[utoipa::path(
    get, path = "/v1/runs/{run}/export", tag = "runs", params(OfRun),
    responses((status = 200, body = Exported), (status = 404, body = Problem, description = "there is no such run"))
)]
pub(crate) async fn export(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
) -> Result<Response, ApiError> {
    let name = format!("attachment; filename=\"{run}.json\"");
    Ok(([(CONTENT_DISPOSITION, name)], Json(whole(&app, run).await?)).into_response())
}

/// A run and its whole ledger.
pub(crate) async fn whole(app: &App, run: RunId) -> Result<Exported, ApiError> {
    Ok(Exported { run: summary(app, run).await?.into(), events: app.runtime.ledger(run).await? })
}
