//! The small language of these tests: a world with tools and a scripted model, in which something is asked.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use domain::chat::{ChatModel, ModelError, Reply, Stop, ToolCall, Usage};
use domain::dispatch::{Advance, Advanced};
use domain::event::{Event, Recorded};
use domain::id::{RunId, ToolName};
use domain::money::Usd;
use domain::request::{Request, Wishes};
use domain::run::Ending;
use domain::store::{Store, StoreError};
use domain::tool::{CallContext, Effect, Repeat, Tool, ToolError, ToolSpec};
use domain::view::{RunView, fold};
use llm::Scripted;
use runtime::{Models, Prompts, Reflexes, Runtime, Settings};
use serde_json::{Value, json};

use crate::cast::Cast;

pub(crate) type Behaviour = Arc<dyn Fn(&Value, u32) -> Result<Value, ToolError> + Send + Sync>;

/// A tool that does what a test says, counts its calls and remembers their keys.
pub(crate) struct Pretend {
    spec: ToolSpec,
    behaviour: Behaviour,
    takes: std::time::Duration,
    calls: AtomicU32,
    keys: Mutex<Vec<String>>,
    under_way: AtomicU32,
    most_at_once: AtomicU32,
}

impl Pretend {
    pub(crate) fn calls(&self) -> u32 {
        self.calls.load(Ordering::SeqCst)
    }

    pub(crate) fn most_at_once(&self) -> u32 {
        self.most_at_once.load(Ordering::SeqCst)
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.keys.lock().expect("lock").clone()
    }
}

#[async_trait]
impl Tool for Pretend {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn call(&self, arguments: &Value, call: &CallContext) -> Result<Value, ToolError> {
        let nth = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        self.keys.lock().expect("lock").push(call.key.clone());
        let now = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(now, Ordering::SeqCst);
        if self.takes.is_zero() {
            tokio::task::yield_now().await;
        } else {
            tokio::time::sleep(self.takes).await;
        }
        self.under_way.fetch_sub(1, Ordering::SeqCst);
        (self.behaviour)(arguments, nth)
    }

    async fn read_back(&self, key: &str) -> Result<Option<Value>, ToolError> {
        let arrived = self.keys.lock().expect("lock").iter().any(|known| known == key);
        Ok(arrived.then(|| json!({"read": "back"})))
    }
}

/// A tool that returns its arguments.
pub(crate) fn echo() -> Behaviour {
    Arc::new(|arguments, _| Ok(arguments.clone()))
}

/// A tool that always returns the same.
pub(crate) fn gives(value: Value) -> Behaviour {
    Arc::new(move |_, _| Ok(value.clone()))
}

/// A tool that always says no.
pub(crate) fn refuses(tool: &str) -> Behaviour {
    let tool: ToolName = tool.parse().expect("name");
    Arc::new(move |_, _| Err(ToolError::Failed { tool: tool.clone(), detail: "no".into() }))
}

pub(crate) fn write(repeat: Repeat) -> Effect {
    Effect::Write { reversible: true, repeat, external: false, targets: vec![] }
}

/// Everything one test needs.
pub(crate) struct World {
    _dir: tempfile::TempDir,
    pub(crate) store: Arc<dyn Store>,
    tools: BTreeMap<String, Arc<Pretend>>,
    pub(crate) model: Option<Arc<Scripted>>,
    pub(crate) cast: Option<Arc<Cast>>,
    pub(crate) settings: Settings,
    pub(crate) wishes: Wishes,
    pub(crate) prompts: BTreeMap<String, String>,
    pub(crate) reflexes: Option<Arc<dyn Reflexes>>,
}

/// A run as it went.
pub(crate) struct Told {
    pub(crate) run: RunId,
    pub(crate) ledger: Vec<Recorded>,
    pub(crate) view: RunView,
}

