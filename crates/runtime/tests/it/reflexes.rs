//! Requests that are clear without a model, and what becomes of those that are not quite.

use std::sync::Arc;

use async_trait::async_trait;
use domain::event::{Event, Route};
use domain::name::Name;
use domain::role::Role;
use domain::run::{FailureKind, RunStatus};
use domain::tool::{Effect, Repeat, ToolError};
use reflex::{Experience, Policy, Router};
use runtime::Reflexes;
use serde_json::{Value, json};

use crate::world::{Behaviour, Told, World, calls, gives, plans, says, write};

const TIMER: &str = r#"
name = "timer"
when_to_use = "Timers."
tools = ["timer.set"]
prompt = "You look after timers."
[[action]]
name = "set"
tool = "timer.set"
patterns = ["(set|start) [a|the] timer [for]"]
examples = ["set a timer for ten minutes", "start a five minute timer"]
need = [["duration"]]
ask = "For how long?"
[action.parameters]
duration = { kind = "duration" }
"#;

const WEATHER: &str = r#"
name = "weather"
when_to_use = "The weather."
tools = ["weather.now", "no.such"]
prompt = "You tell the weather."
[[action]]
name = "now"
tool = "weather.now"
patterns = ["(what's|what is) the weather [in|like]"]
examples = ["what's the weather in Oslo", "how is the weather"]
[action.parameters]
city = { kind = "place" }
[action.conditions]
"rain" = "${step.rain} == true"
"#;

/// What is known in these tests: two roles, nobody's name.
struct Known(Arc<Router>);

#[async_trait]
impl Reflexes for Known {
    async fn router(&self, _: Option<&str>) -> Arc<Router> {
        Arc::clone(&self.0)
    }

    fn roles(&self) -> Arc<Router> {
        Arc::clone(&self.0)
    }

    fn refresh(&self) {}

    async fn names(&self) -> Arc<Vec<Name>> {
        Arc::default()
    }
}

const CLEAR: &str = "set a timer for ten minutes";
const UNSURE: &str = "set a tmier for ten minuts";
const BOTH: &str = "what's the weather in Oslo, and set a timer for ten minutes";
const IF_IT_RAINS: &str = "what's the weather in Oslo, and if it rains set a timer for ten minutes";

fn timer() -> Behaviour {
    Arc::new(|arguments, _| Ok(json!({"said": format!("Timer: {}.", arguments["duration"].as_str().unwrap_or("?"))})))
}

fn fails(tool: &str) -> Behaviour {
    let tool: domain::id::ToolName = tool.parse().expect("a name");
    Arc::new(move |_, _| Err(ToolError::Failed { tool: tool.clone(), detail: "the clock is broken".into() }))
}

fn fails_at_first(tool: &str) -> Behaviour {
    let (bad, good) = (fails(tool), timer());
    Arc::new(move |arguments, nth| if nth == 1 { bad(arguments, nth) } else { good(arguments, nth) })
}

async fn world_with(timer: Behaviour, rain: bool) -> World {
    let roles = [TIMER, WEATHER].map(|text| {
        let mut role: Role = toml::from_str(text).expect("a role");
        role.shipped = true;
        role
    });
    let router = Router::new(roles.to_vec(), Policy::default(), Experience::default()).expect("roles");
    let weather = gives(json!({"said": "A sky as ever.", "rain": rain}));
    let mut world = World::new()
        .await
        .tool("timer.set", write(Repeat::Never), timer)
        .tool("weather.now", Effect::Read, weather)
        .tool("notes.add", write(Repeat::Never), gives(json!({"said": "Noted."})));
    world.reflexes = Some(Arc::new(Known(Arc::new(router))));
    world
}

async fn world() -> World {
    world_with(timer(), false).await
}

/// Which way a run went, and what its row says about who answered.
async fn way(world: &World, told: &Told) -> (Route, Option<String>) {
    let route = match told.events("routed").as_slice() {
        [Event::Routed { route, .. }] => *route,
        other => panic!("not routed once: {other:?}"),
    };
    (route, world.store.run(told.run).await.expect("a store").expect("the run").role)
}

async fn answer(world: &World, told: &Told, name: &str, answer: Value) -> Told {
    world.runtime().answer(told.run, name, answer, None).await.expect("answered");
    world.go_on(told.run).await.expect("advanced");
    world.tell(told.run).await
}

/// The question that a run waits with.
fn question(told: &Told) -> String {
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    serde_json::to_string(told.events("waiting").last().expect("a question")).expect("json")
}

fn opinion(role: &str, confidence: f64) -> domain::chat::Reply {
    says(&json!({"role": role, "confidence": confidence, "reason": "it says so"}).to_string())
}

