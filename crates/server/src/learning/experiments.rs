//! `/v1/experiments`: what is tried, and the button that stops it.

use axum::extract::State;
use axum::{Extension, Json};
use domain::guideline::ExperimentId;
use domain::symbol::Symbol;
use runtime::learning;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::{refused, written};
use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{Path, Query};
use crate::openapi::Nothing;

/// An experiment in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfExperiment {
    /// Which experiment.
    #[param(pattern = "^exp_[0-9a-f]{16}$")]
    experiment: String,
}

/// Which experiments.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those under way.
    open: Option<bool>,
}

/// What is and was tried.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Experiments {
    /// Those begun last first: `id`, `lesson`, `status`, `because`, `tally`, `effect`, `evidence_for`, `evidence_against`.
    #[schema(value_type = Vec<Object>)]
    experiments: Vec<Value>,
}

/// An experiment that was stopped.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Stopped {
    experiment: String,
    /// `stopped`
    status: String,
}

/// `GET /v1/experiments`: what is and was tried.
#[utoipa::path(
    get, path = "/v1/experiments", tag = "learning", params(Which), responses((status = 200, body = Experiments))
)]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Experiments>, ApiError> {
    let experiments = app.store.experiments(which.open == Some(true)).await?;
    Ok(Json(Experiments { experiments: experiments.iter().map(written).collect() }))
}

/// `POST /v1/experiments/{experiment}/stop`: everybody gets again what all got before.
#[utoipa::path(
    post, path = "/v1/experiments/{experiment}/stop", tag = "learning", params(OfExperiment),
    responses(
        (status = 200, body = Stopped),
        (status = 404, body = Problem, description = "there is no such experiment"),
        (status = 409, body = Problem, description = "it is over")
    )
)]
pub(crate) async fn stop(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfExperiment { experiment }): Path<OfExperiment>,
    _: Query<Nothing>,
) -> Result<Json<Stopped>, ApiError> {
    let id = ExperimentId(Symbol::of(&experiment));
    learning::stop(app.store.as_ref(), &id, Some(&caller.to_string())).await.map_err(refused)?;
    Ok(Json(Stopped { experiment, status: "stopped".to_owned() }))
}
