//! The small language of these tests: a server on a socket of its own, and somebody who asks it things.

use server::Role;
use server::keys::Wanted;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::chat::{ChatModel, ModelError, Reply};
use domain::dispatch::{Advance, Dispatch};
use domain::store::Store;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use futures::StreamExt;
use llm::Scripted;
use reqwest::{Method, RequestBuilder, Response};
use runtime::policy::{Action, Rule};
use runtime::{Embedded, Models, Prompts, Runtime, Settings};
use serde_json::{Value, json};
use server::{App, Limits, Metrics, Person, Site};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How long a test waits for what must happen before it says that it did not.
const PATIENCE: Duration = Duration::from_secs(30);

/// A tool that answers at once, or when a test opens the gate.
struct Pretend {
    spec: ToolSpec,
    gate: Option<Arc<Semaphore>>,
}

#[async_trait]
impl Tool for Pretend {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _: &CallContext) -> Result<Value, ToolError> {
        if let Some(gate) = &self.gate {
            gate.acquire().await.expect("the gate is there").forget();
        }
        Ok(arguments.clone())
    }
}

/// A server that is being used.
pub(crate) struct World {
    _folder: Option<tempfile::TempDir>,
    pub(crate) database: PathBuf,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) address: SocketAddr,
    pub(crate) key: String,
    /// Each permit lets one call of `gate.pass` through.
    pub(crate) gate: Arc<Semaphore>,
    pub(crate) client: reqwest::Client,
    stop: CancellationToken,
    working: JoinSet<()>,
}

