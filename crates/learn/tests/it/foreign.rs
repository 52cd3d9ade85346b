//! Lines of public data sets, and lines that are none.

use domain::trace::{CallEnd, Speaker, Step, Trace, Trouble};
use jiff::Timestamp;
use learn::foreign::{livemcp, tau, trail, who_when};
use serde_json::{Value, json};

fn at() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

fn customer() -> Value {
    json!({
        "id": "tau-1", "domain": "retail", "model": "m", "task_id": "tau1-retail-1", "success": true, "duration_s": 2.5,
        "steps": [
            {"role": "user", "len": 300, "content": "return it…[300]"},
            {"role": "assistant", "len": 0, "calls": [
                {"name": "think", "args": {"thought": "hm"}},
                {"name": "get_order", "args": {"id": "W1"}}, {"name": "get_user", "args": {}}]},
            {"role": "tool", "len": 14, "content": "user not found", "tool": "get_user", "error": true},
            {"role": "tool", "len": 4, "content": "open", "tool": "get_order", "error": false},
        ],
    })
}

#[test]
fn answers_find_their_calls_and_thoughts_are_thoughts() {
    let trace = tau(&customer(), at()).expect("a trace");
    assert_eq!(trace.metrics.values().copied().collect::<Vec<_>>(), [2.5]);
    let Step::Said { who: Speaker::User, text, length: 300, .. } = &trace.steps[0] else { panic!("{:?}", trace.steps) };
    assert_eq!(text.reveal(), "return it");
    assert!(matches!(&trace.steps[1], Step::Thought { .. }));
    let ends: Vec<CallEnd> = trace.steps[2..]
        .iter()
        .map(|step| match step {
            Step::Call { ended, .. } => *ended,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(ends, [CallEnd::Done, CallEnd::Failed(Trouble::NotFound)]);
}

#[test]
fn other_ways_of_writing_traces_are_read_too() {
    let live = json!({"id": "l", "task_id": "t", "category": "music", "question": "q", "success": false, "steps": [
        {"role": "assistant", "len": 2, "content": "hm", "calls": [
            {"name": "execute-tool", "args": "{\"tool_name\": \"load\", \"params\": {\"path\": \"x\"}}"}]},
        {"role": "tool", "len": 2, "content": "ok", "error": false}]});
    let team = json!({"id": "w", "kind": "Hand-Crafted", "steps": [
        {"agent": "human", "role": "human", "len": 1, "content": "?"},
        {"agent": "Orchestrator", "role": "Orchestrator (thought)", "len": 1, "content": "!"},
        {"agent": "Computer_terminal", "role": "user", "len": 1, "content": "exitcode: 1"}]});
    let spans = json!({"id": "t", "dataset": "gaia", "steps": [
        {"name": "main", "kind": null, "status": "Unset", "duration": "PT1M48.7S", "output": ""},
        {"name": "Model", "kind": "LLM", "status": "Ok", "tokens_in": "400", "tokens_out": "20", "duration": "PT2S"},
        {"name": "T", "kind": "TOOL", "tool": "web_search", "status": "Error", "status_message": "timeout", "duration": "PT1S"}]});
    let kinds = |trace: Trace| {
        let kind = |step: &Step| match step {
            Step::Call { tool, .. } => tool.to_string(),
            Step::Said { who, .. } => format!("{who:?}"),
            Step::Thought { what, .. } => what.to_string(),
            Step::Model { tokens_in, .. } => tokens_in.to_string(),
        };
        trace.steps.iter().map(kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(livemcp(&live, at()).expect("a trace")), ["Agent", "load"]);
    assert_eq!(kinds(who_when(&team, at()).expect("a trace")), ["User", "thought", "Other"]);
    assert_eq!(kinds(trail(&spans, at()).expect("a trace")), ["span", "400", "web_search"]);
}

#[test]
fn what_is_no_trace_says_which_field_is_wrong() {
    let mut cases = vec![(json!([]), "the line is not an object")];
    let without = |field: &str, value: Value| {
        let mut line = customer();
        line[field] = value;
        line
    };
    cases.push((without("domain", Value::Null), "field `domain` is missing"));
    cases.push((without("steps", json!("none")), "field `steps` is not a list"));
    cases.push((without("success", json!("yes")), "field `success` is not true or false"));
    cases.push((without("id", json!("two words")), "field `id` is not the name of a trace"));
    cases.push((
        without("steps", json!([{"role": "ghost"}])),
        "field `steps[0].role` is not `user`, `assistant` or `tool`",
    ));
    cases.push((without("steps", json!([{"role": "user", "len": -1}])), "field `steps[0].len` is not a count"));
    cases.push((without("steps", json!([7])), "`steps[0]` is not an object"));
    for (line, why) in cases {
        assert_eq!(tau(&line, at()).expect_err("no trace").to_string(), why);
    }
}
