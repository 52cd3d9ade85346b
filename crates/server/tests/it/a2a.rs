//! `/a2a` below what clients see: calls that are none, versions that are not spoken, and who may agree to what.

use reqwest::Method;
use serde_json::{Value, json};
use server::Role;
use server::keys::Wanted;

use crate::world::{Said, World};

async fn call(world: &World, key: &str, method: &str, params: Value) -> Said {
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    let said = world.client.post(world.url("/a2a")).bearer_auth(key).header("A2A-Version", "1.0");
    Said::of(said.json(&body).send().await.expect("an answer")).await
}

fn message(task: &str, parts: Value) -> Value {
    json!({"message": {"messageId": "m", "role": "ROLE_USER", "taskId": task, "parts": parts}})
}

async fn key(world: &World, role: Role) -> String {
    server::keys::create(world.store.as_ref(), Wanted::new(role)).await.expect("a key").0
}

/// A run that wants to open the door, as a task.
async fn asking(world: &World) -> String {
    let plan = json!({"steps": [{"id": "open", "tool": "door.open"}], "answer": "open"});
    let path = world.start(json!({"text": "let them in", "plan": plan})).await;
    world.until(&path, "waiting").await;
    path.rsplit('/').next().expect("an id").to_owned()
}

#[tokio::test]
async fn what_is_not_a_call_is_answered_with_the_code_for_it() {
    let world = World::new().await;
    let code = async |body: &str, version: &str| {
        let said = world.request(Method::POST, "/a2a").header("A2A-Version", version).body(body.to_owned());
        Said::of(said.send().await.expect("an answer")).await.body["error"]["code"].clone()
    };
    assert_eq!(code("{", "1.0").await, -32600);
    assert_eq!(code(r#"{"jsonrpc": "1.0", "id": 1, "method": "GetTask"}"#, "1.0").await, -32600);
    assert_eq!(code(r#"{"jsonrpc": "2.0", "id": 1, "method": "GetMail"}"#, "1.0").await, -32601);
    assert_eq!(code(r#"{"jsonrpc": "2.0", "id": 1, "method": "GetTask"}"#, "1.0").await, -32602);
    assert_eq!(
        code(r#"{"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "x"}}"#, "1.0.3").await,
        -32001
    );
    assert_eq!(code(r#"{"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "x"}}"#, "").await, -32001);
    assert_eq!(code(r#"{"jsonrpc": "2.0", "id": 1, "method": "GetTask", "params": {"id": "x"}}"#, "0.5").await, -32009);
    let file = json!([{"raw": "AAAA", "mediaType": "image/png"}]);
    assert_eq!(call(&world, &world.key, "SendMessage", message("", file)).await.body["error"]["code"], -32005);
    assert_eq!(call(&world, &world.key, "SendMessage", message("", json!([]))).await.body["error"]["code"], -32602);
    let push = call(&world, &world.key, "CreateTaskPushNotificationConfig", json!({})).await;
    assert_eq!((&push.body["error"]["code"], &push.body["id"]), (&json!(-32003), &json!(7)));
    assert_eq!(call(&world, &world.key, "GetExtendedAgentCard", json!({})).await.body["error"]["code"], -32007);
}

#[tokio::test]
async fn an_agent_that_may_ask_may_not_agree() {
    let world = World::new().await;
    let (viewer, runner, approver) =
        (key(&world, Role::Viewer).await, key(&world, Role::Runner).await, key(&world, Role::Approver).await);
    let task = asking(&world).await;
    let said = call(&world, &runner, "GetTask", json!({"id": task})).await.body;
    assert_eq!(said["result"]["status"]["state"], "TASK_STATE_INPUT_REQUIRED", "{said}");
    let asked = &said["result"]["status"]["message"]["parts"][1]["data"]["waits_for"][0]["approval"];
    let decision = json!([{"data": {"approval": asked["id"], "hash": asked["hash"], "decision": "approve"}}]);
    for parts in [json!([{"text": "yes"}]), decision.clone()] {
        assert_eq!(call(&world, &viewer, "SendMessage", message(&task, parts.clone())).await.status, 403);
        let refused = call(&world, &runner, "SendMessage", message(&task, parts)).await;
        assert_eq!((refused.status, refused.code()), (403, "role_too_low"));
    }
    let done = call(&world, &approver, "SendMessage", message(&task, decision)).await.body;
    assert_eq!(done["result"]["task"]["status"]["state"], "TASK_STATE_COMPLETED", "{done}");
    assert_eq!(done["result"]["task"]["artifacts"][0]["parts"][0]["text"], "open");
    let trail = world.get("/v1/audit").await.body;
    let entries = trail["entries"].as_array().expect("entries").iter();
    let decided: Vec<(&Value, &Value)> = entries.map(|entry| (&entry["what"], &entry["outcome"])).collect();
    let what = json!("POST /v1/approvals/{approval}/decide");
    assert_eq!(decided, [(&what, &json!("done"))], "a decision is called the same, however it came: {trail:#}");
    let more = call(&world, &approver, "SendMessage", message(&task, json!([{"text": "yes"}]))).await.body;
    assert_eq!(more["error"]["code"], -32004, "{more}");
}

#[tokio::test]
async fn the_card_needs_no_key_and_names_the_server_as_it_was_called() {
    let world = World::new().await;
    let card = world.client.get(world.url("/.well-known/agent-card.json")).send().await.expect("an answer");
    assert_eq!(card.status().as_u16(), 200);
    let card: Value = card.json().await.expect("JSON");
    assert_eq!(card["supportedInterfaces"][0]["url"], world.url("/a2a"));
    assert_eq!(card["capabilities"]["streaming"], true);
    assert!(!card.to_string().contains(&world.key));
}
