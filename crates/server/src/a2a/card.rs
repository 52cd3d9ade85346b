//! `/.well-known/agent-card.json`: what other agents are told before they ask anything. It holds nobody's data.

use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::response::IntoResponse;
use axum::{Extension, Json};
use domain::role::Role;
use runtime::Promise;
use serde_json::{Value, json};

use crate::app::App;
use crate::extract::Query;
use crate::openapi::Nothing;
use crate::site::Reached;

/// How many requests are shown for each skill.
const EXAMPLES: usize = 4;
const DESCRIPTION: &str = "Plans and carries out requests in plain words with the tools it has, asks a person before it \
does what it may not do by itself, and keeps a ledger of everything.";

/// `GET /.well-known/agent-card.json`: what this agent can do, and how other agents reach it (A2A).
#[utoipa::path(
    get, path = "/.well-known/agent-card.json", tag = "operations",
    responses((status = 200, body = Object, description = "an agent card of A2A 1.0"))
)]
pub(crate) async fn show(
    State(app): State<App>,
    Extension(reached): Extension<Reached>,
    _: Query<Nothing>,
) -> impl IntoResponse {
    let promises = app.runtime.promises(None).await;
    ([(CACHE_CONTROL, "public, max-age=60")], Json(card(&format!("{}/a2a", reached.base()), &promises)))
}

fn card(url: &str, promises: &[Promise]) -> Value {
    let interface = |version: &str| json!({"url": url, "protocolBinding": "JSONRPC", "protocolVersion": version});
    let mut skills = vec![anything()];
    skills.extend(promises.iter().map(|promise| skill(&promise.role)));
    json!({
        "name": "Agentwright",
        "description": DESCRIPTION,
        "version": env!("CARGO_PKG_VERSION"),
        "supportedInterfaces": [interface("1.0"), interface("0.3")],
        "capabilities": {"streaming": true, "pushNotifications": false, "extendedAgentCard": false},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": skills,
        // Those of before 1.0 look for the kind beside what it is.
        "securitySchemes": {"key": {
            "httpAuthSecurityScheme": {"scheme": "Bearer", "description": "a key of this server, as `aw_…`"},
            "type": "http", "scheme": "bearer",
        }},
        "securityRequirements": [{"schemes": {"key": {"list": []}}}],
        "security": [{"key": []}],
        "url": url,
        "preferredTransport": "JSONRPC",
        "protocolVersion": "0.3.0",
    })
}

fn anything() -> Value {
    json!({
        "id": "plan",
        "name": "plan",
        "description": "Plans what is not obvious, step by step, and carries the plan out.",
        "tags": ["planning", "tools"],
    })
}

fn skill(role: &Role) -> Value {
    let examples: Vec<&String> = role.examples.iter().take(EXAMPLES).collect();
    json!({
        "id": role.name, "name": role.name, "description": role.when_to_use, "tags": [role.name], "examples": examples,
    })
}
