//! What can be done to a run: stop it, answer it, go on with it, fork it, repeat it.

use axum::Extension;
use axum::extract::State;
use domain::approval::ApprovalId;
use domain::event::{Need, Seq, Wait};
use domain::id::RunId;
use domain::run::RunStatus;
use domain::store::Signalled;
use jiff::Timestamp;
use runtime::ForkError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{MOST, Run, location, summary};
use crate::access::{Area, Role};
use crate::app::App;
use crate::audit;
use crate::caller::Caller;
use crate::error::{Accepted, ApiError, Created, Problem};
use crate::extract::{Json, Path, Query};
use crate::openapi::Nothing;
use crate::schema::{self, Line, OfRun, Words};

/// Why a run is to stop.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cancel {
    /// In a few words; it stands in the ledger.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    reason: Option<Line>,
}

/// What a run waits for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    /// The name of what it waits for, as `waits` has it; may be left out where one thing is asked.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    name: Option<Line>,
    /// The answer: words, or `yes` or `no` to an approval.
    #[schema(schema_with = schema::words)]
    answer: Words,
}

/// Where a fork leaves its run.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fork {
    /// The last event that both share.
    #[serde(deserialize_with = "schema::whole")]
    #[schema(value_type = u64, minimum = 1)]
    at: Seq,
}

/// Whether a run came out the same.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Replayed {
    #[schema(schema_with = schema::run_id)]
    run: RunId,
    /// Whether every event came out as it is on record.
    same: bool,
    /// How many events there are.
    events: usize,
    /// The first event that did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    seq: Option<Seq>,
    /// What differs, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

/// `POST /v1/runs/{run}/cancel`: asks a run to stop. Whoever advances it notices within a second.
#[utoipa::path(
    post, path = "/v1/runs/{run}/cancel", tag = "runs", params(OfRun), request_body = Option<Cancel>,
    responses(
        (status = 202, body = Run, description = "it was asked to stop"),
        (status = 404, body = Problem, description = "there is no such run"),
        (status = 409, body = Problem, description = "it has ended already")
    )
)]
pub(crate) async fn cancel(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
    body: Option<Json<Cancel>>,
) -> Result<Accepted<Run>, ApiError> {
    let Cancel { reason } = body.map(|Json(body)| body).unwrap_or_default();
    stop(&app, &caller, run, reason.map(String::from)).await?;
    Ok(Accepted(summary(&app, run).await?.into()))
}

/// `POST /v1/runs/{run}/answer`: answers what a run waits for. The first answer counts.
#[utoipa::path(
    post, path = "/v1/runs/{run}/answer", tag = "runs", params(OfRun), request_body = Answer,
    responses(
        (status = 202, body = Run, description = "the answer is on record and the run goes on"),
        (status = 404, body = Problem, description = "there is no such run"),
        (status = 409, body = Problem, description = "it has ended, was answered already, or does not ask this")
    )
)]
pub(crate) async fn answer(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
    Json(Answer { name, answer }): Json<Answer>,
) -> Result<Accepted<Run>, ApiError> {
    give(&app, &caller, run, name.map(String::from), answer.into()).await?;
    Ok(Accepted(summary(&app, run).await?.into()))
}

/// `POST /v1/runs/{run}/resume`: has a run advanced now that nobody is at work on.
#[utoipa::path(
    post, path = "/v1/runs/{run}/resume", tag = "runs", params(OfRun),
    responses(
        (status = 202, body = Run, description = "it goes on"),
        (status = 404, body = Problem, description = "there is no such run"),
        (status = 409, body = Problem, description = "it has ended, or waits for somebody")
    )
)]
pub(crate) async fn resume(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
) -> Result<Accepted<Run>, ApiError> {
    let status = summary(&app, run).await?.status;
    match status {
        status if status.is_final() => Err(ended(run, status)),
        RunStatus::Waiting => {
            let words = match questions(&app, run).await?.as_slice() {
                [] => format!("{run} waits for a moment to come"),
                asked => format!("{run} waits for an answer to {}: post it to `answer`", names(asked)),
            };
            Err(ApiError::conflict("waiting", words))
        }
        _ => {
            app.store.reconcile(Timestamp::now()).await?;
            going_on(&app, run).await
        }
    }
}

/// `POST /v1/runs/{run}/fork`: starts a run that shares the events of another and goes its own way from there.
#[utoipa::path(
    post, path = "/v1/runs/{run}/fork", tag = "runs", params(OfRun), request_body = Fork,
    responses(
        (status = 201, body = Run, headers(("Location" = String, description = "where the new run is found"))),
        (status = 404, body = Problem, description = "there is no such run"),
        (status = 409, body = Problem, description = "it has no such event")
    )
)]
pub(crate) async fn fork(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
    Json(Fork { at }): Json<Fork>,
) -> Result<Created<Run>, ApiError> {
    if at == 0 {
        return Err(ApiError::invalid("at", "`at` is counted from 1"));
    }
    let fork = app.runtime.fork(run, at).await.map_err(|error| match error {
        ForkError::NoSuchEvent { .. } => ApiError::conflict("no_such_event", error.to_string()),
        ForkError::Store(error) => error.into(),
    })?;
    app.dispatch.nudge(fork).await;
    Ok(Created { location: location(fork), body: summary(&app, fork).await?.into() })
}

