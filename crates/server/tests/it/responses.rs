//! `/v1/responses` as programs see it: what a response says, what continues it, and what is refused.

use domain::chat::{Reply, Stop, Usage};
use reqwest::Method;
use serde_json::{Value, json};

use crate::openai::{DOOR, PLAN};
use crate::world::{Said, World};

const PATH: &str = "/v1/responses";

fn says(text: &str) -> Reply {
    Reply { text: text.into(), calls: vec![], stop: Stop::End, usage: Usage::default() }
}

fn asking(input: Value) -> Value {
    json!({"model": "agentwright-plan", "input": input})
}

fn text(said: &Said) -> &str {
    said.body["output"][0]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no words: {said:?}"))
}

#[tokio::test]
async fn a_response_has_every_field_that_the_specification_asks_for() {
    let world = World::replying([says(PLAN), says("It rains.")]).await;
    let said = world.post(PATH, asking(json!("Weather?"))).await;
    assert_eq!((said.status, text(&said)), (200, "It rains."), "{said:?}");
    let required = "id object created_at completed_at status incomplete_details model previous_response_id instructions \
        output error tools tool_choice truncation parallel_tool_calls text top_p presence_penalty frequency_penalty \
        top_logprobs temperature reasoning usage max_output_tokens max_tool_calls store background service_tier metadata \
        safety_identifier prompt_cache_key";
    for field in required.split_whitespace() {
        assert!(said.body.get(field).is_some(), "`{field}` is missing: {}", said.body);
    }
    let id = said.body["id"].as_str().expect("an id");
    assert_eq!(said.headers["x-agentwright-run"], id.replace("resp_", "run_"));
    let again = world.get(&format!("{PATH}/{id}")).await;
    assert_eq!((&again.body["output"], &again.body["model"]), (&said.body["output"], &json!("agentwright-plan")));
}

#[tokio::test]
async fn what_waits_is_answered_by_continuing_the_response() {
    let call = domain::chat::ToolCall { id: "1".into(), name: "door.open".into(), arguments: json!({}) };
    let open = Reply { calls: vec![call], stop: Stop::Tools, ..says("") };
    let world = World::replying([says(DOOR), open, says("It is open.")]).await;
    let first = world.post(PATH, asking(json!("Let them in"))).await;
    assert_eq!(first.body["agentwright"]["approvals"][0]["kind"], "call", "{first:?}");
    let mut body = asking(json!([{"role": "user", "content": "approve"}]));
    body["previous_response_id"] = first.body["id"].clone();
    let second = world.post(PATH, body).await;
    assert_eq!((text(&second), &second.body["id"]), ("It is open.", &first.body["id"]), "{second:?}");
}

#[tokio::test]
async fn a_run_that_fails_is_a_response_that_failed() {
    let world = World::new().await;
    let said = world.post(PATH, json!({"model": "agentwright", "input": "Write a poem"})).await;
    assert_eq!((said.status, &said.body["status"]), (200, &json!("failed")), "{said:?}");
    assert_eq!(said.body["error"]["code"], "server_error");
    let body = json!({"model": "agentwright", "input": "Write a poem", "stream": true});
    let stream =
        world.request(Method::POST, PATH).json(&body).send().await.expect("a stream").text().await.expect("text");
    assert!(stream.contains("event: response.failed\n") && stream.ends_with("data: [DONE]\n\n"), "{stream}");
}

#[tokio::test]
async fn what_cannot_be_an_input_says_where() {
    let world = World::new().await;
    let wrong = [
        (json!(7), json!("input")),
        (json!([]), json!("input")),
        (json!(" "), json!("input")),
        (json!([{"role": "wizard", "content": "x"}]), json!("input[0].role")),
        (json!([{"type": "image_generation_call"}]), json!("input[0].type")),
        (
            json!([{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]),
            json!("input[0].content[0]"),
        ),
        (json!([{"type": "function_call_output", "call_id": "nobody", "output": "x"}]), json!("input[0].call_id")),
        (json!([{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]), json!("input")),
    ];
    for (input, param) in wrong {
        let said = world.post(PATH, asking(input)).await;
        assert_eq!((said.status, said.code(), said.param()), (400, "invalid_request", &param), "{said:?}");
    }
    let tools = json!({"model": "agentwright", "input": "x", "tools": [{"type": "web_search"}]});
    assert_eq!(world.post(PATH, tools).await.param(), &json!("tools[0].type"));
    let unknown = json!({"model": "gpt-5", "input": "x"});
    assert_eq!(world.post(PATH, unknown).await.code(), "model_not_found");
    assert_eq!(world.get("/v1/responses/resp_12").await.status, 400);
}
