//! Models that are none: scripted, recorded, faulty.

use std::sync::Arc;
use std::time::Duration;

use domain::chat::{Ask, ChatModel, Message, ModelError, Stop};
use llm::{Fault, Faults, Faulty, Recording, Replayed, Scripted};
use serde_json::json;

use crate::asks::{hello, kind, said, streamed, tool, unavailable, weather};

fn about(text: &str) -> Ask {
    Ask { messages: vec![Message::User { text: text.to_owned() }], ..Ask::default() }
}

fn script() -> Scripted {
    let steps = json!([
        {"when": {"contains": "weather"}, "calls": [{"name": "weather", "arguments": {"city": "Rome"}}]},
        {"text": "One."},
        {"error": "busy"},
        {"error": "refused: not today", "millis": 5},
        {"text": "Two words", "stop": "length", "usage": {"input_tokens": 1, "output_tokens": 2, "cost": 0.5}},
    ]);
    Scripted::from_json("scripted:x", &steps.to_string()).expect("a script")
}

#[tokio::test(start_paused = true)]
async fn a_script_is_played_in_turn_and_its_rules_whenever_they_fit() {
    let model = script();
    assert_eq!(model.reply(&hello()).await, Ok(said("One.")));
    let reply = model.reply(&about("the weather, please")).await.expect("a reply");
    assert_eq!((reply.stop, reply.calls), (Stop::Tools, vec![weather("call_0", "Rome")]));
    assert_eq!(kind(&model.reply(&hello()).await.expect_err("an error")), "busy");
    let refused = ModelError::Refused { model: "scripted:x".to_owned(), detail: "not today".to_owned() };
    assert_eq!(model.reply(&hello()).await, Err(refused));
    let (texts, end) = streamed(&model, &hello()).await;
    let reply = end.expect("an end").expect("a reply");
    assert_eq!(
        (texts, reply.stop, reply.usage.tokens()),
        (vec!["Two ".to_owned(), "words".to_owned()], Stop::Length, 3)
    );
    let over = model.reply(&hello()).await.expect_err("an error").to_string();
    assert_eq!(
        over,
        "scripted:x refused the request: script ran out: its 4 steps are used, none of its 1 rules fits `Hello`"
    );
    assert_eq!((model.calls(), model.asks().len(), &model.asks()[0]), (6, 6, &hello()));
}

#[tokio::test]
async fn a_rule_may_look_at_the_whole_conversation() {
    let text = r#"[{"when": {"anywhere": "planner", "contains": "Hello"}, "text": "plan"}, {"text": "next"}]"#;
    let model = Scripted::from_json("scripted:x", text).expect("a script");
    let mut ask = hello();
    assert_eq!(model.reply(&ask).await, Ok(said("next")));
    ask.messages.insert(0, Message::System { text: "You are a planner.".to_owned() });
    assert_eq!(model.reply(&ask).await, Ok(said("plan")));
}

#[tokio::test]
async fn an_endless_model_never_tires() {
    let model = Scripted::endless(said("again"));
    for _ in 0..100 {
        assert_eq!(model.reply(&hello()).await, Ok(said("again")));
    }
}

