//! What is told about runs and requests: figures that Prometheus reads, and spans that another server understands.

use std::io::Write;
use std::process::{Command, Stdio};

use domain::chat::{Reply, Stop, ToolCall, Usage};
use domain::money::Usd;
use domain::span::{Content, of_run};
use reqwest::Method;
use serde_json::{Value, json};
use server::keys::{Wanted, create};
use server::{Area, Grant, Role};

use crate::venv::python;
use crate::world::{Said, Setting, World};

/// The figures of a server, by name, as Prometheus' own parser reads them.
async fn figures(world: &World) -> Value {
    let response = world.request(Method::GET, "/metrics").send().await.expect("an answer");
    assert_eq!(response.status().as_u16(), 200);
    assert_eq!(response.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    let text = response.text().await.expect("figures");
    let reading = move || {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/telemetry/figures.py");
        let python = python("telemetry-venv", include_str!("telemetry/requirements.txt"));
        let mut child = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Python runs");
        child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("written");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    tokio::task::spawn_blocking(reading).await.expect("read")
}

/// The value of one figure.
fn figure(figures: &Value, family: &str, labels: Value) -> f64 {
    let all = figures[family].as_array().unwrap_or_else(|| panic!("no {family} in {figures}"));
    let of = |sample: &&Value| {
        let name = sample["name"].as_str().unwrap_or_default();
        sample["labels"] == labels && !name.ends_with("_sum")
    };
    let found = all.iter().find(of).unwrap_or_else(|| panic!("no {labels} in {all:?}"));
    found["value"].as_f64().expect("a number")
}

fn wants(tool: &str, arguments: Value) -> Reply {
    let usage = Usage { input_tokens: 100, output_tokens: 10, cost: Usd::micros(2_000) };
    let call = ToolCall { id: "c".into(), name: tool.into(), arguments };
    Reply { text: String::new(), calls: vec![call], stop: Stop::Tools, usage }
}

fn says(text: &str) -> Reply {
    Reply { text: text.into(), calls: vec![], stop: Stop::End, ..wants("", json!({})) }
}

const AGENT: &str = "look around";

fn plan_with_an_agent() -> Value {
    json!({"steps": [
        {"id": "look", "tool": "look.once", "arguments": {"at": "the canary"}},
        {"id": "tell", "goal": AGENT, "tools": ["look.once"], "depends_on": ["look"]},
        {"id": "note", "tool": "note.add", "arguments": {"text": "the canary"}, "depends_on": ["tell"]},
    ], "answer": "it is done"})
}

#[tokio::test]
async fn figures_say_what_happened_and_what_is_open() {
    let replies = [wants("look__once", json!({"at": "the canary"})), says("seen")];
    let world = World::replying(replies).await;
    let path = world.start(json!({"text": "count me", "plan": plan_with_an_agent(), "wait": 30})).await;
    world.until(&path, "completed").await;
    let open = json!({"steps": [{"id": "o", "tool": "door.open", "arguments": {}}], "answer": "open"});
    let waits = world.start(json!({"text": "open", "plan": open})).await;
    world.until(&waits, "waiting").await;
    let gated = world.start_gated(1).await;
    let _follower = world.follow(&gated, None).await;
    assert_eq!(world.get("/v1/runs/run_00000000000000000000000000000000").await.status, 404);
    let seen = figures(&world).await;
    let one = |family: &str, labels: Value| figure(&seen, family, labels);
    assert_eq!(one("agentwright_runs_accepted", json!({})), 3.0);
    assert_eq!(one("agentwright_runs_ended", json!({"status": "completed", "route": "given"})), 1.0);
    assert_eq!(one("agentwright_run_duration_seconds", json!({"route": "given"})), 1.0);
    assert_eq!(one("agentwright_runs", json!({"status": "waiting"})), 1.0);
    assert_eq!(
        (one("agentwright_approvals_pending", json!({})), one("agentwright_intents_in_doubt", json!({}))),
        (1.0, 0.0)
    );
    let model = json!({"model": "scripted:replies"});
    assert_eq!(
        (one("agentwright_model_calls", model.clone()), one("agentwright_model_failures", model.clone())),
        (2.0, 0.0)
    );
    assert_eq!(one("agentwright_model_tokens", json!({"model": "scripted:replies", "direction": "input"})), 200.0);
    assert!((one("agentwright_model_cost_dollars", model) - 0.004).abs() < 1e-9);
    assert_eq!(one("agentwright_tool_calls", json!({"tool": "look.once"})), 2.0);
    assert_eq!(one("agentwright_tool_calls", json!({"tool": "note.add"})), 1.0);
    assert_eq!(one("agentwright_intents_settled", json!({"status": "done"})), 1.0);
    let asked = |path: &str, status: &str| json!({"method": "GET", "path": path, "status": status});
    assert_eq!(one("agentwright_http_request_duration_seconds", asked("/v1/runs/{run}", "404")), 1.0);
    assert_eq!(one("agentwright_event_streams_open", json!({})), 1.0);
    assert!(one("agentwright_store_commits", json!({})) > 3.0);
    assert!(one("process_resident_memory_bytes", json!({})) > 1e6);
    assert_eq!(one("agentwright_build_info", json!({"version": "0.1.0"})), 1.0);
    assert!(!seen.to_string().contains("canary"), "{seen}");
}

#[tokio::test]
async fn figures_are_for_keys_that_reach_them() {
    let world = World::new().await;
    let with = async |role: Role, scopes: Vec<Area>| {
        let wanted = Wanted { grant: Grant { role, scopes }, ..Wanted::new(role) };
        let (key, _) = create(world.store.as_ref(), wanted).await.expect("a key");
        let request = world.client.get(world.url("/metrics")).bearer_auth(key);
        request.send().await.expect("an answer").status().as_u16()
    };
    assert_eq!(world.client.get(world.url("/metrics")).send().await.expect("an answer").status().as_u16(), 401);
    assert_eq!(with(Role::Viewer, vec![]).await, 200);
    assert_eq!(with(Role::Viewer, vec![Area::Admin]).await, 200);
    assert_eq!(with(Role::Admin, vec![Area::Runs]).await, 403);
}

#[tokio::test]
async fn spans_of_a_run_become_a_trace_in_another_server() {
    let replies = [wants("look__once", json!({"at": "sea"})), says("seen")];
    let (told, hears) =
        (World::replying(replies).await, World::with(Setting { idle: true, ..Setting::default() }).await);
    let path = told.start(json!({"text": "count the ships", "plan": plan_with_an_agent(), "wait": 30})).await;
    told.until(&path, "completed").await;
    let run = path.rsplit('/').next().expect("an id").parse().expect("an id");
    let ledger = runtime::ledger(told.store.as_ref(), run).await.expect("a ledger");
    let name = [("service.name".to_owned(), "first".to_owned())];
    let send = async |content| {
        let body = server::otlp_batch(&of_run(run, &ledger, content), &name);
        let request =
            hears.request(Method::POST, "/v1/otlp/v1/traces").header("content-type", "application/x-protobuf");
        let response = request.body(body).send().await.expect("an answer");
        assert_eq!(response.status().as_u16(), 200);
        let answer = response.bytes().await.expect("an answer");
        assert_eq!(server::otlp_rejected(&answer), None);
        let listed = hears.get("/v1/traces").await.body;
        assert_eq!(listed["total"], 1, "{listed}");
        hears.get(&format!("/v1/traces/{}", listed["traces"][0]["id"].as_str().expect("an id"))).await.body
    };
    let calls = |trace: &Value| -> Vec<(String, String)> {
        let steps = trace["steps"].as_array().expect("steps").iter().filter(|step| step["kind"] == "call");
        steps.map(|step| (step["tool"].as_str().unwrap_or_default().to_owned(), step["ended"].to_string())).collect()
    };
    let trace = send(Content::Withheld).await;
    let done = |tool: &str| (tool.to_owned(), "\"done\"".to_owned());
    assert_eq!(calls(&trace), [done("look.once"), done("look.once"), done("note.add")]);
    assert_eq!((&trace["outcome"]["success"], &trace["metrics"]["tokens"]), (&json!(true), &json!(220.0)));
    assert!(!trace.to_string().contains("ships") && !trace.to_string().contains("canary"), "{trace}");
    // What is sent again is the same trace, even if more is said this time.
    let trace = send(Content::Told).await;
    assert_eq!(calls(&trace).len(), 3);
    assert_eq!((&trace["context"], &trace["outcome"]["answer"]), (&json!("count the ships"), &json!("it is done")));
}

#[tokio::test]
async fn every_answer_names_its_request() {
    let world = World::new().await;
    let named = async |given: Option<&str>, path: &str| {
        let mut request = world.request(Method::GET, path);
        if let Some(given) = given {
            request = request.header("X-Request-Id", given);
        }
        let response = request.send().await.expect("an answer");
        response.headers()["x-request-id"].to_str().expect("text").to_owned()
    };
    assert_eq!(named(Some("trace-1:a/b"), "/healthz").await, "trace-1:a/b");
    let fresh = named(None, "/nowhere").await;
    assert_eq!(fresh.len(), 32, "{fresh}");
    assert_ne!(named(Some("two words"), "/healthz").await, "two words");
    assert_ne!(named(Some(&"x".repeat(129)), "/healthz").await.len(), 129);
    let _: Said = world.get("/healthz").await;
}
