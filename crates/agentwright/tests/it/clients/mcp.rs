//! The official MCP clients, today's and those of before, over HTTP and over pipes.

use std::process::Command;

use serde_json::{Value, json};
use server::Role;

use super::{PROGRAM, Serving, key, modules, project, python, saw, script};
use crate::program::Project;

fn with_python(project: &Project, mode: &str, what: &str, place: &[&str]) -> Value {
    let mut command = Command::new(python());
    command.arg(script("mcp_client.py")).args([mode, what]).args(place);
    saw(project, command)
}

fn with_node(project: &Project, package: &str, mode: &str, place: &[&str]) -> Value {
    let mut command = Command::new("node");
    command.arg(script("mcp_client.mjs")).arg(modules()).args([package, mode]).args(place);
    saw(project, command)
}

/// What everybody must have seen, whichever client and transport they have.
fn is_right(seen: &Value) {
    let tools = seen["tools"].as_array().expect("tools");
    for name in ["run", "plan", "get_run", "approve", "search_agents", "explain_route", "learned"] {
        assert!(tools.contains(&json!(name)), "{seen:#}");
    }
    assert_eq!((&seen["answer"], &seen["run"]["status"]), (&json!("15 percent of 80 is 12."), &json!("completed")));
    let progress = seen["progress"].as_array().expect("progress");
    assert_eq!(progress.first(), Some(&json!("the request is on record")), "{seen:#}");
    assert_eq!(seen["wrong"][0], true);
    assert!(seen["wrong"][1].as_str().is_some_and(|words| words.contains("unknown field `txt`")), "{seen:#}");
    assert_eq!(seen["unknown"], -32602);
    assert_eq!((&seen["waits"], &seen["decided"]), (&json!(["waiting", "approve"]), &json!("decided")), "{seen:#}");
    assert_eq!(seen["asked"].as_array().map(Vec::len), Some(1), "{seen:#}");
    assert_eq!(seen["timer"][0], "completed", "{seen:#}");
}

#[test]
fn the_python_client_of_today_gets_everything_over_pipes() {
    let project = project();
    let seen = with_python(&project, "auto", "everything", &["stdio", PROGRAM, "mcp", "serve"]);
    is_right(&seen);
    assert_eq!((&seen["version"], &seen["route"]), (&json!("2026-07-28"), &json!("search")), "{seen:#}");
    assert_eq!(
        (&seen["stale"], &seen["hints"]["get_run"], &seen["hints"]["run"]),
        (&json!(true), &json!(true), &json!(false))
    );
    assert!(seen["events"].as_u64().is_some_and(|events| events > 3), "{seen:#}");
}

#[test]
fn the_python_client_of_before_gets_everything_over_pipes() {
    let project = project();
    let seen = with_python(&project, "legacy", "everything", &["stdio", PROGRAM, "mcp", "serve"]);
    is_right(&seen);
    assert_eq!(seen["version"], "2025-11-25");
}

#[test]
fn the_python_clients_get_everything_over_http() {
    for (mode, version) in [("auto", "2026-07-28"), ("legacy", "2025-11-25")] {
        let project = project();
        let serving = Serving::start(&project);
        let seen = with_python(&project, mode, "everything", &["http", &serving.url("/mcp"), &serving.key]);
        is_right(&seen);
        assert_eq!(seen["version"], version);
    }
}

#[test]
fn the_typescript_clients_get_everything_over_pipes_and_http() {
    let clients = [
        ("@modelcontextprotocol/client", "auto"),
        ("@modelcontextprotocol/client", "legacy"),
        ("@modelcontextprotocol/sdk", "legacy"),
    ];
    for (package, mode) in clients {
        // What is rejected is learnt from: everybody begins anew.
        is_right(&with_node(&project(), package, mode, &["stdio", PROGRAM, "mcp", "serve"]));
        let project = project();
        let serving = Serving::start(&project);
        is_right(&with_node(&project, package, mode, &["http", &serving.url("/mcp"), &serving.key]));
    }
}

#[test]
fn somebody_who_may_only_look_sees_no_more_and_does_no_more() {
    let project = project();
    let serving = Serving::start(&project);
    let viewer = key(&project, Role::Viewer);
    for mode in ["auto", "legacy"] {
        let seen = with_python(&project, mode, "look", &["http", &serving.url("/mcp"), &viewer]);
        let tools = seen["tools"].as_array().expect("tools");
        assert!(tools.contains(&json!("get_run")) && !tools.contains(&json!("run")), "{seen:#}");
        assert!(!tools.contains(&json!("approve")), "{seen:#}");
        assert_eq!(seen["refused"], json!([true, "this needs the role `runner`; yours is `viewer`"]));
    }
}

/// A project in which everything takes a minute.
fn slow() -> Project {
    let plan = json!({"goal": "rest", "answer": "rested", "steps": [
        {"id": "rest", "tool": "rest.for", "arguments": {"seconds": "60"}},
    ]});
    let plan = json!({"plan": plan, "system_prompt": "You rest.", "tool_names": ["rest.for"]});
    Project::new().tools().script(&json!([{"text": plan.to_string()}]))
}

#[test]
fn a_client_that_cancels_its_call_cancels_the_run() {
    for mode in ["auto", "legacy"] {
        let project = slow();
        let seen = with_python(&project, mode, "cancel", &["stdio", PROGRAM, "mcp", "serve"]);
        assert_eq!(seen["status"], "cancelled", "{mode}: {seen}");
        let project = slow();
        let serving = Serving::start(&project);
        let seen = with_python(&project, mode, "cancel", &["http", &serving.url("/mcp"), &serving.key]);
        assert_eq!(seen["status"], "cancelled", "{mode} over HTTP: {seen}");
    }
}

#[test]
fn our_own_client_uses_our_own_server() {
    let (near, far) = (Project::new().file("agentwright.toml", "# a project\n"), project());
    let config = far.path().join("agentwright.toml").display().to_string();
    let add = ["mcp", "add", "far", "-o", "json", "--", PROGRAM, "--config", &config, "mcp", "serve"];
    let added = near.run(&add).fine().json();
    assert_eq!(added["protocol"], "2026-07-28", "{added:#}");
    let arguments = r#"{"text": "What is 15 percent of 80?"}"#;
    let done = near.run(&["tools", "test", "far.run", "--yes", "--args", arguments]).fine();
    assert!(done.out.contains("15 percent of 80 is 12."), "{}", done.whole());
    let looked = near.run(&["tools", "show", "far.get_run", "-o", "json"]).fine().json();
    assert_eq!(looked["effect"]["kind"], "read", "{looked:#}");
    let acts = near.run(&["tools", "show", "far.run", "-o", "json"]).fine().json();
    assert_eq!(acts["effect"]["kind"], "write", "{acts:#}");
}

#[test]
fn nothing_but_the_protocol_is_written_and_it_ends_with_its_input() {
    let project = project();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"},
    }});
    let said = project.run_with(format!("{hello}\n").as_bytes(), &["-v", "mcp", "serve"]).fine();
    let lines: Vec<Value> = said.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [only] = lines.as_slice() else { panic!("{}", said.whole()) };
    assert_eq!((&only["id"], &only["result"]["serverInfo"]["name"]), (&json!(1), &json!("agentwright")), "{only:#}");
    assert_eq!(only["result"]["protocolVersion"], "2025-06-18");
}
