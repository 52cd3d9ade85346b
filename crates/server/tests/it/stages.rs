//! Stages of reasoning as their callers see them.

mod configure;
mod history;
mod models;
mod walk;

use reqwest::Method;
use serde_json::{Value, json};
use server::Role;
use server::keys::Wanted;

use crate::world::{Said, Setting, World};

pub(crate) const META: &str = "/api/agents/meta-agent";

/// A call of a later stage for some request.
pub(crate) fn about(request: &str, context: Value) -> Value {
    json!({"context": context, "requestContext": {"requestId": request}})
}

/// What an error under `/api` says, which is all that it says.
pub(crate) fn sentence(said: &Said) -> &str {
    let error = said.body.as_object().unwrap_or_else(|| panic!("not an object: {said:?}"));
    assert_eq!(error.keys().collect::<Vec<_>>(), ["error"], "{said:?}");
    assert_eq!(said.headers["content-type"], "application/json");
    error["error"].as_str().unwrap_or_else(|| panic!("not a sentence: {said:?}"))
}

async fn send(world: &World, method: Method, path: &str, body: Option<Value>) -> Said {
    let request = world.request(method, path);
    let request = match body {
        Some(body) => request.json(&body),
        None => request,
    };
    Said::of(request.send().await.expect("an answer")).await
}

#[tokio::test]
async fn reasoning_is_assessed_and_the_assessment_is_kept() {
    let world = World::new().await;
    let body = json!({
        "context": {"thoughts": "Rain decides.", "plan": {"steps": []}, "critique": {"overall": 0.2}, "confidenceScore": 0.1},
        "requestContext": {
            "requestId": "r-1", "createdAt": "2026-05-01T09:30:00Z", "agentChain": ["router", "thought-agent"],
            "status": "waiting", "userQuery": "Do I need an umbrella?", "theirs": 1,
        },
        "agentId": "meta_agent",
    });
    let said = world.post(META, body).await;
    assert_eq!(said.status, 200, "{said:?}");
    let answer = &said.body;
    assert_eq!((&answer["requestId"], &answer["agentName"]), (&json!("r-1"), &json!("meta-agent")));
    assert!(answer["timestamp"].as_str().is_some_and(|at| at.ends_with('Z')));
    assert_eq!(
        answer["requestContext"],
        json!({
            "requestId": "r-1", "createdAt": "2026-05-01T09:30:00Z", "agentChain": ["router", "thought-agent", "meta-agent"],
            "status": "waiting", "userQuery": "Do I need an umbrella?",
        })
    );
    let quality = answer["reasoningQuality"].as_f64().expect("a quality");
    assert!((quality - 0.325).abs() < 1e-9, "{quality}");
    assert_eq!((&answer["shouldReplan"], &answer["shouldDeepenReasoning"]), (&json!(true), &json!(true)));
    assert_eq!(answer["recommendedActions"], json!(["make another plan", "think it through again"]));
    assert!(answer["assessment"].is_string() && answer["breakdown"]["critique"] == 0.2 && answer["attempt"] == 1);
    assert_eq!(world.get(&format!("{META}?requestId=r-1")).await.body, *answer);
}

#[tokio::test]
async fn every_attempt_is_kept_and_the_chain_names_each_agent_once() {
    let world = World::new().await;
    for (attempt, score) in [(1, 0.9), (2, 0.0), (3, 0.5)] {
        let said = world.post(META, about("r", json!({"confidenceScore": score}))).await;
        assert_eq!((&said.body["attempt"], &said.body["reasoningQuality"]), (&json!(attempt), &json!(score)));
        assert_eq!(said.body["requestContext"]["agentChain"], json!(["meta-agent"]));
        assert_eq!(said.body["requestContext"]["status"], "running", "an answer does not end a request");
    }
    let history = world.get(&format!("{META}/history?requestId=r")).await.body;
    let attempts: Vec<_> = history["items"].as_array().expect("items").iter().map(|it| &it["attempt"]).collect();
    assert_eq!(attempts, [3, 2, 1]);
    assert_eq!(world.get(&format!("{META}?requestId=r")).await.body["attempt"], 3);
}

#[tokio::test]
async fn two_at_once_are_both_kept() {
    let world = World::new().await;
    let post = || world.post(META, about("r", json!({"thoughts": "x"})));
    let (one, other) = tokio::join!(post(), post());
    let mut attempts = [one.body["attempt"].as_u64(), other.body["attempt"].as_u64()];
    attempts.sort();
    assert_eq!(attempts, [Some(1), Some(2)]);
}

