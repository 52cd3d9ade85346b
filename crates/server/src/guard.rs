//! What stands before every handler: whose name was called, who calls, how much they send, and how long it takes.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{AUTHORIZATION, HOST, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::trace::{Source, Standing};
use futures::FutureExt;

use crate::access::{Grant, Needs};
use crate::app::App;
use crate::error::ApiError;
use crate::keys;
use crate::urls::Permissions;

/// What names a machine to itself: a page from elsewhere cannot make a browser say these.
const OWN_NAMES: &[&str] = &["localhost", "127.0.0.1", "[::1]"];

/// Who makes a request: whoever has this key.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// The id of their key.
    pub(crate) id: Arc<str>,
    name: Option<Arc<str>>,
    /// What they may do.
    pub(crate) grant: Grant,
    /// What traces are good for that they send.
    pub(crate) standing: Standing,
}

impl Caller {
    /// Where traces come from that they send.
    pub(crate) fn source(&self) -> Source {
        Source::key(&self.id)
    }
}

impl fmt::Display for Caller {
    /// What the ledger calls them: by the name of their key, or by its id where it has none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.as_ref().unwrap_or(&self.id))
    }
}

/// Lets those in who may do what they ask for; what is wrong with a key is not told.
pub(crate) async fn let_in(
    State((app, permissions)): State<(App, Permissions)>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    // What is not declared is not there: whoever asks for it is told so, whoever they are.
    let needs = path.and_then(|path| permissions.of(path, request.method()));
    if let Some(Needs::Somebody(area, role)) = needs {
        let caller = identify(&app, request.headers()).await?;
        caller.grant.allows(area, role)?;
        request.extensions_mut().insert(caller);
    }
    Ok(next.run(request).await)
}

/// Who shows a valid key.
async fn identify(app: &App, headers: &HeaderMap) -> Result<Caller, ApiError> {
    let shown = bearer(headers).ok_or(ApiError::NoKey)?;
    let key = keys::check(app.store.as_ref(), shown).await?.ok_or(ApiError::NoKey)?;
    let standing = if key.evidence { Standing::Evidence } else { Standing::Watched };
    Ok(Caller { id: key.id.into(), name: key.name.map(Arc::from), grant: key.grant, standing })
}

/// Refuses heads that are too large, and those that name another machine.
pub(crate) async fn head(State(app): State<App>, request: Request, next: Next) -> Result<Response, ApiError> {
    let headers = request.headers();
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    let bytes = bytes + request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    if headers.len() > app.limits.header_fields || bytes > app.limits.header_bytes {
        return Err(ApiError::TooManyHeaders);
    }
    let host = host(headers, request.uri())?;
    if !OWN_NAMES.iter().any(|name| name.eq_ignore_ascii_case(without_port(&host))) {
        return Err(ApiError::WrongHost { host });
    }
    Ok(next.run(request).await)
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
    // What we say is what it is said to be.
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(key.trim())
}

fn host(headers: &HeaderMap, uri: &Uri) -> Result<String, ApiError> {
    let mut said = headers.get_all(HOST).iter().map(HeaderValue::to_str);
    let host = match (said.next(), said.next()) {
        (Some(Ok(host)), None) => host,
        _ => return Err(ApiError::invalid("Host", "the request must have one header `Host`")),
    };
    Ok(uri.authority().map_or(host, |authority| authority.as_str()).to_owned())
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_what_stands_before_its_port() {
        assert_eq!(without_port("localhost:7878"), "localhost");
        assert_eq!(without_port("[::1]:7878"), "[::1]");
        assert_eq!(without_port("[::1]"), "[::1]");
        assert_eq!(without_port("localhost"), "localhost");
    }
}
