//! Around every request: a name for it, how long it took, and a line in the log.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;
use uuid::Uuid;

use crate::app::App;

/// The header that names a request, in both directions.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest name that is taken over from a client.
const LONGEST: usize = 128;

/// Gives a request its name, counts it, and logs that it was answered. Neither what was asked nor what was answered is
/// logged.
pub(crate) async fn request(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let name = named(request.headers());
    let method = known(request.method());
    // Paths as they were declared: there are only so many of them, and they hold nobody's data.
    let path = request.extensions().get::<MatchedPath>().cloned();
    let words = name.to_str().unwrap_or_default().to_owned();
    let span = tracing::error_span!("request", request = words);
    let mut response = next.run(request).instrument(span.clone()).await;
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    let path = path.as_ref().map_or("none", MatchedPath::as_str);
    app.metrics.answered(method, path, status, took);
    span.in_scope(|| tracing::info!(method, path, status, ms = took.as_millis() as u64, "answered"));
    response.headers_mut().insert(REQUEST_ID, name);
    response
}

/// The name that a client gave, if it can be one; else a new one.
fn named(headers: &HeaderMap) -> HeaderValue {
    let sane = |value: &&HeaderValue| {
        let fits = (1..=LONGEST).contains(&value.len());
        fits && value.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/=+".contains(byte))
    };
    let given = headers.get(&REQUEST_ID).filter(sane).cloned();
    given
        .or_else(|| HeaderValue::try_from(Uuid::now_v7().simple().to_string()).ok())
        .unwrap_or(HeaderValue::from_static("none"))
}

/// Methods that somebody made up are all the same to us.
fn known(method: &Method) -> &'static str {
    let known = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS];
    let names = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
    known.iter().position(|it| it == method).map_or("OTHER", |at| names[at])
}
