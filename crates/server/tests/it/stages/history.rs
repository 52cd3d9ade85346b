//! What agents have answered, filtered, page by page, and cleared.

use reqwest::Method;
use serde_json::{Value, json};

use super::{META, about, send, sentence};
use crate::world::World;

/// A world in which reasoning of these qualities was assessed, request by request: `r0`, `r1`, …
async fn assessed(qualities: &[f64]) -> World {
    let world = World::new().await;
    for (at, quality) in qualities.iter().enumerate() {
        let said = world.post(META, about(&format!("r{at}"), json!({"confidenceScore": quality}))).await;
        assert_eq!(said.status, 200, "{said:?}");
    }
    world
}

fn requests(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().unwrap_or_else(|| panic!("no items: {page}"));
    items.iter().map(|item| item["requestId"].as_str().expect("an id")).collect()
}

#[tokio::test]
async fn filters_let_through_what_they_say_newest_first() {
    let world = assessed(&[0.0, 0.4, 0.6, 1.0]).await;
    for (filter, ids) in [
        ("", vec!["r3", "r2", "r1", "r0"]),
        ("minReasoningQuality=0.4", vec!["r3", "r2", "r1"]),
        ("maxReasoningQuality=0.4", vec!["r1", "r0"]),
        ("minReasoningQuality=0.4&maxReasoningQuality=0.6", vec!["r2", "r1"]),
        ("minReasoningQuality=0.9&maxReasoningQuality=0.1", vec![]),
        ("shouldReplan=true", vec!["r0"]),
        ("shouldReplan=false", vec!["r3", "r2", "r1"]),
        ("shouldDeepenReasoning=true", vec!["r1", "r0"]),
        ("shouldDeepenReasoning=true&shouldReplan=false", vec!["r1"]),
        ("requestId=r2", vec!["r2"]),
        ("requestId=nobody", vec![]),
        ("startDate=2020-01-01&endDate=2200-12-31T00:00:00Z", vec!["r3", "r2", "r1", "r0"]),
        ("startDate=2200-01-01", vec![]),
        ("endDate=2020-01-01", vec![]),
    ] {
        let page = world.get(&format!("{META}/history?{filter}")).await.body;
        assert_eq!(requests(&page), ids, "{filter}");
        assert_eq!(page["nextCursor"], Value::Null);
    }
    let page = world.get(&format!("{META}/history")).await.body;
    assert_eq!(page["items"][0], world.get(&format!("{META}?requestId=r3")).await.body, "one shape everywhere");
    assert_eq!(world.get("/api/agents/critic-agent/history").await.body["items"], json!([]));
}

#[tokio::test]
async fn a_day_has_all_of_its_answers() {
    let world = assessed(&[0.5]).await;
    let item = world.get(&format!("{META}/history")).await.body["items"][0].clone();
    let at = item["timestamp"].as_str().expect("a moment");
    let day = &at[..10];
    for filter in [format!("startDate={day}&endDate={day}"), format!("startDate={at}&endDate={at}")] {
        let page = world.get(&format!("{META}/history?{filter}")).await.body;
        assert_eq!(requests(&page), ["r0"], "{filter}");
    }
}

#[tokio::test]
async fn pages_follow_one_another_without_gaps() {
    let world = assessed(&[0.1, 0.2, 0.3, 0.4, 0.5]).await;
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = world.get(&format!("{META}/history?limit=2{cursor}")).await.body;
        seen.extend(requests(&page).into_iter().map(str::to_owned));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, ["r4", "r3", "r2", "r1", "r0"]);
}

