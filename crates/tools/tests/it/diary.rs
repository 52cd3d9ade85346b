//! A calendar that a test can talk to: its tools over a notebook, and a clock that stands still until it is set.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use domain::tool::{CallContext, Tool, ToolError};
use jiff::tz::TimeZone;
use serde_json::Value;
use tools::{Calendar, Registry};

use crate::declared::as_declared;
use crate::language::context;
use crate::notebook::Notebook;

/// A Sunday evening in Oslo, unless a test sets it otherwise.
const NOW: &str = "2026-11-15T18:00:00+01:00[Europe/Oslo]";

pub(crate) struct Diary {
    pub(crate) notebook: Arc<Notebook>,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) registry: Registry,
    pub(crate) calendar: Calendar,
    pub(crate) now: jiff::Zoned,
    calls: AtomicUsize,
}

impl Diary {
    pub(crate) fn new() -> Self {
        Self::living_in("Europe/Oslo")
    }

    pub(crate) fn living_in(zone: &str) -> Self {
        Self::with(zone, |calendar| calendar)
    }

    pub(crate) fn with(zone: &str, change: impl FnOnce(Calendar) -> Calendar) -> Self {
        let notebook: Arc<Notebook> = Arc::default();
        let folder = tempfile::tempdir().expect("folder");
        let calendar = change(Calendar {
            shelf: notebook.clone(),
            zone: TimeZone::get(zone).expect("zone"),
            caldav: None,
            files: Some(folder.path().to_owned()),
        });
        let registry = Registry::new(tools::calendar(calendar.clone())).expect("no conflict");
        let now = NOW.parse().expect("time");
        Self { notebook, folder, registry, calendar, now, calls: AtomicUsize::new(0) }
    }

    pub(crate) fn at(&mut self, now: &str) {
        self.now = now.parse().expect("time");
    }

    pub(crate) fn tool(&self, name: &str) -> Arc<dyn Tool> {
        self.registry.get(&name.parse().expect("name")).expect("there").clone()
    }

    /// Calls a tool the way the runtime does, each time under a new key.
    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Result<Value, ToolError> {
        let count = self.calls.fetch_add(1, Ordering::Relaxed);
        self.repeat(&format!("key {count}"), name, arguments).await
    }

    /// Calls a tool under a key of the test's own.
    pub(crate) async fn repeat(&self, key: &str, name: &str, arguments: Value) -> Result<Value, ToolError> {
        let tool = self.tool(name);
        self.registry.check(&tool.spec().name, &arguments)?;
        let answer = tool.call(&arguments, &CallContext { now: self.now.timestamp(), ..context(key) }).await;
        as_declared(tool.spec(), answer)
    }

    /// What a tool says to a person.
    pub(crate) async fn said(&self, name: &str, arguments: Value) -> String {
        let result = self.call(name, arguments).await.expect("an answer");
        result["said"].as_str().expect("words").to_owned()
    }

    /// Why a tool refuses.
    pub(crate) async fn refused(&self, name: &str, arguments: Value) -> String {
        self.call(name, arguments).await.expect_err("refused").to_string()
    }

    /// Starts and titles of a list.
    pub(crate) async fn listed(&self, arguments: Value) -> Vec<String> {
        let result = self.call("calendar.list", arguments).await.expect("a list");
        let events = result["events"].as_array().expect("events").clone();
        let line = |event: &Value| {
            let start = event["start"].as_str().expect("start");
            let start = start.split_once('[').map_or(start, |(start, _)| start);
            format!("{start} {}", event["title"].as_str().expect("title"))
        };
        events.iter().map(line).collect()
    }
}
