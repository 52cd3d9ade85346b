//! `/mcp`: MCP over streamable HTTP, with sessions for the clients of before 2026-07-28 and without for the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::desk::Line;
use super::door::Door;
use crate::app::{App, Limits};
use crate::error::{ApiError, NothingMore};
use crate::guard::Caller;

const SESSION: &str = "Mcp-Session-Id";
/// How many sessions one key can have; the one that was quiet the longest ends for a new one.
const MOST: usize = 32;
/// How long a session lasts on which nothing happens.
const IDLE: Duration = Duration::from_secs(1_800);

/// What the transport needs.
pub(crate) const METHODS: [Method; 3] = [Method::POST, Method::GET, Method::DELETE];

/// What answers at `/mcp`.
pub(crate) fn methods() -> MethodRouter<App> {
    post(answer).get(answer).delete(answer)
}

/// The protocol, and whose sessions there are.
pub(crate) struct Gate {
    protocol: StreamableHttpService<Door, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    owners: Mutex<HashMap<SessionId, Owned>>,
}

struct Owned {
    by: Arc<str>,
    used: Instant,
}

impl Gate {
    pub(crate) fn new(limits: &Limits, closing: &CancellationToken) -> Self {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(IDLE);
        let sessions = Arc::new(sessions);
        // Whose name was called was checked before; a page in a browser has nothing to do here, whatever it is called.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_allowed_origins(Vec::<String>::new())
            .enforce_origin_validation()
            .with_max_request_body_bytes(limits.body)
            .with_sse_keep_alive(Some(limits.heartbeat))
            .with_cancellation_token(closing.clone());
        let door = || Ok(Door { line: Line::Http });
        let protocol = StreamableHttpService::new(door, Arc::clone(&sessions), config);
        Self { protocol, sessions, owners: Mutex::default() }
    }

    /// Whether a session may be used by somebody. One that there is not is for the protocol to say.
    fn is_theirs(&self, session: &SessionId, caller: &Caller) -> bool {
        match self.owners().get_mut(session) {
            Some(owned) if owned.by == caller.id => {
                owned.used = Instant::now();
                true
            }
            Some(_) => false,
            None => true,
        }
    }

    /// Keeps whose a new session is, and ends one where they have too many.
    async fn keep(&self, session: SessionId, caller: &Caller) {
        let there: Vec<SessionId> = self.sessions.sessions.read().await.keys().cloned().collect();
        let quiet = {
            let mut owners = self.owners();
            owners.retain(|id, _| there.contains(id));
            owners.insert(session, Owned { by: Arc::clone(&caller.id), used: Instant::now() });
            let theirs = owners.iter().filter(|(_, owned)| owned.by == caller.id);
            let quietest = theirs.clone().min_by_key(|(_, owned)| owned.used).map(|(id, _)| id.clone());
            quietest.filter(|_| theirs.count() > MOST).inspect(|id| drop(owners.remove(id)))
        };
        if let Some(quiet) = quiet
            && let Err(error) = self.sessions.close_session(&quiet).await
        {
            tracing::debug!(%error, "a session had ended before it was closed");
        }
    }

    fn owners(&self) -> MutexGuard<'_, HashMap<SessionId, Owned>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `POST`, `GET` and `DELETE /mcp`: the Model Context Protocol.
async fn answer(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    mut request: Request,
) -> Result<Response, ApiError> {
    let gate = Arc::clone(&app.mcp);
    let used = session(request.headers());
    if used.as_ref().is_some_and(|session| !gate.is_theirs(session, &caller)) {
        return Err(ApiError::not_found("there is no such session"));
    }
    let ends = request.method() == Method::DELETE;
    // Whoever answers finds here with what, and whom.
    request.extensions_mut().insert(app);
    let response = gate.protocol.handle(request).await;
    if let (None, Some(new)) = (used, session(response.headers())) {
        gate.keep(new, &caller).await;
    }
    // Some clients take nothing else for an answer.
    if ends && response.status().is_success() {
        return Ok(NothingMore.into_response());
    }
    Ok(response.map(Body::new))
}

fn session(headers: &HeaderMap) -> Option<SessionId> {
    headers.get(SESSION)?.to_str().ok().map(SessionId::from)
}
