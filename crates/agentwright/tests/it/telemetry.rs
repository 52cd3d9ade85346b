//! Spans and logs as others get them: a receiver that decodes what OpenTelemetry's own messages say, another Agentwright,
//! and whoever reads stderr.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::program::Project;
use crate::serve::{ask, serve};
use crate::venv::python;

/// What the receiver is written with.
const REQUIREMENTS: &str = include_str!("../../../server/tests/it/telemetry/requirements.txt");

/// A receiver in a process of its own.
struct Receiver {
    child: Child,
    lines: BufReader<ChildStdout>,
    port: String,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Receiver {
    fn new(refusals: u32) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/telemetry/receiver.py");
        let mut command = Command::new(python("telemetry-venv", REQUIREMENTS));
        command.arg(script).arg(refusals.to_string()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("Python runs");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut port = String::new();
        lines.read_line(&mut port).expect("a port");
        Self { child, lines, port: port.trim().to_owned() }
    }

    fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The next spans, up to the one of a whole run.
    fn trace(&mut self) -> Vec<Value> {
        let mut spans = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.lines.read_line(&mut line).expect("a line"), 0, "it ended: {spans:?}");
            let span: Value = serde_json::from_str(&line).expect("a span");
            let whole = span["parent"] == "";
            spans.push(span);
            if whole {
                return spans;
            }
        }
    }
}

fn names(spans: &[Value]) -> Vec<&str> {
    spans.iter().filter_map(|span| span["name"].as_str()).collect()
}

const CANARY: &str = "canary8213";

/// A plan that counts words, by itself and with an agent that a script plays.
fn talkative() -> Project {
    let call = json!({"text": "", "calls": [{"name": "text.count", "arguments": {"text": CANARY}}]});
    Project::new().tools().script(&json!([call, {"text": format!("it is {CANARY}")}])).file(
        "plan.json",
        &json!({"steps": [
            {"id": "first", "tool": "text.count", "arguments": {"text": CANARY}},
            {"id": "then", "goal": format!("count {CANARY}"), "tools": ["text.count"], "depends_on": ["first"]},
        ], "answer": format!("{CANARY} ${{then}}")})
        .to_string(),
    )
}

const RUN: [&str; 5] = ["run", "--quiet", "--plan", "plan.json", "count the canary8213"];

#[test]
fn a_run_arrives_as_spans_of_the_conventions_and_without_what_was_said() {
    let mut receiver = Receiver::new(0);
    let project = talkative()
        .variable("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint())
        .variable("OTEL_EXPORTER_OTLP_HEADERS", "x-team=blue%20one")
        .variable("OTEL_SERVICE_NAME", "kitchen");
    project.run(&RUN).fine();
    let spans = receiver.trace();
    assert_eq!(
        names(&spans),
        [
            "create_agent agent:then",
            "invoke_agent agent:then",
            "execute_tool text.count",
            "chat script.json",
            "execute_tool text.count",
            "chat script.json",
            "invoke_workflow task_graph"
        ]
    );
    let whole = spans.last().expect("the whole");
    let id = project.run(&["runs", "list", "-o", "json"]).json()["runs"][0]["run"].clone();
    assert!(id.is_string());
    assert!(spans.iter().all(|span| span["trace"] == whole["trace"] && span["program"]["service.name"] == "kitchen"));
    assert_eq!((&whole["header"], &whole["scope"]), (&json!("blue one"), &json!("agentwright")));
    assert_eq!((&whole["attributes"]["agentwright.status"], &whole["status"]), (&json!("completed"), &json!(0)));
    let agent = &spans[1];
    assert_eq!(
        (&agent["parent"], &spans[3]["parent"], &spans[2]["parent"]),
        (&whole["id"], &agent["id"], &whole["id"])
    );
    let chat = &spans[3];
    assert_eq!(chat["kind"], 3);
    for name in ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.usage.input_tokens"] {
        assert!(!chat["attributes"][name].is_null(), "{name} is not in {chat}");
    }
    assert_eq!(spans[4]["attributes"]["gen_ai.tool.name"], "text.count");
    assert!(!json!(spans).to_string().contains(CANARY), "{spans:?}");
}

#[test]
fn what_was_said_is_told_to_those_who_asked_for_it() {
    let mut receiver = Receiver::new(0);
    let project = talkative();
    let config = std::fs::read_to_string(project.path().join("agentwright.toml")).expect("a file");
    project.write(
        "agentwright.toml",
        &format!("{config}\n[telemetry]\nendpoint = \"{}\"\ncontent = true\n", receiver.endpoint()),
    );
    project.run(&RUN).fine();
    let spans = receiver.trace();
    let whole = &spans.last().expect("the whole")["attributes"];
    assert!(whole["gen_ai.input.messages"].as_str().expect("messages").contains("count the canary8213"));
    assert!(whole["gen_ai.output.messages"].as_str().expect("messages").contains(CANARY));
    assert!(spans[2]["attributes"]["gen_ai.tool.call.arguments"].as_str().expect("arguments").contains(CANARY));
    assert!(spans[0]["attributes"]["gen_ai.system_instructions"].is_string());
}

