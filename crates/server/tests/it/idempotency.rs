//! A request that is sent again is the same request.

use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use server::Role;
use server::keys::Wanted;

use crate::world::{Said, World};

async fn post(world: &World, key: &str, body: &Value) -> Said {
    let request = world.request(Method::POST, "/v1/runs").header("Idempotency-Key", key).json(body);
    Said::of(request.send().await.expect("an answer")).await
}

fn body(text: &str) -> Value {
    json!({"text": text, "plan": {"steps": [{"id": "look", "tool": "look.once"}], "answer": "seen"}})
}

#[tokio::test]
async fn the_same_key_gives_the_same_run() {
    let world = World::new().await;
    let first = post(&world, "a-1", &body("look")).await;
    let same = body("look");
    let (second, third) = tokio::join!(post(&world, "a-1", &same), post(&world, "a-1", &same));
    assert_eq!((first.status, second.status, third.status), (201, 201, 201));
    assert_eq!((&second.body["run"], &third.body["run"]), (&first.body["run"], &first.body["run"]));
    assert_ne!(post(&world, "a-2", &body("look")).await.body["run"], first.body["run"]);
    assert_eq!(world.get("/v1/runs").await.body["total"], 2);
}

#[tokio::test]
async fn the_same_key_with_another_body_is_refused() {
    let world = World::new().await;
    post(&world, "a-1", &body("look")).await;
    let other = post(&world, "a-1", &body("listen")).await;
    assert_eq!((other.status, other.code()), (409, "idempotency_key_reused"));
    assert_eq!(world.get("/v1/runs").await.body["total"], 1);
}

#[tokio::test]
async fn keys_of_two_callers_are_two_keys() {
    let mut world = World::new().await;
    let first = post(&world, "a-1", &body("look")).await;
    (world.key, _) = server::keys::create(world.store.as_ref(), Wanted::new(Role::Admin)).await.expect("a key");
    let other = post(&world, "a-1", &body("listen")).await;
    assert_eq!(other.status, 201);
    assert_ne!(other.body["run"], first.body["run"]);
}

#[tokio::test]
async fn a_key_that_is_none_is_refused() {
    let world = World::new().await;
    for key in ["", "with space", &"x".repeat(201)] {
        let said = post(&world, key, &body("look")).await;
        assert_eq!((said.status, said.param()), (400, &json!("Idempotency-Key")), "{key}");
    }
}

#[tokio::test]
async fn keys_are_forgotten_after_a_day() {
    let world = World::new().await;
    post(&world, "a-1", &body("look")).await;
    let forget = async |hours| {
        let then = Timestamp::now() + SignedDuration::from_hours(hours);
        server::forget_old(world.store.as_ref(), then).await.expect("forgotten")
    };
    assert_eq!((forget(23).await, forget(25).await, forget(25).await), (0, 1, 0));
}
