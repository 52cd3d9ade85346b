//! Traces without OpenTelemetry: begun, told of, ended, judged later, and not believed any more.

use reqwest::Method;
use serde_json::{Value, json};
use server::Role;
use server::keys::Wanted;

use crate::world::{Said, World};

async fn begun(world: &World, body: Value) -> String {
    let said = world.post("/v1/traces", body).await;
    assert_eq!(said.status, 201, "{said:?}");
    said.location.expect("a location")
}

async fn with_key(world: &World, path: &str, key: &str, body: Value) -> Said {
    let request = world.request(Method::POST, path).header("Idempotency-Key", key).json(&body);
    Said::of(request.send().await.expect("an answer")).await
}

#[tokio::test]
async fn a_trace_is_told_step_by_step() {
    let world = World::new().await;
    let about = json!({"agent": "forecaster", "problem": "weather", "task": "oslo-1", "context": "How is Oslo?",
        "trials": [{"experiment": "exp_1", "arm": "control"}]});
    let path = begun(&world, about).await;
    let tell = async |what: &str, body: Value| {
        let said = world.post(&format!("{path}/{what}"), body).await;
        assert_eq!(said.status, 200, "{said:?}");
    };
    tell("thoughts", json!({"text": "look", "kind": "plan", "confidence": 0.5})).await;
    tell("calls", json!({"tool": "weather", "arguments": {"city": "Oslo"}, "success": true, "response": {"sky": "clear"}, "duration_ms": 20})).await;
    tell("calls", json!({"tool": "radar\u{a0}look", "error": "connection refused"})).await;
    tell("calls", json!({"tool": "map"})).await;
    tell(
        "end",
        json!({"success": true, "score": 0.9, "answer": "sunny", "metrics": {"turns": 3}, "ground_truth": ["sunny"]}),
    )
    .await;
    let trace = world.get(&path).await.body;
    let steps = trace["steps"].as_array().expect("steps");
    assert_eq!((&steps[0]["kind"], &steps[0]["what"]), (&json!("thought"), &json!("plan")));
    let ends: Vec<&Value> = steps[1..].iter().map(|step| &step["ended"]).collect();
    assert_eq!(ends, [&json!("done"), &json!({"failed": "unavailable"}), &json!("unknown")]);
    assert_eq!((&steps[1]["response"], &steps[1]["millis"]), (&json!("{\"sky\":\"clear\"}"), &json!(20)));
    assert_eq!(trace["outcome"], json!({"success": true, "score": 0.9, "answer": "sunny"}));
    assert_eq!((&trace["metrics"], &trace["ground_truth"]), (&json!({"turns": 3.0}), &json!(["sunny"])));
    // What is said later counts, and the last word of that.
    tell("label", json!({"success": true})).await;
    tell("label", json!({"success": false, "score": 0.1})).await;
    assert_eq!(world.get("/v1/traces?success=false&problem=weather").await.body["total"], 1);
    assert_eq!(world.get(&path).await.body["outcome"]["success"], false);
}

#[tokio::test]
async fn what_belongs_to_no_trace_is_refused_with_what_to_do() {
    let mut world = World::new().await;
    let path = begun(&world, json!({"agent": "a", "id": "mine.1"})).await;
    assert_eq!(path, "/v1/traces/mine.1");
    let call = json!({"tool": "t"});
    let said = world.post("/v1/traces/nobody/calls", call.clone()).await;
    assert_eq!((said.status, said.code()), (404, "not_found"));
    assert_eq!(said.message(), "this key has no trace `nobody`; begin one with `POST /v1/traces`, and use its `id`");
    let run = format!("/v1/traces/run_{}/calls", "0".repeat(32));
    assert_eq!(world.post(&run, call.clone()).await.code(), "own_run");
    assert_eq!(world.get("/v1/traces/nobody").await.code(), "not_found");
    assert_eq!(world.post("/v1/traces", json!({"agent": "a", "id": "run_1"})).await.code(), "taken");
    (world.key, _) = server::keys::create(world.store.as_ref(), Wanted::new(Role::Admin)).await.expect("a key");
    assert_eq!(world.post("/v1/traces/mine.1/calls", call).await.status, 404);
    assert_eq!(world.post("/v1/traces", json!({"agent": "a", "id": "mine.1"})).await.code(), "taken");
    for (body, param) in [
        (json!({"agent": "a", "id": "two words"}), "id"),
        (json!({"agent": ""}), "agent"),
        (json!({"agent": "a", "trials": [{"experiment": "e", "arm": "third"}]}), "trials[0].arm"),
    ] {
        assert_eq!(world.post("/v1/traces", body).await.param(), param);
    }
}

