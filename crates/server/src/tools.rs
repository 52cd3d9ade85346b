//! `/v1/tools`: what can be called, where it comes from, and what may not be called for now.

use axum::Json;
use axum::extract::State;
use domain::id::ToolName;
use domain::tool::{Effect, Tool, ToolSpec};
use domain::trace::ToolRecord;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::error::{ApiError, Problem};
use crate::extract::{Path, Query};
use crate::openapi::Nothing;
use crate::schema;

/// A tool in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfTool {
    /// Which tool.
    #[param(schema_with = schema::tool_name)]
    name: ToolName,
}

/// All tools, by name.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tools {
    tools: Vec<ToolRow>,
}

/// A tool in a listing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ToolRow {
    #[schema(schema_with = schema::tool_name)]
    name: String,
    /// What it does and when to use it.
    description: String,
    /// `read`, `egress` or `write`.
    effect: String,
    /// Who brought it: `built in`, `file`, or `mcp:` and a server.
    source: String,
    /// Why it may not be called until a person has looked at it; absent for those that may.
    #[serde(skip_serializing_if = "Option::is_none")]
    quarantined: Option<String>,
    /// How calls of it in our runs went; absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Record>,
}

/// How calls of a tool went.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Record {
    /// How often it was called.
    calls: u64,
    /// How many of these calls failed.
    failures: u64,
    /// Half of the calls took no longer, in milliseconds.
    p50_ms: u64,
    /// Nineteen in twenty took no longer.
    p95_ms: u64,
    /// What all of them cost, in dollars; absent where a call has no price.
    #[serde(skip_serializing_if = "Option::is_none")]
    usd: Option<f64>,
}

/// Everything about a tool.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ToolPage {
    #[serde(flatten)]
    row: ToolRow,
    /// JSON schema of its arguments.
    #[schema(value_type = Object)]
    parameters: Value,
    /// JSON schema of its results, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    returns: Option<Value>,
    /// How far a write reaches; absent for those that change nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    writes: Option<Writes>,
    /// How long one call may take, in seconds; absent where the server's own limit holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_seconds: Option<f64>,
}

/// How far a write reaches.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Writes {
    /// Whether it can be taken back.
    reversible: bool,
    /// Whether it reaches beyond the server's machine.
    external: bool,
}

/// `GET /v1/tools`: the tools there are.
#[utoipa::path(get, path = "/v1/tools", tag = "tools", responses((status = 200, body = Tools)))]
pub(crate) async fn list(State(app): State<App>, _: Query<Nothing>) -> Result<Json<Tools>, ApiError> {
    let records = app.store.tool_records().await?;
    let names: Vec<ToolName> = app.runtime.tools.specs().into_iter().map(|spec| spec.name.clone()).collect();
    let tools = names.iter().filter_map(|name| app.runtime.tools.tool(name));
    Ok(Json(Tools { tools: tools.map(|tool| row(&app, tool.as_ref(), &records)).collect() }))
}

/// `GET /v1/tools/{name}`: everything about one tool.
#[utoipa::path(
    get, path = "/v1/tools/{name}", tag = "tools", params(OfTool),
    responses((status = 200, body = ToolPage), (status = 404, body = Problem, description = "there is no such tool"))
)]
pub(crate) async fn show(
    State(app): State<App>,
    Path(OfTool { name }): Path<OfTool>,
    _: Query<Nothing>,
) -> Result<Json<ToolPage>, ApiError> {
    let tool = app.runtime.tools.tool(&name);
    let tool = tool.ok_or_else(|| ApiError::not_found(format!("there is no tool `{name}`")))?;
    Ok(Json(page(&app, tool.as_ref(), &app.store.tool_records().await?)))
}

fn row(app: &App, tool: &dyn Tool, records: &[ToolRecord]) -> ToolRow {
    let (spec, standing) = (tool.spec(), tool.standing());
    let record = records.iter().find(|record| record.tool == spec.name);
    let price = app.runtime.settings.tool_prices.get(&spec.name);
    ToolRow {
        name: spec.name.to_string(),
        description: spec.description.clone(),
        effect: spec.effect.word().to_owned(),
        source: standing.source.to_string(),
        quarantined: standing.quarantine,
        record: record.map(|record| Record {
            calls: record.calls,
            failures: record.failures,
            p50_ms: record.p50_ms,
            p95_ms: record.p95_ms,
            usd: price.map(|price| price.as_dollars() * record.calls as f64),
        }),
    }
}

fn page(app: &App, tool: &dyn Tool, records: &[ToolRecord]) -> ToolPage {
    let ToolSpec { parameters, returns, effect, timeout, .. } = tool.spec();
    let writes = match effect {
        Effect::Write { reversible, external, .. } => Some(Writes { reversible: *reversible, external: *external }),
        Effect::Read | Effect::Egress => None,
    };
    ToolPage {
        row: row(app, tool, records),
        parameters: parameters.clone(),
        returns: returns.clone(),
        writes,
        timeout_seconds: timeout.map(|timeout| timeout.as_secs_f64()),
    }
}
