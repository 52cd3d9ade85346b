//! What requests are answered with, and how much of it one client can have.

use std::sync::Arc;
use std::time::Duration;

use domain::dispatch::Dispatch;
use domain::store::Store;
use runtime::Runtime;
use tokio_util::sync::CancellationToken;

use crate::metrics::Metrics;
use crate::tail::Tails;

/// Everything that handlers are given.
#[derive(Clone)]
pub struct App {
    /// What takes requests in and decides.
    pub runtime: Arc<Runtime>,
    /// Where ledgers, keys and answers of stages are.
    pub store: Arc<dyn Store>,
    /// What sees to it that runs are advanced.
    pub dispatch: Arc<dyn Dispatch>,
    /// Whose server it is: who asks when a request does not say.
    pub person: Person,
    /// How much one client can have.
    pub limits: Limits,
    /// What has happened here.
    pub metrics: Arc<Metrics>,
    pub(crate) tails: Arc<Tails>,
    /// Cancelled when the server is to stop: streams end then.
    pub closing: CancellationToken,
}

impl App {
    /// Answers from a runtime and its store.
    pub fn new(runtime: Arc<Runtime>, dispatch: Arc<dyn Dispatch>, person: Person, limits: Limits) -> Self {
        let store = Arc::clone(&runtime.store);
        let tails = Arc::new(Tails::new(Arc::clone(&store)));
        let metrics = Arc::default();
        Self { runtime, store, dispatch, person, limits, metrics, tails, closing: CancellationToken::new() }
    }
}

/// Whose server it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// Under whose name runs are filed that do not name anybody.
    pub name: Option<String>,
    /// Where they are, in words.
    pub place: Option<String>,
}

/// How much one client can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The longest body that is read, in bytes.
    pub body: usize,
    /// The longest batch of spans that is read, in bytes: as it is sent, and unpacked.
    pub spans: usize,
    /// How deep JSON may nest.
    pub depth: usize,
    /// The most bytes of headers.
    pub header_bytes: usize,
    /// The most headers.
    pub header_fields: usize,
    /// The most connections at once; others wait to be accepted.
    pub connections: usize,
    /// How long a client may take to send the head of a request, and to begin another on an open connection.
    pub head: Duration,
    /// How long a client may take to send a body.
    pub upload: Duration,
    /// How long a client may take to read anything of an answer.
    pub stall: Duration,
    /// How long an answer may take that is not a stream.
    pub request: Duration,
    /// How long requests under way have once the server is to stop.
    pub farewell: Duration,
    /// How often a stream on which nothing happens says that it is alive.
    pub heartbeat: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 1024 * 1024,
            spans: 32 * 1024 * 1024,
            depth: 64,
            header_bytes: 32 * 1024,
            header_fields: 100,
            connections: 2_048,
            head: Duration::from_secs(15),
            upload: Duration::from_secs(15),
            stall: Duration::from_secs(30),
            request: Duration::from_secs(60),
            farewell: Duration::from_secs(10),
            heartbeat: Duration::from_secs(10),
        }
    }
}