impl World {
    pub(crate) async fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.db");
        let store = store::open(&format!("sqlite:{}", path.display())).await.expect("a store");
        Self {
            _dir: dir,
            store,
            tools: BTreeMap::new(),
            model: None,
            cast: None,
            settings: Settings::default(),
            wishes: Wishes::default(),
            prompts: BTreeMap::new(),
            reflexes: None,
        }
    }

    pub(crate) fn tool(self, name: &str, effect: Effect, behaviour: Behaviour) -> Self {
        self.slow_tool(name, effect, 0, behaviour)
    }

    pub(crate) fn slow_tool(mut self, name: &str, effect: Effect, millis: u64, behaviour: Behaviour) -> Self {
        let spec = ToolSpec {
            name: name.parse().expect("name"),
            description: format!("does {name}"),
            parameters: json!({"type": "object", "properties": {"city": {"type": "string"}, "text": {"type": "string"}}}),
            returns: None,
            effect,
            timeout: None,
        };
        let pretend = Pretend {
            spec,
            behaviour,
            takes: std::time::Duration::from_millis(millis),
            calls: AtomicU32::new(0),
            keys: Mutex::default(),
            under_way: AtomicU32::new(0),
            most_at_once: AtomicU32::new(0),
        };
        self.tools.insert(name.to_owned(), Arc::new(pretend));
        self
    }

    pub(crate) fn model(mut self, replies: impl IntoIterator<Item = Reply>) -> Self {
        self.model = Some(Arc::new(Scripted::replies(replies.into_iter().map(Ok::<_, ModelError>))));
        self
    }

    pub(crate) fn scripted(mut self, model: Scripted) -> Self {
        self.model = Some(Arc::new(model));
        self
    }

    /// A team whose agents are played, each by its own script.
    pub(crate) fn cast(mut self, cast: Cast) -> Self {
        self.cast = Some(Arc::new(cast));
        self.wishing(|wishes| wishes.strategy = Some(domain::plan::Strategy::Cohort))
    }

    pub(crate) fn wishing(mut self, change: impl FnOnce(&mut Wishes)) -> Self {
        change(&mut self.wishes);
        self
    }

    pub(crate) fn set(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    pub(crate) fn called(&self, tool: &str) -> &Pretend {
        &self.tools[tool]
    }

    pub(crate) fn asks(&self) -> usize {
        self.model.as_ref().map_or(0, |model| model.calls())
    }

    pub(crate) fn runtime(&self) -> Arc<Runtime> {
        self.runtime_over(Arc::clone(&self.store))
    }

    pub(crate) fn runtime_over(&self, store: Arc<dyn Store>) -> Arc<Runtime> {
        let tools = self.tools.values().map(|tool| Arc::clone(tool) as Arc<dyn Tool>).collect();
        let models = match (&self.model, &self.cast) {
            (Some(model), _) => Models::only(Arc::clone(model) as Arc<dyn ChatModel>),
            (None, Some(cast)) => Models::only(Arc::clone(cast) as Arc<dyn ChatModel>),
            (None, None) => Models::default(),
        };
        Arc::new(Runtime {
            store,
            models,
            tools: Arc::new(tools::Registry::new(tools).expect("a registry")),
            settings: self.settings.clone(),
            prompts: Prompts::with(self.prompts.clone()).expect("prompts"),
            worker: "test".into(),
            isolate: None,
            watch: Vec::new(),
            lately: runtime::Lately::default(),
            reflexes: self.reflexes.clone(),
        })
    }

    pub(crate) fn request(&self, text: &str) -> Request {
        Request {
            text: text.parse().expect("a request"),
            at: jiff::Timestamp::now(),
            zone: None,
            place: None,
            session: None,
            user: None,
            earlier: Vec::new(),
            wishes: self.wishes.clone(),
        }
    }

    /// Asks, and advances the run as far as it goes.
    pub(crate) async fn ask(&self, text: &str) -> Told {
        let runtime = self.runtime();
        let run = runtime.accept(self.request(text)).await.expect("accepted");
        runtime.advance(run).await.expect("advanced");
        self.tell(run).await
    }

    /// Carries out a given plan.
    pub(crate) async fn carry_out(mut self, plan: Value) -> (Self, Told) {
        self.wishes.plan = Some(plan);
        let told = self.ask("do it").await;
        (self, told)
    }

    pub(crate) async fn go_on(&self, run: RunId) -> Result<Advanced, StoreError> {
        self.runtime().advance(run).await
    }

    pub(crate) async fn tell(&self, run: RunId) -> Told {
        let ledger = self.runtime().ledger(run).await.expect("a ledger");
        let view = fold(&ledger);
        Told { run, ledger, view }
    }
}

impl Told {
    /// The kinds of its events, in order.
    pub(crate) fn kinds(&self) -> Vec<&'static str> {
        self.ledger.iter().map(|recorded| recorded.entry.event.kind()).collect()
    }

    pub(crate) fn answer(&self) -> &str {
        match &self.view.ending {
            Some(Ending::Completed { answer }) => answer,
            other => panic!("not completed: {other:?}"),
        }
    }

    pub(crate) fn error(&self) -> &str {
        match &self.view.ending {
            Some(Ending::Failed { error, .. }) => error,
            other => panic!("not failed: {other:?}"),
        }
    }

    /// How a step ended last.
    pub(crate) fn step(&self, id: &str) -> String {
        let last = self.view.steps.iter().rev().find(|step| step.step.as_str() == id).expect("the step");
        serde_json::to_value(last.finished.as_ref().map(|(_, outcome)| outcome)).expect("json").to_string()
    }

    pub(crate) fn events(&self, kind: &str) -> Vec<&Event> {
        self.ledger.iter().map(|recorded| &recorded.entry.event).filter(|event| event.kind() == kind).collect()
    }
}

pub(crate) fn says(text: &str) -> Reply {
    Reply {
        text: text.to_owned(),
        calls: vec![],
        stop: Stop::End,
        usage: Usage { input_tokens: 100, output_tokens: 10, cost: Usd::micros(1_000) },
    }
}

/// A reply that wants tools called, each with its arguments.
pub(crate) fn calls(wanted: &[(&str, Value)]) -> Reply {
    let calls = wanted.iter().enumerate().map(|(at, (name, arguments))| ToolCall {
        id: format!("call_{at}"),
        name: (*name).to_owned(),
        arguments: arguments.clone(),
    });
    Reply { calls: calls.collect(), stop: Stop::Tools, ..says("") }
}

/// What a planner answers: an agent with these tools.
pub(crate) fn plans(tools: &[&str]) -> Reply {
    says(
        &json!({"plan": "look, then tell", "system_prompt": "You look and tell.", "tool_names": tools,
            "guidance": "be brief", "max_iterations": 5})
        .to_string(),
    )
}
