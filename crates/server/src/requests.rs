//! `/api/requests`: everything that agents were asked to work on, runs and what callers of single agents told about.

use axum::Json;
use axum::extract::State;
use domain::id::RunId;
use domain::run::RunStatus;
use domain::stage::{RequestRow, Stage};
use domain::store::Cursor;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::{Path, Query};
use crate::openapi::Nothing;
use crate::plain::Refusal;
use crate::schema::{self, Line};
use crate::stages::{Reply, RequestContext, context_of, replies};

/// A request in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfRequest {
    /// Which request.
    #[param(schema_with = schema::line)]
    id: Line,
}

/// Which requests.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those that stand so.
    #[param(schema_with = schema::status, required = false)]
    status: Option<RunStatus>,
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// Where an earlier page said that the next one begins.
    cursor: Option<String>,
}

/// A request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Asked {
    #[serde(flatten)]
    context: RequestContext,
    #[schema(schema_with = schema::moment)]
    updated_at: Timestamp,
    /// Where its run is found, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
}

/// Some of the requests, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Requests {
    /// This page.
    items: Vec<Asked>,
    /// Where the next page begins; null on the last one.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// A request with what was answered.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RequestPage {
    #[serde(flatten)]
    asked: Asked,
    /// The latest answer of each agent, in the order in which they work.
    stages: Vec<Reply>,
}

/// `GET /api/requests`: requests, newest first.
#[utoipa::path(get, path = "/api/requests", tag = "agents", params(Which), responses((status = 200, body = Requests)))]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Requests>, ApiError> {
    let limit = schema::page_length(which.limit)?;
    let cursor = which.cursor.map(Cursor);
    let (rows, next) = app.store.requests(which.status, cursor.as_ref(), limit).await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        items.push(asked(&app, row).await?);
    }
    Ok(Json(Requests { items, next_cursor: next.map(|Cursor(next)| next) }))
}

/// `GET /api/requests/{id}`: a request, with the latest answer of each agent.
#[utoipa::path(
    get, path = "/api/requests/{id}", tag = "agents", params(OfRequest),
    responses((status = 200, body = RequestPage), (status = 404, body = Refusal, description = "there is no such request"))
)]
pub(crate) async fn show(
    State(app): State<App>,
    Path(OfRequest { id }): Path<OfRequest>,
    _: Query<Nothing>,
) -> Result<Json<RequestPage>, ApiError> {
    let id = String::from(id);
    let row = app.store.request(&id).await?;
    let row = row.ok_or_else(|| ApiError::not_found(format!("there is no request `{id}`")))?;
    let mut records = Vec::new();
    for stage in Stage::ALL {
        records.extend(app.store.filed(&id, stage).await?);
    }
    Ok(Json(RequestPage { asked: asked(&app, row).await?, stages: replies(&app, records).await? }))
}

async fn asked(app: &App, row: RequestRow) -> Result<Asked, ApiError> {
    // Other spellings of a run's id are names that callers chose.
    let run = row.request.parse::<RunId>().ok().filter(|run| run.to_string() == row.request);
    let run = match run {
        Some(run) => app.store.run(run).await?.map(|it| format!("/v1/runs/{}", it.run)),
        None => None,
    };
    Ok(Asked { updated_at: row.updated_at, context: context_of(row, None), run })
}
