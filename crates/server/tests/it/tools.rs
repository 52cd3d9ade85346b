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
