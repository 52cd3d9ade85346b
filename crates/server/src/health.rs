//! `/healthz` and `/readyz`: for whoever watches over the process. No key is needed.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, Problem};
use crate::extract::Query;
use crate::openapi::Nothing;

/// How long the database may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(2);

/// How the server is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
}

/// `GET /healthz`: the process is there and answers.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses((status = 200, body = Health)))]
pub(crate) async fn alive(_: Query<Nothing>) -> Json<Health> {
    Json(Health { status: "ok" })
}

/// `GET /readyz`: the server can be used: its database answers, and it is not about to stop.
#[utoipa::path(
    get, path = "/readyz", tag = "operations",
    responses((status = 200, body = Health), (status = 503, body = Problem, description = "it cannot be used now"))
)]
pub(crate) async fn ready(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Health>, ApiError> {
    if app.closing.is_cancelled() {
        return Err(ApiError::Closing);
    }
    let looked = tokio::time::timeout(PATIENCE, app.store.due(Timestamp::now(), 1)).await;
    looked.map_err(|_| ApiError::TooSlow)??;
    Ok(Json(Health { status: "ok" }))
}
