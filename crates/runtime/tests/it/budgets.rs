//! Limits: reserved before the call, named when they are reached, and extended only by a person.

use std::time::Duration;

use domain::budget::{Budget, OnExceed};
use domain::run::{Ending, FailureKind, RunStatus};
use domain::tool::Effect;
use serde_json::json;

use crate::world::{World, calls, echo, gives, plans, says};

fn failed_by_budget(ending: &Option<Ending>) -> &str {
    match ending {
        Some(Ending::Failed { reason: FailureKind::Budget, error, .. }) => error,
        other => panic!("not stopped by its budget: {other:?}"),
    }
}

#[tokio::test]
async fn a_run_stops_at_its_limit_of_model_calls() {
    let world = World::new()
        .await
        .tool("a.b", Effect::Read, gives(json!(1)))
        .model([plans(&["a.b"]), calls(&[("a__b", json!({}))]), says("never said")])
        .set(|settings| settings.budget = Budget { model_calls: Some(2), ..Budget::default() });
    let told = world.ask("x").await;
    assert_eq!(failed_by_budget(&told.view.ending), "the budget is used up: 2 of 2 model calls are used");
    assert_eq!((world.asks(), told.view.spent.model_calls), (2, 2));
}

#[tokio::test]
async fn parallel_steps_cannot_overshoot_together() {
    let world = World::new()
        .await
        .slow_tool("slow.read", Effect::Read, 20, echo())
        .set(|settings| settings.budget = Budget { tool_calls: Some(3), ..Budget::default() });
    // That each could be done by an agent instead keeps the plan from being refused for what it needs at least.
    let instead = json!([{"prompt": "guess"}]);
    let step = |n| json!({"id": format!("s{n}"), "tool": "slow.read", "alternatives": instead});
    let steps: Vec<_> = (0..6).map(step).collect();
    let (world, told) = world.carry_out(json!({ "steps": steps })).await;
    assert!(failed_by_budget(&told.view.ending).contains("of 3 tool calls are used"));
    assert_eq!(world.called("slow.read").calls(), 3);
}

#[tokio::test]
async fn what_cannot_be_enough_is_not_begun() {
    let world = World::new()
        .await
        .tool("a.b", Effect::Read, echo())
        .set(|settings| settings.budget = Budget { tool_calls: Some(1), ..Budget::default() });
    let steps = json!([{"id": "x", "tool": "a.b"}, {"id": "y", "tool": "a.b"}]);
    let (world, told) = world.carry_out(json!({ "steps": steps })).await;
    assert_eq!(told.error(), "AW-PLAN-070: the plan needs at least 2 tool calls; the budget allows 1");
    assert_eq!(world.called("a.b").calls(), 0);
}

#[tokio::test]
async fn money_is_reserved_before_it_is_spent() {
    let world = World::new()
        .await
        .model([plans(&[]), says("never said")])
        .set(|settings| settings.budget = Budget { tokens: Some(100), ..Budget::default() });
    let told = world.ask("x").await;
    assert!(failed_by_budget(&told.view.ending).contains("of 100 tokens are used and the next call may need"));
    assert_eq!(world.asks(), 0);
}

#[tokio::test]
async fn time_is_a_limit_too() {
    let world = World::new()
        .await
        .slow_tool("slow.read", Effect::Read, 60_000, echo())
        .set(|settings| settings.budget = Budget { wall: Some(Duration::from_millis(40)), ..Budget::default() });
    let (_, told) = world.carry_out(json!({"steps": [{"id": "x", "tool": "slow.read"}]})).await;
    assert_eq!(failed_by_budget(&told.view.ending), "the budget is used up: the run has used its 40ms");
}

#[tokio::test]
async fn a_person_can_allow_the_same_again_once_and_again() {
    let world = World::new().await.tool("a.b", Effect::Read, gives(json!(1))).set(|settings| {
        settings.budget = Budget { tool_calls: Some(1), on_exceed: OnExceed::Ask, ..Budget::default() }
    });
    let plan = json!({"steps": [
        {"id": "one", "tool": "a.b"},
        {"id": "two", "tool": "a.b", "depends_on": ["one"]},
        {"id": "three", "tool": "a.b", "depends_on": ["two"]},
    ], "answer": "all three"});
    let (world, told) = world.carry_out(plan).await;
    for extension in 1..=2 {
        let now = world.tell(told.run).await;
        assert_eq!(now.view.status, Some(RunStatus::Waiting));
        assert_eq!(world.called("a.b").calls(), extension);
        let answered = world.runtime().answer(told.run, &format!("budget/{extension}"), json!("yes"), None).await;
        answered.expect("answered");
        world.go_on(told.run).await.expect("advanced");
    }
    let now = world.tell(told.run).await;
    assert_eq!((now.answer(), world.called("a.b").calls()), ("all three", 3));
    assert_eq!(world.runtime().replay(&now.ledger), Ok(now.ledger.len()));
}

#[tokio::test]
async fn without_permission_the_limit_stands() {
    let world = World::new().await.tool("a.b", Effect::Read, gives(json!(1))).set(|settings| {
        settings.budget = Budget { tool_calls: Some(0), on_exceed: OnExceed::Ask, ..Budget::default() }
    });
    let (world, told) = world.carry_out(json!({"steps": [{"id": "one", "tool": "a.b"}]})).await;
    world.runtime().answer(told.run, "budget/1", json!("no"), None).await.expect("answered");
    world.go_on(told.run).await.expect("advanced");
    failed_by_budget(&world.tell(told.run).await.view.ending);
    assert_eq!(world.called("a.b").calls(), 0);
}
