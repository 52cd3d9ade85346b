//! `/mcp` below what clients see: whose sessions there are, how many, and who is not let in. What clients see is tested with
//! the official ones.

use reqwest::Method;
use serde_json::{Value, json};
use server::Role;
use server::keys::Wanted;

use crate::world::{Said, World};

const BOTH: &str = "application/json, text/event-stream";

fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"},
    }})
}

/// The session of somebody who says hello.
async fn session(world: &World, key: &str) -> String {
    let said = world.client.post(world.url("/mcp")).bearer_auth(key).header("Accept", BOTH).json(&hello());
    let said = said.send().await.expect("an answer");
    assert_eq!(said.status().as_u16(), 200);
    said.headers()["mcp-session-id"].to_str().expect("text").to_owned()
}

async fn ping(world: &World, key: &str, session: &str) -> Said {
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    let said = world.client.post(world.url("/mcp")).bearer_auth(key).header("Accept", BOTH);
    Said::of(said.header("Mcp-Session-Id", session).json(&ping).send().await.expect("an answer")).await
}

async fn another_key(world: &World, role: Role) -> String {
    server::keys::create(world.store.as_ref(), Wanted::new(role)).await.expect("a key").0
}

#[tokio::test]
async fn a_session_is_of_use_only_to_the_key_that_began_it() {
    let world = World::new().await;
    let (mine, other) = (session(&world, &world.key).await, another_key(&world, Role::Admin).await);
    assert_eq!(ping(&world, &world.key, &mine).await.status, 200);
    assert_eq!(ping(&world, &other, &mine).await.status, 404);
    let end = world.client.delete(world.url("/mcp")).bearer_auth(&other).header("Mcp-Session-Id", &mine);
    assert_eq!(end.send().await.expect("an answer").status().as_u16(), 404);
    assert_eq!(ping(&world, &world.key, &mine).await.status, 200);
    assert_eq!(ping(&world, &world.key, "nobody's").await.status, 404);
}

#[tokio::test]
async fn the_quietest_session_of_a_key_makes_room_for_a_new_one() {
    let world = World::new().await;
    let other = another_key(&world, Role::Viewer).await;
    let others = session(&world, &other).await;
    let mut mine = Vec::new();
    for _ in 0..32 {
        mine.push(session(&world, &world.key).await);
    }
    assert_eq!(ping(&world, &world.key, &mine[0]).await.status, 200);
    session(&world, &world.key).await;
    assert_eq!(ping(&world, &world.key, &mine[1]).await.status, 404, "it was quiet the longest");
    assert_eq!(ping(&world, &world.key, &mine[0]).await.status, 200);
    assert_eq!(ping(&world, &other, &others).await.status, 200, "those of others stay");
}

#[tokio::test]
async fn pages_strangers_and_large_bodies_are_refused() {
    let world = World::limited(|limits| limits.body = 2_000).await;
    let post = |origin: &str| {
        let said = world.request(Method::POST, "/mcp").header("Accept", BOTH).header("Origin", origin);
        said.json(&hello()).send()
    };
    for origin in ["https://example.org", "http://localhost:7878", "null"] {
        assert_eq!(post(origin).await.expect("an answer").status().as_u16(), 403, "{origin}");
    }
    let stranger = world.client.post(world.url("/mcp")).header("Accept", BOTH).json(&hello()).send();
    assert_eq!(stranger.await.expect("an answer").status().as_u16(), 401);
    let large = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "x".repeat(3_000)}});
    let large = world.request(Method::POST, "/mcp").header("Accept", BOTH).json(&large).send();
    assert_eq!(large.await.expect("an answer").status().as_u16(), 413);
}
