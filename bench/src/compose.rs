//! Puts Agentwright together as the product does: an SQLite ledger on disk, the registry of tools, and a model behind its
//! guards. Only the tools are made up.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::chat::ChatModel;
use domain::dispatch::{Advance, Dispatch};
use domain::id::RunId;
use domain::request::{Request, Wishes};
use domain::store::{Store, StoreError};
use domain::thought::Orchestration;
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use jiff::Timestamp;
use runtime::{Embedded, Models, Prompts, Runtime, Settings};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// A tool that answers in the process, at once or after a while.
pub struct Made {
    spec: ToolSpec,
    takes: Duration,
    answer: fn(&Value) -> Value,
}

impl Made {
    /// A tool of this name; `parameters` are the properties of its schema, all required.
    pub fn new(name: &str, effect: Effect, parameters: Value, answer: fn(&Value) -> Value) -> Self {
        let required: Vec<&String> = parameters.as_object().into_iter().flat_map(|all| all.keys()).collect();
        let schema = serde_json::json!({
            "type": "object", "properties": parameters, "required": required, "additionalProperties": false,
        });
        let spec = ToolSpec {
            name: name.parse().expect("a tool name"),
            description: format!("Does what `{name}` says."),
            parameters: schema,
            returns: None,
            effect,
            timeout: None,
        };
        Self { spec, takes: Duration::ZERO, answer }
    }

    /// The same, but slower.
    pub fn taking(self, takes: Duration) -> Self {
        Self { takes, ..self }
    }

    /// For the registry.
    pub fn boxed(self) -> Arc<dyn Tool> {
        Arc::new(self)
    }
}

#[async_trait]
impl Tool for Made {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, _call: &CallContext) -> Result<Value, ToolError> {
        if !self.takes.is_zero() {
            tokio::time::sleep(self.takes).await;
        }
        Ok((self.answer)(arguments))
    }
}

/// A write whose receiver recognises repetitions.
pub fn write() -> Effect {
    Effect::Write { reversible: false, repeat: Repeat::SameKey, external: false, targets: Vec::new() }
}

/// An OpenAI-compatible model at an address, behind the product's guards, asked so many times at once.
pub fn model(base: &str, at_once: usize) -> anyhow::Result<Arc<dyn ChatModel>> {
    let config = llm::ModelConfig { base_url: Some(base.to_owned()), ..llm::ModelConfig::new("mock:gpt".parse()?) };
    let settings = llm::Settings { concurrency: at_once.max(16), ..llm::Settings::default() };
    Ok(llm::guarded(llm::connect(&config, &llm::Http::new()?)?, settings))
}

/// The ledger in this folder.
pub async fn ledger(folder: &Path) -> anyhow::Result<Arc<dyn Store>> {
    let path = folder.join("ledger.db");
    Ok(store::open(path.to_str().unwrap_or_default()).await?)
}

/// Everything runs are carried out with.
pub fn runtime(
    store: Arc<dyn Store>,
    model: Option<Arc<dyn ChatModel>>,
    tools: Vec<Arc<dyn Tool>>,
    settings: Settings,
) -> anyhow::Result<Runtime> {
    // Plain planning unless a figure is about more than that: a made-up model knows only so many words.
    let settings = Settings {
        orchestration: settings.orchestration.or(Some(Orchestration::Simple)),
        // The same is asked again and again, and each time it is to cost what it costs the first time.
        reuse: runtime::Reuse { whole: false, ..settings.reuse },
        ..settings
    };
    Ok(Runtime {
        store,
        models: model.map(Models::only).unwrap_or_default(),
        tools: Arc::new(tools::Registry::new(tools)?),
        settings,
        prompts: Prompts::default(),
        worker: format!("bench-{}", RunId::fresh()),
        isolate: None,
        watch: Vec::new(),
        lately: runtime::Lately::default(),
        reflexes: None,
    })
}

/// A runtime whose runs are carried out by the dispatcher that a server runs.
pub struct Working {
    /// The runtime.
    pub runtime: Arc<Runtime>,
    /// Who carries runs out.
    pub dispatch: Arc<Embedded>,
    working: JoinSet<Result<(), StoreError>>,
    stop: oneshot::Sender<()>,
}

impl Working {
    /// Puts the dispatcher to work on so many runs at once.
    pub fn start(mut runtime: Runtime, at_once: usize) -> Self {
        let worker = Embedded::this_process();
        runtime.worker = worker.id.clone();
        let dispatch = Arc::new(Embedded::new(Arc::clone(&runtime.store), worker, at_once));
        let runtime = Arc::new(runtime);
        let (stop, stopped) = oneshot::channel::<()>();
        let (at_work, advance) = (Arc::clone(&dispatch), Arc::clone(&runtime) as Arc<dyn Advance>);
        let mut working = JoinSet::new();
        working.spawn(async move {
            let stop = Box::pin(async move {
                let _ = stopped.await;
            });
            at_work.work(advance, stop).await
        });
        Self { runtime, dispatch, working, stop }
    }

    /// Takes a request in as a server does: acknowledged, then carried out by somebody else.
    pub async fn accept(&self, request: Request) -> Result<RunId, StoreError> {
        let run = self.runtime.accept(request).await?;
        self.dispatch.nudge(run).await;
        Ok(run)
    }

    /// Lets the dispatcher go home.
    pub async fn stop(mut self) -> anyhow::Result<()> {
        let _ = self.stop.send(());
        while let Some(ended) = self.working.join_next().await {
            ended??;
        }
        Ok(())
    }
}

/// A request that brings its plan, so that no planner is asked.
pub fn request(text: &str, plan: Value) -> Request {
    Request { wishes: Wishes { plan: Some(plan), ..Wishes::default() }, ..words(text) }
}

/// A request with nothing but its words.
pub fn words(text: &str) -> Request {
    Request {
        text: text.parse().expect("a request"),
        at: Timestamp::now(),
        zone: None,
        place: None,
        session: None,
        user: None,
        earlier: Vec::new(),
        wishes: Wishes::default(),
    }
}
