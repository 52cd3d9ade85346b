//! Gemini's `generateContent`, by way of `genai`.

use std::time::Duration;

use domain::chat::{ModelError, Stop, Usage};
use domain::money::Usd;
use serde_json::{Value, json};

use crate::asks::{KEY, connected, everything, formed, hello, kind, model, streamed, weather};
use crate::server::{Act, Server, cut_sse, json as answer, sized, sse, status};

fn content(parts: Value, finish_reason: &str) -> Value {
    json!({
        "candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": finish_reason, "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 2, "totalTokenCount": 12},
        "modelVersion": "gemini",
    })
}

const CHUNKS: [&str; 4] = [
    r#"{"candidates":[{"content":{"parts":[{"text":"Let me "}],"role":"model"},"index":0}]}"#,
    r#"{"candidates":[{"content":{"parts":[{"text":"see."}],"role":"model"},"index":0}]}"#,
    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"weather","args":{"city":"Rome"}}}],"role":"model"},"index":0}]}"#,
    r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"weather","args":{"city":"Oslo"}}}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2,"totalTokenCount":12}}"#,
];

#[tokio::test]
async fn words_and_calls_are_read_with_what_they_cost() {
    let parts = json!([
        {"text": "Let me see."},
        {"functionCall": {"name": "weather", "args": {"city": "Rome"}}},
        {"functionCall": {"id": "g7", "name": "weather", "args": {"city": "Oslo"}}},
    ]);
    let server = Server::start([answer(&content(parts, "STOP"))]).await;
    let reply = model(&server, "gemini:gemini-x").reply(&everything()).await.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.stop), ("Let me see.", Stop::Tools));
    assert_eq!(reply.calls, [weather("call#weather#0", "Rome"), weather("g7", "Oslo")]);
    assert_eq!(reply.usage, Usage { input_tokens: 10, output_tokens: 2, cost: Usd::micros(30) });
    let head = &server.requests()[0].head;
    assert!(head.starts_with("post /v1/models/gemini-x:generatecontent http/1.1"), "{head}");
    assert!(head.contains(&format!("x-goog-api-key: {KEY}")), "{head}");
}

#[tokio::test]
async fn streamed_calls_have_different_ids_even_where_gemini_gives_none() {
    let server = Server::start([sse(&CHUNKS)]).await;
    let (texts, end) = streamed(&*model(&server, "gemini:gemini-x"), &everything()).await;
    let reply = end.expect("an end").expect("a reply");
    assert_eq!(texts, ["Let me ", "see."]);
    assert_eq!((reply.text.as_str(), reply.stop, reply.usage.tokens()), ("Let me see.", Stop::Tools, 12));
    assert_eq!(reply.calls, [weather("call#weather#0", "Rome"), weather("call#weather#1", "Oslo")]);
}

#[tokio::test]
async fn a_stream_that_is_cut_anywhere_is_not_whole() {
    for length in 0..CHUNKS.len() {
        for acts in [cut_sse(&CHUNKS[..length]), sse(&CHUNKS[..length])] {
            let server = Server::start([acts]).await;
            let (_, end) = streamed(&*model(&server, "gemini:gemini-x"), &hello()).await;
            assert_eq!(kind(&end.expect("an end").expect_err("an error")), "garbled", "after {length} chunks");
        }
    }
}

#[tokio::test]
async fn what_goes_wrong_is_told_as_what_it_is() {
    let whole = content(json!([{"text": "Hi"}]), "STOP").to_string();
    let mut short = sized(200, "application/json", &[], whole.as_bytes());
    short[1] = Act::Send(whole.as_bytes()[..40].to_vec());
    short.push(Act::Close);
    let mut silent = content(json!([{"text": "Hi"}]), "");
    silent["candidates"][0]["finishReason"].take();
    let cases = [
        (sized(429, "application/json", &[("retry-after", "3")], b"{}"), "busy"),
        (status(503, "overloaded"), "unavailable"),
        (status(400, "The input token count (9) exceeds the maximum number of tokens allowed (8)."), "too long"),
        (status(403, "API key not valid"), "refused"),
        (sized(200, "text/html", &[], b"<html>login</html>"), "garbled"),
        (sized(200, "application/json", &[], &whole.as_bytes()[..40]), "garbled"),
        (short, "garbled"),
        (answer(&silent), "garbled"),
        (answer(&content(json!([]), "STOP")), "garbled"),
    ];
    for (at, (acts, expected)) in cases.into_iter().enumerate() {
        let server = Server::start([acts]).await;
        let error = model(&server, "gemini:gemini-x").reply(&hello()).await.expect_err("an error");
        assert_eq!(kind(&error), expected, "case {at}: {error}");
    }
}

#[tokio::test]
async fn silence_is_ended_by_the_idle_limit_and_waiting_by_the_whole_one() {
    let (whole, silence) = (Duration::from_millis(300), Duration::from_millis(100));
    let mut stalled = sse(&CHUNKS[..1]);
    stalled.pop();
    stalled.push(Act::Hang);
    let server = Server::start([vec![Act::Hang], vec![Act::Hang], stalled]).await;
    let model = connected(&server, "gemini:gemini-x", whole, silence);
    let timed_out = |after| ModelError::TimedOut { model: "gemini:gemini-x".to_owned(), after };
    assert_eq!(model.reply(&hello()).await, Err(timed_out(whole)));
    assert_eq!(streamed(&*model, &hello()).await, (vec![], Some(Err(timed_out(whole)))));
    assert_eq!(streamed(&*model, &hello()).await, (vec!["Let me ".to_owned()], Some(Err(timed_out(silence)))));
}

#[tokio::test]
async fn a_streamed_ask_that_is_refused_says_so() {
    let server = Server::start([sized(429, "application/json", &[("retry-after", "3")], b"{}")]).await;
    let (_, end) = streamed(&*model(&server, "gemini:gemini-x"), &hello()).await;
    assert_eq!(kind(&end.expect("an end").expect_err("an error")), "busy");
}

#[tokio::test]
async fn requests_have_the_form_gemini_documents() {
    let hi = content(json!([{"text": "Hi"}]), "STOP");
    let server = Server::start([answer(&hi), answer(&hi)]).await;
    let gemini = model(&server, "gemini:gemini-x");
    gemini.reply(&everything()).await.expect("a reply");
    insta::assert_json_snapshot!("gemini_everything", server.body());
    gemini.reply(&formed()).await.expect("a reply");
    insta::assert_json_snapshot!("gemini_formed", server.body());
}
