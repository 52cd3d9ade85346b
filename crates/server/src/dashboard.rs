//! The dashboard's files, which are part of the program. Whatever is no URL of the API is a page of the dashboard, for
//! browsers; what such a page may load and speak to is this server alone.

use std::borrow::Cow;

use axum::body::{Body, Bytes};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::error::ApiError;

/// What a page may do.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// Where names have a hash in them: what is there never changes.
const HASHED: &str = "assets/";
/// Where no pages are, whatever a browser wants.
const NOT_PAGES: &[&str] = &["/v1", "/api", "/mcp", "/a2a", "/agui", "/.well-known", "/assets"];
/// How files are packed, best first.
const PACKED: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];
/// What is shown in place of a dashboard that was not built.
const NOT_BUILT: &str = "<!doctype html><meta charset=\"utf-8\"><title>Agentwright</title>\
    <p>This program was built without its dashboard. <code>make dashboard</code> builds the dashboard; then build \
    again.<p>The API is there: <a href=\"/docs\">what can be asked</a>.";

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/dashboard"]
struct Files;

/// Whether the dashboard is part of this program.
pub fn is_built() -> bool {
    Files::get("index.html").is_some()
}

/// A file of the dashboard; for browsers a page, where there is nothing else.
pub(crate) async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Result<Response, ApiError> {
    let path = uri.path();
    let nowhere = || ApiError::not_found(format!("there is nothing at `{path}`"));
    if method != Method::GET && method != Method::HEAD {
        return Err(nowhere());
    }
    let name = path.trim_start_matches('/');
    if !name.is_empty() && name != "index.html" && Files::get(name).is_some() {
        return Ok(file(name, &headers));
    }
    let under = |prefix: &&str| path.strip_prefix(*prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if NOT_PAGES.iter().any(under) || !wants_a_page(&headers) {
        return Err(nowhere());
    }
    Ok(if is_built() { file("index.html", &headers) } else { html(NOT_BUILT.into()) })
}

fn wants_a_page(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}

/// A file that is there, packed as well as its reader can unpack it.
fn file(name: &str, headers: &HeaderMap) -> Response {
    let said = headers.get(ACCEPT_ENCODING).and_then(|said| said.to_str().ok()).unwrap_or_default();
    let takes = |coding: &str| said.split(',').any(|one| one.split(';').next().unwrap_or_default().trim() == coding);
    let packed = PACKED.iter().filter(|(coding, _)| takes(coding));
    let packed = packed.filter_map(|(coding, ending)| Some((*coding, Files::get(&format!("{name}.{ending}"))?))).next();
    let (coding, found) = match packed {
        Some((coding, found)) => (Some(coding), Some(found)),
        None => (None, Files::get(name)),
    };
    let mut response = match name.ends_with(".html") {
        true => html(found.map(bytes).unwrap_or_default()),
        false => (sort_of(name), Body::from(found.map(bytes).unwrap_or_default())).into_response(),
    };
    let headers = response.headers_mut();
    if let Some(coding) = coding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    let keep = if name.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    response
}

fn html(bytes: Bytes) -> Response {
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, POLICY)];
    (headers, Body::from(bytes)).into_response()
}

fn bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    }
}

fn sort_of(name: &str) -> [(axum::http::HeaderName, &'static str); 1] {
    let sort = match name.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" | "webmanifest" => "application/json",
        _ => "application/octet-stream",
    };
    [(CONTENT_TYPE, sort)]
}