/// What a world is to be like.
#[derive(Default)]
pub(crate) struct Setting {
    pub(crate) limits: Limits,
    pub(crate) model: Option<Scripted>,
    /// The same for a model that somebody else looks at too.
    pub(crate) chat: Option<Arc<dyn ChatModel>>,
    /// Nobody advances runs, so nobody reads the database unasked.
    pub(crate) idle: bool,
    /// How it is reached.
    pub(crate) site: Site,
    /// The database of another world.
    pub(crate) database: Option<PathBuf>,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(Setting::default()).await
    }

    pub(crate) async fn limited(change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = Limits::default();
        change(&mut limits);
        Self::with(Setting { limits, ..Setting::default() }).await
    }

    pub(crate) async fn replying(replies: impl IntoIterator<Item = Reply>) -> Self {
        let model = Scripted::replies(replies.into_iter().map(Ok::<_, ModelError>));
        Self::with(Setting { model: Some(model), ..Setting::default() }).await
    }

    pub(crate) async fn with(setting: Setting) -> Self {
        let (folder, database) = match setting.database {
            Some(database) => (None, database),
            None => {
                let folder = tempfile::tempdir().expect("a folder");
                let database = folder.path().join("test.db");
                (Some(folder), database)
            }
        };
        let store = store::open(&format!("sqlite:{}", database.display())).await.expect("a store");
        let (key, _) =
            server::keys::create(store.as_ref(), Wanted { name: Some("tests".into()), ..Wanted::new(Role::Admin) })
                .await
                .expect("a key");
        let gate = Arc::new(Semaphore::new(0));
        let worker = Embedded::this_process();
        let model = setting.chat.or_else(|| setting.model.map(|model| Arc::new(model) as Arc<dyn ChatModel>));
        let metrics: Arc<Metrics> = Arc::default();
        let mut runtime = runtime(&store, model, &gate, worker.id.clone());
        runtime.watch.push(Arc::clone(&metrics) as _);
        let runtime = Arc::new(runtime);
        let dispatch = Arc::new(Embedded::new(Arc::clone(&store), worker, 16));
        let app = App::new(Arc::clone(&runtime), Arc::clone(&dispatch) as _, Person::default(), setting.limits);
        let mut app = app.at(setting.site);
        app.metrics = metrics;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a socket");
        let address = listener.local_addr().expect("an address");
        let (stop, mut working) = (CancellationToken::new(), JoinSet::new());
        let stopped = stop.clone();
        working.spawn(async move {
            server::listen(listener, app, stopped.cancelled()).await.expect("served");
        });
        let stopped = stop.clone();
        if !setting.idle {
            working.spawn(async move {
                let stop = Box::pin(stopped.cancelled_owned());
                dispatch.work(runtime as Arc<dyn Advance>, stop).await.expect("worked");
            });
        }
        let client = tools::client().expect("a client");
        Self { _folder: folder, database, store, address, key, gate, client, stop, working }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A request with the key.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, self.url(path)).bearer_auth(&self.key)
    }

    pub(crate) async fn get(&self, path: &str) -> Said {
        Said::of(self.request(Method::GET, path).send().await.expect("an answer")).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Said {
        Said::of(self.request(Method::POST, path).json(&body).send().await.expect("an answer")).await
    }

    /// Posts without a body.
    pub(crate) async fn poke(&self, path: &str) -> Said {
        Said::of(self.request(Method::POST, path).send().await.expect("an answer")).await
    }

    /// Starts a run and says under which path it is found.
    pub(crate) async fn start(&self, body: Value) -> String {
        let said = self.post("/v1/runs", body).await;
        assert_eq!(said.status, 201, "{said:?}");
        said.location.expect("a location")
    }

    /// Starts a run that passes the gate so many times, one after the other.
    pub(crate) async fn start_gated(&self, times: usize) -> String {
        let mut steps: Vec<Value> = Vec::new();
        for at in 0..times {
            let after = if at == 0 { json!([]) } else { json!([format!("s{}", at - 1)]) };
            steps.push(json!({"id": format!("s{at}"), "tool": "gate.pass", "depends_on": after}));
        }
        self.start(json!({"text": "pass", "plan": {"steps": steps, "answer": "through"}})).await
    }

    /// Returns once a run stands so.
    pub(crate) async fn until(&self, path: &str, status: &str) -> Value {
        let run = path.rsplit('/').next().expect("an id").parse().expect("an id");
        let until = async {
            loop {
                let summary = self.store.run(run).await.expect("read").expect("a run");
                if summary.status.word() == status {
                    return;
                }
                assert!(!summary.status.is_final(), "it is {:?}: {:?}", summary.status, summary.error);
                self.store.grown(run, summary.events).await.expect("grown");
            }
        };
        if tokio::time::timeout(PATIENCE, until).await.is_err() {
            panic!("it is not {status}: {:?}", self.store.run(run).await);
        }
        self.get(path).await.body
    }

    /// Follows a run's events.
    pub(crate) async fn follow(&self, path: &str, last: Option<u64>) -> Events {
        let last = |request: RequestBuilder| match last {
            Some(last) => request.header("Last-Event-ID", last.to_string()),
            None => request,
        };
        self.follow_with(path, |request| last(request.bearer_auth(&self.key))).await
    }

    /// Follows a run's events as somebody else.
    pub(crate) async fn follow_with(&self, path: &str, with: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Events {
        let request = with(self.client.get(self.url(&format!("{path}/events"))));
        let response = request.send().await.expect("an answer");
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Events::of(response)
    }

    /// Tells the server to stop, and returns once it has.
    pub(crate) async fn stopped(&mut self) {
        self.stop.cancel();
        while let Some(ended) = self.working.join_next().await {
            ended.expect("in good order");
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.database.parent().expect("a folder")
    }
}

fn runtime(
    store: &Arc<dyn Store>,
    model: Option<Arc<dyn ChatModel>>,
    gate: &Arc<Semaphore>,
    worker: String,
) -> Runtime {
    let spec = |name: &str, effect| ToolSpec {
        name: name.parse().expect("a name"),
        description: format!("does {name}"),
        parameters: json!({"type": "object"}),
        returns: None,
        effect,
        timeout: Some(Duration::from_secs(60)),
    };
    let write = Effect::Write { reversible: true, repeat: Repeat::Never, external: false, targets: vec![] };
    let tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(Pretend { spec: spec("look.once", Effect::Read), gate: None }),
        Arc::new(Pretend { spec: spec("gate.pass", Effect::Read), gate: Some(Arc::clone(gate)) }),
        Arc::new(Pretend { spec: spec("door.open", write.clone()), gate: None }),
        Arc::new(Pretend { spec: spec("note.add", write), gate: None }),
    ];
    let rules = vec![Rule { tool: "door.*".into(), when: None, action: Action::Ask }];
    Runtime {
        store: Arc::clone(store),
        models: model.map_or_else(Models::default, only),
        reflexes: None,
        tools: Arc::new(tools::Registry::new(tools).expect("a registry")),
        settings: Settings { rules, ..Settings::default() },
        prompts: Prompts::default(),
        worker,
        lately: runtime::Lately::default(),
        isolate: None,
        watch: Vec::new(),
    }
}

/// One model for everything, which can be asked for by its name as well.
fn only(model: Arc<dyn ChatModel>) -> Models {
    let mut models = Models::only(model);
    models.named = models.tiers.values().map(|model| (model.chat.name().to_owned(), model.clone())).collect();
    models
}

/// What a server said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) location: Option<String>,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
}