#[tokio::test]
async fn wrong_filters_are_refused_in_words() {
    let world = World::new().await;
    for (filter, part) in [
        ("minReasoningQuality=1.5", "`minReasoningQuality` must be between 0 and 1"),
        ("maxReasoningQuality=NaN", "`maxReasoningQuality` must be between 0 and 1"),
        ("minReasoningQuality=high", "minReasoningQuality"),
        ("shouldReplan=perhaps", "shouldReplan"),
        ("startDate=yesterday", "`startDate` is `yesterday`; write it like `2026-05-01`"),
        ("endDate=2026-02-30", "`endDate` is `2026-02-30`"),
        ("quality=1", "unknown field `quality`"),
        ("requestId=", "0 characters"),
    ] {
        for (method, path) in [(Method::GET, "history"), (Method::DELETE, "history")] {
            let said = send(&world, method.clone(), &format!("{META}/{path}?{filter}"), None).await;
            assert_eq!(said.status, 400, "{method} {filter}");
            assert!(sentence(&said).contains(part), "{said:?}");
        }
    }
    for (filter, part) in [
        ("limit=0", "`limit` is 0; it can be 1 to 100"),
        ("limit=101", "`limit` is 101; it can be 1 to 100"),
        ("limit=many", "limit"),
        ("cursor=nowhere", "`nowhere` is not a cursor"),
    ] {
        let said = world.get(&format!("{META}/history?{filter}")).await;
        assert_eq!(said.status, 400, "{filter}");
        assert!(sentence(&said).contains(part), "{said:?}");
        assert_eq!(send(&world, Method::DELETE, &format!("{META}/history?{filter}"), None).await.status, 400);
    }
}

#[tokio::test]
async fn what_is_cleared_is_gone_and_nothing_else_is() {
    let world = assessed(&[0.0, 0.5, 1.0]).await;
    world.post("/api/agents/confidence-scorer", about("r0", json!({"critique": {"overall": 0.5}}))).await;
    let clear = async |filter: &str| {
        send(&world, Method::DELETE, &format!("{META}/history{filter}"), None).await.body["deleted"].clone()
    };
    assert_eq!(clear("?maxReasoningQuality=0.1").await, 1);
    assert_eq!(world.get(&format!("{META}?requestId=r0")).await.status, 404);
    assert_eq!(clear("?requestId=nobody").await, 0);
    assert_eq!(clear("").await, 2);
    assert_eq!(world.get(&format!("{META}/history")).await.body["items"], json!([]));
    assert_eq!(world.get("/api/agents/confidence-scorer?requestId=r0").await.status, 200);
    assert_eq!(world.get("/api/requests/r0").await.status, 200, "the request was made all the same");
}

#[tokio::test]
async fn the_stages_of_runs_are_there_too_and_ledgers_survive_their_clearing() {
    let quality = r#"{"quality": 0.9, "assessment": "sound", "reasoning": "look", "confidence": 0.9,
        "steps": [{"id": "look", "tool": "look.once", "arguments": {}}], "answer": "seen",
        "scores": {"correctness": 1, "completeness": 1, "feasibility": 1, "efficiency": 1, "safety": 1}}"#;
    let always = json!([{"when": {"anywhere": ""}, "text": quality}]);
    let model = llm::Scripted::from_json("scripted:always", &always.to_string()).expect("a script");
    let world = World::with(crate::world::Setting { model: Some(model), ..Default::default() }).await;
    let path = world.start(json!({"text": "look around", "orchestration": "standard"})).await;
    let events = world.until(&path, "completed").await["run"]["events"].clone();
    let run = path.rsplit('/').next().expect("an id");
    let mut item = world.get(&format!("{META}?requestId={run}")).await.body;
    assert_eq!((&item["attempt"], &item["reasoningQuality"]), (&json!(1), &json!(0.9)));
    assert_eq!(
        (&item["requestContext"]["status"], &item["requestContext"]["userQuery"]),
        (&json!("completed"), &json!("look around"))
    );
    assert_eq!(requests(&world.get(&format!("{META}/history")).await.body), [run]);

    // A stage that is called alone for a run is another attempt, and changes nothing about the run.
    let body = json!({"context": {"thoughts": "x"}, "requestContext": {"requestId": run, "status": "failed"}});
    item = world.post(META, body).await.body;
    assert_eq!((&item["attempt"], &item["requestContext"]["status"]), (&json!(2), &json!("completed")));
    let page = world.get(&format!("/api/requests/{run}")).await.body;
    assert_eq!((&page["run"], &page["status"]), (&json!(path), &json!("completed")));

    let cleared = send(&world, Method::DELETE, &format!("{META}/history"), None).await.body;
    assert_eq!(cleared["deleted"], 2);
    assert_eq!(world.get(&path).await.body["run"]["events"], events);
}