#[test]
fn what_is_not_a_script_says_why() {
    use std::error::Error;
    let why = |text: &str| {
        let error = Scripted::from_json("x", text).expect_err("no script");
        error.source().map(ToString::to_string).unwrap_or_default()
    };
    assert!(why(r#"[{"txt": "Hi"}]"#).starts_with("unknown field `txt`, expected one of `when`, `text`"));
    assert!(why(r#"[{"error": "sad"}]"#).starts_with("unknown variant `sad`, expected one of `busy`"));
}

#[tokio::test]
async fn a_recording_is_played_back_by_what_was_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("calls.jsonl");
    let answers = [Ok(said("One")), Err(unavailable()), Ok(said("Three words here")), Ok(said("Four"))];
    let model = Recording::to_path(Arc::new(Scripted::replies(answers)), &path).expect("a file");
    for text in ["a", "b"] {
        let _ = model.reply(&about(text)).await;
    }
    streamed(&model, &about("c")).await;
    model.reply(&about("a")).await.expect("a reply");

    let replayed = Replayed::from_path(&path).expect("a recording");
    assert_eq!(replayed.reply(&about("b")).await, Err(unavailable()));
    assert_eq!(replayed.reply(&about("c")).await, Ok(said("Three words here")));
    assert_eq!(streamed(&replayed, &about("a")).await, (vec!["One".to_owned()], Some(Ok(said("One")))));
    assert_eq!(replayed.reply(&about("a")).await, Ok(said("Four")));
    assert_eq!(replayed.reply(&about("a")).await, Ok(said("Four")), "the last answer stays");
}

#[tokio::test]
async fn an_ask_that_was_not_recorded_is_told_the_nearest() {
    let line = |text: &str| {
        let ask = about(text);
        json!({"hash": domain::hash::Hash::of_json(&ask), "model": "m", "ask": ask, "reply": said("Hi")}).to_string()
    };
    let replayed = Replayed::read("recorded:x", format!("{}\n\n{}\n", line("a"), line("b")).as_bytes()).expect("lines");
    let mut ask = about("b");
    ask.messages.push(Message::User { text: "more".to_owned() });
    let error = replayed.reply(&ask).await.expect_err("an error").to_string();
    let expected = "this ask was not recorded; the nearest is line 3, which has its first 1 of 2 messages";
    assert_eq!(error, format!("recorded:x refused the request: {expected}"));
    let broken = Replayed::read("recorded:x", format!("{}\n{{}}", line("a")).as_bytes()).err().expect("no recording");
    assert_eq!(broken.to_string(), "line 2 is not a recorded answer");
}

#[tokio::test]
async fn an_ask_is_found_again_whatever_the_order_of_its_keys() {
    let with = |parameters: &str| Ask {
        tools: vec![domain::chat::Callable { parameters: serde_json::from_str(parameters).expect("json"), ..tool() }],
        ..hello()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("calls.jsonl");
    let model = Recording::to_path(Arc::new(Scripted::endless(said("Hi"))), &path).expect("a file");
    model.reply(&with(r#"{"a": 1, "b": 2}"#)).await.expect("a reply");
    let replayed = Replayed::from_path(&path).expect("a recording");
    assert_eq!(replayed.reply(&with(r#"{"b": 2, "a": 1}"#)).await, Ok(said("Hi")));
}

#[tokio::test(start_paused = true)]
async fn faults_come_as_scheduled() {
    let faults = Faults::schedule([
        Some(Fault::Fail(unavailable())),
        Some(Fault::Delay(Duration::from_secs(5))),
        Some(Fault::Cut { after: 9 }),
        Some(Fault::Cut { after: 9 }),
        None,
    ]);
    let model = Faulty::new(Arc::new(Scripted::endless(said("two words"))), faults);
    assert_eq!(model.reply(&hello()).await, Err(unavailable()));
    let begun = tokio::time::Instant::now();
    assert_eq!(model.reply(&hello()).await, Ok(said("two words")));
    assert_eq!(begun.elapsed().as_secs(), 5);
    assert_eq!(kind(&model.reply(&hello()).await.expect_err("an error")), "garbled");
    let (texts, end) = streamed(&model, &hello()).await;
    assert_eq!((texts.len(), end), (2, None), "a cut stream never brings its end");
    assert_eq!(model.reply(&hello()).await, Ok(said("two words")));
}

#[tokio::test]
async fn the_same_seed_spoils_the_same_calls() {
    let failures = async |seed| {
        let faults = Faults::chance(seed, [(0.3, Fault::Fail(unavailable()))]);
        let model = Faulty::new(Arc::new(Scripted::endless(said("Hi"))), faults);
        let mut failed = Vec::new();
        for _ in 0..200 {
            failed.push(model.reply(&hello()).await.is_err());
        }
        failed
    };
    let first = failures(7).await;
    assert_eq!(first, failures(7).await);
    assert_ne!(first, failures(8).await);
    let count = first.into_iter().filter(|failed| *failed).count();
    assert!((40..80).contains(&count), "{count} of 200");
}