impl Said {
    pub(crate) async fn of(response: Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let location = headers.get("location").and_then(|it| it.to_str().ok()).map(str::to_owned);
        let text = response.text().await.expect("a body");
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Self { status, location, headers, body }
    }

    /// The code of the error, which must be of the shape that all errors have.
    pub(crate) fn code(&self) -> &str {
        let error = self.body["error"].as_object().unwrap_or_else(|| panic!("not an error of ours: {self:?}"));
        assert_eq!(error.keys().collect::<Vec<_>>(), ["message", "type", "code", "param"]);
        assert_eq!(self.headers["content-type"], "application/json");
        error["code"].as_str().expect("a code")
    }

    pub(crate) fn message(&self) -> &str {
        self.body["error"]["message"].as_str().unwrap_or_else(|| panic!("not an error of ours: {self:?}"))
    }

    pub(crate) fn param(&self) -> &Value {
        &self.body["error"]["param"]
    }
}

/// A stream of events as it arrives.
pub(crate) struct Events {
    stream: std::pin::Pin<Box<dyn futures::Stream<Item = reqwest::Result<axum::body::Bytes>> + Send>>,
    text: String,
}

impl Events {
    pub(crate) fn of(response: Response) -> Self {
        Self { stream: Box::pin(response.bytes_stream()), text: String::new() }
    }

    /// The next block, or nothing once the stream has ended.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(block);
            }
            let bytes = self.stream.next().await?.expect("bytes");
            self.text.push_str(std::str::from_utf8(&bytes).expect("text"));
        }
    }

    /// The next event: its id, its kind and what it says.
    pub(crate) async fn next(&mut self) -> Option<(u64, String, Value)> {
        loop {
            let block = self.block().await?;
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
            if let Some(id) = field("id: ") {
                let data = serde_json::from_str(&field("data: ").expect("data")).expect("JSON");
                return Some((id.parse().expect("a number"), field("event: ").expect("a kind"), data));
            }
        }
    }

    /// The next comment.
    pub(crate) async fn comment(&mut self) -> Option<String> {
        loop {
            let block = self.block().await?;
            if let Some(comment) = block.strip_prefix(": ") {
                return Some(comment.to_owned());
            }
        }
    }

    /// Everything up to the end: the events, and the comment it ended with.
    pub(crate) async fn rest(mut self) -> (Vec<(u64, String)>, String) {
        let (mut events, mut last) = (Vec::new(), String::new());
        while let Some(block) = self.block().await {
            let mut lines = block.lines();
            match (lines.next(), lines.next()) {
                (Some(first), Some(second)) if first.starts_with("id: ") => {
                    let id = first["id: ".len()..].parse().expect("a number");
                    events.push((id, second["event: ".len()..].to_owned()));
                }
                (Some(first), _) => last = first.trim_start_matches(": ").to_owned(),
                _ => {}
            }
        }
        (events, last)
    }
}
