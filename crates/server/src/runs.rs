//! `/v1/runs`: requests and everything that comes of them.

pub(crate) mod acts;
pub(crate) mod create;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod histogram;
pub(crate) mod list;
pub(crate) mod plans;
pub(crate) mod rate;

use axum::Json;
use axum::extract::State;
use domain::approval::ApprovalId;
use domain::event::{Origin, Seq};
use domain::id::{RunId, SessionId};
use domain::plan::Strategy;
use domain::run::{FailureKind, Flags, RunStatus, RunSummary};
use domain::store::StoreError;
use domain::view::{RunView, fold};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::approvals;
use crate::error::{ApiError, Problem};
use crate::extract::{Path, Query};
use crate::openapi::Nothing;
use crate::schema::{self, OfRun};

/// How many intents and waits of one run are shown.
const MOST: usize = 1_000;

/// A run as it stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Run {
    /// Which.
    #[schema(schema_with = schema::run_id)]
    run: RunId,
    #[schema(schema_with = schema::status)]
    status: RunStatus,
    /// What was asked.
    text: String,
    /// The answer, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// Why it failed or was cancelled, if it did or was.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::failure, required = false)]
    failure: Option<FailureKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::strategy, required = false)]
    strategy: Option<Strategy>,
    /// The role that answered, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    /// How good its reasoning was judged to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1)]
    quality: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::session, required = false)]
    session: Option<SessionId>,
    /// Who asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    /// Where it was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<Parent>,
    flags: RunFlags,
    spent: RunSpent,
    /// How many events it has.
    #[schema(value_type = u64)]
    events: Seq,
    /// When it was accepted.
    #[schema(schema_with = schema::moment)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(schema_with = schema::moment)]
    updated_at: Timestamp,
}

/// Where a forked run left its parent.
#[derive(Debug, Serialize, ToSchema)]
struct Parent {
    #[schema(schema_with = schema::run_id)]
    run: RunId,
    /// The last event they share.
    #[schema(value_type = u64)]
    seq: Seq,
}

/// Things about a run that are worth filtering by.
#[derive(Debug, Serialize, ToSchema)]
struct RunFlags {
    /// It has more than one plan version.
    replanned: bool,
    /// It has an intent of which nobody can tell whether it happened.
    in_doubt: bool,
    /// It went on after a crash or a wait.
    resumed: bool,
}

/// What a run used so far.
#[derive(Debug, Serialize, ToSchema)]
struct RunSpent {
    /// Tokens read.
    input_tokens: u64,
    /// Tokens written.
    output_tokens: u64,
    /// Dollars.
    cost: f64,
    /// Calls of models.
    model_calls: u64,
    /// Calls of tools.
    tool_calls: u64,
}

impl From<RunSummary> for Run {
    fn from(it: RunSummary) -> Self {
        let Flags { replanned, in_doubt, resumed } = it.flags;
        let usage = it.spent.usage;
        Self {
            run: it.run,
            status: it.status,
            text: it.text,
            answer: it.answer,
            error: it.error,
            failure: it.failure,
            strategy: it.strategy,
            role: it.role,
            quality: it.quality,
            session: it.session,
            user: it.user,
            parent: it.parent.map(|Origin { run, seq }| Parent { run, seq }),
            flags: RunFlags { replanned, in_doubt, resumed },
            spent: RunSpent {
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                cost: usage.cost.as_dollars(),
                model_calls: it.spent.model_calls,
                tool_calls: it.spent.tool_calls,
            },
            events: it.events,
            created_at: it.created_at,
            updated_at: it.updated_at,
        }
    }
}

/// Everything that is known about a run.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunPage {
    run: Run,
    /// The fold of its ledger: chain, reasoning, plans, steps, tools, ending.
    #[schema(value_type = Object)]
    view: RunView,
    /// What it wants or wanted to write.
    #[schema(value_type = Vec<Object>)]
    intents: Vec<Value>,
    /// What it waits for; `name` is what an answer is filed under.
    #[schema(value_type = Vec<Object>)]
    waits: Vec<Value>,
    /// What a person has to decide before it goes on: `/v1/approvals` has more about each.
    #[schema(value_type = Vec<String>)]
    approvals: Vec<ApprovalId>,
}

/// `GET /v1/runs/{run}`: everything that is known about a run.
#[utoipa::path(
    get, path = "/v1/runs/{run}", tag = "runs", params(OfRun),
    responses((status = 200, body = RunPage), (status = 404, body = Problem, description = "there is no such run"))
)]
pub(crate) async fn show(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
) -> Result<Json<RunPage>, ApiError> {
    let summary = summary(&app, run).await?;
    let view = fold(&app.runtime.ledger(run).await?);
    let intents = values(app.store.intents(Some(run), None, MOST).await?);
    let waits = values(app.store.waits(Some(run), MOST).await?);
    let approvals = approvals::pending(&app, run).await?.into_iter().map(|it| it.id).collect();
    Ok(Json(RunPage { run: summary.into(), view, intents, waits, approvals }))
}

/// A run as listings show it, or the words that there is none.
pub(crate) async fn summary(app: &App, run: RunId) -> Result<RunSummary, ApiError> {
    Ok(app.store.run(run).await?.ok_or(StoreError::NoSuchRun { run })?)
}

/// Where a run is found.
fn location(run: RunId) -> String {
    format!("/v1/runs/{run}")
}

fn values<T: Serialize>(things: Vec<T>) -> Vec<Value> {
    // Our own types always serialise.
    things.into_iter().map(|thing| serde_json::to_value(thing).unwrap_or_default()).collect()
}
