//! What is wrong is said in one shape, with where.

use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{Said, Setting, World};

#[tokio::test]
async fn what_is_not_a_request_says_where_it_is_wrong() {
    let world = World::new().await;
    for (body, param, words) in [
        (json!({}), Value::Null, "missing field `text`"),
        (json!({"text": ""}), json!("text"), "the request is empty"),
        (json!({"text": " \n "}), json!("text"), "the request is empty"),
        (json!({"text": "ring the \u{7}bell"}), json!("text"), "U+0007 at character 10"),
        (json!({"text": "x".repeat(32_001)}), json!("text"), "at most 32000"),
        (json!({"text": 1}), json!("text"), "expected a string"),
        (json!({"text": "x", "txet": "y"}), json!("txet"), "unknown field"),
        (json!({"text": "x", "session": "a b"}), json!("session"), "session ids are"),
        (json!({"text": "x", "user": "\u{0}"}), json!("user"), "control characters"),
        (json!({"text": "x", "zone": "Europe/Atlantis"}), json!("zone"), "no time zone"),
        (json!({"text": "x", "strategy": "hope"}), json!("strategy"), "unknown variant `hope`"),
        (json!({"text": "x", "orchestration": "none"}), json!("orchestration"), "unknown variant"),
        (json!({"text": "x", "max_cost_usd": -1}), json!("max_cost_usd"), "between 0 and"),
        (json!({"text": "x", "plan": []}), json!("plan"), "expected a map"),
        (json!({"text": "x", "wait": 31}), json!("wait"), "0 to 30"),
        (json!({"text": "x", "dry": "yes"}), json!("dry"), "expected a boolean"),
        (json!([]), Value::Null, "must be a JSON object"),
    ] {
        let said = world.post("/v1/runs", body.clone()).await;
        assert_eq!((said.status, said.code()), (400, "invalid_request"), "{body}");
        assert_eq!(said.param(), &param, "{said:?}");
        assert!(said.message().contains(words), "{said:?}");
    }
    assert_eq!(world.get("/v1/runs").await.body["total"], 0);
}

#[tokio::test]
async fn what_is_not_json_is_refused_with_where() {
    let world = World::new().await;
    for text in ["", "{", "{\"text\": \"x\"} more", "\u{1}", "{\"text\": \"\\ud800\"}"] {
        let request = world.request(Method::POST, "/v1/runs").header("content-type", "application/json");
        let said = Said::of(request.body(text).send().await.expect("an answer")).await;
        assert_eq!((said.status, said.code()), (400, "invalid_request"), "{text}");
        assert!(said.message().contains("line 1 column"), "{said:?}");
    }
    for kind in [None, Some("text/plain"), Some("application/jsonx"), Some("multipart/form-data")] {
        let mut request = world.request(Method::POST, "/v1/runs").body("{\"text\": \"x\"}");
        if let Some(kind) = kind {
            request = request.header("content-type", kind);
        }
        let said = Said::of(request.send().await.expect("an answer")).await;
        assert_eq!((said.status, said.code()), (415, "not_json"), "{kind:?}");
    }
}

#[tokio::test]
async fn queries_are_taken_at_their_word() {
    let world = World::new().await;
    for (query, param) in [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("limit=1&limit=2", "limit"),
        ("cursor=x", "cursor"),
        ("status=done", "status"),
        ("strategy=hope", "strategy"),
        ("since=yesterday", "since"),
        ("min_quality=2", "min_quality"),
        ("max_quality=NaN", "max_quality"),
        ("replanned=maybe", "replanned"),
        ("colour=red", "colour"),
    ] {
        let said = world.get(&format!("/v1/runs?{query}")).await;
        assert_eq!((said.status, said.code()), (400, "invalid_request"), "{query}");
        assert_eq!(said.param(), param, "{said:?}");
    }
    assert_eq!(world.get("/healthz?x=1").await.status, 400);
}

#[tokio::test]
async fn what_there_is_not_is_not_found() {
    let world = World::new().await;
    let nobody = format!("run_{}", "0".repeat(32));
    for path in ["", "/plan", "/plan/diff", "/events"] {
        let said = world.get(&format!("/v1/runs/{nobody}{path}")).await;
        assert_eq!((said.status, said.code()), (404, "not_found"), "{path}");
        assert_eq!(said.message(), format!("there is no run {nobody}"));
    }
    for path in ["cancel", "resume", "replay"] {
        assert_eq!(world.poke(&format!("/v1/runs/{nobody}/{path}")).await.code(), "not_found");
    }
    for path in ["/", "/v1", "/v1/runs/", "/v2/runs", "/v1/runs/%ff"] {
        let said = world.get(path).await;
        assert!([400, 404].contains(&said.status), "{said:?}");
        said.code();
    }
    for odd in ["x", "run_0", "00000000-0000-0000-0000-000000000000", &"0".repeat(32)] {
        let said = world.get(&format!("/v1/runs/{odd}")).await;
        assert_eq!((said.status, said.code()), (400, "invalid_request"), "{odd}");
    }
}

#[tokio::test]
async fn methods_that_are_not_possible_are_told_which_are() {
    let world = World::new().await;
    for (method, path, allow) in [
        (Method::DELETE, "/v1/runs", "GET,HEAD,POST"),
        (Method::TRACE, "/v1/runs", "GET,HEAD,POST"),
        (Method::POST, "/healthz", "GET,HEAD"),
        (Method::OPTIONS, "/openapi.json", "GET,HEAD"),
    ] {
        let said = Said::of(world.request(method, path).send().await.expect("an answer")).await;
        assert_eq!((said.status, said.code()), (405, "wrong_method"), "{path}");
        assert_eq!(said.headers["allow"], allow);
    }
}

#[tokio::test]
async fn a_page_elsewhere_cannot_reach_us_under_another_name() {
    let world = World::new().await;
    let port = world.address.port();
    for (host, status) in [
        ("evil.example".to_owned(), 421),
        (format!("evil.example:{port}"), 421),
        ("127.0.0.1.evil.example".to_owned(), 421),
        (format!("localhost:{port}"), 200),
        ("LOCALHOST".to_owned(), 200),
        (format!("[::1]:{port}"), 200),
    ] {
        let said = world.request(Method::GET, "/v1/runs").header("Host", &host).send().await.expect("an answer");
        assert_eq!(said.status().as_u16(), status, "{host}");
    }
}

#[tokio::test]
async fn a_database_that_is_away_is_said_to_be_away_and_comes_back() {
    let world = World::with(Setting { idle: true, ..Setting::default() }).await;
    let hidden = world.folder().join("hidden.db");
    std::fs::rename(&world.database, &hidden).expect("hidden");
    for path in ["/readyz", "/v1/runs"] {
        let said = world.get(path).await;
        assert_eq!((said.status, said.code()), (503, "database_away"), "{path}");
        assert_eq!(said.headers["retry-after"], "5");
        assert!(!said.message().contains("test.db"), "clients get words, the log gets the cause: {said:?}");
    }
    assert_eq!(world.get("/healthz").await.status, 200);
    std::fs::rename(&hidden, &world.database).expect("back");
    for path in ["/readyz", "/v1/runs"] {
        assert_eq!(world.get(path).await.status, 200, "{path}");
    }
}
