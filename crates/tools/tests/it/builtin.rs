use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use domain::budget::Spent;
use domain::id::RunId;
use domain::run::{Flags, RunStatus, RunSummary};
use domain::shelf::Shelf;
use domain::tool::{CallContext, Tool, ToolError};
use serde_json::{Value, json};
use tools::{Begin, Builtins, Filter, Notify, Registry, Starter};

use crate::declared::as_declared;
use crate::language::{Reply, context, serving};
use crate::notebook::Notebook;

#[derive(Default)]
struct Started(Mutex<Vec<(RunId, String)>>);

#[async_trait]
impl Starter for Started {
    async fn start(&self, run: RunId, begin: Begin, _: &CallContext) -> Result<(), ToolError> {
        if begin.text == "refuse" {
            return Err(ToolError::OverBudget { detail: "no more runs".into() });
        }
        self.0.lock().expect("not poisoned").push((run, begin.text));
        Ok(())
    }

    async fn stop(&self, run: RunId, _: &CallContext) -> Result<(), ToolError> {
        self.0.lock().expect("not poisoned").retain(|(started, _)| *started != run);
        Ok(())
    }
}

/// The built-in tools over parts that a test can look into.
struct World {
    folder: tempfile::TempDir,
    notebook: Arc<Notebook>,
    started: Arc<Started>,
    notify: Notify,
    audit: Option<&'static str>,
}

impl World {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("folder"),
            notebook: Arc::default(),
            started: Arc::default(),
            notify: Notify::Terminal(Arc::new(Mutex::new(Vec::new()))),
            audit: None,
        }
    }

    fn registry(&self) -> Registry {
        let file = |name: &str| self.folder.path().join(name);
        Registry::new(tools::builtin(Builtins {
            notify: self.notify.clone(),
            audit: self.audit.map_or_else(|| file("audit.jsonl"), |path| Path::new(path).to_owned()),
            errors: file("errors.jsonl"),
            store: self.notebook.clone(),
            starter: self.started.clone(),
            zone: jiff::tz::TimeZone::UTC,
        }))
        .expect("no conflict")
    }

    fn tool(&self, name: &str) -> Arc<dyn Tool> {
        self.registry().get(&name.parse().expect("name")).expect("there").clone()
    }

    async fn call(&self, name: &str, key: &str, arguments: Value) -> Result<Value, ToolError> {
        self.registry().check(&name.parse().expect("name"), &arguments)?;
        let tool = self.tool(name);
        as_declared(tool.spec(), tool.call(&arguments, &context(key)).await)
    }

    fn lines(&self, file: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.folder.path().join(file)).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

#[test]
fn the_planner_reads_the_built_in_tools() {
    insta::assert_snapshot!(World::new().registry().listing(Filter::All));
}

#[tokio::test]
async fn a_note_is_one_line_however_often_it_is_written() {
    let world = World::new();
    for _ in 0..3 {
        let result = world.call("audit.note", "k1", json!({"text": "paid", "data": {"sum": 5}})).await;
        assert_eq!(result, Ok(json!({"noted": "k1"})));
    }
    world.call("audit.note", "k2", json!({"text": "paid again"})).await.expect("noted");
    let lines = world.lines("audit.jsonl");
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["text"], &lines[0]["data"]["sum"], &lines[1]["key"]),
        (&json!("paid"), &json!(5), &json!("k2"))
    );
    assert_eq!(world.tool("audit.note").read_back("k1").await, Ok(Some(json!({"noted": "k1"}))));
    assert_eq!(world.tool("audit.note").read_back("k3").await, Ok(None));
}

#[tokio::test]
async fn notes_written_at_once_are_all_there_and_each_once() {
    let world = World::new();
    let tool = world.tool("audit.note");
    let notes = (0..40).map(|n| {
        let tool = tool.clone();
        async move { tool.call(&json!({"text": format!("note {n}")}), &context(&format!("k{}", n % 20))).await }
    });
    assert!(futures::future::join_all(notes).await.iter().all(Result::is_ok));
    assert_eq!(world.lines("audit.jsonl").len(), 20);
}

#[tokio::test]
async fn half_a_line_left_by_a_crash_is_no_line() {
    let world = World::new();
    let path = world.folder.path().join("audit.jsonl");
    // Whole but for its end: nobody knows whether more was meant to follow.
    std::fs::write(&path, "{\"key\":\"k0\"}\n{\"key\":\"k1\"}").expect("written");
    let tool = world.tool("audit.note");
    assert_eq!(tool.read_back("k1").await, Ok(None));
    assert!(tool.read_back("k0").await.expect("read").is_some());
    world.call("audit.note", "k2", json!({"text": "next"})).await.expect("noted");
    assert!(std::fs::read_to_string(&path).expect("read").contains("{\"key\":\"k1\"}\n{"));
    assert!(tool.read_back("k2").await.expect("read").is_some());
}

