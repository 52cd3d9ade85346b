//! Listing runs: filters, pages, and how many there are.

use axum::Json;
use axum::extract::State;
use domain::id::{RunId, SessionId};
use domain::plan::Strategy;
use domain::run::RunStatus;
use domain::store::{Cursor, RunFilter, StoreError};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Run;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::schema::{self, Line};

/// Which runs.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only in one of these states, with commas between them.
    #[serde(default, deserialize_with = "with_commas")]
    #[param(schema_with = schema::statuses, required = false)]
    status: Vec<RunStatus>,
    /// Only with this strategy.
    #[param(schema_with = schema::strategy, required = false)]
    strategy: Option<Strategy>,
    /// Only answered by this role.
    #[param(schema_with = schema::line, required = false)]
    role: Option<Line>,
    /// Only of this conversation.
    #[param(schema_with = schema::session, required = false)]
    session: Option<SessionId>,
    /// Only asked for by this person.
    #[param(schema_with = schema::line, required = false)]
    user: Option<Line>,
    /// Only forks of this run.
    #[serde(default, deserialize_with = "schema::perhaps_run")]
    #[param(schema_with = schema::run_id, required = false)]
    parent: Option<RunId>,
    /// Only accepted at or after this moment.
    #[serde(default, deserialize_with = "schema::perhaps_moment")]
    #[param(schema_with = schema::moment, required = false)]
    since: Option<Timestamp>,
    /// Only accepted before this moment.
    #[serde(default, deserialize_with = "schema::perhaps_moment")]
    #[param(schema_with = schema::moment, required = false)]
    until: Option<Timestamp>,
    /// Only with at least this quality.
    #[param(minimum = 0, maximum = 1)]
    min_quality: Option<f64>,
    /// Only with at most this quality.
    #[param(minimum = 0, maximum = 1)]
    max_quality: Option<f64>,
    /// Only with more than one plan version, or only without.
    replanned: Option<bool>,
    /// Only with an intent in doubt, or only without.
    in_doubt: Option<bool>,
    /// Only where request or answer contain this, whatever the case.
    #[param(schema_with = schema::line, required = false)]
    text: Option<Line>,
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// Where an earlier page said that the next one begins.
    #[param(schema_with = schema::cursor, required = false)]
    cursor: Option<String>,
}

/// Some of the runs, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Runs {
    /// This page.
    runs: Vec<Run>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    /// How many there are on all pages.
    total: u64,
}

/// `GET /v1/runs`: runs that a filter lets through, newest first.
#[utoipa::path(get, path = "/v1/runs", tag = "runs", params(Which), responses((status = 200, body = Runs)))]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Runs>, ApiError> {
    let limit = schema::page_length(which.limit)?;
    let cursor = which.cursor()?;
    let filter = which.filter()?;
    let page = app.store.runs(&filter, cursor.as_ref(), limit).await?;
    let total = app.store.count(&filter).await?;
    let runs = page.runs.into_iter().map(Run::from).collect();
    Ok(Json(Runs { runs, next: page.next.map(|Cursor(next)| next), total }))
}

impl Which {
    /// Where to begin, written as we write it, so that one place has one name.
    pub(super) fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        let ours = |text: &str| text.len() == 48 && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        match &self.cursor {
            Some(cursor) if !ours(cursor) => Err(StoreError::BadCursor { cursor: cursor.clone() }),
            cursor => Ok(cursor.clone().map(Cursor)),
        }
    }

    /// At most so many, if somebody said so.
    pub(super) fn limit(&self) -> Option<u16> {
        self.limit
    }

    pub(super) fn filter(self) -> Result<RunFilter, ApiError> {
        for (name, quality) in [("min_quality", self.min_quality), ("max_quality", self.max_quality)] {
            if quality.is_some_and(|quality| !(0.0..=1.0).contains(&quality)) {
                return Err(ApiError::invalid(name, format!("`{name}` must be between 0 and 1")));
            }
        }
        Ok(RunFilter {
            status: self.status,
            strategy: self.strategy,
            role: self.role.map(String::from),
            session: self.session,
            user: self.user.map(String::from),
            parent: self.parent,
            since: self.since,
            until: self.until,
            min_quality: self.min_quality,
            max_quality: self.max_quality,
            replanned: self.replanned,
            in_doubt: self.in_doubt,
            text: self.text.map(String::from),
        })
    }
}

fn with_commas<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<RunStatus>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let words = text.split(',');
    let known = || RunStatus::ALL.map(RunStatus::word).join("`, `");
    let read = |word| {
        let unknown = || serde::de::Error::custom(format!("status: there is no `{word}`; there are `{}`", known()));
        RunStatus::from_word(word).ok_or_else(unknown)
    };
    words.map(read).collect()
}
