//! What planners answer, and what becomes of it.

use domain::run::{Ending, FailureKind};
use domain::tool::{Effect, Repeat};
use llm::Scripted;
use serde_json::{Value, json};

use crate::world::{World, echo, gives, plans, says, write};

async fn world() -> World {
    World::new().await.tool("weather.current", Effect::Read, gives(json!({"sky": "clear"}))).tool(
        "notes.add",
        write(Repeat::Never),
        echo(),
    )
}

/// What is wrong with a plan that is given.
async fn refused(steps: Value) -> String {
    let (world, told) = world().await.carry_out(json!({ "steps": steps })).await;
    assert!(
        matches!(told.view.ending, Some(Ending::Failed { reason: FailureKind::Plan, .. })),
        "{:?}",
        told.view.ending
    );
    assert_eq!(world.called("notes.add").calls() + world.called("weather.current").calls(), 0);
    assert_eq!(told.events("plan_refused").len(), 1);
    told.error().to_owned()
}

#[tokio::test]
async fn a_plan_that_cannot_work_is_refused_before_anything_happens() {
    assert_eq!(
        refused(json!([{"id": "a", "goal": "x", "depends_on": ["b"]}, {"id": "b", "goal": "x", "depends_on": ["a"]}]))
            .await,
        "AW-PLAN-006: steps wait for each other in a circle: `a`, `b`"
    );
    assert_eq!(
        refused(json!([{"id": "a", "tool": "wether.current"}])).await,
        "AW-PLAN-020: step `a`: there is no tool `wether.current`; the nearest are `weather.current`"
    );
    assert_eq!(
        refused(json!([{"id": "a", "tool": "notes.add", "arguments": {"text": "${b.x}"}}])).await,
        "AW-PLAN-005: step `a`: it waits for unknown step `b`"
    );
    assert_eq!(
        refused(json!([{"id": "a", "tool": "weather.current", "arguments": {"city": "<city>"}}])).await,
        "AW-PLAN-033: step `a`: argument `city` of `weather.current` is a placeholder: `<city>`; it must be a string"
    );
    assert!(
        refused(json!([{"id": "a", "tool": "weather.current", "arguments": {"city": 5}}]))
            .await
            .contains("argument `city` of `weather.current` must be a string, got")
    );
    let many: Vec<Value> = (0..500).map(|n| json!({"id": format!("s{n}"), "goal": "x"})).collect();
    assert_eq!(refused(json!(many)).await, "AW-PLAN-003: the plan has 500 steps; at most 100 are allowed");
    assert_eq!(refused(json!([])).await, "AW-PLAN-002: the plan has no steps");
    assert!(refused(json!("prose")).await.contains("`steps` must be a list, not a text"));
}

#[tokio::test]
async fn a_planner_is_told_what_was_wrong_and_may_correct_it() {
    let wrong = json!({"plan": {"steps": [{"id": "a", "tool": "wether.current"}]}, "system_prompt": "x"});
    let right = json!({"plan": {"steps": [{"id": "a", "tool": "weather.current"}], "answer": "${a.sky}"}, "system_prompt": "x"});
    let world = world()
        .await
        .model([says(&wrong.to_string()), says(&right.to_string())])
        .wishing(|wishes| wishes.strategy = Some(domain::plan::Strategy::TaskGraph));
    let told = world.ask("Weather?").await;
    assert_eq!(told.answer(), "clear");
    assert_eq!(told.events("plan_refused").len(), 1);
    let second = world.model.as_ref().expect("a model").asks().pop().expect("asks");
    let text = format!("{:?}", second.messages);
    assert!(text.contains("there is no tool `wether.current`; the nearest are `weather.current`"), "{text}");
}

#[tokio::test]
async fn a_planner_that_never_learns_fails_the_run_with_its_findings() {
    let wrong = json!({"plan": {"steps": [{"id": "a", "tool": "wether.current"}]}, "system_prompt": "x"});
    let world = world().await.scripted(Scripted::endless(says(&wrong.to_string())));
    let told = world.ask("Weather?").await;
    assert!(told.error().contains("wether.current"));
    assert_eq!((told.events("plan_refused").len(), world.asks()), (4, 4));
}

