//! A run's plans: each version, and what changed between two of them.

use axum::extract::State;
use axum::{Extension, Json};
use domain::approval::{Ruling, Verdict};
use domain::hash::Hash;
use domain::id::RunId;
use domain::plan::Plan;
use domain::plan::diff::{PlanDiff, diff};
use domain::view::{RunView, fold};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::approvals::{self, ApprovalPage, decide};
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{self, Path, Query};
use crate::openapi::Nothing;
use crate::schema::{self, Line, OfRun};

/// Which version.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Version {
    /// Counted from 1; the newest when absent.
    #[param(minimum = 1)]
    version: Option<u32>,
}

/// Which versions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Versions {
    /// The older one; the one before `to` when absent.
    #[param(minimum = 1)]
    from: Option<u32>,
    /// The newer one; the newest there is when absent.
    #[param(minimum = 1)]
    to: Option<u32>,
}

/// A plan that is to be carried out instead of the one that is proposed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Instead {
    /// The whole plan.
    #[schema(value_type = Object)]
    plan: Map<String, Value>,
    /// The `hash` of the proposal it replaces.
    #[serde(deserialize_with = "schema::written_as_we_do")]
    #[schema(schema_with = schema::hash)]
    hash: Hash,
    /// Why, in a few words.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    reason: Option<Line>,
}

/// One version of a run's plan.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlanPage {
    #[schema(schema_with = schema::run_id)]
    run: RunId,
    /// Which version, counted from 1.
    version: usize,
    /// How many there are.
    versions: usize,
    /// Why there is this version.
    #[schema(required = true)]
    because: Option<String>,
    /// The plan: its goal, its steps, its answer.
    #[schema(value_type = Object)]
    plan: Plan,
}

/// What changed between two versions of a plan.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DiffPage {
    #[schema(schema_with = schema::run_id)]
    run: RunId,
    /// The older version.
    from: usize,
    /// The newer version.
    to: usize,
    /// Why there is the newer one.
    #[schema(required = true)]
    because: Option<String>,
    /// Fields of the plan, and steps that were added, removed and changed.
    #[schema(value_type = Object)]
    diff: PlanDiff,
}

/// `GET /v1/runs/{run}/plan`: one version of a run's plan.
#[utoipa::path(
    get, path = "/v1/runs/{run}/plan", tag = "runs", params(OfRun, Version),
    responses(
        (status = 200, body = PlanPage),
        (status = 404, body = Problem, description = "there is no such run, or no such plan")
    )
)]
pub(crate) async fn show(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    Query(Version { version }): Query<Version>,
) -> Result<Json<PlanPage>, ApiError> {
    let view = fold(&app.runtime.ledger(run).await?);
    let versions = view.plans.len();
    let version = counted("version", version)?.unwrap_or(versions);
    let (plan, because) = version_of(run, &view, version)?.clone();
    Ok(Json(PlanPage { run, version, versions, because, plan }))
}

/// `PUT /v1/runs/{run}/plan`: has another plan carried out than the one a person is asked about.
#[utoipa::path(
    put, path = "/v1/runs/{run}/plan", tag = "runs", params(OfRun), request_body = Instead,
    responses(
        (status = 200, body = ApprovalPage, description = "the plan is on record and the run goes on"),
        (status = 404, body = Problem, description = "there is no such run"),
        (status = 409, body = Problem, description = "nobody is asked about its plan, or about another one"),
        (status = 410, body = Problem, description = "it is too late; `approval` is how it stands")
    )
)]
pub(crate) async fn edit(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
    extract::Json(Instead { plan, hash, reason }): extract::Json<Instead>,
) -> Result<Json<ApprovalPage>, ApiError> {
    super::summary(&app, run).await?;
    let pending = approvals::pending(&app, run).await?;
    let Some(asked) = pending.iter().find(|it| it.plan.is_some()) else {
        return Err(ApiError::conflict("not_asked", format!("{run} asks nobody about its plan")));
    };
    let verdict =
        Verdict { decision: Ruling::Edit { plan: Value::Object(plan) }, hash, reason: reason.map(String::from) };
    decide::settle(&app, &caller, asked.id, verdict, false).await.map(Json)
}

/// `GET /v1/runs/{run}/plan/diff`: what changed between two versions of a run's plan.
#[utoipa::path(
    get, path = "/v1/runs/{run}/plan/diff", tag = "runs", params(OfRun, Versions),
    responses(
        (status = 200, body = DiffPage),
        (status = 404, body = Problem, description = "there is no such run, or it has no two such plans")
    )
)]
pub(crate) async fn compare(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    Query(Versions { from, to }): Query<Versions>,
) -> Result<Json<DiffPage>, ApiError> {
    let view = fold(&app.runtime.ledger(run).await?);
    let (from, to) = (counted("from", from)?, counted("to", to)?.unwrap_or(view.plans.len()));
    let (after, because) = version_of(run, &view, to)?;
    let from = from.unwrap_or(to - 1);
    if from == 0 {
        return Err(ApiError::not_found(format!("{run} has no plan before plan {to}")));
    }
    let (before, _) = version_of(run, &view, from)?;
    Ok(Json(DiffPage { run, from, to, because: because.clone(), diff: diff(before, after) }))
}

fn counted(name: &str, version: Option<u32>) -> Result<Option<usize>, ApiError> {
    match version {
        Some(0) => Err(ApiError::invalid(name, format!("`{name}` is counted from 1"))),
        version => Ok(version.map(|version| version as usize)),
    }
}

fn version_of(run: RunId, view: &RunView, version: usize) -> Result<&(Plan, Option<String>), ApiError> {
    match (version.checked_sub(1).and_then(|at| view.plans.get(at)), view.plans.len()) {
        (Some(found), _) => Ok(found),
        (None, 0) => Err(ApiError::not_found(format!("{run} has no plan"))),
        (None, last) => Err(ApiError::not_found(format!("{run} has no plan {version}; there are plans 1 to {last}"))),
    }
}
