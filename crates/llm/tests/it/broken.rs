//! Answers that are late, cut or nonsense: none of them may pass for a whole one.

use std::time::Duration;

use domain::chat::ModelError;
use serde_json::json;

use crate::asks::{connected, everything, hello, kind, model, streamed};
use crate::openai::{CALLS, completion, text_events, words};
use crate::server::{Act, Server, cut_sse, dripped, json as answer, sized, sse};

async fn whole(acts: Vec<Act>) -> &'static str {
    let server = Server::start([acts]).await;
    match model(&server, "openai:gpt").reply(&hello()).await {
        Ok(_) => "whole",
        Err(error) => kind(&error),
    }
}

fn announced(length: usize, sent: &[u8]) -> Vec<Act> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    vec![Act::Send(head.into_bytes()), Act::Send(sent.to_vec()), Act::Close]
}

#[tokio::test]
async fn a_body_that_is_not_a_whole_answer_is_garbled() {
    let body = words("Hi").to_string().into_bytes();
    let unfinished = json!({"choices": [{"message": {"content": "Hi"}, "finish_reason": null}]});
    assert_eq!(whole(announced(body.len(), &body)).await, "whole");
    assert_eq!(whole(announced(body.len() + 10, &body)).await, "garbled");
    assert_eq!(whole(announced(body.len() - 10, &body)).await, "garbled");
    assert_eq!(whole(announced(body.len(), &body[..body.len() / 2])).await, "garbled");
    assert_eq!(whole(sized(200, "application/json", &[], b"")).await, "garbled");
    assert_eq!(whole(sized(200, "application/json", &[], b"\x00\xff\xfe garbage")).await, "garbled");
    assert_eq!(whole(sized(200, "text/html", &[], b"<html>Please log in</html>")).await, "garbled");
    assert_eq!(whole(answer(&json!({"choices": []}))).await, "garbled");
    assert_eq!(whole(answer(&unfinished)).await, "garbled");
    assert_eq!(whole(answer(&words(""))).await, "garbled");
    assert_eq!(whole(answer(&completion(json!({"content": null}), "tool_calls"))).await, "garbled");
}

#[tokio::test]
async fn an_answer_without_end_is_given_up() {
    let endless = Act::Send(vec![b' '; 1 << 20]);
    let mut acts = vec![Act::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n".to_vec())];
    acts.extend(std::iter::repeat_n(endless, 40));
    assert_eq!(whole(acts).await, "garbled");
}

#[tokio::test]
async fn a_server_that_is_not_there_or_hangs_up_is_unavailable() {
    assert_eq!(whole(vec![Act::Close]).await, "unavailable");
    assert_eq!(whole(vec![Act::Send(b"\x16\x03\x01 what?\r\n\r\n".to_vec()), Act::Close]).await, "unavailable");
    let mut server = Server::start([]).await;
    "http://127.0.0.1:1/v1".clone_into(&mut server.url);
    let error = model(&server, "openai:gpt").reply(&hello()).await.expect_err("an error");
    assert_eq!(kind(&error), "unavailable");
    "http://no-such-host.invalid/v1".clone_into(&mut server.url);
    let error = model(&server, "openai:gpt").reply(&hello()).await.expect_err("an error");
    assert_eq!(kind(&error), "unavailable");
}

#[tokio::test]
async fn a_stream_that_is_cut_anywhere_is_not_whole() {
    let text = text_events();
    for events in [&text[..], &CALLS[..]] {
        for length in 0..events.len() {
            for acts in [cut_sse(&events[..length]), sse(&events[..length])] {
                let server = Server::start([acts]).await;
                let (_, end) = streamed(&*model(&server, "openai:gpt"), &everything()).await;
                assert_eq!(kind(&end.expect("an end").expect_err("an error")), "garbled", "after {length} events");
            }
        }
    }
}

#[tokio::test]
async fn a_stream_of_nonsense_is_garbled() {
    let unstopped = [text_events()[1], "[DONE]"];
    for events in [&["{\"choices\": [{\"del"][..], &["garbage"], &["[DONE]"], &unstopped] {
        let server = Server::start([sse(events)]).await;
        let (_, end) = streamed(&*model(&server, "openai:gpt"), &hello()).await;
        assert_eq!(kind(&end.expect("an end").expect_err("an error")), "garbled", "{events:?}");
    }
}

#[tokio::test]
async fn an_error_within_a_stream_is_told_as_what_it_is() {
    let error = r#"{"error":{"code":429,"message":"Rate limit exceeded"},"choices":[]}"#;
    let server = Server::start([sse(&[text_events()[1], error])]).await;
    let (texts, end) = streamed(&*model(&server, "openrouter:x/y"), &hello()).await;
    assert_eq!((texts.len(), kind(&end.expect("an end").expect_err("an error"))), (1, "busy"));
}

#[tokio::test]
async fn slow_answers_are_whole_as_long_as_they_do_not_stand_still() {
    let drip = Duration::from_millis(1);
    let server = Server::start([dripped(answer(&words("Hi")), drip), dripped(sse(&text_events()), drip)]).await;
    let model = connected(&server, "openai:gpt", Duration::from_secs(20), Duration::from_secs(1));
    assert_eq!(model.reply(&hello()).await.expect("a reply").text, "Hi");
    let (texts, end) = streamed(&*model, &hello()).await;
    assert_eq!(texts.concat(), end.expect("an end").expect("a reply").text);
}

#[tokio::test]
async fn silence_is_ended_by_the_idle_limit_and_waiting_by_the_whole_one() {
    let (whole, silence) = (Duration::from_millis(400), Duration::from_millis(100));
    let timed_out = |after| ModelError::TimedOut { model: "openai:gpt".to_owned(), after };
    let mut stalled = sse(&text_events()[..2]);
    stalled.pop();
    stalled.push(Act::Hang);
    let mut half = answer(&words("Hi"));
    half.pop();
    half.push(Act::Hang);
    let slow = dripped(answer(&words("Hi")), Duration::from_millis(50));
    let server = Server::start([vec![Act::Hang], stalled, half, slow]).await;
    let model = connected(&server, "openai:gpt", whole, silence);
    assert_eq!(model.reply(&hello()).await, Err(timed_out(whole)));
    let (texts, end) = streamed(&*model, &hello()).await;
    assert_eq!((texts.len(), end), (1, Some(Err(timed_out(silence)))));
    assert_eq!(model.reply(&hello()).await, Err(timed_out(silence)));
    assert_eq!(model.reply(&hello()).await, Err(timed_out(whole)));
}

#[tokio::test]
async fn giving_up_on_an_answer_closes_its_connection() {
    for name in ["openai:gpt", "anthropic:claude", "gemini:gemini-x"] {
        let server = Server::start([vec![Act::Hang]]).await;
        let model = model(&server, name);
        let abandoned = tokio::time::timeout(Duration::from_millis(100), model.reply(&hello())).await;
        assert!(abandoned.is_err());
        tokio::time::timeout(Duration::from_secs(1), server.hung_up()).await.expect("the server sees the end");
    }
}

#[tokio::test]
async fn dropping_a_stream_closes_its_connection() {
    let mut stalled = sse(&text_events()[..2]);
    stalled.pop();
    stalled.push(Act::Hang);
    let server = Server::start([stalled]).await;
    drop(model(&server, "openai:gpt").stream(&hello()).await.expect("a stream"));
    tokio::time::timeout(Duration::from_secs(1), server.hung_up()).await.expect("the server sees the end");
}
