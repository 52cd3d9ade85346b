//! A server that is started when it is first needed, and again when it has gone, but not over and over.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep, timeout};

use super::connection::{self, Connection, Opening};
use super::pins::{Differences, PinFolder, Pins, Seen};
use super::server::{McpError, McpServer};

/// How long is waited before a server that has failed is started again; doubled each time.
const PAUSE: Duration = Duration::from_millis(250);
/// The longest that becomes.
const LONGEST: Duration = Duration::from_secs(300);
/// A call waits for a pause that is no longer than this; otherwise it is refused at once.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);

/// A server with what was accepted of it, and the conversation with it while there is one.
pub(super) struct Link {
    pub(super) server: McpServer,
    folder: PinFolder,
    pins: Pins,
    state: Mutex<State>,
}

/// One attempt at a conversation, made by whoever comes first and shared by all.
type Line = Arc<OnceCell<Result<Arc<Connection>, McpError>>>;

struct State {
    line: Line,
    /// How often in a row it was of no use.
    failures: u32,
    not_before: Instant,
    differences: Arc<Differences>,
}

impl Link {
    /// Starts nothing. What the server said last time is held against it until it says something else.
    pub(super) fn new(server: McpServer, folder: PinFolder, pins: Pins) -> Self {
        let seen = folder.seen(&server.name).ok().flatten();
        let differences = seen.map(|seen| pins.differences(&seen.tools)).unwrap_or_default();
        let state = State {
            line: Line::default(),
            failures: 0,
            not_before: Instant::now(),
            differences: Arc::new(differences),
        };
        Self { server, folder, pins, state: Mutex::new(state) }
    }

    /// Whether the server is defined otherwise than when it was accepted.
    pub(super) fn server_changed(&self) -> bool {
        self.server.written != self.pins.server
    }

    /// Why a tool must not be called, as far as is known without asking.
    pub(super) fn quarantine(&self, tool: &str) -> Option<String> {
        if self.server_changed() {
            let name = &self.server.name;
            return Some(format!("the definition of the server `{name}` has changed since it was accepted"));
        }
        self.state().differences.against(tool)
    }

    /// An open conversation. Beforehand it is made sure that the server's tools are those that were accepted, as far as it
    /// has said anything new about them.
    pub(super) async fn connection(&self) -> Result<Arc<Connection>, McpError> {
        let line = self.line().await?;
        let connection = line.get_or_init(|| self.open()).await.clone()?;
        if connection.take_stale()
            && let Err(error) = self.compare(&connection).await
        {
            // Whatever comes next begins with a comparison.
            self.hang_up(&connection);
            return Err(error);
        }
        Ok(connection)
    }

    /// Has the next call begin another conversation.
    pub(super) fn hang_up(&self, connection: &Arc<Connection>) {
        let mut state = self.state();
        if matches!(state.line.get(), Some(Ok(open)) if Arc::ptr_eq(open, connection)) {
            state.line = Line::default();
        }
    }

    /// A call was answered: the server is well.
    pub(super) fn is_well(&self) {
        self.state().failures = 0;
    }

    async fn line(&self) -> Result<Line, McpError> {
        let (line, wait) = {
            let mut state = self.state();
            let failure = match state.line.get() {
                Some(Err(error)) => Some(error.to_string()),
                Some(Ok(connection)) if connection.is_over() => Some("it has hung up".to_owned()),
                _ => None,
            };
            if let Some(failure) = failure {
                let pause = PAUSE.saturating_mul(1 << state.failures.min(16)).min(LONGEST);
                let due = state.not_before;
                let rest = due.saturating_duration_since(Instant::now());
                if state.failures > 0 && rest > PATIENCE {
                    let (times, seconds) = (state.failures, rest.as_secs().max(1));
                    let detail = format!(
                        "it has failed {times} times in a row and is left alone for {seconds}s more: {failure}"
                    );
                    return Err(McpError::Broken { detail });
                }
                state.failures += 1;
                state.not_before = Instant::now() + rest + pause;
                state.line = Line::default();
                (Arc::clone(&state.line), rest)
            } else {
                (Arc::clone(&state.line), Duration::ZERO)
            }
        };
        sleep(wait).await;
        Ok(line)
    }

    async fn open(&self) -> Result<Arc<Connection>, McpError> {
        let opening = Opening::for_version(Some(&self.pins.protocol));
        let connection = Arc::new(open(&self.server, opening).await?);
        self.compare(&connection).await?;
        Ok(connection)
    }

    async fn compare(&self, connection: &Connection) -> Result<(), McpError> {
        let tools = connection.tools(self.server.start_timeout).await?;
        let differences = self.pins.differences(&tools);
        let name = &self.server.name;
        if !differences.is_empty() {
            tracing::warn!(server = %name, "its tools are not those that were accepted");
        }
        let seen = Seen { protocol: connection.protocol.clone(), tools };
        if !matches!(self.folder.seen(name), Ok(Some(last)) if last == seen)
            && let Err(error) = self.folder.see(name, &seen)
        {
            tracing::warn!(server = %name, %error, "what it said about its tools could not be kept");
        }
        self.state().differences = Arc::new(differences);
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Connects once, asks what there is, and says good-bye.
pub(super) async fn inspect(server: &McpServer, spoke: Option<&str>) -> Result<Seen, McpError> {
    let connection = open(server, Opening::for_version(spoke)).await?;
    let tools = connection.tools(server.start_timeout).await;
    let protocol = connection.protocol.clone();
    connection.close().await;
    Ok(Seen { protocol, tools: tools? })
}

async fn open(server: &McpServer, opening: Opening) -> Result<Connection, McpError> {
    let slow = || McpError::TooSlow { after: server.start_timeout, detail: String::new() };
    // A little more than one attempt has, so that the attempt itself can say what it saw.
    let all = server.start_timeout + Duration::from_millis(500);
    timeout(all, connection::open(server, opening)).await.unwrap_or_else(|_| Err(slow()))
}
