//! Clients that others wrote, as they come from PyPI, against a server with a scripted model.

use std::path::Path;
use std::process::Command;

use domain::chat::{Reply, Stop, ToolCall, Usage};
use serde_json::{Value, json};

use crate::openai::{DOOR, PLAN};
use crate::venv;
use crate::world::World;

const REQUIREMENTS: &str = include_str!("clients/requirements.txt");

fn says(text: &str) -> Reply {
    let usage = Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() };
    Reply { text: text.into(), calls: vec![], stop: Stop::End, usage }
}

fn calls(name: &str, arguments: Value) -> Reply {
    let call = ToolCall { id: "call_1".into(), name: name.into(), arguments };
    Reply { calls: vec![call], stop: Stop::Tools, ..says("") }
}

fn weather() -> Reply {
    calls("weather", json!({"city": "Oslo"}))
}

/// Has one of the programs talk to a server whose model gives these answers, and says what it got.
async fn talked(program: &str, path: &str, what: &str, replies: impl IntoIterator<Item = Reply>) -> Value {
    let replies: Vec<Reply> = replies.into_iter().collect();
    let world = if replies.is_empty() { World::new().await } else { World::replying(replies).await };
    let python = tokio::task::spawn_blocking(|| venv::python("clients-venv", REQUIREMENTS)).await.expect("installed");
    let mut command = Command::new(python);
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/clients").join(program))
        .args([&world.url(path), &world.key, what])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("NO_PROXY", "*")
        .current_dir(world.folder());
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("ended").expect("started");
    let said = venv::said(&output);
    serde_json::from_str(&said).unwrap_or_else(|_| panic!("not JSON: {said}"))
}

async fn openai(what: &str, replies: impl IntoIterator<Item = Reply>) -> Value {
    talked("with_openai.py", "/v1", what, replies).await
}

async fn agui(what: &str, replies: impl IntoIterator<Item = Reply>) -> Value {
    talked("with_agui.py", "/agui", what, replies).await
}

#[tokio::test]
async fn the_client_of_openai_has_a_conversation() {
    let got = openai("chat", [says(PLAN), says("It rains.")]).await;
    let models = ["agentwright", "agentwright-fast", "agentwright-plan"];
    assert_eq!(
        got,
        json!({"models": models, "model": "agentwright", "text": "It rains.", "finish": "stop", "tokens": 30,
            "status": "completed"})
    );
    let got = openai("chat_stream", [says(PLAN), says("It rains.")]).await;
    assert_eq!(got, json!({"text": "It rains.", "finish": "stop", "tokens": 30, "reasoned": true}));
}

#[tokio::test]
async fn the_client_of_openai_carries_out_its_own_functions() {
    let got = openai("tools", [weather(), says("It rains.")]).await;
    let called = json!(["weather", {"city": "Oslo"}]);
    assert_eq!(got, json!({"finish": "tool_calls", "called": called, "text": "It rains."}));
    assert_eq!(openai("tools_stream", [weather()]).await, json!({"called": called, "finish": "tool_calls"}));
    let got = openai("responses_tools", [weather(), says("It rains.")]).await;
    assert_eq!(got, json!({"called": called, "text": "It rains."}));
}

#[tokio::test]
async fn the_client_of_openai_continues_responses() {
    let got = openai("responses", [says(PLAN), says("Hello, Ada."), says(PLAN), says("Ada.")]).await;
    assert_eq!(
        got,
        json!({"status": "completed", "texts": ["Hello, Ada.", "Ada."], "previous": true, "again": "Ada.",
            "tokens": 30})
    );
    let got = openai("responses_stream", [says(PLAN), says("It rains.")]).await;
    assert_eq!(
        (&got["text"], &got["final"], &got["status"]),
        (&json!("It rains."), &json!("It rains."), &json!("completed"))
    );
    let kinds = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ];
    assert_eq!(got["kinds"], json!(kinds));
}

#[tokio::test]
async fn the_client_of_openai_raises_what_it_should() {
    assert_eq!(
        openai("errors", []).await,
        json!({"model": ["NotFoundError", 404, "model_not_found"],
            "messages": ["BadRequestError", 400, "invalid_request"],
            "key": ["AuthenticationError", 401, "invalid_key"],
            "tools": ["InternalServerError", 503, "no_model"],
            "stream": ["APIError", null, "no_model"],
            "response": ["NotFoundError", 404, "not_found"],
            "previous": ["NotFoundError", 404, "not_found"]})
    );
}

#[tokio::test]
async fn the_client_of_openai_hears_of_approvals() {
    let got = openai("approval", [says(DOOR), calls("door.open", json!({})), says("It is open.")]).await;
    assert_eq!(got, json!({"link": true, "kind": "call", "text": "It is open.", "same": true}));
}

#[tokio::test]
async fn an_agent_of_pydantic_ai_thinks_with_us() {
    for which in ["chat", "stream", "responses"] {
        let got = talked("with_pydantic_ai.py", "/v1", which, [weather(), says("It rains.")]).await;
        assert_eq!(got, json!({"text": "It rains.", "cities": ["Oslo"]}), "{which}");
    }
}

#[tokio::test]
async fn a_client_of_ag_ui_watches_a_run() {
    let looks = PLAN.replace("[]", r#"["look.once"]"#);
    let got = agui("plain", [says(&looks), calls("look.once", json!({"at": 1})), says("I looked.")]).await;
    assert_eq!((&got["text"], &got["outcome"]), (&json!("I looked."), &json!("success")), "{got}");
    let kinds: Vec<&str> = got["kinds"].as_array().expect("kinds").iter().filter_map(Value::as_str).collect();
    for kind in ["CUSTOM", "STATE_SNAPSHOT", "TOOL_CALL_ARGS", "TOOL_CALL_RESULT", "TEXT_MESSAGE_END"] {
        assert!(kinds.contains(&kind), "{kind} is missing: {kinds:?}");
    }
}

#[tokio::test]
async fn a_client_of_ag_ui_answers_what_interrupts_a_run() {
    let open = calls("door.open", json!({}));
    let got = agui("interrupt", [says(DOOR), open, says("It is open.")]).await;
    assert_eq!(got["asked"], json!(["interrupt", "approval", "call"]));
    assert_eq!((&got["text"], &got["outcome"]), (&json!("It is open."), &json!("success")), "{got}");
    let asks = calls("ask_user", json!({"question": "Which door?"}));
    let got = agui("question", [says(PLAN), asks, says("The back door it is.")]).await;
    assert_eq!(got, json!({"asked": ["question", "Which door?"], "text": "The back door it is."}));
}

#[tokio::test]
async fn a_client_of_ag_ui_carries_out_its_own_functions() {
    let got = agui("tools", [weather(), says("It rains.")]).await;
    assert_eq!(got, json!({"called": ["weather", {"city": "Oslo"}], "pending": true, "text": "It rains."}));
    assert_eq!(agui("fails", []).await, json!({"last": "RUN_ERROR", "code": "model"}));
}
