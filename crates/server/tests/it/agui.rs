//! `/agui` where its client is wrong, or may not.

use domain::chat::{Reply, Stop, ToolCall, Usage};
use reqwest::Method;
use serde_json::{Value, json};
use server::Role;
use server::keys::Wanted;

use crate::openai::DOOR;
use crate::world::{Said, World};

fn run(more: Value) -> Value {
    let mut body = json!({"threadId": "t", "runId": "r", "messages": [], "state": {}, "forwardedProps": {}});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

fn user(text: &str) -> Value {
    json!({"id": "m", "role": "user", "content": text})
}

#[tokio::test]
async fn what_cannot_be_a_thread_says_where() {
    let world = World::new().await;
    let zeros = "0".repeat(32);
    let wrong = [
        (run(json!({})), 400, json!("messages")),
        (run(json!({"messages": [{"id": "m", "role": "wizard", "content": "x"}]})), 400, json!("messages[0].role")),
        (run(json!({"messages": [{"id": "m"}]})), 400, json!("messages[0]")),
        (run(json!({"messages": [user("x")], "tools": [{"name": "no spaces"}]})), 400, json!("tools[0].name")),
        (run(json!({"resume": [{"interruptId": "x", "status": "perhaps"}]})), 400, json!("resume[0].status")),
        (run(json!({"resume": [{"interruptId": format!("apr_{zeros}"), "status": "resolved"}]})), 404, Value::Null),
        (
            run(json!({"resume": [{"interruptId": format!("run_{zeros}:x"), "status": "resolved", "payload": "y"}]})),
            404,
            Value::Null,
        ),
        (run(json!({"resume": [{"interruptId": "nothing", "status": "resolved"}]})), 404, Value::Null),
    ];
    for (body, status, param) in wrong {
        let said = world.post("/agui", body).await;
        assert_eq!((said.status, said.param()), (status, &param), "{said:?}");
    }
}

#[tokio::test]
async fn who_may_not_decide_cannot_resume() {
    let says = |text: &str| Reply { text: text.into(), calls: vec![], stop: Stop::End, usage: Usage::default() };
    let call = ToolCall { id: "1".into(), name: "door.open".into(), arguments: json!({}) };
    let open = Reply { calls: vec![call], stop: Stop::Tools, ..says("") };
    let world = World::replying([says(DOOR), open]).await;
    let asked = world.request(Method::POST, "/agui").json(&run(json!({"messages": [user("Let them in")]})));
    let told = asked.send().await.expect("a stream").text().await.expect("text");
    let last: Value =
        told.trim().rsplit("data: ").next().map(|it| serde_json::from_str(it).expect("JSON")).expect("an event");
    let id = &last["outcome"]["interrupts"][0]["id"];
    assert!(id.is_string(), "{last}");
    let (runner, _) = server::keys::create(world.store.as_ref(), Wanted::new(Role::Runner)).await.expect("a key");
    let body = run(json!({"resume": [{"interruptId": id, "status": "resolved", "payload": true}]}));
    let request = world.client.post(world.url("/agui")).bearer_auth(&runner).json(&body);
    let said = Said::of(request.send().await.expect("an answer")).await;
    assert_eq!((said.status, said.code()), (403, "role_too_low"), "{said:?}");
}
