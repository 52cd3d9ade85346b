//! `/openapi.json` and `/docs`: the API describes itself. It holds nobody's data, so no key is needed.

use std::sync::LazyLock;

use axum::Json;
use axum::response::Html;
use serde_json::Value;

use crate::extract::Query;
use crate::openapi::Nothing;
use crate::router::described;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::to_value(described()).unwrap_or_default());

/// `GET /openapi.json`: this document.
#[utoipa::path(
    get, path = "/openapi.json", tag = "operations", security(()),
    responses((status = 200, body = Object, description = "an OpenAPI 3.1 document"))
)]
pub(crate) async fn json(_: Query<Nothing>) -> Json<&'static Value> {
    Json(&DOCUMENT)
}

/// `GET /docs`: this document, for people.
#[utoipa::path(
    get, path = "/docs", tag = "operations", security(()),
    responses((status = 200, body = String, content_type = "text/html", description = "a page"))
)]
pub(crate) async fn page(_: Query<Nothing>) -> Html<String> {
    Html(format!("<!doctype html><title>Agentwright</title><pre>{:#}</pre>", *DOCUMENT))
}
