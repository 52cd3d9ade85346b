//! Chat completions as OpenAI and those who copied it speak them.

use domain::chat::{Ask, Message, Stop, ToolCall, Usage};
use domain::money::Usd;
use serde_json::{Value, json};

use crate::asks::{KEY, everything, formed, hello, model, said, streamed, weather};
use crate::server::{Server, json as answer, sse};

pub(crate) fn completion(message: Value, finish_reason: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason, "logprobs": null}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
    })
}

pub(crate) fn words(text: &str) -> Value {
    completion(json!({"role": "assistant", "content": text, "refusal": null}), "stop")
}

const TEXT: [&str; 5] = [
    r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
    r#"{"choices":[{"index":0,"delta":{"content":"Grüß "},"finish_reason":null}],"usage":null}"#,
    r#"{"choices":[{"index":0,"delta":{"content":"Gott"},"finish_reason":null}]}"#,
    r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
    r#"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12}}"#,
];

pub(crate) fn text_events() -> Vec<&'static str> {
    TEXT.into_iter().chain(["[DONE]"]).collect()
}

pub(crate) const CALLS: [&str; 7] = [
    r#"{"choices":[{"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"weather","arguments":""}}]}}]}"#,
    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":"}}]}}]}"#,
    r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"weather","arguments":"{\"ci"}}]}}]}"#,
    r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"Rome\"}"}}]}}]}"#,
    r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":"ty\":\"Oslo\"}"}}]}}]}"#,
    r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
    "[DONE]",
];

#[tokio::test]
async fn an_answer_is_read_with_what_it_cost() {
    let server = Server::start([answer(&words("Hi"))]).await;
    let reply = model(&server, "openai:gpt").reply(&hello()).await.expect("a reply");
    let usage = Usage { input_tokens: 10, output_tokens: 2, cost: Usd::micros(30) };
    assert_eq!(reply, domain::chat::Reply { usage, ..said("Hi") });
    let head = &server.requests()[0].head;
    assert!(head.starts_with("post /v1/chat/completions http/1.1"), "{head}");
    assert!(head.contains(&format!("authorization: bearer {KEY}")), "{head}");
}

#[tokio::test]
async fn a_connection_is_used_again_after_whole_and_streamed_answers() {
    let server = Server::start([answer(&words("1")), sse(&text_events()), answer(&words("3"))]).await;
    let model = model(&server, "openai:gpt");
    model.reply(&hello()).await.expect("a reply");
    streamed(&*model, &hello()).await.1.expect("an end").expect("a reply");
    model.reply(&hello()).await.expect("a reply");
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn parallel_calls_are_read_and_bad_arguments_stay_text() {
    let call = |id: &str, arguments: Value| json!({"id": id, "type": "function", "function": {"name": "weather", "arguments": arguments}});
    let calls = [
        call("c1", json!("{\"city\": \"Rome\"}")),
        call("c2", json!("{\"city\": Oslo")),
        call("c3", json!({"city": "Bonn"})),
        call("", json!("")),
        call("c5", json!("[1]")),
    ];
    let message = json!({"role": "assistant", "content": null, "tool_calls": calls});
    let server = Server::start([answer(&completion(message, "tool_calls"))]).await;
    let reply = model(&server, "vllm:x").reply(&everything()).await.expect("a reply");
    assert_eq!(reply.stop, Stop::Tools);
    assert_eq!(
        reply.calls,
        [
            weather("c1", "Rome"),
            ToolCall { arguments: json!("{\"city\": Oslo"), ..weather("c2", "") },
            weather("c3", "Bonn"),
            ToolCall { arguments: json!({}), ..weather("call_3", "") },
            ToolCall { arguments: json!("[1]"), ..weather("c5", "") },
        ]
    );
}

#[tokio::test]
async fn an_answer_that_ran_into_its_limit_says_so() {
    let cut = completion(json!({"role": "assistant", "content": "Once upon"}), "length");
    let server = Server::start([answer(&cut)]).await;
    let reply = model(&server, "openai:gpt").reply(&hello()).await.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.stop), ("Once upon", Stop::Length));
}

#[tokio::test]
async fn a_refusal_of_the_model_is_an_answer_that_was_filtered() {
    let refusal = completion(json!({"role": "assistant", "content": null, "refusal": "No."}), "stop");
    let server = Server::start([answer(&refusal)]).await;
    let reply = model(&server, "openai:gpt").reply(&hello()).await.expect("a reply");
    assert_eq!((reply.text.as_str(), reply.stop), ("No.", Stop::Filtered));
}

#[tokio::test]
async fn words_may_come_in_parts_among_thoughts() {
    let parts =
        json!([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Hi"}]);
    let chunk = json!({"choices": [{"delta": {"content": parts}, "finish_reason": "stop"}]}).to_string();
    let whole = completion(json!({"role": "assistant", "content": parts}), "stop");
    let server = Server::start([answer(&whole), sse(&[&chunk, "[DONE]"])]).await;
    let model = model(&server, "mistral:magistral");
    assert_eq!(model.reply(&hello()).await.expect("a reply").text, "Hi");
    assert_eq!(streamed(&*model, &hello()).await.0, ["Hi"]);
}

#[tokio::test]
async fn words_are_streamed_as_they_come() {
    let server = Server::start([sse(&text_events())]).await;
    let (texts, end) = streamed(&*model(&server, "openai:gpt"), &hello()).await;
    assert_eq!(texts, ["Grüß ", "Gott"]);
    let reply = end.expect("an end").expect("a reply");
    assert_eq!((reply.text.as_str(), reply.stop, reply.usage.tokens()), ("Grüß Gott", Stop::End, 12));
    assert_eq!(server.body()["stream_options"], json!({"include_usage": true}));
}

#[tokio::test]
async fn calls_are_put_together_from_their_fragments() {
    let server = Server::start([sse(&CALLS)]).await;
    let (texts, end) = streamed(&*model(&server, "openai:gpt"), &everything()).await;
    let reply = end.expect("an end").expect("a reply");
    assert!(texts.is_empty());
    assert_eq!((reply.stop, reply.calls), (Stop::Tools, vec![weather("c1", "Rome"), weather("c2", "Oslo")]));
}

#[tokio::test]
async fn requests_have_the_form_openai_documents() {
    let server = Server::start(std::iter::repeat_n(answer(&words("Hi")), 4)).await;
    let openai = model(&server, "openai:gpt-x");
    openai.reply(&Ask { must_call: true, ..everything() }).await.expect("a reply");
    assert_eq!(server.body()["tool_choice"], "required");
    let mut ask = everything();
    ask.messages.push(Message::Assistant {
        text: "Let me see.".to_owned(),
        calls: vec![ToolCall { arguments: json!("not json"), ..weather("c3", "") }],
    });
    openai.reply(&ask).await.expect("a reply");
    insta::assert_json_snapshot!("openai_everything", server.body());
    openai.reply(&formed()).await.expect("a reply");
    insta::assert_json_snapshot!("openai_formed", server.body());
    let mut loose = formed();
    loose.max_tokens = Some(7);
    loose.schema.as_mut().expect("a schema").schema["properties"]["mood"]["minLength"] = json!(1);
    model(&server, "ollama:qwen3:4b").reply(&loose).await.expect("a reply");
    insta::assert_json_snapshot!("compatible_formed", server.body());
}