#[tokio::test]
async fn what_is_clear_is_carried_out_without_a_model() {
    let world = world().await.model([]);
    let told = world.ask(CLEAR).await;
    assert_eq!(told.answer(), "Timer: PT10M.");
    assert_eq!(way(&world, &told).await, (Route::Reflex, Some("timer".to_owned())));
    assert_eq!((world.asks(), world.called("timer.set").calls()), (0, 1));
    assert_eq!(told.events("model_called").len(), 0);
}

#[tokio::test]
async fn a_missing_value_is_asked_for_and_used() {
    let world = world().await;
    let told = world.ask("set a timer").await;
    assert!(question(&told).contains("For how long?"));
    let told = answer(&world, &told, "ask/1", json!("no idea")).await;
    assert!(question(&told).contains("I did not understand that. For how long?"));
    let told = answer(&world, &told, "ask/2", json!("twenty minutes")).await;
    assert_eq!(told.answer(), "Timer: PT20M.");
    assert_eq!(world.called("timer.set").calls(), 1);
}

#[tokio::test]
async fn a_question_that_is_never_answered_is_given_up() {
    let world = world().await;
    let mut told = world.ask("set a timer").await;
    for name in ["ask/1", "ask/2", "ask/3"] {
        told = answer(&world, &told, name, json!("purple")).await;
    }
    assert_eq!(told.view.status, Some(RunStatus::Failed));
    assert_eq!(world.called("timer.set").calls(), 0);
}

#[tokio::test]
async fn what_is_not_wanted_after_all_is_not_done() {
    for words in ["never mind", "Cancel.", "no"] {
        let world = world().await;
        let told = world.ask("set a timer").await;
        let told = answer(&world, &told, "ask/1", json!(words)).await;
        assert_eq!((told.answer(), world.called("timer.set").calls()), ("All right, nothing was done.", 0), "{words}");
    }
}

#[tokio::test]
async fn without_a_model_a_person_says_whether_it_is_meant() {
    for (word, calls) in [("yes", 1), ("no", 0)] {
        let world = world().await;
        let told = world.ask(UNSURE).await;
        assert!(
            question(&told).contains("Is this what you want: does timer (duration PT10M)? Yes or no?"),
            "{}",
            question(&told)
        );
        let told = answer(&world, &told, "ask/meant", json!(word)).await;
        assert_eq!((told.view.status, world.called("timer.set").calls()), (Some(RunStatus::Completed), calls));
    }
}

#[tokio::test]
async fn a_small_model_that_agrees_is_enough() {
    let world = world().await.model([opinion("timer", 0.99)]);
    let told = world.ask(UNSURE).await;
    assert_eq!((told.answer(), world.asks()), ("Timer: PT10M.", 1));
    assert_eq!(way(&world, &told).await, (Route::Reflex, Some("timer".to_owned())));
}

#[tokio::test]
async fn a_small_model_can_give_it_to_another_role_with_its_tools_only() {
    let world = world().await.model([
        opinion("weather", 0.99),
        calls(&[("weather__now", json!({"city": "Oslo"}))]),
        says("A sky as ever, says the agent."),
    ]);
    let told = world.ask(UNSURE).await;
    assert_eq!(told.answer(), "A sky as ever, says the agent.");
    assert_eq!(way(&world, &told).await, (Route::Fast, Some("weather".to_owned())));
    let asks = world.model.as_ref().expect("a model").asks();
    let tools: Vec<&str> = asks[1].tools.iter().map(|tool| tool.name.as_str()).collect();
    assert!(tools.contains(&"weather__now"), "{tools:?}");
    assert!(!tools.contains(&"timer__set") && !tools.contains(&"notes__add"), "{tools:?}");
    assert!(format!("{:?}", asks[1].messages).contains("You tell the weather."));
    assert_eq!(world.called("timer.set").calls(), 0);
}

#[tokio::test]
async fn a_small_model_that_says_plan_or_is_unsure_or_raves_leads_to_the_planner() {
    for first in [opinion("plan", 0.9), opinion("timer", 0.4), opinion("king_of_spain", 1.0)] {
        let world = world().await.model([first, plans(&["notes.add"]), says("planned")]);
        let told = world.ask(UNSURE).await;
        assert_eq!(told.answer(), "planned");
        assert_eq!(way(&world, &told).await, (Route::Plan, None));
        assert_eq!(world.called("timer.set").calls(), 0);
    }
}

