//! Errors by their status, and what callers are told.

use std::time::Duration;

use domain::chat::ModelError;
use llm::{Retries, Settings, guarded};
use serde_json::json;

use crate::asks::{KEY, hello, kind, model};
use crate::openai::words;
use crate::server::{Act, Server, json as answer, sized, status};

async fn error(name: &str, acts: Vec<Act>) -> ModelError {
    let server = Server::start([acts]).await;
    model(&server, name).reply(&hello()).await.expect_err("an error")
}

#[tokio::test]
async fn each_status_is_told_by_what_can_be_done_about_it() {
    let cases = [
        (status(400, "Unknown parameter"), "refused"),
        (status(400, "This model's maximum context length is 8192 tokens."), "too long"),
        (status(400, "prompt is too long: 210000 tokens > 200000 maximum"), "too long"),
        (status(401, "bad key"), "refused"),
        (status(402, "no credit"), "refused"),
        (status(403, "not allowed"), "refused"),
        (status(404, "no such model"), "refused"),
        (status(302, "elsewhere"), "refused"),
        (status(413, "too large"), "too long"),
        (status(429, "slow down"), "busy"),
        (status(500, "oops"), "unavailable"),
        (status(503, "down"), "unavailable"),
        (status(529, "overloaded"), "busy"),
        (sized(502, "text/html", &[], b"<html><h1>Bad Gateway</h1></html>"), "unavailable"),
        (sized(500, "application/json", &[], b""), "unavailable"),
        (answer(&json!({"error": {"message": "no provider", "code": 502}})), "unavailable"),
    ];
    for name in ["openai:gpt", "anthropic:claude"] {
        for (acts, expected) in &cases {
            let error = error(name, acts.clone()).await;
            assert_eq!(kind(&error), *expected, "{name}: {error}");
        }
    }
}

#[tokio::test]
async fn the_providers_words_are_passed_on_short_and_without_the_key() {
    let words = format!("Incorrect API key: {KEY}. {}", "x".repeat(1000));
    let ModelError::Refused { model, detail } = error("openai:gpt", status(401, &words)).await else {
        panic!("not refused");
    };
    assert_eq!(model, "openai:gpt");
    assert!(detail.starts_with("Incorrect API key: …. xxx"), "{detail}");
    assert_eq!(detail.chars().count(), 301);
    let plain = error("ollama:x", sized(404, "application/json", &[], br#"{"error": "model not found"}"#)).await;
    assert_eq!(plain.to_string(), "ollama:x refused the request: model not found");
    let page = error("ollama:x", sized(502, "text/html", &[], b"<html>nginx</html>")).await;
    assert_eq!(page.to_string(), "ollama:x cannot be reached or is failing: HTTP 502");
}

#[tokio::test]
async fn an_account_without_money_is_not_worth_waiting_for() {
    let body = json!({"error": {"message": "You exceeded your quota", "type": "insufficient_quota", "code": "insufficient_quota"}});
    let acts = sized(429, "application/json", &[], body.to_string().as_bytes());
    assert_eq!(kind(&error("openai:gpt", acts).await), "refused");
}

#[tokio::test]
async fn a_provider_says_how_long_it_wants_to_be_left_alone() {
    let wait = async |header: (&str, &str)| match error("openai:gpt", sized(429, "application/json", &[header], b"{}"))
        .await
    {
        ModelError::Busy { retry_after, .. } => retry_after,
        other => panic!("{other}"),
    };
    assert_eq!(wait(("retry-after", "7")).await, Some(Duration::from_secs(7)));
    assert_eq!(wait(("retry-after-ms", "1500")).await, Some(Duration::from_millis(1500)));
    assert_eq!(wait(("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")).await, Some(Duration::ZERO));
    assert_eq!(wait(("x", "y")).await, None);
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_and_answers() {
    let busy = sized(429, "application/json", &[("retry-after-ms", "10")], b"{}");
    let server = Server::start([busy, status(500, "oops"), answer(&words("Hi"))]).await;
    let retries = Retries { first_wait: Duration::from_millis(1), ..Retries::default() };
    let model = guarded(model(&server, "openai:gpt"), Settings { retries, ..Settings::default() });
    assert_eq!(model.reply(&hello()).await.expect("a reply").text, "Hi");
    assert_eq!(server.requests().len(), 3);
}
