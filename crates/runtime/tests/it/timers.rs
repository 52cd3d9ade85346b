//! Timers over a real store: the runs that ring them are found again by whoever comes next.

use std::sync::{Arc, Mutex, OnceLock, Weak};

use async_trait::async_trait;
use domain::dispatch::Advance;
use domain::id::RunId;
use domain::request::{Request, Wishes};
use domain::store::StoreError;
use domain::tool::{CallContext, ToolError};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use runtime::{Models, Prompts, Runtime, Settings};
use serde_json::{Value, json};
use tools::{Begin, Builtins, Notify, Registry, Starter, Timers};

/// Starts runs in the runtime that the tools belong to; stops them unless it is deaf.
#[derive(Default)]
struct Start {
    runtime: OnceLock<Weak<Runtime>>,
    deaf: bool,
}

impl Start {
    fn runtime(&self) -> Arc<Runtime> {
        self.runtime.get().and_then(Weak::upgrade).expect("a runtime")
    }
}

#[async_trait]
impl Starter for Start {
    async fn start(&self, run: RunId, begin: Begin, _: &CallContext) -> Result<(), ToolError> {
        let wishes = Wishes { plan: begin.plan, ..Wishes::default() };
        let text = begin.text.parse().expect("a request");
        let request = Request {
            text,
            at: begin.at,
            zone: None,
            place: None,
            session: None,
            user: None,
            earlier: Vec::new(),
            wishes,
        };
        self.runtime().accept_as(run, request).await.expect("accepted");
        Ok(())
    }

    async fn stop(&self, run: RunId, _: &CallContext) -> Result<(), ToolError> {
        if !self.deaf {
            match self.runtime().cancel(run, None).await {
                Ok(_) | Err(StoreError::NoSuchRun { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        Ok(())
    }
}

/// One process after another over the same store and the same terminal.
struct House {
    folder: tempfile::TempDir,
    shown: Arc<Mutex<Vec<u8>>>,
    deaf: bool,
}

impl House {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), shown: Arc::default(), deaf: false }
    }

    async fn process(&self) -> Arc<Runtime> {
        let path = |name: &str| self.folder.path().join(name);
        let store = store::open(&format!("sqlite:{}", path("test.db").display())).await.expect("a store");
        let start = Arc::new(Start { deaf: self.deaf, ..Start::default() });
        let terminal = Arc::clone(&self.shown);
        let mut all = tools::builtin(Builtins {
            notify: Notify::Terminal(terminal),
            audit: path("audit.jsonl"),
            errors: path("errors.jsonl"),
            store: Arc::clone(&store),
            starter: Arc::clone(&start) as Arc<dyn Starter>,
            zone: TimeZone::UTC,
        });
        let starter = Arc::clone(&start) as Arc<dyn Starter>;
        all.extend(tools::timer(Timers { shelf: Arc::clone(&store) as _, starter, zone: TimeZone::UTC }));
        let runtime = Arc::new(Runtime {
            store,
            models: Models::default(),
            tools: Arc::new(Registry::new(all).expect("no conflict")),
            settings: Settings::default(),
            prompts: Prompts::with(Default::default()).expect("prompts"),
            worker: "test".into(),
            isolate: None,
            watch: Vec::new(),
            lately: runtime::Lately::default(),
            reflexes: None,
        });
        start.runtime.set(Arc::downgrade(&runtime)).expect("set once");
        runtime
    }

    /// What the terminal shows while everything that is due is done.
    async fn shows(&self, runtime: &Arc<Runtime>) -> String {
        for run in runtime.store.due(Timestamp::now(), 100).await.expect("due") {
            runtime.advance(run).await.expect("advanced");
        }
        String::from_utf8(std::mem::take(&mut *self.shown.lock().expect("not poisoned"))).expect("text")
    }
}

/// Calls a tool as it was called three hours ago.
async fn earlier(runtime: &Arc<Runtime>, tool: &str, arguments: Value) -> Value {
    let now = Timestamp::now() - SignedDuration::from_hours(3);
    let call = CallContext { run: RunId::fresh(), step: None, key: RunId::fresh().to_string(), now };
    let tool = runtime.tools.tool(&tool.parse().expect("a name")).expect("a tool");
    tool.call(&arguments, &call).await.expect("done")
}

#[tokio::test]
async fn a_timer_that_was_missed_is_told_by_the_next_process() {
    let house = House::new();
    earlier(&house.process().await, "timer.set", json!({"duration": "PT10M", "name": "pasta"})).await;
    let next = house.process().await;
    let shown = house.shows(&next).await;
    assert!(shown.starts_with("\u{7}Your timer “pasta” ended ") && shown.contains("2 hours ago, while"), "{shown}");
    assert_eq!(house.shows(&next).await, "");
    assert_eq!(house.shows(&house.process().await).await, "");
}

#[tokio::test]
async fn a_series_goes_on_in_the_next_process() {
    let house = House::new();
    earlier(&house.process().await, "timer.remind", json!({"text": "drink", "recurrence": "FREQ=HOURLY"})).await;
    let next = house.process().await;
    assert!(house.shows(&next).await.starts_with("\u{7}Reminder: drink. It was due "));
    let due = next.store.next_due(Timestamp::now()).await.expect("known").expect("the next time");
    assert!(Timestamp::now().duration_until(due) <= SignedDuration::from_hours(1));
    assert_eq!(house.shows(&next).await, "");
}

#[tokio::test]
async fn a_cancelled_timer_is_silent_whether_or_not_its_run_was_stopped() {
    for deaf in [false, true] {
        let house = House { deaf, ..House::new() };
        let process = house.process().await;
        earlier(&process, "timer.set", json!({"duration": "PT10M"})).await;
        earlier(&process, "timer.cancel", json!({})).await;
        assert_eq!(house.shows(&process).await, "");
        assert_eq!(process.store.due(Timestamp::now(), 10).await.expect("due"), []);
    }
}

#[tokio::test]
async fn a_timer_is_set_by_a_run_and_has_a_run_of_its_own() {
    let house = House::new();
    let process = house.process().await;
    let plan = json!({"steps": [{"id": "set", "tool": "timer.set", "arguments": {"duration": "PT1H"}}],
                      "answer": "${set.said}"});
    let wishes = Wishes { plan: Some(plan), ..Wishes::default() };
    let text = "a timer for an hour".parse().expect("a request");
    let at = Timestamp::now();
    let request = Request { text, at, zone: None, place: None, session: None, user: None, earlier: Vec::new(), wishes };
    let run = process.accept(request).await.expect("accepted");
    process.advance(run).await.expect("advanced");
    let due = process.store.next_due(at).await.expect("known").expect("an hour from now");
    assert!(at.duration_until(due) > SignedDuration::from_mins(59), "{due}");
    assert_eq!(house.shows(&process).await, "");
}
