//! `/v1/approvals`: what people are asked, and what they say to it.

pub(crate) mod decide;
mod page;

use axum::Json;
use axum::extract::State;
use domain::approval::{ApprovalFilter, ApprovalId, ApprovalStatus};
use domain::id::RunId;
use domain::store::Cursor;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::{ApiError, Problem};
use crate::extract::{Path, Query};
use crate::openapi::Nothing;
use crate::schema;

pub use page::ApprovalPage;

/// How many pending approvals of one run are shown with it.
const MOST: usize = 1_000;

/// A question in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfApproval {
    /// Which question.
    #[serde(deserialize_with = "schema::written_as_we_do")]
    #[param(schema_with = schema::approval_id)]
    approval: ApprovalId,
}

/// Which questions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those that stand so.
    #[param(schema_with = schema::approval_status, required = false)]
    status: Option<ApprovalStatus>,
    /// Only of this run.
    #[serde(default, deserialize_with = "schema::perhaps_run")]
    #[param(schema_with = schema::run_id, required = false)]
    run: Option<RunId>,
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// Where an earlier page said that the next one begins.
    cursor: Option<String>,
}

/// Some of the questions, those with the most at stake first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Inbox {
    /// This page.
    approvals: Vec<ApprovalPage>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// `GET /v1/approvals`: what people were asked, those with the most at stake first, and of these the oldest.
#[utoipa::path(get, path = "/v1/approvals", tag = "approvals", params(Which), responses((status = 200, body = Inbox)))]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Inbox>, ApiError> {
    let limit = schema::page_length(which.limit)?;
    let filter = ApprovalFilter { run: which.run, status: which.status };
    let cursor = which.cursor.map(Cursor);
    let (approvals, next) = app.store.approvals(&filter, Timestamp::now(), cursor.as_ref(), limit).await?;
    let approvals = approvals.into_iter().map(ApprovalPage::from).collect();
    Ok(Json(Inbox { approvals, next: next.map(|Cursor(next)| next) }))
}

/// `GET /v1/approvals/{approval}`: everything a person should see before they decide.
#[utoipa::path(
    get, path = "/v1/approvals/{approval}", tag = "approvals", params(OfApproval),
    responses(
        (status = 200, body = ApprovalPage),
        (status = 404, body = Problem, description = "nobody was asked this")
    )
)]
pub(crate) async fn show(
    State(app): State<App>,
    Path(OfApproval { approval }): Path<OfApproval>,
    _: Query<Nothing>,
) -> Result<Json<ApprovalPage>, ApiError> {
    let found = app.store.approval(approval, Timestamp::now()).await?;
    found.map(|it| Json(it.into())).ok_or_else(|| unknown(approval))
}

/// The questions of a run that nobody has answered yet.
pub(crate) async fn pending(app: &App, run: RunId) -> Result<Vec<ApprovalPage>, ApiError> {
    let filter = ApprovalFilter { run: Some(run), status: Some(ApprovalStatus::Pending) };
    let (pending, _) = app.store.approvals(&filter, Timestamp::now(), None, MOST).await?;
    Ok(pending.into_iter().map(ApprovalPage::from).collect())
}

fn unknown(approval: ApprovalId) -> ApiError {
    ApiError::not_found(format!("there is no approval `{approval}`"))
}
