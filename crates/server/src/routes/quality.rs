//! How sure answers are beside how often they are right: what the plots of the route lab show.

use axum::Json;
use axum::extract::State;
use runtime::{Bin, Choice, Reliability};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::schema::{self, Line};

/// Whose answers.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Whose {
    /// Only this role's.
    #[param(schema_with = schema::line, required = false)]
    role: Option<Line>,
}

/// How sure answers are beside how often they are right.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Quality {
    /// On how many labelled requests it rests.
    examples: usize,
    /// The share of wrong fast answers that is tolerated.
    alpha: f64,
    /// The chance that there are more of them.
    delta: f64,
    /// Confidence beside correctness.
    reliability: Vec<Bar>,
    /// What each threshold would mean, the strictest first.
    risk_coverage: Vec<Threshold>,
}

/// Answers of about the same confidence.
#[derive(Debug, Serialize, ToSchema)]
struct Bar {
    /// Their mean confidence.
    confidence: f64,
    /// The share that is right.
    right: f64,
    /// How many there are.
    count: usize,
}

/// What a threshold would mean.
#[derive(Debug, Serialize, ToSchema)]
struct Threshold {
    /// Answers at least this sure are given.
    threshold: f64,
    /// Their share of all.
    coverage: f64,
    /// The share of them that is wrong.
    risk: f64,
    /// What that share is below, except with probability δ, for this threshold alone.
    bound: f64,
}

/// `GET /v1/routes/quality`: how sure the classifier was of labelled requests, beside how often it was right.
#[utoipa::path(get, path = "/v1/routes/quality", tag = "routes", params(Whose), responses((status = 200, body = Quality)))]
pub(crate) async fn show(State(app): State<App>, Query(whose): Query<Whose>) -> Result<Json<Quality>, ApiError> {
    let promises = app.runtime.promises(None).await;
    let promised = promises.iter().find_map(|promise| promise.certified.as_ref());
    let (alpha, delta) = promised.map_or((0.01, 0.05), |certified| (certified.alpha, certified.delta));
    let Reliability { examples, bins, choices } = app.runtime.reliability(whose.role.as_ref().map(Line::as_str), delta);
    let bar = |Bin { confidence, right, count }| Bar { confidence, right, count };
    let threshold = |Choice { threshold, coverage, risk, bound }| Threshold { threshold, coverage, risk, bound };
    let reliability = bins.into_iter().map(bar).collect();
    let risk_coverage = choices.into_iter().map(threshold).collect();
    Ok(Json(Quality { examples, alpha, delta, reliability, risk_coverage }))
}
