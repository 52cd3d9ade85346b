//! What can be called.

use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn tools_are_listed_with_what_they_do_and_shown_with_what_they_take() {
    let world = World::new().await;
    let listed = world.get("/v1/tools").await;
    assert_eq!(listed.status, 200, "{listed:?}");
    let tools = listed.body["tools"].as_array().expect("tools");
    assert!(!tools.is_empty());
    for tool in tools {
        assert_eq!((&tool["source"], tool.get("quarantined")), (&json!("built in"), None), "{tool}");
        let page = world.get(&format!("/v1/tools/{}", tool["name"].as_str().expect("a name"))).await.body;
        assert_eq!((&page["name"], &page["effect"]), (&tool["name"], &tool["effect"]));
        assert_eq!(page["parameters"]["type"], "object");
        assert_eq!(page["writes"] == Value::Null, tool["effect"] != "write", "{page}");
    }
    let nobody = world.get("/v1/tools/no.body").await;
    assert_eq!((nobody.status, &nobody.body["error"]["message"]), (404, &json!("there is no tool `no.body`")));
    assert_eq!(world.get("/v1/tools/nobody").await.status, 400);
}

#[tokio::test]
async fn a_tool_that_was_called_says_how_that_went_and_so_does_the_way_it_was_called() {
    let world = World::new().await;
    let none = world.get("/v1/routes/pathways").await;
    assert_eq!((none.status, &none.body["pathways"]), (200, &json!([])), "{none:?}");
    let plan = json!({"steps": [{"id": "look", "tool": "look.once", "arguments": {"at": "sky"}}], "answer": "seen"});
    let path = world.start(json!({"text": "look", "plan": plan})).await;
    world.until(&path, "completed").await;
    let page = world.get("/v1/tools/look.once").await.body;
    assert_eq!((&page["record"]["calls"], &page["record"]["failures"]), (&json!(1), &json!(0)), "{page}");
    assert!(page["record"]["p95_ms"].is_u64() && page["record"].get("usd").is_none(), "{page}");
    let ways = world.get("/v1/routes/pathways").await.body;
    let way = &ways["pathways"][0];
    assert_eq!((&way["route"], &way["runs"], &way["success"]), (&json!("given"), &json!(1), &json!(1.0)), "{ways}");
    assert!(way["score"].as_f64().is_some_and(|score| (0.0..0.5).contains(&score)), "one good run is no proof: {ways}");
}
