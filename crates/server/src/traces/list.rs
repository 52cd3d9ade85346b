//! Listing traces: filters, pages, and how many there are.

use axum::Json;
use axum::extract::State;
use domain::store::Cursor;
use domain::trace::TraceFilter;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::revoke::From;
use super::shape::TraceRow;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::otlp::named;
use crate::schema::{self, Line};

/// Which traces.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only of this kind of agent.
    #[param(schema_with = schema::line, required = false)]
    agent: Option<Line>,
    /// Only of this kind of problem.
    #[param(schema_with = schema::line, required = false)]
    problem: Option<Line>,
    /// Only from here: `own`, `key:` and a key's id, or `import:` and a name.
    #[param(schema_with = schema::source, required = false)]
    source: Option<From>,
    /// Only successes, or only failures.
    success: Option<bool>,
    /// Only those that have ended, or only those that have not.
    ended: Option<bool>,
    /// Only those that began at this moment or later.
    #[serde(default, deserialize_with = "schema::perhaps_moment")]
    #[param(schema_with = schema::moment, required = false)]
    since: Option<Timestamp>,
    /// Only those that began before this moment.
    #[serde(default, deserialize_with = "schema::perhaps_moment")]
    #[param(schema_with = schema::moment, required = false)]
    until: Option<Timestamp>,
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// Where an earlier page said that the next one begins.
    cursor: Option<String>,
}

/// Some of the traces.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TraceList)]
pub(crate) struct Page {
    /// This page.
    traces: Vec<TraceRow>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// How many there are on all pages.
    total: u64,
}

/// `GET /v1/traces`: traces that a filter lets through, those that began last first.
#[utoipa::path(get, path = "/v1/traces", tag = "traces", params(Which), responses((status = 200, body = Page)))]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Page>, ApiError> {
    let limit = schema::page_length(which.limit)?;
    let cursor = which.cursor.clone().map(Cursor);
    let filter = which.filter();
    let (traces, next) = app.store.traces(&filter, cursor.as_ref(), limit).await?;
    let total = app.store.count_traces(&filter).await?;
    let traces = traces.into_iter().map(TraceRow::from).collect();
    Ok(Json(Page { traces, next: next.map(|Cursor(next)| next), total }))
}

impl Which {
    fn filter(self) -> TraceFilter {
        TraceFilter {
            agent: self.agent.map(|agent| named(agent.as_str())),
            problem: self.problem.map(|problem| named(problem.as_str())),
            source: self.source.map(|From(source)| source),
            success: self.success,
            ended: self.ended,
            since: self.since,
            until: self.until,
        }
    }
}
