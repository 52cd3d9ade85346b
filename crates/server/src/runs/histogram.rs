//! Runs over time, in bars of equal length.

use axum::Json;
use axum::extract::State;
use domain::run::RunStatus;
use domain::store::RunFilter;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::list::Which;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::schema;

/// How many bars there are.
const BARS: i32 = 48;
/// How far back it goes where nobody says.
const USUAL: SignedDuration = SignedDuration::from_hours(24);

/// Runs over time.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Histogram {
    /// Where the first bar begins.
    #[schema(schema_with = schema::moment)]
    since: Timestamp,
    /// Where the last one ends.
    #[schema(schema_with = schema::moment)]
    until: Timestamp,
    /// The bars, oldest first.
    bars: Vec<Bar>,
}

/// The runs of one stretch of time.
#[derive(Debug, Serialize, ToSchema)]
struct Bar {
    #[schema(schema_with = schema::moment)]
    since: Timestamp,
    #[schema(schema_with = schema::moment)]
    until: Timestamp,
    /// How many were asked for.
    runs: u64,
    /// How many of them failed.
    failed: u64,
    /// What they cost, in dollars.
    cost: f64,
}

/// `GET /v1/runs/histogram`: how many runs a filter lets through over time, and what they cost.
///
/// From `since` to `until`, or over the last day; `limit` and `cursor` change nothing.
#[utoipa::path(
    get, path = "/v1/runs/histogram", tag = "runs", params(Which), responses((status = 200, body = Histogram))
)]
pub(crate) async fn histogram(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Histogram>, ApiError> {
    schema::page_length(which.limit())?;
    which.cursor()?;
    let filter = which.filter()?;
    let until = filter.until.unwrap_or_else(Timestamp::now);
    let since = filter.since.unwrap_or_else(|| until.saturating_sub(USUAL).unwrap_or(until));
    if since >= until {
        return Err(ApiError::invalid("since", "`since` must be before `until`"));
    }
    let width = until.duration_since(since) / BARS;
    let at = |bar: i32| since.saturating_add(width * bar).unwrap_or(until);
    let mut bars = Vec::new();
    for bar in 0..BARS {
        let (since, until) = (at(bar), if bar + 1 == BARS { until } else { at(bar + 1) });
        let within = RunFilter { since: Some(since), until: Some(until), ..filter.clone() };
        let totals = app.store.totals(&within).await?;
        // What is empty has nothing that failed.
        let failed = match totals.runs {
            0 => 0,
            _ => failed(&app, &within).await?,
        };
        bars.push(Bar { since, until, runs: totals.runs, failed, cost: totals.spent.usage.cost.as_dollars() });
    }
    Ok(Json(Histogram { since, until, bars }))
}

async fn failed(app: &App, within: &RunFilter) -> Result<u64, ApiError> {
    if !within.status.is_empty() && !within.status.contains(&RunStatus::Failed) {
        return Ok(0);
    }
    Ok(app.store.count(&RunFilter { status: vec![RunStatus::Failed], ..within.clone() }).await?)
}
