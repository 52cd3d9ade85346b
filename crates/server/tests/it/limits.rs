//! How much one client can have: each limit, met.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::world::{Said, World};

async fn raw(world: &World, text: &str) -> TcpStream {
    let mut socket = TcpStream::connect(world.address).await.expect("a connection");
    socket.write_all(text.as_bytes()).await.expect("written");
    socket
}

/// Everything the server says until it hangs up.
async fn heard(mut socket: TcpStream) -> String {
    let mut text = Vec::new();
    // A server that hangs up on somebody who is still talking resets the connection.
    let _ = socket.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

fn head(world: &World, more: &str) -> String {
    format!("POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n{more}", world.key)
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_and_not_kept() {
    let world = World::new().await;
    let large = json!({"text": "x", "plan": {"goal": "y".repeat(10_000_000)}}).to_string();
    let request = world.request(Method::POST, "/v1/runs").header("content-type", "application/json");
    let said = Said::of(request.body(large.clone()).send().await.expect("an answer")).await;
    assert_eq!((said.status, said.code()), (413, "too_large"));
    // Somebody who does not say how much is coming is stopped on the way.
    let parts = futures::stream::iter(vec![Ok::<_, std::io::Error>(large.into_bytes())]);
    let request = world.request(Method::POST, "/v1/runs").header("content-type", "application/json");
    let said = Said::of(request.body(reqwest::Body::wrap_stream(parts)).send().await.expect("an answer")).await;
    assert_eq!((said.status, said.code()), (413, "too_large"));
    let fits = json!({"text": "x", "plan": {"goal": "y".repeat(900_000)}});
    assert_eq!(world.post("/v1/runs", fits).await.status, 201);
}

#[tokio::test]
async fn json_that_nests_too_deep_is_refused() {
    let world = World::new().await;
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let said = world.post("/v1/runs", json!({"text": "x", "plan": {"deep": nested(63)}})).await;
    assert_eq!((said.status, said.code()), (400, "invalid_request"));
    assert!(said.message().contains("deeper than 64 levels"), "{said:?}");
    let said = world.post("/v1/runs", json!({"text": "x", "plan": {"deep": nested(62)}})).await;
    assert_eq!(said.status, 201, "{said:?}");
    let text = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let request = world.request(Method::POST, "/v1/runs").header("content-type", "application/json");
    let said = Said::of(request.body(text).send().await.expect("an answer")).await;
    assert_eq!(said.status, 400);
}

#[tokio::test]
async fn too_many_headers_and_too_long_ones_are_refused() {
    let world = World::new().await;
    let mut many = world.request(Method::GET, "/healthz");
    for at in 0..101 {
        many = many.header(format!("x-{at}"), "1");
    }
    let said = Said::of(many.send().await.expect("an answer")).await;
    assert_eq!((said.status, said.code()), (431, "too_many_headers"));
    let long = world.request(Method::GET, "/healthz").header("x-long", "y".repeat(33 * 1024));
    let said = Said::of(long.send().await.expect("an answer")).await;
    assert_eq!((said.status, said.code()), (431, "too_many_headers"));
    // What is far beyond is not even read to its end.
    let endless = world.request(Method::GET, "/healthz").header("x-long", "y".repeat(1024 * 1024));
    if let Ok(answer) = endless.send().await {
        assert_eq!(answer.status().as_u16(), 431);
    }
    assert_eq!(world.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_head_that_does_not_come_to_its_end_is_not_waited_for() {
    let world = World::limited(|limits| limits.head = Duration::from_millis(50)).await;
    let silent = raw(&world, "").await;
    let slow = raw(&world, "GET /healthz HTTP/1.1\r\nHost: loc").await;
    let idle = raw(&world, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    heard(silent).await;
    heard(slow).await;
    assert!(heard(idle).await.starts_with("HTTP/1.1 200"), "answered, then closed because nothing more came");
}

#[tokio::test]
async fn a_body_that_does_not_come_to_its_end_is_not_waited_for() {
    let world = World::limited(|limits| limits.upload = Duration::from_millis(50)).await;
    let head = head(&world, "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"text\":");
    let said = heard(raw(&world, &head).await).await;
    assert!(said.starts_with("HTTP/1.1 408"), "{said}");
    assert!(said.contains("slow_body"), "{said}");
}

#[tokio::test]
async fn whoever_does_not_read_is_not_waited_for() {
    let world = World::limited(|limits| {
        limits.stall = Duration::from_millis(50);
        limits.connections = 1;
    })
    .await;
    // Answers pile up until nothing more can be written; then the only place is free again.
    let mut deaf = TcpStream::connect(world.address).await.expect("a connection");
    let asks = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2_000);
    let _ = deaf.write_all(asks.as_bytes()).await;
    while world.get("/healthz").await.status != 200 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn whoever_finds_no_place_is_told_to_come_back() {
    let world = World::limited(|limits| {
        limits.connections = 2;
        limits.head = Duration::from_millis(100);
    })
    .await;
    let first = raw(&world, "GET /healthz HTTP/1.1\r\nHost: loc").await;
    let second = raw(&world, "GET /healthz HTTP/1.1\r\nHost: loc").await;
    let said = world.get("/healthz").await;
    assert_eq!((said.status, said.code()), (503, "crowded"));
    assert_eq!(said.headers["retry-after"], "1");
    heard(first).await;
    heard(second).await;
    while world.get("/healthz").await.status != 200 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn more_than_can_be_answered_at_once_is_refused_and_what_was_accepted_completes() {
    let world = World::limited(|limits| limits.requests = 1).await;
    let plan = json!({"steps": [{"id": "s", "tool": "gate.pass"}], "answer": "through"});
    let asked = world.request(reqwest::Method::POST, "/v1/runs");
    let asked = asked.json(&json!({"text": "pass", "plan": plan, "wait": 30})).send();
    let crowd = async {
        loop {
            let said = world.get("/v1/runs").await;
            if said.status == 503 {
                return said;
            }
            tokio::task::yield_now().await;
        }
    };
    let then = async {
        let said = crowd.await;
        assert_eq!((said.code(), &said.headers["retry-after"]), ("crowded", &"1".parse().expect("a header")));
        assert_eq!(world.get("/healthz").await.status, 200, "whoever watches over it is always answered");
        world.gate.add_permits(1);
    };
    let (answered, ()) = tokio::join!(asked, then);
    assert_eq!(Said::of(answered.expect("an answer")).await.body["status"], "completed");
}

#[tokio::test]
async fn an_answer_that_takes_too_long_is_given_up() {
    let world = World::limited(|limits| limits.request = Duration::from_millis(50)).await;
    let plan = json!({"steps": [{"id": "s", "tool": "gate.pass"}], "answer": "through"});
    let said = world.post("/v1/runs", json!({"text": "pass", "plan": plan, "wait": 30})).await;
    assert_eq!((said.status, said.code()), (503, "too_slow"));
    assert_eq!(said.headers["retry-after"], "5");
    let runs: Value = world.get("/v1/runs").await.body;
    assert_eq!(runs["total"], 1, "what was accepted stays accepted");
}