#[tokio::test]
async fn what_is_missing_or_wrong_is_refused_in_words() {
    let world = World::new().await;
    let reason = json!({"requestId": "r"});
    for (body, words) in [
        (json!({"requestContext": reason}), "context (object) is required"),
        (json!({"context": "x", "requestContext": reason}), "context (object) is required"),
        (json!([]), "the body must be a JSON object"),
        (json!({"context": {"thoughts": "x"}}), "requestContext with requestId is required"),
        (json!({"context": {"thoughts": "x"}, "requestContext": {}}), "requestContext with requestId is required"),
        (about("r", json!({})), "there is nothing to assess: give `thoughts`, `plan`, `critique` or `confidenceScore`"),
        (
            about("r", json!({"thoughts": " ", "plan": {}, "critique": [], "confidenceScore": null})),
            "there is nothing to assess: give `thoughts`, `plan`, `critique` or `confidenceScore`",
        ),
        (
            about("r", json!({"confidenceScore": 1.7})),
            "`confidenceScore`: `1.7` is not a score: it must be a number from 0 to 1",
        ),
    ] {
        let said = world.post(META, body.clone()).await;
        assert_eq!((said.status, sentence(&said)), (400, words), "{body}");
    }
    for (body, part) in [
        (json!({"context": {"thoughts": "x"}, "requestContext": {"requestId": "r", "status": "done"}}), "`running`"),
        (json!({"context": {"thoughts": "x"}, "requestContext": reason, "agentId": "critic-agent"}), "`meta-agent`"),
        (json!({"context": {"thoughts": "x"}, "requestContext": reason, "more": 1}), "`more`"),
        (about(&"x".repeat(201), json!({"thoughts": "x"})), "201 characters"),
        (about("a\u{0}b", json!({"thoughts": "x"})), "control characters"),
    ] {
        let said = world.post(META, body).await;
        assert_eq!(said.status, 400, "{said:?}");
        assert!(sentence(&said).contains(part), "{said:?}");
    }
    assert_eq!(world.get(&format!("{META}/history")).await.body["items"], json!([]), "what is refused is not kept");
    assert_eq!(world.get("/api/requests").await.body["items"], json!([]));
}

#[tokio::test]
async fn only_the_first_stage_does_without_a_request() {
    let world = World::new().await;
    for agent in ["planner-agent", "critic-agent", "confidence-scorer", "meta-agent", "replan-agent"] {
        let said = world.post(&format!("/api/agents/{agent}"), json!({"context": {"thoughts": "x"}})).await;
        assert_eq!((said.status, sentence(&said)), (400, "requestContext with requestId is required"), "{agent}");
    }
    let asked = json!({"context": {}, "requestContext": {"userQuery": "Do I need an umbrella?"}});
    let said = world.post("/api/agents/thought-agent", asked).await;
    let id = said.body["requestId"].as_str().expect("an id");
    assert_eq!((id.len(), &id[14..15]), (36, "7"), "{id}");
    let silent = world.post("/api/agents/thought-agent", json!({"context": {}})).await;
    assert_eq!((silent.status, sentence(&silent)), (400, "thought-agent needs the request: give `userQuery`"));
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let world = World::new().await;
    for (method, path) in [
        (Method::POST, "/api/agents/poet"),
        (Method::GET, "/api/agents/poet"),
        (Method::PATCH, "/api/agents/poet"),
        (Method::GET, "/api/agents/poet/history"),
        (Method::DELETE, "/api/agents/poet/history"),
        (Method::POST, "/api/agents/poet/enable"),
    ] {
        let said = send(&world, method, path, None).await;
        assert_eq!(said.status, 404, "{path}");
        assert!(sentence(&said).contains("`poet`") && sentence(&said).contains("`meta-agent`"), "{said:?}");
    }
    world.post("/api/agents/confidence-scorer", about("r", json!({"critique": {"overall": 0.7}}))).await;
    for path in [&format!("{META}?requestId=r"), &format!("{META}?requestId=never")] {
        let said = world.get(path).await;
        assert_eq!(said.status, 404, "{path}");
        assert!(sentence(&said).contains("`meta-agent` has not answered"), "{said:?}");
    }
    assert_eq!(sentence(&world.get("/api/nothing").await), "there is nothing at `/api/nothing`");
    let wrong = send(&world, Method::PUT, META, None).await;
    assert_eq!((wrong.status, wrong.headers.contains_key("allow")), (405, true));
    sentence(&wrong);
}

