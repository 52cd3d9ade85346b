//! Calling a stage: it works on what the caller gives, and its answer is kept.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use domain::hash::Hash;
use domain::run::RunStatus;
use domain::stage::{RequestRow, Stage, StageRecord};
use jiff::Timestamp;
use runtime::{StageContext, StageError};
use serde_json::Value;

use super::again::Again;
use super::body::{self, Call, Said};
use super::reply::in_order;
use super::{Agent, OfAgent, Reply, reply, switched_off};
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::idempotency;
use crate::openapi::Nothing;
use crate::plain::Refusal;

/// `POST /api/agents/{agent}`: has a stage of reasoning work on what is given. Every answer is kept, numbered.
///
/// Where the request is one that is known already, what was said about it before still holds unless it is said anew.
/// An answer does not end a request: its status is what the caller says it is, or what its run is.
#[utoipa::path(
    post, path = "/api/agents/{agent}", tag = "agents", params(OfAgent,
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 200, pattern = "^[!-~]+$",
        description = "The same key with the same body gives the same answer, for a day, and no second attempt.")),
    request_body = Call,
    responses(
        (status = 200, body = Reply),
        (status = 404, body = Refusal, description = "there is no such agent, or it is disabled"),
        (status = 409, body = Refusal, description = "the budget does not allow it, the `Idempotency-Key` was used with \
            another body, or its answer is being kept at this moment")
    )
)]
pub(crate) async fn call(
    State(app): State<App>,
    Agent(stage): Agent,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(body): Json<Value>,
) -> Result<axum::Json<Reply>, ApiError> {
    let hash = Hash::of_json(&(stage.name(), &body));
    let call = body::read(stage, body)?;
    let Some(key) = idempotency::key(&headers)? else {
        let (record, row) = answered(&app, stage, call).await?;
        return file(&app, record, row).await.map(axum::Json);
    };
    let again = Again::new(&caller, key, hash);
    if let Some((record, row)) = again.known(&app).await? {
        return Ok(axum::Json(reply(record, Some(row))));
    }
    let (record, row) = answered(&app, stage, call).await?;
    let (record, row) = again.file_once(&app, record, row).await?;
    Ok(axum::Json(reply(record, Some(row))))
}

async fn file(app: &App, mut record: StageRecord, row: RequestRow) -> Result<Reply, ApiError> {
    record.attempt = app.store.file(&record, &row).await?;
    Ok(reply(record, Some(row)))
}

/// The answer, not yet kept, and what is to be known of its request.
async fn answered(app: &App, stage: Stage, call: Call) -> Result<(StageRecord, RequestRow), ApiError> {
    let Call { context, request_context, agent_id: _ } = call;
    let row = row(app, stage, request_context.unwrap_or_default()).await?;
    let context = StageContext {
        query: row.query.clone(),
        thoughts: context.thoughts,
        plan: context.plan,
        critique: context.critique,
        confidence_score: context.confidence_score,
        assessment: context.assessment,
    };
    let answer = app.runtime.alone(stage, &context).await.map_err(|error| match error {
        StageError::Nothing(message) | StageError::Context(message) => ApiError::invalid("context", message),
        StageError::Disabled(stage) => switched_off(stage),
        StageError::OverBudget(_) => ApiError::conflict("over_budget", error.to_string()),
        StageError::Store(error) => error.into(),
    })?;
    // When it was answered, not when it was asked: the newest answer is the one that was given last.
    let at = Timestamp::now();
    let row = RequestRow { updated_at: at, ..row };
    Ok((StageRecord { request: row.request.clone(), stage, attempt: 0, at, answer }, row))
}

/// What is known of a request once the caller has said what they say. A run knows itself better than its callers do.
async fn row(app: &App, stage: Stage, said: Said) -> Result<RequestRow, ApiError> {
    let now = Timestamp::now();
    let request = said.request_id.map_or_else(|| uuid::Uuid::now_v7().to_string(), String::from);
    let run = match request.parse() {
        Ok(run) => app.store.run(run).await?.filter(|it| it.run.to_string() == request),
        Err(_) => None,
    };
    let known = app.store.request(&request).await?;
    let told = said.agent_chain.unwrap_or_default().into_iter().map(String::from);
    let own = std::iter::once(stage.name().to_owned());
    let (said_at, said_query) = (said.created_at.unwrap_or(now), said.user_query.map(String::from));
    Ok(match known {
        Some(known) if run.is_some() => {
            let chain = in_order(known.chain, told.chain(own));
            RequestRow { chain, query: said_query.or(known.query), ..known }
        }
        Some(known) => RequestRow {
            created_at: known.created_at.min(said_at),
            updated_at: now,
            status: said.status.unwrap_or(known.status),
            chain: in_order(known.chain, told.chain(own)),
            query: said_query.or(known.query),
            request,
        },
        None => RequestRow {
            created_at: said_at,
            updated_at: now,
            status: said.status.unwrap_or(RunStatus::Running),
            chain: in_order(Vec::new(), told.chain(own)),
            query: said_query,
            request,
        },
    })
}
