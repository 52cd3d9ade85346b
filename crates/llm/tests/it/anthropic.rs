//! Messages as Anthropic speaks them.

use domain::chat::{Ask, Stop, Usage};
use domain::money::Usd;
use serde_json::{Value, json};

use crate::asks::{KEY, everything, formed, hello, kind, model, streamed, tool, weather};
use crate::server::{Server, cut_sse, json as answer, sse};

fn message(content: Value, stop_reason: &str) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": content,
        "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 4, "cache_read_input_tokens": 6, "cache_creation_input_tokens": 0, "output_tokens": 2},
    })
}

const CALLS: [&str; 14] = [
    r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"stop_reason":null,"usage":{"input_tokens":10,"output_tokens":1}}}"#,
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
    r#"{"type": "ping"}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let me "}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"see."}}"#,
    r#"{"type":"content_block_stop","index":0}"#,
    r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"weather","input":{}}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"city\": \"Ro"}}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"me\"}"}}"#,
    r#"{"type":"content_block_stop","index":1}"#,
    r#"{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":20}}"#,
    r#"{"type":"something_new","whatever":1}"#,
    r#"{"type":"message_stop"}"#,
];

#[tokio::test]
async fn words_and_calls_are_read_with_what_they_cost() {
    let content = json!([
        {"type": "thinking", "thinking": "hm", "signature": "x"},
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "c1", "name": "weather", "input": {"city": "Rome"}},
        {"type": "tool_use", "id": "c2", "name": "weather", "input": {"city": "Oslo"}},
    ]);
    let server = Server::start([answer(&message(content, "tool_use"))]).await;
    let reply = model(&server, "anthropic/claude").reply(&hello()).await.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.stop), ("Let me see.", Stop::Tools));
    assert_eq!(reply.calls, [weather("c1", "Rome"), weather("c2", "Oslo")]);
    assert_eq!(reply.usage, Usage { input_tokens: 10, output_tokens: 2, cost: Usd::micros(30) });
    let head = &server.requests()[0].head;
    assert!(head.starts_with("post /v1/messages http/1.1"), "{head}");
    assert!(head.contains(&format!("x-api-key: {KEY}")) && head.contains("anthropic-version: 2023-06-01"), "{head}");
}

#[tokio::test]
async fn a_form_is_filled_in_by_way_of_a_tool() {
    let content = json!([
        {"type": "text", "text": "Here:"},
        {"type": "tool_use", "id": "c1", "name": "mood", "input": {"mood": "good"}},
    ]);
    let server = Server::start([answer(&message(content, "tool_use"))]).await;
    let reply = model(&server, "anthropic:claude").reply(&formed()).await.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.stop), ("{\"mood\":\"good\"}", Stop::End));
}

#[tokio::test]
async fn words_and_calls_are_put_together_from_their_events() {
    let server = Server::start([sse(&CALLS)]).await;
    let (texts, end) = streamed(&*model(&server, "anthropic:claude"), &everything()).await;
    let reply = end.expect("an end").expect("a reply");
    assert_eq!(texts, ["Let me ", "see."]);
    assert_eq!((reply.text.as_str(), reply.stop), ("Let me see.", Stop::Tools));
    assert_eq!(reply.calls, [weather("c1", "Rome")]);
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (10, 20));
}

#[tokio::test]
async fn a_form_is_streamed_as_it_is_filled_in() {
    let events = [
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"mood","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"mood\":"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"good\"}"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":20}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let server = Server::start([sse(&events)]).await;
    let (texts, end) = streamed(&*model(&server, "anthropic:claude"), &formed()).await;
    let reply = end.expect("an end").expect("a reply");
    assert_eq!(texts.concat(), reply.text);
    assert_eq!((reply.text.as_str(), reply.stop, reply.calls.len()), ("{\"mood\":\"good\"}", Stop::End, 0));
}

#[tokio::test]
async fn a_stream_that_is_cut_anywhere_is_not_whole() {
    for length in 0..CALLS.len() {
        for acts in [cut_sse(&CALLS[..length]), sse(&CALLS[..length])] {
            let server = Server::start([acts]).await;
            let (_, end) = streamed(&*model(&server, "anthropic:claude"), &everything()).await;
            assert_eq!(kind(&end.expect("an end").expect_err("an error")), "garbled", "after {length} events");
        }
    }
}

#[tokio::test]
async fn an_error_within_a_stream_is_told_as_what_it_is() {
    let overloaded = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let broken = r#"{"type":"error","error":{"type":"api_error","message":"Internal server error"}}"#;
    for (event, expected) in [(overloaded, "busy"), (broken, "unavailable")] {
        let server = Server::start([sse(&[CALLS[0], CALLS[1], CALLS[3], event])]).await;
        let (texts, end) = streamed(&*model(&server, "anthropic:claude"), &hello()).await;
        assert_eq!(
            (texts.concat().as_str(), kind(&end.expect("an end").expect_err("an error"))),
            ("Let me ", expected)
        );
    }
}

#[tokio::test]
async fn requests_have_the_form_anthropic_documents() {
    let hi = message(json!([{"type": "text", "text": "Hi"}]), "end_turn");
    let server = Server::start(std::iter::repeat_n(answer(&hi), 4)).await;
    let claude = model(&server, "anthropic:claude-x");
    claude.reply(&Ask { must_call: true, ..everything() }).await.expect("a reply");
    assert_eq!(server.body()["tool_choice"], json!({"type": "any"}));
    claude.reply(&everything()).await.expect("a reply");
    insta::assert_json_snapshot!("anthropic_everything", server.body());
    claude.reply(&formed()).await.expect("a reply");
    insta::assert_json_snapshot!("anthropic_formed", server.body());
    let mut both = formed();
    both.tools.push(tool());
    claude.reply(&both).await.expect("a reply");
    assert_eq!(server.body()["tool_choice"], json!({"type": "any"}));
}
