//! A conversation, through a pipe.

use serde_json::json;

use crate::program::Project;

fn project() -> Project {
    let plan = json!({"plan": {"goal": "paint", "steps": [{"id": "ask", "goal": "ask which colour"}]}, "system_prompt": "You paint.", "tool_names": []});
    Project::new().script(&json!([
        {"when": {"anywhere": "You plan how"}, "text": plan.to_string()},
        {"when": {"contains": "blue"}, "text": "It is blue now."},
        {"text": "", "calls": [{"name": "ask_user", "arguments": {"question": "Which colour?"}}]},
    ]))
}

#[test]
fn a_question_is_answered_by_the_next_line() {
    let said =
        project().run_with(b"/help\ndraft a contract\nblue\n/runs\n/nonsense\n\n", &["chat", "--session", "tuesday"]);
    insta::assert_snapshot!(said.whole());
}

#[test]
fn a_conversation_ends_when_asked_to() {
    let said = project().run_with(b"/quit\ndraft a contract\n", &["chat"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", ""));
}

#[test]
fn what_is_no_request_does_not_end_the_conversation() {
    let said = project().run_with(b"ring the \x07bell\n/runs\n", &["chat"]).fine();
    assert_eq!((said.out.as_str(), said.err.contains("control character U+0007")), ("no runs\n", true));
}
