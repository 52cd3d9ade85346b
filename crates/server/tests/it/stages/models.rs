//! What models write when they should judge: zero, nonsense, half of it. None of it is our failure.

use serde_json::{Value, json};

use super::{META, about};
use crate::world::{Said, Setting, World};

async fn judged(agent: &str, texts: &[&str], context: Value) -> Said {
    let script: Vec<Value> = texts.iter().map(|text| json!({"text": text})).collect();
    let model = llm::Scripted::from_json("scripted:judge", &json!(script).to_string()).expect("a script");
    let world = World::with(Setting { model: Some(model), idle: true, ..Setting::default() }).await;
    world.post(agent, about("r", context)).await
}

async fn assessed(texts: &[&str]) -> Value {
    let said = judged(META, texts, json!({"thoughts": "x", "confidenceScore": 0.9})).await;
    assert_eq!(said.status, 200, "{said:?}");
    said.body
}

#[tokio::test]
async fn the_worst_quality_is_the_worst_and_asks_for_another_plan() {
    let worst = assessed(&[r#"{"quality": 0}"#]).await;
    assert_eq!(worst["reasoningQuality"], 0.0);
    assert_eq!((&worst["shouldReplan"], &worst["shouldDeepenReasoning"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn what_is_no_quality_is_asked_for_once_more() {
    for wrong in [r#"{"quality": 1.7}"#, r#"{"quality": NaN}"#, r#"{"quality": "high"}"#, r#"{"quality": 0.9"#, ""] {
        let repaired = assessed(&[wrong, r#"{"quality": 0.125}"#]).await;
        assert_eq!(repaired["reasoningQuality"], 0.125, "{wrong}");
        // Twice nonsense: then the parts speak for themselves, 0.5 for words and 0.9 for what was said.
        let fallen_back = assessed(&[wrong, wrong]).await;
        let quality = fallen_back["reasoningQuality"].as_f64().expect("a quality");
        assert!((quality - 0.7).abs() < 1e-9, "{wrong}: {quality}");
    }
}

#[tokio::test]
async fn a_model_that_cannot_be_reached_is_done_without() {
    let fallen_back = assessed(&[]).await;
    assert!(fallen_back["assessment"].as_str().is_some_and(|words| words.contains("by what its parts say")));
}

#[tokio::test]
async fn an_assessment_is_found_in_fences_in_prose_and_with_braces_in_its_strings() {
    for (text, words) in [
        ("```json\n{\"quality\": 0.75, \"assessment\": \"sound\"}\n```", "sound"),
        ("I would say {\"quality\": 0.75, \"assessment\": \"sound\"}. Anything {else}?", "sound"),
        (
            r#"{"quality": 0.75, "assessment": "mind the } and the { and \"quotes\""}"#,
            "mind the } and the { and \"quotes\"",
        ),
    ] {
        let assessment = assessed(&[text]).await;
        assert_eq!((&assessment["reasoningQuality"], &assessment["assessment"]), (&json!(0.75), &json!(words)));
    }
}

#[tokio::test]
async fn a_critic_who_approves_of_what_is_worth_nothing_rejects_it() {
    let scores = json!({"correctness": 0, "completeness": 0, "feasibility": 0, "efficiency": 0, "safety": 0});
    let text = json!({"scores": scores, "overall": 0, "verdict": "approve"}).to_string();
    let plan = json!({"plan": {"steps": [{"id": "look", "tool": "look.once", "arguments": {}}]}});
    let said = judged("/api/agents/critic-agent", &[&text], plan).await;
    assert_eq!((&said.body["overall"], &said.body["verdict"]), (&json!(0.0), &json!("reject")), "{said:?}");
}