#[tokio::test]
async fn prose_half_an_object_and_another_schema_get_one_repair_round() {
    for bad in ["I would just look outside.", r#"{"plan": "look", "system_pro"#, r#"{"tool_names": "weather"}"#] {
        let good = plans(&["weather.current"]);
        let world = world().await.model([says(bad), good, says("clear")]);
        assert_eq!(world.ask("Weather?").await.answer(), "clear", "{bad}");
        let repair = &world.model.as_ref().expect("a model").asks()[1];
        assert!(format!("{:?}", repair.messages.last()).contains("Your answer cannot be used"));
    }
    let world = world().await.scripted(Scripted::endless(says("I would just look outside.")));
    let told = world.ask("Weather?").await;
    assert_eq!(world.asks(), 2);
    assert!(matches!(told.view.ending, Some(Ending::Failed { reason: FailureKind::Plan, .. })));
}

#[tokio::test]
async fn both_spellings_of_a_planner_work() {
    let other = json!({"analysis": "needs the sky", "plan": "1. look 2. tell", "agent_system_prompt": "You look.",
        "selected_tools": ["weather.current"], "guidance_notes": "be brief", "max_iterations": 3});
    let world = world().await.model([says(&other.to_string()), says("clear")]);
    let told = world.ask("Weather?").await;
    assert_eq!(told.answer(), "clear");
    assert_eq!(told.view.tools_selected.len(), 1);
}

#[tokio::test]
async fn no_tools_too_many_tools_and_wrong_tools_are_three_things() {
    let world_without = world().await.model([plans(&[]), says("I know it by heart")]);
    assert_eq!(world_without.ask("x").await.answer(), "I know it by heart");

    let limited = world()
        .await
        .model([plans(&["weather.current", "notes.add"]), says("done")])
        .set(|settings| settings.max_tools = 1);
    let told = limited.ask("x").await;
    assert_eq!(told.view.tools_selected.len(), 1);
    let planned = serde_json::to_string(told.events("planned")[0]).expect("json");
    assert!(planned.contains(r#""tools_left_out":["notes.add"]"#), "{planned}");

    let wrong = world().await.model([plans(&["weather.curent"]), plans(&["weather.current"]), says("clear")]);
    let told = wrong.ask("x").await;
    assert_eq!((told.answer(), told.events("plan_refused").len()), ("clear", 1));
}

#[tokio::test]
async fn iterations_out_of_range_are_sent_back() {
    let with = |turns: u32| says(&json!({"plan": "x", "system_prompt": "y", "max_iterations": turns}).to_string());
    let world = world().await.model([with(51), with(0), with(50), says("fine")]);
    let told = world.ask("x").await;
    assert_eq!((told.answer(), world.asks()), ("fine", 4));
}

#[tokio::test]
async fn what_is_remembered_and_what_happened_lately_reaches_the_planner() {
    let world = world().await.model([plans(&[]), says("first"), plans(&[]), says("second")]);
    let memory = domain::store::Memory {
        id: "m1".into(),
        text: "the umbrella is in the cellar".into(),
        importance: 0.9,
        run: None,
        at: jiff::Timestamp::now(),
    };
    world.store.remember(&memory).await.expect("remembered");
    let runtime = world.runtime();
    for text in ["Hello there", "Where is my umbrella?"] {
        let mut request = world.request(text);
        request.session = Some("s1".parse().expect("a session"));
        let run = runtime.accept(request).await.expect("accepted");
        domain::dispatch::Advance::advance(runtime.as_ref(), run).await.expect("advanced");
    }
    let asks = world.model.as_ref().expect("a model").asks();
    let planner = format!("{:?}", asks[2].messages);
    assert!(planner.contains("the umbrella is in the cellar"), "{planner}");
    assert!(planner.contains("Hello there") && planner.contains("first"), "{planner}");
}
