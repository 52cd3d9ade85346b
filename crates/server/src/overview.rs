//! `/v1/overview`: what somebody wants to know who has just come in.

use axum::Json;
use axum::extract::State;
use domain::approval::{ApprovalFilter, ApprovalStatus};
use domain::run::RunStatus;
use domain::store::{RunFilter, Totals};
use jiff::civil::Time;
use jiff::{Timestamp, ToSpan, Zoned};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::openapi::Nothing;

/// Requests that anybody can try: nothing has to be set up for them, and no model is asked.
const EXAMPLES: [&str; 3] = [
    "Turn off the kitchen light and set a pasta timer for eight minutes",
    "Add dinner with Anna on Friday at seven to my calendar",
    "What is 15 percent of 80?",
];

/// How things stand.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Overview {
    /// How many runs are going on.
    running: u64,
    /// How many wait for somebody or something.
    waiting: u64,
    /// How many have an intent of which nobody can tell whether it happened.
    in_doubt: u64,
    /// How many questions a person has to decide.
    approvals: u64,
    /// Since midnight where the server is.
    today: Spending,
    /// In the last thirty days.
    month: Spending,
    /// Requests to try that need nothing.
    examples: Vec<&'static str>,
    /// Whether a model is configured.
    models: bool,
    /// Whether it learns by itself.
    learning: bool,
}

/// Runs and what they used.
#[derive(Debug, Serialize, ToSchema)]
struct Spending {
    /// How many were asked for.
    runs: u64,
    /// How many of them failed.
    failed: u64,
    /// Dollars.
    cost: f64,
    /// Tokens read.
    input_tokens: u64,
    /// Tokens written.
    output_tokens: u64,
}

/// `GET /v1/overview`: how things stand.
#[utoipa::path(get, path = "/v1/overview", tag = "runs", responses((status = 200, body = Overview)))]
pub(crate) async fn show(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Overview>, ApiError> {
    let store = &app.store;
    let in_state = |status: &[RunStatus]| RunFilter { status: status.to_vec(), ..RunFilter::default() };
    let going = in_state(&[RunStatus::Pending, RunStatus::Running]);
    // What begins later is not going on.
    let going = RunFilter { until: Some(Timestamp::now()), ..going };
    let doubtful = RunFilter { in_doubt: Some(true), ..RunFilter::default() };
    let pending = ApprovalFilter { status: Some(ApprovalStatus::Pending), ..ApprovalFilter::default() };
    let (midnight, month) = starts(&Zoned::now());
    Ok(Json(Overview {
        running: store.count(&going).await?,
        waiting: store.count(&in_state(&[RunStatus::Waiting])).await?,
        in_doubt: store.count(&doubtful).await?,
        approvals: store.approvals(&pending, Timestamp::now(), None, MOST).await?.0.len() as u64,
        today: spending(&app, midnight).await?,
        month: spending(&app, month).await?,
        examples: EXAMPLES.to_vec(),
        models: !app.runtime.models.is_empty(),
        learning: app.about.learning,
    }))
}

/// The most questions that are counted.
const MOST: usize = 1_000;

/// The last midnight, and the moment thirty days ago.
fn starts(now: &Zoned) -> (Timestamp, Timestamp) {
    let midnight = now.with().time(Time::midnight()).build().map_or(now.timestamp(), |at| at.timestamp());
    let month = now.checked_sub(30.days()).map_or(now.timestamp(), |at| at.timestamp());
    (midnight, month)
}

async fn spending(app: &App, since: Timestamp) -> Result<Spending, ApiError> {
    let all = RunFilter { since: Some(since), ..RunFilter::default() };
    let failed = app.store.count(&RunFilter { status: vec![RunStatus::Failed], ..all.clone() }).await?;
    let Totals { runs, spent } = app.store.totals(&all).await?;
    let usage = spent.usage;
    let (input_tokens, output_tokens) = (usage.input_tokens, usage.output_tokens);
    Ok(Spending { runs, failed, cost: usage.cost.as_dollars(), input_tokens, output_tokens })
}