#[tokio::test]
async fn what_fails_is_planned_after_all_and_what_is_done_is_kept() {
    let plan = json!({"plan": {"goal": "try again", "answer": "${again.said}",
        "steps": [{"id": "again", "tool": "timer.set", "arguments": {"duration": "PT9M"}}]},
        "system_prompt": "You try again.", "tool_names": ["timer.set"]});
    let world = world_with(fails_at_first("timer.set"), false).await.model([says(&plan.to_string())]);
    let told = world.ask(BOTH).await;
    assert_eq!(told.answer(), "Timer: PT9M.");
    assert_eq!(way(&world, &told).await.0, Route::Reflex);
    assert_eq!(world.called("weather.now").calls(), 1, "what was done is not done again");
    assert_eq!((told.events("planned").len(), world.called("timer.set").calls()), (2, 2));
    let asked = format!("{:?}", world.model.as_ref().expect("a model").asks()[0].messages);
    assert!(asked.contains("the clock is broken") && asked.contains("what's the weather in Oslo"), "{asked}");
    assert!(world.store.run(told.run).await.expect("a store").expect("the run").flags.replanned);
}

#[tokio::test]
async fn what_fails_without_a_model_says_why_and_what_was_done() {
    let world = world_with(fails("timer.set"), false).await;
    let told = world.ask(BOTH).await;
    assert!(told.error().contains("the clock is broken"), "{}", told.error());
    let Some(domain::run::Ending::Failed { answer: Some(answer), .. }) = &told.view.ending else { panic!("no answer") };
    assert!(answer.contains("A sky as ever."), "{answer}");
}

#[tokio::test]
async fn a_condition_that_does_not_hold_skips_its_step_and_says_so() {
    let dry = world().await;
    let told = dry.ask(IF_IT_RAINS).await;
    assert_eq!(told.answer(), "A sky as ever.\nNot done: set a timer for ten minutes (only if it rains).");
    assert_eq!(dry.called("timer.set").calls(), 0);
    let wet = world_with(timer(), true).await;
    let told = wet.ask(IF_IT_RAINS).await;
    assert_eq!((told.answer(), wet.called("timer.set").calls()), ("A sky as ever.\nTimer: PT10M.", 1));
}

#[tokio::test]
async fn nothing_is_done_twice_however_often_it_is_taken_up() {
    let world = world().await;
    let told = world.ask(BOTH).await;
    let before = told.ledger.clone();
    world.go_on(told.run).await.expect("advanced");
    world.go_on(told.run).await.expect("advanced");
    assert_eq!(world.tell(told.run).await.ledger, before);
    assert_eq!((world.called("timer.set").calls(), world.called("weather.now").calls()), (1, 1));
}

#[tokio::test]
async fn a_question_survives_being_taken_up_again() {
    let world = world().await;
    let told = world.ask("set a timer").await;
    world.go_on(told.run).await.expect("advanced");
    let again = world.tell(told.run).await;
    assert_eq!((again.events("routed").len(), again.events("waiting").len()), (1, 1));
    let told = answer(&world, &told, "ask/1", json!("a minute")).await;
    assert_eq!((told.answer(), told.events("routed").len()), ("Timer: PT1M.", 1));
}

#[tokio::test]
async fn runs_without_a_model_are_repeated_exactly() {
    let world = world().await;
    let asked = world.ask("set a timer").await;
    let asked = answer(&world, &asked, "ask/1", json!("a minute")).await;
    let unsure = world.ask(UNSURE).await;
    let unsure = answer(&world, &unsure, "ask/meant", json!("yes")).await;
    for told in [world.ask(CLEAR).await, world.ask(IF_IT_RAINS).await, asked, unsure] {
        let before = world.called("timer.set").calls();
        assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()), "{:?}", told.kinds());
        assert_eq!(world.called("timer.set").calls(), before);
    }
}

#[tokio::test]
async fn a_run_that_a_small_model_decided_is_repeated_exactly() {
    let world = world().await.model([opinion("timer", 0.99)]);
    let told = world.ask(UNSURE).await;
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
    assert_eq!(world.asks(), 1);
}

#[tokio::test]
async fn a_plan_that_comes_with_the_request_goes_before() {
    let mut world = world().await;
    world.wishes.plan = Some(json!({"steps": [{"id": "a", "tool": "notes.add"}], "answer": "as given"}));
    let told = world.ask(CLEAR).await;
    assert_eq!((told.answer(), world.called("timer.set").calls()), ("as given", 0));
    assert_eq!(way(&world, &told).await, (Route::Given, None));
}

#[tokio::test]
async fn what_cannot_be_done_without_a_model_says_what_can() {
    let world = world().await;
    let told = world.ask("book me a flight to Rome and a hotel near the station").await;
    assert!(matches!(told.view.ending, Some(domain::run::Ending::Failed { reason: FailureKind::Model, .. })));
    assert!(told.error().contains("there is no model to plan it with; ask “what can you do”"), "{}", told.error());
}
