//! `/v1/audit`: who changed what.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use domain::audit::Noted;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::schema;

/// Which entries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// At most so many.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// Where an earlier page said that the next one begins.
    #[param(schema_with = schema::place, required = false)]
    cursor: Option<String>,
}

/// Something that somebody did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EntryPage {
    /// Its place in the chain, counted from 1.
    seq: u64,
    #[schema(schema_with = schema::moment)]
    at: Timestamp,
    who: String,
    /// How they came in: `key`, `session` or `cli`.
    via: &'static str,
    /// A method and a path, or a command.
    what: String,
    /// To what, by its ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    on: BTreeMap<String, String>,
    /// `done`, `refused` or `failed`.
    outcome: &'static str,
    #[schema(schema_with = schema::hash)]
    hash: String,
}

/// Whether each entry follows from the one before.
#[derive(Debug, Serialize, ToSchema)]
struct ChainPage {
    holds: bool,
    /// How many entries follow from each other, from the first on.
    entries: u64,
}

/// Some of the trail.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Trail {
    /// Newest first.
    entries: Vec<EntryPage>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next: Option<String>,
    chain: ChainPage,
}

/// `GET /v1/audit`: who decided, who changed what, and who came in, newest first.
#[utoipa::path(get, path = "/v1/audit", tag = "access", params(Which), responses((status = 200, body = Trail)))]
pub(crate) async fn list(State(app): State<App>, Query(which): Query<Which>) -> Result<Json<Trail>, ApiError> {
    let limit = schema::page_length(which.limit)?;
    let before = match which.cursor {
        Some(cursor) if cursor.bytes().all(|byte| byte.is_ascii_digit()) => {
            let wrong = |_| ApiError::invalid("cursor", "`cursor` is not what an earlier page said");
            Some(cursor.parse::<u64>().map_err(wrong)?)
        }
        Some(_) => return Err(ApiError::invalid("cursor", "`cursor` is not what an earlier page said")),
        None => None,
    };
    let mut entries = app.store.noted(before, limit + 1).await?;
    let more = entries.len() > limit;
    entries.truncate(limit);
    let next = entries.last().filter(|_| more).map(|last| last.seq.to_string());
    let verified = app.store.verify().await?;
    let chain = ChainPage { holds: verified.broken.is_none(), entries: verified.entries };
    Ok(Json(Trail { entries: entries.into_iter().map(Into::into).collect(), next, chain }))
}

impl From<Noted> for EntryPage {
    fn from(noted: Noted) -> Self {
        let Noted { seq, entry, hash } = noted;
        let (via, outcome) = (entry.via.word(), entry.outcome.word());
        Self { seq, at: entry.at, who: entry.who, via, what: entry.what, on: entry.on, outcome, hash: hash.to_string() }
    }
}
