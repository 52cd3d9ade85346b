//! Everything that agents were asked to work on.

use serde_json::{Value, json};

use crate::stages::{META, about, sentence};
use crate::world::World;

fn ids(page: &Value) -> Vec<&str> {
    page["items"].as_array().expect("items").iter().map(|it| it["requestId"].as_str().expect("an id")).collect()
}

#[tokio::test]
async fn requests_of_both_kinds_are_listed_newest_first() {
    let world = World::new().await;
    world.post(META, about("first", json!({"thoughts": "x"}))).await;
    let path = world.start_gated(1).await;
    let said = json!({"requestId": "last/one?", "status": "waiting", "userQuery": "what?"});
    world.post(META, json!({"context": {"thoughts": "x"}, "requestContext": said})).await;
    let run = path.rsplit('/').next().expect("an id");
    let all = world.get("/api/requests").await.body;
    assert_eq!(ids(&all), ["last/one?", run, "first"]);
    assert_eq!((&all["items"][1]["run"], &all["items"][0]["run"]), (&json!(path), &Value::Null));
    assert_eq!(ids(&world.get("/api/requests?status=waiting").await.body), ["last/one?"]);

    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = world.get(&format!("/api/requests?limit=1{cursor}")).await.body;
        seen.extend(ids(&page).into_iter().map(str::to_owned));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, ["last/one?", run, "first"]);

    let page = world.get("/api/requests/last%2Fone%3F").await.body;
    assert_eq!((&page["userQuery"], &page["stages"][0]["agentName"]), (&json!("what?"), &json!("meta-agent")));
    world.gate.add_permits(1);
    world.until(&path, "completed").await;
    assert_eq!(world.get(&format!("/api/requests/{run}")).await.body["status"], "completed");
}

#[tokio::test]
async fn what_is_said_later_about_a_request_counts_and_what_is_not_said_stays() {
    let world = World::new().await;
    let post = async |said: Value| {
        let said = world.post(META, json!({"context": {"thoughts": "x"}, "requestContext": said})).await;
        assert_eq!(said.status, 200, "{said:?}");
        said.body["requestContext"].clone()
    };
    post(json!({"requestId": "r", "createdAt": "2026-05-02T00:00:00Z", "agentChain": ["router"], "status": "pending",
        "userQuery": "what?"}))
    .await;
    let second = post(json!({"requestId": "r", "createdAt": "2026-05-03T00:00:00Z"})).await;
    let known = json!({
        "requestId": "r", "createdAt": "2026-05-02T00:00:00Z", "agentChain": ["router", "meta-agent"],
        "status": "pending", "userQuery": "what?",
    });
    assert_eq!(second, known);
    let third =
        post(json!({"requestId": "r", "status": "failed", "agentChain": ["router", "meta-agent", "poet"]})).await;
    assert_eq!((&third["status"], &third["agentChain"]), (&json!("failed"), &json!(["router", "meta-agent", "poet"])));
    let page = world.get("/api/requests/r").await.body;
    assert_eq!((&page["status"], &page["agentChain"]), (&third["status"], &third["agentChain"]));
}

#[tokio::test]
async fn what_is_not_there_or_not_a_filter_is_refused_in_words() {
    let world = World::new().await;
    let nobody = world.get("/api/requests/nobody").await;
    assert_eq!((nobody.status, sentence(&nobody)), (404, "there is no request `nobody`"));
    for (path, part) in [
        ("/api/requests?status=done", "`running`"),
        ("/api/requests?limit=0", "`limit` is 0; it can be 1 to 100"),
        ("/api/requests?cursor=x", "`x` is not a cursor"),
        ("/api/requests?colour=x", "`colour`"),
        ("/api/requests/a%00b", "control characters"),
        ("/api/requests/r?x=1", "`x`"),
    ] {
        let said = world.get(path).await;
        assert_eq!(said.status, 400, "{path}");
        assert!(sentence(&said).contains(part), "{said:?}");
    }
}
