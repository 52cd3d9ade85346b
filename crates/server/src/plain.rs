//! Errors under `/api`: an object whose `error` is the sentence itself, as callers of these agents know it.

use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// What clients of `/api` get when something goes wrong.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Refusal {
    /// What went wrong, in a sentence.
    error: String,
}

/// The sentence of an error, beside the body that says it.
#[derive(Debug, Clone)]
pub(crate) struct Sentence(pub(crate) String);

/// Whether errors at a path are told plainly.
pub(crate) fn is_plain(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// Tells errors plainly where that is how they are told.
pub(crate) async fn errors(request: Request, next: Next) -> Response {
    let plain = is_plain(request.uri().path());
    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<Sentence>() {
        Some(Sentence(error)) if plain => {
            *response.body_mut() = Json(Refusal { error }).into_response().into_body();
            response
        }
        _ => response.map(Body::from),
    }
}
