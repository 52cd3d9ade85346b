//! What an agent has answered so far: filtered, page by page, and cleared.

use axum::Json;
use axum::extract::State;
use domain::stage::StageFilter;
use domain::store::Cursor;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Agent, OfAgent, Reply, replies, shape};
use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::plain::Refusal;
use crate::schema::{self, Line};

/// Which answers.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct Sought {
    /// Only to this request.
    #[param(schema_with = schema::line, required = false)]
    request_id: Option<Line>,
    /// Only with at least this quality.
    #[param(minimum = 0, maximum = 1)]
    min_reasoning_quality: Option<f64>,
    /// Only with at most this quality.
    #[param(minimum = 0, maximum = 1)]
    max_reasoning_quality: Option<f64>,
    /// Only if another plan is asked for, or only if not.
    should_replan: Option<bool>,
    /// Only if more thought is asked for, or only if not.
    should_deepen_reasoning: Option<bool>,
    /// Only given at or after this moment, or on or after this day (UTC).
    #[param(schema_with = shape::date, required = false)]
    start_date: Option<String>,
    /// Only given at or before this moment, or on or before this day (UTC).
    #[param(schema_with = shape::date, required = false)]
    end_date: Option<String>,
}

/// Which page of them.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct Part {
    /// Only to this request.
    #[param(schema_with = schema::line, required = false)]
    request_id: Option<Line>,
    /// Only with at least this quality.
    #[param(minimum = 0, maximum = 1)]
    min_reasoning_quality: Option<f64>,
    /// Only with at most this quality.
    #[param(minimum = 0, maximum = 1)]
    max_reasoning_quality: Option<f64>,
    /// Only if another plan is asked for, or only if not.
    should_replan: Option<bool>,
    /// Only if more thought is asked for, or only if not.
    should_deepen_reasoning: Option<bool>,
    /// Only given at or after this moment, or on or after this day (UTC).
    #[param(schema_with = shape::date, required = false)]
    start_date: Option<String>,
    /// Only given at or before this moment, or on or before this day (UTC).
    #[param(schema_with = shape::date, required = false)]
    end_date: Option<String>,
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// Where an earlier page said that the next one begins.
    cursor: Option<String>,
}

/// Some of an agent's answers, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct History {
    /// This page.
    items: Vec<Reply>,
    /// Where the next page begins; null on the last one.
    #[schema(required = true)]
    next_cursor: Option<String>,
}

/// What was deleted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Cleared {
    /// How many answers.
    deleted: u64,
}

/// `GET /api/agents/{agent}/history`: what an agent has answered, alone or within runs, newest first.
#[utoipa::path(
    get, path = "/api/agents/{agent}/history", tag = "agents", params(OfAgent, Part),
    responses(
        (status = 200, body = History),
        (status = 404, body = Refusal, description = "there is no such agent")
    )
)]
pub(crate) async fn list(
    State(app): State<App>,
    Agent(stage): Agent,
    Query(part): Query<Part>,
) -> Result<Json<History>, ApiError> {
    let (sought, limit, cursor) = part.split();
    let filter = sought.filter()?;
    let limit = schema::page_length(limit)?;
    let (records, next) = app.store.stage_history(stage, &filter, cursor.as_ref(), limit).await?;
    Ok(Json(History { items: replies(&app, records).await?, next_cursor: next.map(|Cursor(next)| next) }))
}

/// `DELETE /api/agents/{agent}/history`: deletes answers of an agent. The ledgers of runs stay as they are.
#[utoipa::path(
    delete, path = "/api/agents/{agent}/history", tag = "agents", params(OfAgent, Sought),
    responses(
        (status = 200, body = Cleared),
        (status = 404, body = Refusal, description = "there is no such agent")
    )
)]
pub(crate) async fn clear(
    State(app): State<App>,
    Agent(stage): Agent,
    Query(sought): Query<Sought>,
) -> Result<Json<Cleared>, ApiError> {
    let filter = sought.filter()?;
    Ok(Json(Cleared { deleted: app.store.clear_stage(stage, &filter).await? }))
}

impl Part {
    fn split(self) -> (Sought, Option<u16>, Option<Cursor>) {
        let sought = Sought {
            request_id: self.request_id,
            min_reasoning_quality: self.min_reasoning_quality,
            max_reasoning_quality: self.max_reasoning_quality,
            should_replan: self.should_replan,
            should_deepen_reasoning: self.should_deepen_reasoning,
            start_date: self.start_date,
            end_date: self.end_date,
        };
        (sought, self.limit, self.cursor.map(Cursor))
    }
}

impl Sought {
    fn filter(self) -> Result<StageFilter, ApiError> {
        let (min, max) = (self.min_reasoning_quality, self.max_reasoning_quality);
        for (name, quality) in [("minReasoningQuality", min), ("maxReasoningQuality", max)] {
            if quality.is_some_and(|quality| !(0.0..=1.0).contains(&quality)) {
                return Err(ApiError::invalid(name, format!("`{name}` must be between 0 and 1")));
            }
        }
        let since = self.start_date.map(|text| moment("startDate", &text, Edge::Begin)).transpose()?;
        let until = self.end_date.map(|text| moment("endDate", &text, Edge::End)).transpose()?;
        Ok(StageFilter {
            request: self.request_id.map(String::from),
            min_quality: min,
            max_quality: max,
            should_replan: self.should_replan,
            should_deepen: self.should_deepen_reasoning,
            since,
            until,
        })
    }
}

/// Which end of a day a day means.
#[derive(Clone, Copy)]
enum Edge {
    Begin,
    End,
}

fn moment(name: &str, text: &str, edge: Edge) -> Result<Timestamp, ApiError> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    let day = text.parse::<Date>().ok().filter(|day| day.to_string() == text).and_then(|day| {
        let begin = day.to_zoned(TimeZone::UTC).ok()?;
        match edge {
            Edge::Begin => Some(begin.timestamp()),
            Edge::End => begin
                .checked_add(1.day())
                .and_then(|next| next.checked_sub(1.nanosecond()))
                .ok()
                .map(|last| last.timestamp()),
        }
    });
    let words = || format!("`{name}` is `{text}`; write it like `2026-05-01` or `2026-05-01T09:30:00Z`");
    day.ok_or_else(|| ApiError::invalid(name, words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_meant_from_its_first_moment_to_its_last() {
        let of = |text: &str, edge| moment("endDate", text, edge).expect("a moment").to_string();
        assert_eq!(of("2026-05-01", Edge::Begin), "2026-05-01T00:00:00Z");
        assert_eq!(of("2026-05-01", Edge::End), "2026-05-01T23:59:59.999999999Z");
        assert_eq!(of("2026-05-01T09:30:00+02:00", Edge::End), "2026-05-01T07:30:00Z");
        for wrong in ["", "yesterday", "2026-13-01", "2026-5-1", "1746090000"] {
            let words = moment("endDate", wrong, Edge::End).expect_err("no moment").to_string();
            assert!(words.contains("endDate") && words.contains("2026-05-01"), "{words}");
        }
    }
}
