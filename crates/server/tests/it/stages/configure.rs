//! How agents are configured over HTTP: seen at once, and for good.

use reqwest::Method;
use serde_json::{Value, json};

use super::{META, about, send, sentence};
use crate::world::{Setting, World};

async fn with_a_model() -> World {
    let model = llm::Scripted::from_json("scripted:one", "[]").expect("a script");
    World::with(Setting { model: Some(model), idle: true, ..Setting::default() }).await
}

async fn patch(world: &World, change: Value) -> crate::world::Said {
    send(world, Method::PATCH, META, Some(change)).await
}

#[tokio::test]
async fn an_agent_says_how_it_is_configured() {
    let world = with_a_model().await;
    assert_eq!(
        world.get(META).await.body,
        json!({
            "agentId": "meta-agent", "agentName": "meta-agent",
            "description": "Judges the reasoning, and says whether it needs more thought or another plan.",
            "enabled": true, "component": "meta_agent", "tier": "strong", "model": "scripted:one",
            "temperature": null, "maxTokens": null, "thresholds": {"deepenBelow": 0.6, "replanBelow": 0.4},
        })
    );
    let all = world.get("/api/agents").await.body;
    let names: Vec<_> = all["items"].as_array().expect("items").iter().map(|it| &it["agentId"]).collect();
    let known = ["thought-agent", "planner-agent", "critic-agent", "confidence-scorer", "meta-agent", "replan-agent"];
    assert_eq!(names, known);
    assert_eq!(world.get("/api/agents/confidence-scorer").await.body["model"], Value::Null);
}

#[tokio::test]
async fn a_change_is_seen_at_once_and_by_whoever_comes_later() {
    let world = with_a_model().await;
    let change = json!({"model": "scripted:one", "temperature": 0.5, "maxTokens": 500});
    let changed = patch(&world, change).await.body;
    assert_eq!((&changed["temperature"], &changed["maxTokens"]), (&json!(0.5), &json!(500)));
    assert_eq!(world.get(META).await.body, changed);
    let database = Some(world.database.clone());
    let later = World::with(Setting { database, idle: true, ..Setting::default() }).await;
    assert_eq!(later.get(META).await.body["maxTokens"], 500);
    let back = patch(&later, json!({"temperature": null, "maxTokens": null, "tier": "weak"})).await.body;
    assert_eq!((&back["temperature"], &back["maxTokens"], &back["tier"]), (&json!(null), &json!(null), &json!("weak")));
    assert_eq!(world.get(META).await.body["tier"], "weak");
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let world = with_a_model().await;
    let before = world.get(META).await.body;
    for (change, words) in [
        (json!({"temperature": 2.1}), "`temperature` is 2.1; it can be 0 to 2"),
        (json!({"temperature": -1}), "`temperature` is -1; it can be 0 to 2"),
        (json!({"maxTokens": 0}), "`maxTokens` is 0; it can be 1 to 1000000"),
        (json!({"maxTokens": 5_000_000_000_u64}), "`maxTokens` is 5000000000; it can be 1 to 1000000"),
        (json!({"model": "gpt-9"}), "there is no model `gpt-9`; there are `scripted:one`"),
        (
            json!({"model": "scripted:one", "tier": "weak"}),
            "a model is chosen by `tier` or by `model`: send one of them",
        ),
    ] {
        let said = patch(&world, change).await;
        assert_eq!((said.status, sentence(&said)), (400, words));
    }
    for (change, part) in [
        (json!({"colour": 1}), "`colour`"),
        (json!({"tier": "best"}), "`weak`"),
        (json!({"enabled": "yes"}), "`enabled`"),
        (json!({"enabled": null}), "`enabled`"),
        (json!([]), "the body must be a JSON object"),
    ] {
        let said = patch(&world, change.clone()).await;
        assert_eq!(said.status, 400, "{change}");
        assert!(sentence(&said).contains(part), "{said:?}");
    }
    assert_eq!(world.get(META).await.body, before);
    let scorer = send(&world, Method::PATCH, "/api/agents/confidence-scorer", Some(json!({"tier": "weak"}))).await;
    assert_eq!(sentence(&scorer), "`confidence-scorer` asks no model: only `enabled` can be changed");
}

#[tokio::test]
async fn a_disabled_agent_answers_nothing_until_it_is_enabled() {
    let world = World::new().await;
    let body = about("r", json!({"thoughts": "x"}));
    assert_eq!(world.post(META, body.clone()).await.status, 200);
    assert_eq!(world.poke(&format!("{META}/disable")).await.body["enabled"], false);
    let refused = world.post(META, body.clone()).await;
    let words = "`meta-agent` is disabled: `POST /api/agents/meta-agent/enable` switches it on";
    assert_eq!((refused.status, sentence(&refused)), (404, words));
    assert_eq!(world.get(&format!("{META}?requestId=r")).await.status, 404);
    assert_eq!(world.get(META).await.body["enabled"], false, "how else would anybody see it");
    assert_eq!(world.get(&format!("{META}/history")).await.body["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(patch(&world, json!({"enabled": true})).await.body["enabled"], true);
    assert_eq!(world.post(META, body.clone()).await.body["attempt"], 2);
    world.poke(&format!("{META}/disable")).await;
    assert_eq!(world.poke(&format!("{META}/enable")).await.body["enabled"], true);
    assert_eq!(world.get(&format!("{META}?requestId=r")).await.status, 200);
}
