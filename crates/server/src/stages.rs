//! `/api/agents`: the stages of reasoning, each called alone. What they answer is kept, attempt by attempt.

mod again;
mod body;
pub(crate) mod call;
pub(crate) mod configure;
pub(crate) mod history;
mod reply;
pub(crate) mod shape;

use std::collections::BTreeMap;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use domain::stage::{RequestRow, Stage, StageRecord};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::Path;

pub(crate) use again::forget_old;
pub(crate) use reply::{Reply, RequestContext, context_of, reply};

/// A stage in a path: one that there is, or 404.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Agent(pub(crate) Stage);

/// What the document says of it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfAgent {
    /// Which agent.
    #[param(schema_with = shape::agent)]
    agent: String,
}

impl FromRequestParts<App> for Agent {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Path(OfAgent { agent }) = Path::from_request_parts(parts, app).await?;
        Stage::from_name(&agent).map(Self).ok_or_else(|| {
            let there = Stage::ALL.map(Stage::name).join("`, `");
            ApiError::not_found(format!("there is no agent `{agent}`; there are `{there}`"))
        })
    }
}

/// Words for whoever asks an agent that is switched off.
fn switched_off(stage: Stage) -> ApiError {
    let name = stage.name();
    ApiError::not_found(format!("`{name}` is disabled: `POST /api/agents/{name}/enable` switches it on"))
}

/// Answers as they are shown, each with what is known of its request.
pub(crate) async fn replies(app: &App, records: Vec<StageRecord>) -> Result<Vec<Reply>, ApiError> {
    let mut requests: BTreeMap<String, Option<RequestRow>> = BTreeMap::new();
    let mut replies = Vec::with_capacity(records.len());
    for record in records {
        if !requests.contains_key(&record.request) {
            requests.insert(record.request.clone(), app.store.request(&record.request).await?);
        }
        let row = requests.get(&record.request).cloned().flatten();
        replies.push(reply(record, row));
    }
    Ok(replies)
}