#[tokio::test]
async fn a_note_that_cannot_be_kept_is_an_error() {
    let mut world = World::new();
    for path in ["/dev/full", "/no/such/folder/audit.jsonl", "/"] {
        world.audit = Some(path);
        let error = world.call("audit.note", "k1", json!({"text": "paid"})).await.expect_err("nowhere to keep it");
        assert!(matches!(error, ToolError::Unavailable { .. } | ToolError::InDoubt { .. }), "{path}: {error}");
    }
}

#[tokio::test]
async fn an_error_report_stays_in_its_file() {
    let world = World::new();
    for _ in 0..2 {
        let told = world.call("error.report", "k1", json!({"text": "the printer is on fire"})).await;
        assert_eq!(told, Ok(json!({"reported": "k1"})));
    }
    assert_eq!(world.lines("errors.jsonl").len(), 1);
    assert!(world.tool("error.report").read_back("k1").await.expect("read").is_some());
}

#[tokio::test]
async fn a_memory_is_kept_once_found_and_forgotten() {
    let world = World::new();
    for _ in 0..2 {
        let kept = world.call("memory.remember", "k1", json!({"text": "likes tea", "importance": 7})).await;
        let said = "I will remember that: likes tea";
        assert_eq!(kept, Ok(json!({"id": "k1", "importance": 1.0, "said": said})));
    }
    let found = world.call("memory.recall", "k2", json!({"query": "tea"})).await.expect("found");
    assert_eq!(found["memories"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["memories"][0]["text"], "likes tea");
    assert_eq!(found["said"], "This is what I remember:\n- likes tea");
    let gone = world.call("memory.forget", "k3", json!({"id": "k1"})).await;
    assert_eq!(gone, Ok(json!({"id": "k1", "was_there": true, "said": "It is forgotten."})));
    let none = json!({"memories": [], "said": "I remember nothing about “tea”."});
    assert_eq!(world.call("memory.recall", "k4", json!({"query": "tea"})).await, Ok(none));
}

#[tokio::test]
async fn a_memory_is_forgotten_by_its_words_only_if_no_other_has_them() {
    let world = World::new();
    for (key, text) in [("k1", "likes green tea"), ("k2", "likes black tea")] {
        world.call("memory.remember", key, json!({"text": text})).await.expect("kept");
    }
    let several = world.call("memory.forget", "k3", json!({"query": "tea"})).await.expect("answered");
    assert_eq!((&several["ambiguous"], &several["was_there"]), (&json!(true), &json!(false)));
    let gone = world.call("memory.forget", "k4", json!({"query": "green"})).await.expect("answered");
    assert_eq!((&gone["id"], &gone["was_there"]), (&json!("k1"), &json!(true)));
    let none = world.call("memory.forget", "k5", json!({"query": "coffee"})).await.expect("answered");
    assert_eq!(none["was_there"], false);
    let neither = world.call("memory.forget", "k6", json!({})).await;
    assert!(matches!(neither, Err(ToolError::BadArguments { .. })), "{neither:?}");
}

#[tokio::test]
async fn a_memory_that_was_not_kept_is_an_error() {
    let world = World { notebook: Arc::new(Notebook { broken: true, ..Default::default() }), ..World::new() };
    let kept = world.call("memory.remember", "k1", json!({"text": "likes tea"})).await;
    assert!(matches!(kept, Err(ToolError::InDoubt { .. })), "{kept:?}");
    let gone = world.call("memory.forget", "k1", json!({"id": "k1"})).await;
    assert!(matches!(gone, Err(ToolError::InDoubt { .. })), "{gone:?}");
    let found = world.call("memory.recall", "k1", json!({"query": "tea"})).await;
    assert!(matches!(found, Err(ToolError::Unavailable { .. })), "{found:?}");
}

#[tokio::test]
async fn a_run_is_started_under_the_id_that_its_key_means() {
    let world = World::new();
    let run = RunId::of_intent("k1");
    assert_eq!(world.call("workflow.start", "k1", json!({"text": "tidy up"})).await, Ok(json!({"run": run})));
    assert_eq!(*world.started.0.lock().expect("not poisoned"), [(run, "tidy up".to_owned())]);
    assert!(world.call("workflow.start", "k2", json!({"text": "refuse"})).await.is_err());
}

#[tokio::test]
async fn the_time_is_the_time_of_the_call_in_the_zone_asked_for() {
    let world = World::new();
    let now = world.call("time.now", "k", json!({"zone": "Asia/Kolkata"})).await.expect("known zone");
    assert_eq!(
        now,
        json!({"now": "2025-03-01T18:00:00+05:30", "date": "2025-03-01", "time": "18:00", "weekday": "Saturday",
               "zone": "Asia/Kolkata"})
    );
    assert_eq!(world.call("time.now", "k", json!(null)).await.expect("utc")["time"], "12:30");
    let error = world.call("time.now", "k", json!({"zone": "Moon/Base"})).await.expect_err("unknown").to_string();
    assert_eq!(error, "arguments of `time.now`: `zone` must be a zone such as `Europe/Oslo`, got `Moon/Base`");
}

#[tokio::test]
async fn a_correction_is_noted_under_the_run_that_was_wrong() {
    let here = context("k").run;
    let wrong = RunId::from_bytes([8; 16]);
    let run = |run: RunId, text: &str, role: Option<&str>| -> RunSummary {
        serde_json::from_value(json!({
            "run": run, "status": RunStatus::Completed, "text": text, "role": role, "session": "kitchen",
            "flags": Flags::default(), "spent": Spent::default(), "events": 3,
            "created_at": context("k").now, "updated_at": context("k").now,
        }))
        .expect("a run")
    };
    let runs = vec![run(here, "that was wrong", Some("chat")), run(wrong, "lights on", Some("lamps"))];
    let world = World { notebook: Arc::new(Notebook { runs, ..Default::default() }), ..World::new() };
    let noted = world.call("conversation.correct", "k", json!({"meant": "lights off"})).await.expect("noted");
    assert_eq!((&noted["noted"], &noted["run"]), (&json!(true), &json!(wrong)));
    let kept =
        world.notebook.kept(domain::route::Correction::SHELF, &wrong.to_string()).await.expect("read").expect("there");
    assert_eq!((&kept.value["role"], &kept.value["meant"]), (&json!("lamps"), &json!("lights off")));
    let nothing = World::new().call("conversation.correct", "k", json!({})).await.expect("answered");
    assert_eq!((&nothing["noted"], nothing.get("run")), (&json!(false), None));
    let said = World::new().call("conversation.say", "k", json!({"text": "hello"})).await;
    assert_eq!(said, Ok(json!({"said": "hello"})));
}

#[tokio::test]
async fn a_notification_is_one_clean_line_on_a_terminal() {
    let shown = Arc::new(Mutex::new(Vec::new()));
    let world = World { notify: Notify::Terminal(shown.clone()), ..World::new() };
    let text = "kettle\nboils\u{1b}[2J";
    world.call("notification.send", "k", json!({"text": text, "title": "Tea", "urgency": "high"})).await.expect("told");
    assert_eq!(String::from_utf8_lossy(&shown.lock().expect("not poisoned")), "\u{7}Tea: kettle boils[2J\n");
}

#[tokio::test]
async fn a_notification_that_nobody_got_is_an_error() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let tell = json!({"text": "kettle boils"});
    for notify in [Notify::Terminal(Arc::new(Mutex::new(Closed))), Notify::Log] {
        let world = World { notify, ..World::new() };
        let told = world.call("notification.send", "k", tell.clone()).await;
        assert!(told.is_err(), "{told:?}");
    }
    for (reply, expected) in [
        (Reply::Text("403 Forbidden", "no".into()), "failed"),
        (Reply::Text("503 Service Unavailable", "no".into()), "unavailable"),
        (Reply::Text("500 Internal Server Error", "?".into()), "in_doubt"),
        (Reply::Raw(String::new()), "in_doubt"),
    ] {
        let (told, _) =
            serving(vec![reply], async |base| webhook(&base).call("notification.send", "k", tell.clone()).await).await;
        assert_eq!(serde_json::to_value(told.expect_err("not told")).expect("json")["error"], expected);
    }
}

#[tokio::test]
async fn a_webhook_is_told_the_key() {
    let (told, requests) = serving(vec![Reply::Text("202 Accepted", String::new())], async |base| {
        webhook(&base).call("notification.send", "k9", json!({"text": "kettle boils"})).await
    })
    .await;
    assert_eq!(told.expect("told")["told"], "webhook");
    assert!(requests[0].contains("idempotency-key: k9"), "{}", requests[0]);
    assert!(requests[0].contains("\"text\":\"kettle boils\""));
}

fn webhook(base: &str) -> World {
    let client = tools::client().expect("client");
    World { notify: Notify::Webhook { url: base.parse().expect("url"), client }, ..World::new() }
}