/// `POST /v1/runs/{run}/replay`: repeats a run from its record, and says whether it came out the same.
#[utoipa::path(
    post, path = "/v1/runs/{run}/replay", tag = "runs", params(OfRun),
    responses(
        (status = 200, body = Replayed),
        (status = 404, body = Problem, description = "there is no such run")
    )
)]
pub(crate) async fn replay(
    State(app): State<App>,
    Path(OfRun { run }): Path<OfRun>,
    _: Query<Nothing>,
) -> Result<axum::Json<Replayed>, ApiError> {
    let ledger = app.runtime.ledger(run).await?;
    let events = ledger.len();
    // It computes, and has nothing to wait for.
    let replayed = tokio::task::spawn_blocking(move || app.runtime.replay(&ledger)).await;
    let differs = replayed.map_err(|error| ApiError::Broken(error.into()))?.err();
    let (seq, detail) = differs.map(|at| (at.seq, at.detail)).unzip();
    Ok(axum::Json(Replayed { run, same: seq.is_none(), events, seq, detail }))
}

/// Asks a run to stop.
pub(crate) async fn stop(app: &App, caller: &Caller, run: RunId, reason: Option<String>) -> Result<(), ApiError> {
    if let Signalled::Ended(status) = app.runtime.cancel(run, reason).await? {
        return Err(ended(run, status));
    }
    audit::stopped(app, caller, run).await;
    app.dispatch.nudge(run).await;
    Ok(())
}

/// Puts an answer on record, by its name or to the only question there is. A yes to a proposal is a decision: those who
/// may not decide may not say it.
pub(crate) async fn give(
    app: &App,
    caller: &Caller,
    run: RunId,
    name: Option<String>,
    answer: String,
) -> Result<(), ApiError> {
    let status = summary(app, run).await?.status;
    if status.is_final() {
        return Err(ended(run, status));
    }
    let asked = questions(app, run).await?;
    let wait = match (name, asked.as_slice()) {
        (None, [only]) => only,
        (None, asked) => return Err(ApiError::invalid("name", format!("say what it answers: {}", what(asked)))),
        (Some(name), asked) => {
            asked.iter().find(|wait| wait.name == name).ok_or_else(|| not_asked(run, &name, asked))?
        }
    };
    record(app, caller, run, wait, Value::String(answer)).await
}

async fn record(app: &App, caller: &Caller, run: RunId, wait: &Wait, answer: Value) -> Result<(), ApiError> {
    let name = &wait.name;
    if matches!(wait.need, Need::Approval { .. }) {
        caller.grant.allows(Area::Approvals, Role::Approver)?;
    }
    if !wait.need.understands(&answer) {
        return Err(ApiError::invalid("answer", format!("{answer} is neither yes nor no")));
    }
    match app.runtime.answer(run, name, answer, Some(caller.to_string())).await? {
        Signalled::Recorded => {
            if matches!(wait.need, Need::Approval { .. }) {
                audit::decided(app, caller, ApprovalId::of(run, name), "answer").await;
            }
            app.dispatch.nudge(run).await;
        }
        Signalled::Late(_) => return Err(ApiError::conflict("answered", format!("`{name}` was answered already"))),
        Signalled::Ended(status) => return Err(ended(run, status)),
    }
    Ok(())
}

async fn going_on(app: &App, run: RunId) -> Result<Accepted<Run>, ApiError> {
    app.dispatch.nudge(run).await;
    Ok(Accepted(summary(app, run).await?.into()))
}

/// The names of what a run asks people.
async fn questions(app: &App, run: RunId) -> Result<Vec<Wait>, ApiError> {
    let waits = app.store.waits(Some(run), MOST).await?;
    Ok(waits.into_iter().map(|it| it.wait).filter(|it| it.need.question().is_some()).collect())
}

fn names(asked: &[Wait]) -> String {
    format!("`{}`", asked.iter().map(|wait| wait.name.as_str()).collect::<Vec<_>>().join("`, `"))
}

fn what(asked: &[Wait]) -> String {
    match asked {
        [] => "it asks nothing now".to_owned(),
        asked => format!("it asks {}", names(asked)),
    }
}

fn ended(run: RunId, status: RunStatus) -> ApiError {
    ApiError::conflict("ended", format!("{run} is {} already", status.word()))
}

fn not_asked(run: RunId, name: &str, asked: &[Wait]) -> ApiError {
    ApiError::conflict("not_asked", format!("{run} does not ask `{name}`: {}", what(asked)))
}
