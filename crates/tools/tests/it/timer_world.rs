//! A house with timers in it: a clock that tests turn, runs that begin when they are due, and a terminal to read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use domain::id::{RunId, StepId};
use domain::plan::{Action, Plan, PlanDraft};
use domain::reference;
use domain::tool::{CallContext, Tool, ToolError};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;
use tools::{Begin, Builtins, Notify, Registry, Starter, Timers};

use crate::declared::as_declared;
use crate::notebook::Notebook;

/// Runs that have not begun yet.
#[derive(Default)]
pub(crate) struct Waiting {
    runs: Mutex<BTreeMap<RunId, Begin>>,
    /// Those and all that have begun or were stopped, which nothing starts again.
    known: Mutex<BTreeSet<RunId>>,
    /// Whether nobody can be asked to start anything.
    pub(crate) closed: Mutex<bool>,
    /// Whether runs go on although they were stopped.
    pub(crate) deaf: Mutex<bool>,
}

#[async_trait]
impl Starter for Waiting {
    async fn start(&self, run: RunId, begin: Begin, _: &CallContext) -> Result<(), ToolError> {
        if *self.closed.lock().expect("not poisoned") {
            return Err(ToolError::OverBudget { detail: "no more runs".into() });
        }
        // Whoever else wants to change the timer comes in between.
        tokio::task::yield_now().await;
        if self.known.lock().expect("not poisoned").insert(run) {
            self.runs.lock().expect("not poisoned").insert(run, begin);
        }
        Ok(())
    }

    async fn stop(&self, run: RunId, _: &CallContext) -> Result<(), ToolError> {
        if !*self.deaf.lock().expect("not poisoned") {
            self.runs.lock().expect("not poisoned").remove(&run);
        }
        Ok(())
    }
}

pub(crate) struct House {
    pub(crate) notebook: Arc<Notebook>,
    pub(crate) waiting: Arc<Waiting>,
    shown: Arc<Mutex<Vec<u8>>>,
    registry: Registry,
    now: Mutex<Timestamp>,
    calls: Mutex<u32>,
    _folder: tempfile::TempDir,
}

impl House {
    /// On a Sunday in Oslo.
    pub(crate) fn at(clock: &str) -> Self {
        Self::with(clock, Notebook::default())
    }

