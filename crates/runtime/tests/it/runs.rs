//! A request from beginning to end.

use domain::run::{Ending, FailureKind, RunStatus};
use domain::store::RunFilter;
use domain::tool::{Effect, Repeat};
use serde_json::json;

use crate::world::{World, calls, echo, gives, plans, refuses, says, write};

#[tokio::test]
async fn a_request_is_planned_carried_out_and_recorded() {
    let world = World::new()
        .await
        .tool("weather.current", Effect::Read, gives(json!({"sky": "clear"})))
        .tool("notes.add", write(Repeat::SameKey), echo())
        .model([
            plans(&["weather.current", "notes.add"]),
            calls(&[("weather__current", json!({"city": "Oslo"}))]),
            calls(&[("notes__add", json!({"text": "clear in Oslo"}))]),
            says("It is clear, and I wrote it down."),
        ]);
    let told = world.ask("Note the weather in Oslo").await;
    assert_eq!(
        told.kinds(),
        [
            "received",
            "routed",
            "recalled",
            "weighed",
            "model_called",
            "verified",
            "planned",
            "foreseen",
            "forged",
            "model_called",
            "tool_called",
            "model_called",
            "intent_declared",
            "intent_sent",
            "intent_settled",
            "model_called",
            "finished",
        ]
    );
    assert_eq!(told.answer(), "It is clear, and I wrote it down.");
    assert_eq!(told.view.chain, ["router", "planner", "agent"]);
    assert_eq!((told.view.intents.declared, told.view.intents.done), (1, 1));
    assert_eq!(told.view.spent.model_calls, 4);
    assert_eq!(told.view.spent.usage.cost.as_micros(), 4_000);
    assert_eq!(told.view.spent.tool_calls, 2);
    let summary = world.store.run(told.run).await.expect("store").expect("the run");
    assert_eq!((summary.status, summary.spent), (RunStatus::Completed, told.view.spent));
    assert_eq!(summary.answer.as_deref(), Some("It is clear, and I wrote it down."));
}

#[tokio::test]
async fn tools_selected_and_tools_used_are_told_apart() {
    let world = World::new()
        .await
        .tool("weather.current", Effect::Read, gives(json!("clear")))
        .tool("weather.forecast", Effect::Read, gives(json!("rain")))
        .model([
            plans(&["weather.current", "weather.forecast"]),
            calls(&[("weather__current", json!({}))]),
            says("clear"),
        ]);
    let told = world.ask("Weather?").await;
    let names = |tools: &[domain::id::ToolName]| tools.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(&told.view.tools_selected), ["weather.current", "weather.forecast"]);
    assert_eq!(names(&told.view.tools_used), ["weather.current"]);
}

#[tokio::test]
async fn a_stage_that_ends_does_not_end_the_run_and_an_error_makes_it_failed() {
    let world = World::new().await.tool("a.b", Effect::Read, refuses("a.b"));
    let (world, told) = world.carry_out(json!({"steps": [{"id": "x", "tool": "a.b"}]})).await;
    assert_eq!(told.view.status, Some(RunStatus::Failed));
    assert_eq!(told.error(), "step `x` failed: `a.b`: no");
    let summary = world.store.run(told.run).await.expect("store").expect("the run");
    assert_eq!((summary.status, summary.failure), (RunStatus::Failed, Some(FailureKind::Step)));
}

#[tokio::test]
async fn without_a_model_a_request_that_needs_one_says_so() {
    let told = World::new().await.ask("Think of something").await;
    assert_eq!(told.error(), "no model is configured");
    assert!(matches!(told.view.ending, Some(Ending::Failed { reason: FailureKind::Model, .. })));
}

#[tokio::test]
async fn planning_only_changes_nothing() {
    let world = World::new()
        .await
        .tool("notes.add", write(Repeat::Never), echo())
        .model([says(
            &json!({"plan": {"goal": "x", "steps": [{"id": "a", "goal": "write it", "tool": "notes.add", "arguments": {"text": "x"}}]},
            "system_prompt": "You write.", "tool_names": ["notes.add"]})
            .to_string(),
        )])
        .wishing(|wishes| wishes.plan_only = true);
    let told = world.ask("Write x").await;
    assert_eq!(told.answer(), "1. a: write it `notes.add` with {\"text\":\"x\"}");
    assert_eq!(world.called("notes.add").calls(), 0);
}

#[tokio::test]
async fn many_runs_at_once_do_not_hear_of_each_other() {
    let world = World::new().await.tool("notes.add", write(Repeat::Never), echo());
    let world = world.wishing(|wishes| {
        wishes.plan = Some(json!({"steps": [
            {"id": "a", "tool": "notes.add", "arguments": {"text": "one"}},
            {"id": "b", "tool": "notes.add", "arguments": {"text": "${a.text} two"}},
        ], "answer": "${b.text}"}));
    });
    let told = futures::future::join_all((0..40).map(|n| world.ask_as(n))).await;
    for one in &told {
        assert_eq!((one.answer(), one.view.intents.declared, one.view.intents.done), ("one two", 2, 2));
        let intents = world.store.intents(Some(one.run), None, 10).await.expect("intents");
        assert!(intents.iter().all(|view| view.intent.key.starts_with(&one.run.to_string())) && intents.len() == 2);
    }
    let mut keys = world.called("notes.add").keys();
    keys.sort();
    keys.dedup();
    assert_eq!((keys.len(), world.called("notes.add").calls()), (80, 80));
    assert_eq!(world.store.count(&RunFilter::default()).await.expect("count"), 40);
}

impl World {
    async fn ask_as(&self, n: usize) -> crate::world::Told {
        self.ask(&format!("request {n}")).await
    }
}
