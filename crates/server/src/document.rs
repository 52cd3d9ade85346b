//! `/openapi.json` and `/docs`: the API describes itself. It holds nobody's data, so no key is needed.

use std::sync::LazyLock;

use axum::Json;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse};
use serde_json::Value;

use crate::extract::Query;
use crate::openapi::Nothing;
use crate::router::described;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::to_value(described()).unwrap_or_default());

static PAGE: LazyLock<String> = LazyLock::new(|| written(&DOCUMENT));

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color-scheme:light dark}\
                     h2{margin-top:2em;font-size:1.1em}td{padding:.1em 1em .1em 0;vertical-align:top}pre{overflow:auto}";

/// `GET /openapi.json`: this document.
#[utoipa::path(
    get, path = "/openapi.json", tag = "operations",
    responses((status = 200, body = Object, description = "an OpenAPI 3.1 document"))
)]
pub(crate) async fn json(_: Query<Nothing>) -> Json<&'static Value> {
    Json(&DOCUMENT)
}

/// `GET /docs`: this document, for people.
#[utoipa::path(
    get, path = "/docs", tag = "operations",
    responses((status = 200, body = String, content_type = "text/html; charset=utf-8", description = "a page"))
)]
pub(crate) async fn page(_: Query<Nothing>) -> impl IntoResponse {
    // Nothing on the page may ask anybody for anything.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    ([(CONTENT_SECURITY_POLICY, policy)], Html(PAGE.as_str()))
}

fn written(document: &Value) -> String {
    let mut page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <title>Agentwright over HTTP</title><style>{STYLE}</style><h1>Agentwright over HTTP</h1><p>{}</p>\
         <p>The same for programs: <a href=/openapi.json>openapi.json</a>.</p>",
        tame(&document["info"]["description"])
    );
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            page.push_str(&section(path, method, operation));
        }
    }
    page.push_str("<h2>Shapes</h2>");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let json = escaped(&format!("{schema:#}"));
        page.push_str(&format!(
            "<details id=\"{name}\"><summary><code>{name}</code></summary><pre>{json}</pre></details>"
        ));
    }
    page
}

fn section(path: &str, method: &str, operation: &Value) -> String {
    let says = operation["summary"].as_str().unwrap_or_default();
    // The summary begins with the URL, which is the heading already.
    let says = escaped(says.split_once("`: ").map_or(says, |(_, says)| says));
    let mut rows = String::new();
    let mut row = |name: String, words: String| rows.push_str(&format!("<tr><td>{name}<td>{words}"));
    for it in operation["parameters"].as_array().into_iter().flatten() {
        let must = if it["required"] == true { ", required" } else { "" };
        row(format!("<code>{}</code> <i>{}{must}</i>", tame(&it["name"]), tame(&it["in"])), tame(&it["description"]));
    }
    if let Some(body) = shape(&operation["requestBody"]) {
        row("body".to_owned(), body);
    }
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let shape = shape(response).filter(|_| status.starts_with('2')).unwrap_or_default();
        row(format!("<code>{status}</code>"), format!("{} {shape}", tame(&response["description"])));
    }
    let method = method.to_uppercase();
    format!("<h2><code>{method} {path}</code></h2><p>{says}</p><table>{rows}</table>")
}

/// The name of what a body is made of, as a link.
fn shape(of: &Value) -> Option<String> {
    let text = of["content"].as_object()?.values().next()?.to_string();
    let name = text.split("#/components/schemas/").nth(1)?.split('"').next()?;
    Some(format!("<a href=\"#{name}\">{name}</a>"))
}

fn tame(text: &Value) -> String {
    escaped(text.as_str().unwrap_or_default())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