#[test]
fn a_receiver_that_is_away_fails_no_run_and_one_that_comes_back_gets_it() {
    let nowhere = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let project = talkative().variable("OTEL_EXPORTER_OTLP_ENDPOINT", &format!("http://{nowhere}"));
    let said = project.run(&RUN).fine();
    assert!(!said.err.contains("error"), "{}", said.err);
    let mut receiver = Receiver::new(1);
    let project =
        talkative().variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &format!("{}/v1/traces", receiver.endpoint()));
    project.run(&RUN).fine();
    assert_eq!(receiver.trace().len(), 7);
}

#[test]
fn a_run_that_crosses_processes_is_one_trace_told_once() {
    let mut receiver = Receiver::new(0);
    let project = Project::new()
        .tools()
        .file("agentwright.toml", "[[approval.rule]]\ntool = \"text.*\"\naction = \"ask\"\n")
        .file(
            "plan.json",
            r#"{"steps": [{"id": "c", "tool": "text.count", "arguments": {"text": "a b"}}], "answer": "${c}"}"#,
        )
        .variable("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.endpoint());
    assert_eq!(project.run(&["run", "--quiet", "--plan", "plan.json", "count"]).code, 4);
    project.run(&["runs", "resume", "last", "--answer", "yes"]).fine();
    let spans = receiver.trace();
    assert_eq!(names(&spans), ["execute_tool text.count", "invoke_workflow task_graph"]);
    let events = &spans[1]["events"];
    assert_eq!(*events, json!(["agentwright.waiting", "agentwright.answered", "agentwright.resumed"]));
    assert_eq!(spans[0]["trace"], spans[1]["trace"]);
}

#[test]
fn another_agentwright_makes_a_trace_of_it() {
    let hears = Project::new().file("agentwright.toml", "");
    let server = serve(&hears);
    let key = hears.run(&["keys", "create", "-o", "json"]).fine().json()["key"].as_str().expect("a key").to_owned();
    let project = talkative()
        .variable("OTEL_EXPORTER_OTLP_ENDPOINT", &format!("http://{}/v1/otlp", server.address))
        .variable("OTEL_EXPORTER_OTLP_HEADERS", &format!("authorization=Bearer%20{key}"));
    project.run(&RUN).fine();
    let (status, listed) = ask(&server.address, &key, "GET", "/v1/traces", "");
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!((status, &listed["total"]), (200, &json!(1)), "{listed}");
    let id = listed["traces"][0]["id"].as_str().expect("an id");
    let trace: Value =
        serde_json::from_str(&ask(&server.address, &key, "GET", &format!("/v1/traces/{id}"), "").1).expect("JSON");
    let calls = trace["steps"].as_array().expect("steps").iter().filter(|step| step["kind"] == "call");
    assert_eq!(calls.map(|call| &call["tool"]).collect::<Vec<_>>(), ["text.count", "text.count"]);
    assert_eq!(trace["outcome"]["success"], true);
}

#[test]
fn logs_in_json_carry_the_run_and_not_what_was_said() {
    let project = talkative();
    let config = std::fs::read_to_string(project.path().join("agentwright.toml")).expect("a file");
    project.write("agentwright.toml", &format!("{config}\n[log]\nformat = \"json\"\nlevel = \"info\"\n"));
    let output = project.command(&RUN).output().expect("it runs");
    assert!(output.status.success());
    let err = String::from_utf8(output.stderr).expect("text");
    let lines: Vec<Value> =
        err.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect();
    let rested = lines.iter().find(|line| line["message"] == "a run came to rest").expect("a line");
    assert_eq!((&rested["level"], &rested["status"]), (&json!("info"), &json!("completed")));
    let run = rested["run"].as_str().expect("a run");
    assert!(run.starts_with("run_") && run.len() == 36, "{run}");
    assert!(rested["at"].as_str().is_some_and(|at| at.ends_with('Z')));
    assert!(!err.contains(CANARY), "{err}");
}

#[test]
fn a_server_logs_requests_by_name_and_path() {
    let project = Project::new().tools().file("agentwright.toml", "[log]\nformat = \"json\"\nlevel = \"info\"\n");
    let mut server = serve(&project);
    let key = std::fs::read_to_string(project.path().join(".agentwright/server.key")).expect("a key").trim().to_owned();
    let plan = json!({"steps": [{"id": "c", "tool": "text.count", "arguments": {"text": CANARY}}], "answer": "${c}"});
    let body = json!({"text": format!("count {CANARY}"), "plan": plan, "wait": 30}).to_string();
    assert_eq!(ask(&server.address, &key, "POST", "/v1/runs", &body).0, 201);
    let mut told = Vec::new();
    while !told.iter().any(|line: &Value| line["path"] == "/v1/runs") {
        let mut line = String::new();
        assert_ne!(server.stderr.read_line(&mut line).expect("a line"), 0, "it ended: {told:?}");
        assert!(!line.contains(CANARY), "{line}");
        // What is said to whoever started it is no log.
        if line.starts_with("Open ") {
            continue;
        }
        told.push(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")));
    }
    let answered = told.last().expect("a line");
    assert_eq!((&answered["method"], &answered["status"]), (&json!("POST"), &json!(201)));
    assert!(answered["request"].as_str().is_some_and(|request| request.len() == 32), "{answered}");
}
