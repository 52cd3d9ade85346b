//! The official A2A client, in both versions of the protocol.

use std::process::Command;

use serde_json::{Value, json};

use super::{Serving, project, python, saw, script};

fn seen(version: &str) -> Value {
    let project = project();
    let serving = Serving::start(&project);
    let mut command = Command::new(python());
    command.arg(script("a2a_client.py")).args([&serving.url(""), &serving.key, version]);
    saw(&project, command)
}

fn is_right(seen: &Value) {
    assert_eq!((&seen["name"], &seen["streaming"]), (&json!("Agentwright"), &json!(true)));
    assert_eq!(seen["interfaces"], json!([["JSONRPC", "1.0"], ["JSONRPC", "0.3"]]));
    let skills = seen["skills"].as_array().expect("skills");
    assert!(skills.contains(&json!("timer")) && skills.contains(&json!("plan")), "{seen:#}");
    assert_eq!(
        (&seen["state"], &seen["answer"]),
        (&json!("TASK_STATE_COMPLETED"), &json!(["15 percent of 80 is 12."]))
    );
    assert_eq!(seen["history"], json!(["What is 15 percent of 80?"]));
    assert_eq!((&seen["first"], &seen["same_context"]), (&json!("task"), &json!(true)), "{seen:#}");
    assert_eq!(seen["asks"][0], "TASK_STATE_INPUT_REQUIRED", "{seen:#}");
    assert_eq!(seen["approved"][0], "TASK_STATE_COMPLETED", "{seen:#}");
    assert_eq!((&seen["rejected"], &seen["cancelled"]), (&json!("TASK_STATE_REJECTED"), &json!("TASK_STATE_CANCELED")));
    let faults =
        ["TaskNotFoundError", "TaskNotCancelableError", "UnsupportedOperationError", "UnsupportedOperationError"];
    assert_eq!(seen["faults"], json!(faults), "{seen:#}");
}

#[test]
fn the_client_of_today_gives_tasks_follows_them_and_answers_what_they_ask() {
    let seen = seen("1.0");
    is_right(&seen);
    assert_eq!((&seen["listed"][0], &seen["listed"][2]), (&json!(2), &json!(true)), "{seen:#}");
}

#[test]
fn the_client_speaks_the_version_of_before_too() {
    is_right(&seen("0.3"));
}