    pub(crate) fn with(clock: &str, notebook: Notebook) -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let (notebook, waiting, shown) = (Arc::new(notebook), Arc::<Waiting>::default(), Arc::default());
        let terminal: Arc<Mutex<Vec<u8>>> = Arc::clone(&shown);
        let mut all = tools::builtin(Builtins {
            notify: Notify::Terminal(terminal),
            audit: folder.path().join("audit.jsonl"),
            errors: folder.path().join("errors.jsonl"),
            store: notebook.clone(),
            starter: waiting.clone(),
            zone: oslo(),
        });
        all.extend(tools::timer(Timers { shelf: notebook.clone(), starter: waiting.clone(), zone: oslo() }));
        let registry = Registry::new(all).expect("no conflict");
        let now = Mutex::new(moment(clock));
        Self { notebook, waiting, shown, registry, now, calls: Mutex::new(0), _folder: folder }
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.registry
    }

    pub(crate) fn tool(&self, name: &str) -> Arc<dyn Tool> {
        self.registry.get(&name.parse().expect("name")).expect("there").clone()
    }

    /// A call of its own, under a new key.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Result<Value, ToolError> {
        let key = {
            let mut calls = self.calls.lock().expect("not poisoned");
            *calls += 1;
            format!("call {calls}")
        };
        self.again(&key, name, arguments).await
    }

    /// A call under a key that may have been used before.
    pub(crate) async fn again(&self, key: &str, name: &str, arguments: Value) -> Result<Value, ToolError> {
        self.call_in(RunId::from_bytes([7; 16]), key, name, arguments).await
    }

    async fn call_in(&self, run: RunId, key: &str, name: &str, arguments: Value) -> Result<Value, ToolError> {
        self.registry.check(&name.parse().expect("name"), &arguments)?;
        let now = *self.now.lock().expect("not poisoned");
        let call = CallContext { run, step: None, key: key.to_owned(), now };
        let tool = self.tool(name);
        as_declared(tool.spec(), tool.call(&arguments, &call).await)
    }

    /// The sentence that a call of its own is answered with, or why it is refused.
    pub(crate) async fn say(&self, name: &str, arguments: Value) -> String {
        match self.call(name, arguments).await {
            Ok(result) => result["said"].as_str().expect("every answer has words").to_owned(),
            Err(error) => error.to_string(),
        }
    }

    /// Time passes while everything works: whatever becomes due is done on time. Gives what the terminal showed.
    pub(crate) async fn until(&self, clock: &str) -> String {
        let end = moment(clock);
        while let Some((run, begin)) = self.due(end) {
            *self.now.lock().expect("not poisoned") = begin.at;
            self.advance(run, begin).await;
        }
        *self.now.lock().expect("not poisoned") = end;
        self.shown()
    }

    /// Time passes while nothing runs.
    pub(crate) fn turn_to(&self, clock: &str) {
        *self.now.lock().expect("not poisoned") = moment(clock);
    }

    /// Time passes while nothing runs; what was due is done at the end.
    pub(crate) async fn asleep_until(&self, clock: &str) -> String {
        let end = moment(clock);
        self.turn_to(clock);
        while let Some((run, begin)) = self.due(end) {
            self.advance(run, begin).await;
        }
        self.shown()
    }

    pub(crate) fn waiting(&self) -> Vec<Begin> {
        self.waiting.runs.lock().expect("not poisoned").values().cloned().collect()
    }

    fn due(&self, by: Timestamp) -> Option<(RunId, Begin)> {
        let mut runs = self.waiting.runs.lock().expect("not poisoned");
        let (run, _) = runs.iter().filter(|(_, begin)| begin.at <= by).min_by_key(|(_, begin)| begin.at)?;
        let run = *run;
        runs.remove(&run).map(|begin| (run, begin))
    }

    /// Every step of a run's plan, each twice, as after a crash that left its result unknown.
    async fn advance(&self, run: RunId, begin: Begin) {
        let draft: PlanDraft = serde_json::from_value(begin.plan.expect("a plan")).expect("a draft");
        let plan = Plan::parse(draft).expect("a plan");
        let mut results: BTreeMap<StepId, Value> = BTreeMap::new();
        for step in plan.steps() {
            let known = |step: &StepId| results.get(step);
            if step.when.as_ref().is_some_and(|when| !when.holds(&known)) {
                continue;
            }
            let Action::Call(call) = &step.action else { panic!("timers need no agents") };
            self.registry.check_draft(&call.tool, &call.arguments).expect("a fitting draft");
            let arguments = reference::fill(&call.arguments, &known).expect("filled");
            let key = format!("{run}/{}", step.id);
            let result = self.call_in(run, &key, call.tool.as_str(), arguments.clone()).await.expect("done");
            if call.tool.domain() == "timer" {
                let repeated = self.call_in(run, &key, call.tool.as_str(), arguments).await;
                assert_eq!(repeated.as_ref(), Ok(&result), "a repetition is told the same");
            }
            results.insert(step.id.clone(), result);
        }
    }

    fn shown(&self) -> String {
        let bytes = std::mem::take(&mut *self.shown.lock().expect("not poisoned"));
        String::from_utf8(bytes).expect("text").replace('\u{7}', "*")
    }
}

fn oslo() -> TimeZone {
    TimeZone::get("Europe/Oslo").expect("a zone")
}

/// `19:00` on Sunday 15 November 2026 in Oslo, or another day: `2026-11-20T19:00`.
fn moment(clock: &str) -> Timestamp {
    let text = if clock.contains('T') { clock.to_owned() } else { format!("2026-11-15T{clock}") };
    let clock: jiff::civil::DateTime = text.parse().expect("a time");
    clock.to_zoned(oslo()).expect("there").timestamp()
}
