//! `/v1/intents`: what runs wanted to write, and what became of it.

use axum::Json;
use axum::extract::State;
use domain::intent::{IntentStatus, IntentView};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::schema;

/// Which intents.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only in this state.
    #[param(schema_with = schema::intent_status, required = false)]
    status: Option<IntentStatus>,
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
}

/// What runs wanted to write.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Intents {
    /// Each as `GET /v1/runs/{run}` has it, most recently declared first.
    #[schema(value_type = Vec<Object>)]
    intents: Vec<IntentView>,
}

/// `GET /v1/intents`: what runs wanted to write, most recently declared first.
#[utoipa::path(get, path = "/v1/intents", tag = "runs", params(Which), responses((status = 200, body = Intents)))]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Intents>, ApiError> {
    let limit = schema::page_length(which.limit)?;
    Ok(Json(Intents { intents: app.store.intents(None, which.status, limit).await? }))
}