#[tokio::test]
async fn the_same_key_gives_the_same_answer_and_no_second_attempt() {
    let world = World::new().await;
    let post = async |key: &str, score: f64| {
        let body = about("r", json!({"confidenceScore": score}));
        let request = world.request(Method::POST, META).header("Idempotency-Key", key).json(&body);
        Said::of(request.send().await.expect("an answer")).await
    };
    let first = post("k", 0.7).await;
    let again = post("k", 0.7).await;
    assert_eq!((first.status, &first.body), (200, &again.body));
    assert_eq!(post("l", 0.7).await.body["attempt"], 2);
    let reused = post("k", 0.1).await;
    assert_eq!(reused.status, 409);
    assert!(sentence(&reused).contains("another body"));
    let (one, other) = tokio::join!(post("m", 0.7), post("m", 0.7));
    for said in [&one, &other] {
        assert!(said.status == 409 || said.body["attempt"] == 3, "{said:?}");
    }
    assert!(one.status == 200 || other.status == 200, "one of the two was first");
    assert_eq!(post("m", 0.7).await.body["attempt"], 3);
    assert_eq!(world.get(&format!("{META}/history")).await.body["items"].as_array().map(Vec::len), Some(3));
    let later = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(25);
    assert_eq!(server::forget_old(world.store.as_ref(), later).await.expect("forgotten"), 3);
    assert_eq!(post("k", 0.7).await.body["attempt"], 4);
}

#[tokio::test]
async fn a_refusal_does_not_use_up_its_key() {
    let world = World::new().await;
    let post = async |body: Value| {
        let request = world.request(Method::POST, META).header("Idempotency-Key", "k").json(&body);
        Said::of(request.send().await.expect("an answer")).await.status
    };
    assert_eq!(post(about("r", json!({}))).await, 400);
    assert_eq!(post(about("r", json!({"thoughts": "x"}))).await, 200);
}

#[tokio::test]
async fn strangers_and_large_bodies_stay_outside() {
    let mut world = World::limited(|limits| limits.failures_per_minute = 0).await;
    let large = about("r", json!({"thoughts": "x".repeat(10 * 1024 * 1024)}));
    let said = world.post(META, large).await;
    assert_eq!(said.status, 413);
    assert!(sentence(&said).contains("too large"));
    let deep = format!(r#"{{"context": {{"plan": {}1{}}}}}"#, "[".repeat(1_000), "]".repeat(1_000));
    let deep = world.request(Method::POST, META).header("Content-Type", "application/json").body(deep);
    let deep = Said::of(deep.send().await.expect("an answer")).await;
    assert_eq!(deep.status, 400);
    assert!(sentence(&deep).contains("deeper"));
    let (revoked, key) = server::keys::create(world.store.as_ref(), Wanted::new(Role::Admin)).await.expect("a key");
    server::keys::revoke(world.store.as_ref(), &key.id).await.expect("revoked");
    for wrong in [revoked.as_str(), "aw_nobody_knows", "", "x"] {
        world.key = wrong.to_owned();
        for path in [META, "/api/agents", "/api/requests", "/api/requests/r", "/api/agents/meta-agent/history"] {
            let said = world.get(path).await;
            assert_eq!(said.status, 401, "{path} {wrong}");
            assert!(sentence(&said).contains("a valid key is needed"));
        }
    }
    let none = Said::of(world.client.get(world.url("/api/agents")).send().await.expect("an answer")).await;
    assert_eq!((none.status, none.headers.contains_key("www-authenticate")), (401, true));
}

#[tokio::test]
async fn a_database_that_is_away_is_said_to_be_away() {
    let world = World::with(Setting { idle: true, ..Setting::default() }).await;
    std::fs::rename(&world.database, world.folder().join("hidden.db")).expect("hidden");
    for (method, path, body) in [
        (Method::POST, META, Some(about("r", json!({"thoughts": "x"})))),
        (Method::GET, META, None),
        (Method::GET, "/api/agents/meta-agent?requestId=r", None),
        (Method::PATCH, META, Some(json!({"temperature": 1}))),
        (Method::POST, "/api/agents/meta-agent/disable", None),
        (Method::GET, "/api/agents", None),
        (Method::GET, "/api/agents/meta-agent/history", None),
        (Method::DELETE, "/api/agents/meta-agent/history", None),
        (Method::GET, "/api/requests", None),
        (Method::GET, "/api/requests/r", None),
    ] {
        let said = send(&world, method.clone(), path, body).await;
        assert_eq!((said.status, sentence(&said)), (503, "the database is not available"), "{method} {path}");
        assert!(said.headers.contains_key("retry-after"));
    }
}
