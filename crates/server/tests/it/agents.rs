//! Agents that others wrote, with frameworks that others wrote, told of in the way that these do: real programs, a scripted
//! model, spans over the wire. Their Python environment is made once and kept with what was built.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::venv::{self, said};
use crate::world::World;

const REQUIREMENTS: &str = include_str!("agents/requirements.txt");

/// Runs one of the programs, with the standard variables for spans, and says what it printed.
async fn run(world: &World, program: &str, arguments: &[&str]) -> String {
    let python = tokio::task::spawn_blocking(python).await.expect("the frameworks are installed");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(python);
    command
        .arg(here.join("tests/it/agents").join(program))
        .args(arguments)
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", world.url("/v1/otlp"))
        .env("OTEL_EXPORTER_OTLP_HEADERS", format!("authorization=Bearer%20{}", world.key))
        .env("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
        .env("PYTHONPATH", here.join("../../clients/python/src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("NO_PROXY", "*")
        .current_dir(world.folder());
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("ended").expect("started");
    said(&output)
}

/// The only trace there is.
async fn only(world: &World) -> Value {
    let listed = world.get("/v1/traces").await.body;
    assert_eq!(listed["total"], 1, "{listed}");
    let row = &listed["traces"][0];
    let trace = world.get(&format!("/v1/traces/{}", row["id"].as_str().expect("an id"))).await.body;
    assert_eq!((&row["agent"], &row["source"]), (&trace["agent"], &trace["source"]));
    trace
}

/// The calls of a trace: which tool, with what, and how it ended.
fn calls(trace: &Value) -> Vec<(&str, &Value, &Value)> {
    let steps = trace["steps"].as_array().expect("steps").iter();
    let calls = steps.filter(|step| step["kind"] == "call");
    calls.map(|step| (step["tool"].as_str().expect("a tool"), &step["arguments"], &step["ended"])).collect()
}

fn kinds(trace: &Value) -> Vec<&str> {
    trace["steps"].as_array().expect("steps").iter().filter_map(|step| step["kind"].as_str()).collect()
}

#[tokio::test]
async fn an_agent_of_pydantic_ai_is_told_of() {
    let world = World::new().await;
    assert_eq!(run(&world, "with_pydantic_ai.py", &[]).await, "sunny");
    let trace = only(&world).await;
    assert_eq!((&trace["agent"], &trace["system"]), (&json!("forecaster"), &json!("scripted")));
    assert_eq!(trace["context"], "How is Oslo?");
    assert_eq!(calls(&trace), [("weather", &json!({"city": "Oslo"}), &json!("done"))]);
    assert_eq!(kinds(&trace), ["said", "model", "call", "model", "said"]);
    assert_eq!((&trace["outcome"], &trace["metrics"]["tokens"]), (&Value::Null, &json!(30.0)));
    assert!(trace["ended_at"].is_string(), "{trace}");
}

#[tokio::test]
async fn a_failure_of_an_agent_of_pydantic_ai_is_told_of() {
    let world = World::new().await;
    assert_eq!(run(&world, "with_pydantic_ai.py", &["fails"]).await, "the sky does not answer");
    let trace = only(&world).await;
    assert_eq!(calls(&trace), [("weather", &json!({"city": "Oslo"}), &json!({"failed": "timed_out"}))]);
    assert_eq!(trace["outcome"]["success"], false);
}

#[tokio::test]
async fn an_agent_of_smolagents_is_told_of() {
    let world = World::new().await;
    assert_eq!(run(&world, "with_smolagents.py", &[]).await, "sunny");
    let trace = only(&world).await;
    assert_eq!((&trace["agent"], &trace["context"]), (&json!("forecaster"), &json!("How is Oslo?")));
    let (city, answer) = (json!({"city": "Oslo"}), json!({"answer": "sunny"}));
    assert_eq!(calls(&trace), [("weather", &city, &json!("done")), ("final_answer", &answer, &json!("done"))]);
    assert_eq!(kinds(&trace).iter().filter(|kind| **kind == "model").count(), 2);
    assert_eq!((&trace["outcome"]["success"], &trace["outcome"]["answer"]), (&json!(true), &json!("sunny")));
}

#[tokio::test]
async fn an_agent_with_decorators_is_told_of() {
    let world = World::new().await;
    let id = run(&world, "with_decorators.py", &[&world.url(""), &world.key]).await;
    let trace = only(&world).await;
    assert_eq!((&trace["id"], &trace["problem"], &trace["task"]), (&json!(id), &json!("weather"), &json!("oslo-1")));
    let city = json!({"city": "Oslo"});
    let denied = json!({"failed": "denied"});
    assert_eq!(calls(&trace)[1], ("weather", &city, &json!("done")));
    assert_eq!((calls(&trace)[0].0, calls(&trace)[0].2), ("radar.look", &denied));
    assert_eq!(kinds(&trace), ["thought", "call", "call"]);
    let outcome = json!({"success": true, "score": 0.9, "answer": "sunny in Oslo"});
    assert_eq!((&trace["outcome"], &trace["metrics"]), (&outcome, &json!({"turns": 2.0})));
}

#[tokio::test]
async fn the_python_client_holds_what_it_promises() {
    let python = tokio::task::spawn_blocking(python).await.expect("the frameworks are installed");
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/python");
    let mut command = Command::new(python);
    command
        .args(["-m", "unittest", "discover", "-s", "tests"])
        .env("PYTHONPATH", "src:tests")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("NO_PROXY", "*")
        .current_dir(client);
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("ended").expect("started");
    said(&output);
}

fn python() -> PathBuf {
    venv::python("agents-venv", REQUIREMENTS)
}
