//! Answers that are not a plain 200.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use domain::audit::Outcome;
use serde::Serialize;

/// Something is there now, under a path of its own: 201.
#[derive(Debug)]
pub(crate) struct Created<T> {
    /// Where it is.
    pub(crate) location: String,
    /// What it is.
    pub(crate) body: T,
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, [(header::LOCATION, self.location)], Json(self.body)).into_response()
    }
}

/// It will be done: 202.
#[derive(Debug)]
pub(crate) struct Accepted<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Accepted<T> {
    fn into_response(self) -> Response {
        (StatusCode::ACCEPTED, Json(self.0)).into_response()
    }
}

/// There is nothing more to come: 204, which tells an `EventSource` to stop asking.
#[derive(Debug)]
pub(crate) struct NothingMore;

impl IntoResponse for NothingMore {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

/// It was done, and there is nothing to say about it: 204.
#[derive(Debug)]
pub(crate) struct Done;

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

/// How an answer says that it went.
pub(crate) fn outcome(response: &Response) -> Outcome {
    match response.status() {
        status if status.is_server_error() => Outcome::Failed,
        status if status.is_client_error() => Outcome::Refused,
        _ => Outcome::Done,
    }
}
