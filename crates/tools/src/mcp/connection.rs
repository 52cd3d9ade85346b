//! One conversation with one server: how it begins in whichever version both sides speak, its tools, and its calls.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest,
    ErrorCode, Implementation, ListToolsRequest, PaginatedRequestParams, ProtocolVersion, ServerResult,
    SubscriptionFilter,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, NotificationContext, RunningService, serve_client_with_lifecycle,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError};
use rmcp::{ClientHandler, RoleClient, ServiceError};
use serde_json::{Map, Value};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::definition::Definition;
use super::meter::Metered;
use super::process::ServerProcess;
use super::server::{McpError, McpServer, McpWay};
use super::trouble::Trouble;
use super::wire::{Wire, WireError};
use crate::words::capped;

/// The most tools that one server may have, and the most pages it may spread them over.
const TOOLS: usize = 2_000;
const PAGES: usize = 100;
/// How long a server has to say good-bye.
const FAREWELL: Duration = Duration::from_secs(2);

/// An open conversation. It ends when this is dropped.
pub(super) struct Connection {
    service: RunningService<RoleClient, Ears>,
    process: Option<ServerProcess>,
    trouble: Trouble,
    stale: Arc<AtomicBool>,
    _listening: JoinSet<()>,
    /// What was agreed on.
    pub(super) protocol: String,
}

/// Why a call brought no answer.
pub(super) enum CallFailure {
    /// The call never reached the server.
    Unsent(String),
    /// The server says no.
    Refused(String),
    /// The server was not done in time, and was told to stop.
    TimedOut,
    /// The call was on its way, and nobody can tell what became of it.
    Lost(String),
}

/// How the conversation is opened first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// As of the newest version, falling back where the server says that it is older.
    Newest,
    /// By the handshake of the older versions.
    Handshake,
}

impl Opening {
    fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Opening::Newest => ClientLifecycleMode::Auto {
                preferred_versions: vec![ProtocolVersion::LATEST],
                legacy_version: Some(ProtocolVersion::LATEST_WITH_INITIALIZE),
            },
            Opening::Handshake => ClientLifecycleMode::Initialize,
        }
    }

    fn other(self) -> Self {
        match self {
            Opening::Newest => Opening::Handshake,
            Opening::Handshake => Opening::Newest,
        }
    }

    /// The one that suits a server which spoke this version last time.
    pub(super) fn for_version(version: Option<&str>) -> Self {
        match version {
            Some(version) if version < ProtocolVersion::NO_INITIALIZE.as_str() => Opening::Handshake,
            _ => Opening::Newest,
        }
    }
}

/// Opens a conversation. A server that does not take the one opening is started again for the other.
pub(super) async fn open(server: &McpServer, first: Opening) -> Result<Connection, McpError> {
    match open_as(server, first).await {
        Err(McpError::Broken { detail }) => {
            tracing::debug!(server = server.name, %detail, "it is asked again in another way");
            open_as(server, first.other()).await
        }
        opened => opened,
    }
}

