//! `/v1/routes/pathways`: what each way of dealing with a request has been worth.

use axum::Json;
use axum::extract::State;
use runtime::Quality;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::openapi::Nothing;
use crate::schema;

/// All ways that requests went, the best first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Pathways {
    /// What a right answer is worth, in dollars.
    worth: f64,
    pathways: Vec<Pathway>,
}

/// What one way has been worth.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Pathway {
    /// `plan`, `given`, `reflex` or `fast`.
    route: String,
    #[schema(schema_with = schema::strategy)]
    strategy: String,
    /// How many runs it rests on.
    runs: u64,
    /// The share that went well.
    success: f64,
    /// Where that share probably lies, nineteen times in twenty: from and to.
    interval: [f64; 2],
    /// What a run costs on average, in dollars.
    usd: f64,
    /// What it takes on average, in seconds of work.
    seconds: f64,
    /// From 0 to 1: the lower end of the interval, less the cost as a share of what a right answer is worth.
    score: f64,
}

/// `GET /v1/routes/pathways`: what each way of dealing with a request has been worth.
#[utoipa::path(get, path = "/v1/routes/pathways", tag = "routes", responses((status = 200, body = Pathways)))]
pub(crate) async fn list(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Pathways>, ApiError> {
    let worth = app.runtime.settings.gate.worth;
    let qualities = runtime::qualities(&app.store.pathways().await?, worth);
    Ok(Json(Pathways { worth, pathways: qualities.into_iter().map(pathway).collect() }))
}

fn pathway(quality: Quality) -> Pathway {
    Pathway {
        route: quality.route.word().to_owned(),
        strategy: quality.strategy.word().to_owned(),
        runs: quality.runs,
        success: quality.success,
        interval: quality.interval.into(),
        usd: quality.usd,
        seconds: quality.seconds,
        score: quality.score,
    }
}
