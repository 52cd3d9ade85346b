//! What stands before every handler: whose name was called, who calls, how much they send, and how long it takes.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::audit::Outcome;
use futures::FutureExt;
use tokio::sync::OwnedSemaphorePermit;

use crate::access::Needs;
use crate::app::App;
use crate::audit::{self, About, On};
use crate::caller;
use crate::error::{ApiError, outcome};
use crate::limit;
use crate::site::{Connected, Reached};
use crate::urls::Permissions;

pub(crate) use crate::caller::Caller;

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
/// What our answers may do in a browser: nothing, unless they say so themselves.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// Lets those in who may do what they ask for; what is wrong with a key is not told.
pub(crate) async fn let_in(
    State((app, permissions)): State<(App, Permissions)>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let from = request.extensions().get::<Reached>().and_then(|reached| reached.from);
    // What is not declared is not there: whoever asks for it is told so, whoever they are.
    let needs = path.as_deref().and_then(|path| permissions.of(path, request.method()));
    let (Some(path), Some(needs)) = (path, needs.filter(|needs| *needs != Needs::Nothing)) else {
        app.rates.take(&limit::address(from))?;
        return Ok(next.run(request).await);
    };
    // Asked before anything else that costs something.
    let place = Arc::clone(&app.room).try_acquire_owned().map_err(|_| ApiError::Crowded)?;
    let (parts, body) = request.into_parts();
    let caller = caller::identify(&app, &parts, from).await?;
    app.rates.take(&caller.id)?;
    let allowed = caller.may(needs);
    let kept = audit::is_kept(&path, &parts.method, needs);
    let mut request = Request::from_parts(parts, body);
    let about = kept.then(|| About::of(&path, &request));
    request.extensions_mut().insert(caller.clone());
    match (about, allowed) {
        (None, allowed) => {
            allowed?;
            Ok(next.run(request).await)
        }
        (Some(about), Err(error)) => {
            about.went(&app, &caller, Outcome::Refused, None).await;
            Err(error)
        }
        (Some(about), Ok(())) => on_record(app, caller, about, place, request, next).await,
    }
}

/// Has a request answered and notes how it went, even if whoever asked leaves meanwhile.
async fn on_record(
    app: App,
    caller: Caller,
    about: About,
    place: OwnedSemaphorePermit,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let finishing = app.finishing.clone();
    let answering = async move {
        let response = next.run(request).await;
        let (outcome, on) = (outcome(&response), response.extensions().get::<On>().cloned());
        about.went(&app, &caller, outcome, on).await;
        drop(place);
        response
    };
    finishing.spawn(answering).await.map_err(|gone| ApiError::Broken(gone.into()))
}

/// Refuses heads that are too large, those that name another machine, and those that pages of others have sent.
pub(crate) async fn head(State(app): State<App>, mut request: Request, next: Next) -> Result<Response, ApiError> {
    let headers = request.headers();
    if headers.len() > app.limits.header_fields || bytes(headers, &request) > app.limits.header_bytes {
        return Err(ApiError::TooManyHeaders);
    }
    let connected = request.extensions().get::<Connected>().copied();
    let reached = app.site.reached(headers, request.uri(), connected)?;
    reached.by_own_page(request.method(), headers)?;
    request.extensions_mut().insert(reached);
    Ok(next.run(request).await)
}

fn bytes(headers: &HeaderMap, request: &Request) -> usize {
    let fields: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    fields + request.uri().path_and_query().map_or(0, |path| path.as_str().len())
}

/// Answers within the time an answer may take. The head of a stream is an answer.
pub(crate) async fn in_time(State(app): State<App>, request: Request, next: Next) -> Result<Response, ApiError> {
    tokio::time::timeout(app.limits.request, next.run(request)).await.map_err(|_| ApiError::TooSlow)
}

/// A handler that panics is answered for, and brings nobody else down.
pub(crate) async fn unbroken(request: Request, next: Next) -> Response {
    let mut response = match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(_) => ApiError::Broken("a handler panicked".into()).into_response(),
    };
    harmless(response.headers_mut());
    response
}

/// Tells browsers what not to do with an answer: guess what it is, show it in a frame, or give it to other pages.
fn harmless(headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NOTHING));
}
