//! What requests are answered with, and how much of it one client can have.

use std::sync::Arc;
use std::time::Duration;

use domain::dispatch::Dispatch;
use domain::store::Store;
use jiff::Timestamp;
use runtime::Runtime;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use utoipa::ToSchema;

use crate::limit::Buckets;
use crate::mcp::http::Gate;
use crate::metrics::Metrics;
use crate::password::Passwords;
use crate::site::Site;
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
    /// Where it is reached.
    pub site: Site,
    pub(crate) passwords: Arc<Passwords>,
    /// How often one address may fail to come in.
    pub(crate) failures: Arc<Buckets>,
    /// How often somebody may ask.
    pub(crate) rates: Arc<Buckets>,
    /// What is finished though nobody waits for it.
    pub(crate) finishing: TaskTracker,
    /// What is configured, and since when it is in use.
    pub about: Arc<About>,
    /// What has happened here.
    pub metrics: Arc<Metrics>,
    pub(crate) tails: Arc<Tails>,
    pub(crate) mcp: Arc<Gate>,
    /// Places for requests that are not answered yet.
    pub(crate) room: Arc<Semaphore>,
    /// Cancelled when the server is to stop: streams end then.
    pub closing: CancellationToken,
}

impl App {
    /// Answers from a runtime and its store.
    pub fn new(runtime: Arc<Runtime>, dispatch: Arc<dyn Dispatch>, person: Person, limits: Limits) -> Self {
        let store = Arc::clone(&runtime.store);
        let tails = Arc::new(Tails::new(Arc::clone(&store)));
        let closing = CancellationToken::new();
        Self {
            runtime,
            store,
            dispatch,
            person,
            site: Site::default(),
            about: Arc::default(),
            passwords: Arc::default(),
            failures: Arc::new(Buckets::new(limits.failures_per_minute)),
            rates: Arc::new(Buckets::new(limits.per_minute)),
            finishing: TaskTracker::new(),
            tails,
            metrics: Arc::default(),
            mcp: Arc::new(Gate::new(&limits, &closing)),
            room: Arc::new(Semaphore::new(limits.requests)),
            limits,
            closing,
        }
    }

    /// Reached like this.
    pub fn at(self, site: Site) -> Self {
        Self { site, ..self }
    }

    /// With what is to be told about it.
    pub fn about(self, about: About) -> Self {
        Self { about: Arc::new(about), ..self }
    }
}

/// What can be told about a server to those who look after it. It holds no secrets.
#[derive(Debug, Clone)]
pub struct About {
    /// What is configured.
    pub settings: Vec<Setting>,
    /// What kind of database it has: `sqlite` or `postgres`.
    pub database: &'static str,
    /// Whether it learns by itself.
    pub learning: bool,
    /// Since when it answers.
    pub since: Timestamp,
}

/// One value that is configured.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Setting {
    /// Its name, as `budget.run.usd`.
    pub key: String,
    /// Its value.
    #[schema(value_type = Object)]
    pub value: Value,
    /// Where it comes from: `default`, a file, a variable or a flag.
    pub origin: String,
}

impl Default for About {
    fn default() -> Self {
        Self { settings: Vec::new(), database: "sqlite", learning: false, since: Timestamp::now() }
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
    /// The most connections at once; others are told to come back.
    pub connections: usize,
    /// The most requests at once that are not answered yet; others are told to come back.
    pub requests: usize,
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
    /// How many requests one caller may make in a minute, or one address where nobody is known; 0 for any number.
    pub per_minute: u32,
    /// How often one address may come with a wrong password, token or key in a minute; 0 for any number.
    pub failures_per_minute: u32,
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
            requests: 1_024,
            head: Duration::from_secs(15),
            upload: Duration::from_secs(15),
            stall: Duration::from_secs(30),
            request: Duration::from_secs(60),
            farewell: Duration::from_secs(10),
            per_minute: 0,
            failures_per_minute: 10,
            heartbeat: Duration::from_secs(10),
        }
    }
}