#[tokio::test]
async fn what_is_sent_again_is_the_same_thing() {
    let world = World::new().await;
    let begin = json!({"agent": "a"});
    let first = with_key(&world, "/v1/traces", "k-1", begin.clone()).await;
    assert_eq!(with_key(&world, "/v1/traces", "k-1", begin).await.body, first.body);
    let path = first.location.expect("a location");
    let calls = format!("{path}/calls");
    for _ in 0..2 {
        assert_eq!(with_key(&world, &calls, "k-2", json!({"tool": "t"})).await.status, 200);
        world.post(&calls, json!({"tool": "u", "key": "call-1"})).await;
    }
    assert_eq!(with_key(&world, &calls, "k-2", json!({"tool": "other"})).await.code(), "idempotency_key_reused");
    assert_eq!(world.get(&path).await.body["steps"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn traces_are_evidence_only_of_keys_that_may_and_until_they_are_revoked() {
    let mut world = World::new().await;
    begun(&world, json!({"agent": "a"})).await;
    let (key, id) = server::keys::create(world.store.as_ref(), Wanted { evidence: true, ..Wanted::new(Role::Admin) })
        .await
        .expect("a key");
    world.key = key;
    begun(&world, json!({"agent": "b"})).await;
    let standing =
        async |agent: &str| world.get(&format!("/v1/traces?agent={agent}")).await.body["traces"][0]["standing"].clone();
    assert_eq!((standing("a").await, standing("b").await), (json!("watched"), json!("evidence")));
    let source = format!("key:{}", id.id);
    let said = world.poke(&format!("/v1/sources/{source}/revoke")).await;
    assert_eq!((said.status, said.body), (200, json!({"source": source, "traces": 1, "lessons": []})));
    begun(&world, json!({"agent": "c"})).await;
    assert_eq!((standing("b").await, standing("c").await), (json!("watched"), json!("watched")));
    assert_eq!(world.get(&format!("/v1/traces?source={source}")).await.body["total"], 2);
    assert_eq!(world.poke("/v1/sources/own/revoke").await.code(), "own_runs");
    assert_eq!(world.poke("/v1/sources/nobody/revoke").await.status, 400);
}

#[tokio::test]
async fn traces_of_our_runs_are_listed_among_the_others_page_by_page() {
    let world = World::new().await;
    let run = world
        .start(json!({"text": "look", "plan": {"steps": [{"id": "look", "tool": "look.once"}], "answer": "seen"}}))
        .await;
    world.until(&run, "completed").await;
    begun(&world, json!({"agent": "a", "started_at": "2020-01-01T00:00:00Z"})).await;
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = world.get(&format!("/v1/traces?limit=1{cursor}")).await.body;
        assert_eq!(page["total"], 2);
        seen.push(page["traces"][0]["source"].as_str().expect("a source").split(':').next().map(str::to_owned));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, [Some("own".to_owned()), Some("key".to_owned())]);
    assert_eq!(world.get("/v1/traces?since=2021-01-01T00:00:00Z").await.body["total"], 1);
    assert_eq!(world.get("/v1/traces?source=own&ended=true").await.body["total"], 1);
    let trace = world.get(&run.replace("/v1/runs/", "/v1/traces/")).await.body;
    let steps = trace["steps"].as_array().expect("steps");
    assert!(steps.iter().any(|step| step["tool"] == "look.once"), "{trace}");
}