async fn open_as(server: &McpServer, opening: Opening) -> Result<Connection, McpError> {
    let trouble = Trouble::new();
    let stale = Arc::new(AtomicBool::new(false));
    let ears = Ears { stale: Arc::clone(&stale) };
    let (process, begun) = match &server.way {
        McpWay::Command { program, args, env, directory } => {
            let (process, streams) =
                ServerProcess::start(program, args, env, directory).map_err(|error| unstarted(program, &error))?;
            let output = Metered::new(streams.output, server.max_bytes, trouble.clone());
            let transport = AsyncRwTransport::new_client(output, streams.input).with_max_line_length(usize::MAX);
            let begin = serve_client_with_lifecycle(ears, transport, opening.lifecycle());
            (Some(process), timeout(server.start_timeout, begin).await)
        }
        McpWay::Http { url, headers, client } => {
            let wire = Wire { client: client.clone(), cap: server.max_bytes, trouble: trouble.clone() };
            let config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
                .custom_headers(headers.iter().cloned().collect::<HashMap<_, _>>())
                .reinit_on_expired_session(false);
            let transport = StreamableHttpClientTransport::with_client(wire, config);
            let begin = serve_client_with_lifecycle(ears, transport, opening.lifecycle());
            (None, timeout(server.start_timeout, begin).await)
        }
    };
    let service = match begun {
        Ok(Ok(service)) => service,
        Ok(Err(error)) => return Err(unopened(&trouble, process, error).await),
        Err(_) => {
            let complaint = process.as_ref().map(ServerProcess::complaint).unwrap_or_default();
            let noise = trouble.noise().map(|noise| format!("it wrote `{}`, which is no message", capped(&noise, 100)));
            let detail = [noise.unwrap_or_default(), complaint].join(" ").trim().to_owned();
            return Err(McpError::TooSlow { after: server.start_timeout, detail });
        }
    };
    let info = service.peer_info();
    let protocol = info.as_ref().map(|info| info.protocol_version.clone()).unwrap_or_default();
    if !ProtocolVersion::KNOWN_VERSIONS.contains(&protocol) {
        let detail = format!("it speaks version `{}` of the protocol", capped(protocol.as_str(), 40));
        return Err(McpError::Broken { detail });
    }
    let announces = info
        .as_ref()
        .and_then(|info| info.capabilities.tools.as_ref())
        .is_some_and(|tools| tools.list_changed == Some(true));
    let mut listening = JoinSet::new();
    if announces && !protocol.has_initialize() {
        listening.spawn(listen(service.peer().clone(), Arc::clone(&stale)));
    }
    let protocol = protocol.as_str().to_owned();
    Ok(Connection { service, process, trouble, stale, _listening: listening, protocol })
}

impl Connection {
    /// Whether nothing can be said any more.
    pub(super) fn is_over(&self) -> bool {
        self.service.is_transport_closed() || self.service.is_closed() || self.trouble.words().is_some()
    }

    /// Whether the server has said, since this was last asked, that its tools are others now.
    pub(super) fn take_stale(&self) -> bool {
        self.stale.swap(false, Ordering::Relaxed)
    }

    /// All its tools.
    pub(super) async fn tools(&self, patience: Duration) -> Result<Vec<Definition>, McpError> {
        let listed = tokio::select! {
            listed = timeout(patience, self.list()) => listed,
            words = self.trouble.raised() => return Err(McpError::Broken { detail: words }),
        };
        match listed {
            Ok(Ok(tools)) => Ok(tools),
            Ok(Err(failure)) => Err(McpError::Broken { detail: self.explained(failure) }),
            Err(_) => Err(McpError::TooSlow { after: patience, detail: "it has not listed its tools".into() }),
        }
    }

    async fn list(&self) -> Result<Vec<Definition>, ServiceError> {
        let mut tools: Vec<Definition> = Vec::new();
        let mut cursor = None;
        // Asked directly: an answer that a cache remembers is no news.
        for _ in 0..PAGES {
            let params = Some(PaginatedRequestParams::default().with_cursor(cursor.take()));
            let request = ListToolsRequest { method: Default::default(), params, extensions: Default::default() };
            let answer = self.service.send_request(ClientRequest::ListToolsRequest(request)).await?;
            let ServerResult::ListToolsResult(page) = answer else { return Err(ServiceError::UnexpectedResponse) };
            tools.extend(page.tools.into_iter().map(Definition::from));
            cursor = page.next_cursor;
            if cursor.is_none() || tools.len() >= TOOLS {
                break;
            }
        }
        tools.truncate(TOOLS);
        Ok(tools)
    }

