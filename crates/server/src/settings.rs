//! `/v1/settings`: what is configured, for those who look after the server.

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::{App, Setting};
use crate::error::ApiError;
use crate::extract::Query;
use crate::openapi::Nothing;
use crate::schema;

/// What is configured, and what runs it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Settings {
    /// Every value and where it comes from; secrets are not among them.
    settings: Vec<Setting>,
    /// The version of the program.
    version: &'static str,
    /// `sqlite` or `postgres`.
    database: &'static str,
    /// Since when it answers.
    #[schema(schema_with = schema::moment)]
    since: Timestamp,
}

/// `GET /v1/settings`: what is configured, and where each value comes from.
#[utoipa::path(get, path = "/v1/settings", tag = "operations", responses((status = 200, body = Settings)))]
pub(crate) async fn show(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Settings>, ApiError> {
    let about = &app.about;
    Ok(Json(Settings {
        settings: about.settings.clone(),
        version: env!("CARGO_PKG_VERSION"),
        database: about.database,
        since: about.since,
    }))
}