    /// Calls one of them. A call that is given up is cancelled.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        patience: Duration,
    ) -> Result<CallToolResult, CallFailure> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let answer = tokio::select! {
            answer = timeout(patience, self.service.peer().call_tool_once(params)) => answer,
            words = self.trouble.raised() => return Err(CallFailure::Lost(words)),
        };
        match answer {
            Err(_) => Err(CallFailure::TimedOut),
            Ok(Ok(CallToolResponse::Complete(result))) => Ok(result),
            Ok(Ok(_)) => Err(CallFailure::Lost("it asks for something back, which nobody here can give".into())),
            Ok(Err(error)) => Err(self.call_failure(error)),
        }
    }

    fn call_failure(&self, error: ServiceError) -> CallFailure {
        match &error {
            ServiceError::McpError(error) if error.code == ErrorCode::INTERNAL_ERROR => {
                CallFailure::Lost(capped(&error.message, 500))
            }
            ServiceError::McpError(error) => CallFailure::Refused(capped(&error.message, 500)),
            ServiceError::TransportSend(sent) => match sent.error.downcast_ref::<StreamableHttpError<WireError>>() {
                Some(StreamableHttpError::SessionExpired) => CallFailure::Unsent("its session has ended".into()),
                Some(StreamableHttpError::Client(error)) => match error {
                    WireError::Unsent(_) => CallFailure::Unsent(error.to_string()),
                    WireError::Unauthorised { .. } => CallFailure::Refused(error.to_string()),
                    WireError::Refused { status, .. } if status.is_client_error() => {
                        CallFailure::Refused(error.to_string())
                    }
                    // Whoever broke while working on a write may have broken after doing it.
                    WireError::Refused { .. } | WireError::Lost(_) | WireError::TooLong(_) => {
                        CallFailure::Lost(error.to_string())
                    }
                },
                Some(other) => CallFailure::Lost(capped(&other.to_string(), 300)),
                // Not the whole line could be written, so nobody has read it.
                None => CallFailure::Unsent(self.explained(error)),
            },
            _ => CallFailure::Lost(self.explained(error)),
        }
    }

    fn explained(&self, error: ServiceError) -> String {
        let complaint = self.process.as_ref().map(ServerProcess::complaint).unwrap_or_default();
        match (self.trouble.words(), error) {
            (Some(words), _) => words,
            (None, ServiceError::TransportClosed) if complaint.is_empty() => "it has hung up".to_owned(),
            (None, ServiceError::TransportClosed) => format!("it has hung up: {complaint}"),
            (None, ServiceError::McpError(error)) => capped(&error.message, 500),
            (None, other) => capped(&other.to_string(), 300),
        }
    }

    /// Says good-bye, and waits a little for it to be heard.
    pub(super) async fn close(mut self) {
        let _ = self.service.close_with_timeout(FAREWELL).await;
        if let Some(process) = self.process.take() {
            process.end().await;
        }
    }
}

/// What we say about ourselves, and listen for.
struct Ears {
    stale: Arc<AtomicBool>,
}

impl ClientHandler for Ears {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("agentwright", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.stale.store(true, Ordering::Relaxed);
    }
}

/// Servers of the newest version say that their tools are others only to those who asked to be told.
async fn listen(peer: rmcp::Peer<RoleClient>, stale: Arc<AtomicBool>) {
    let wanted = SubscriptionFilter::builder().tools_list_changed().build();
    let Ok(mut subscription) = peer.listen(wanted).await else { return };
    while let Ok(Some(_)) = subscription.next().await {
        stale.store(true, Ordering::Relaxed);
    }
}

fn unstarted(program: &str, error: &std::io::Error) -> McpError {
    match error.kind() {
        std::io::ErrorKind::NotFound => McpError::NoProgram { program: program.to_owned() },
        _ => McpError::Broken { detail: format!("`{program}` cannot be started: {error}") },
    }
}

async fn unopened(trouble: &Trouble, process: Option<ServerProcess>, error: ClientInitializeError) -> McpError {
    if let Some(words) = trouble.words() {
        return McpError::Broken { detail: words };
    }
    let error = match error {
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => *fallback,
        other => other,
    };
    if let ClientInitializeError::TransportError { error, .. } = &error {
        match error.error.downcast_ref::<StreamableHttpError<WireError>>() {
            Some(StreamableHttpError::Client(error @ WireError::Unauthorised { .. })) => {
                return McpError::Unauthorised { detail: error.to_string() };
            }
            Some(StreamableHttpError::Client(error)) => return McpError::Broken { detail: error.to_string() },
            Some(error) => return McpError::Broken { detail: capped(&error.to_string(), 300) },
            None => {}
        }
    }
    match (error, process) {
        (ClientInitializeError::JsonRpcError(error), _) => McpError::Broken { detail: capped(&error.message, 300) },
        (ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. }, Some(process)) => {
            McpError::Broken { detail: process.end().await }
        }
        (other, _) => McpError::Broken { detail: capped(&other.to_string(), 300) },
    }
}
