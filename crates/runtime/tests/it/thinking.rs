//! What stands between a request and its plan: thought, proof, critique, confidence, assessment, and the way back.

mod stages;

use domain::assessment::Next;
use domain::chat::Message;
use domain::dispatch::Advance;
use domain::plan::Strategy;
use domain::run::{Ending, FailureKind, RunStatus};
use domain::score::Score;
use domain::stage::{Stage, StageFilter};
use domain::thought::Orchestration;
use domain::tool::Effect;
use llm::{Scripted, Step, When};
use serde_json::{Value, json};

use crate::brittle::Brittle;
use crate::world::{Told, World, gives, refuses};

const THINKER: &str = "You think about a request";
pub(crate) const PLANNER: &str = "You plan how a request is carried out";
const CRITIC: &str = "You criticise a plan";
const META: &str = "You judge reasoning";

/// What somebody answers whose instructions say `who`, where the last message has `contains` in it.
pub(crate) fn answers(who: &str, contains: Option<&str>, text: impl ToString) -> Step {
    let when = When { contains: contains.map(str::to_owned), anywhere: Some(who.to_owned()) };
    Step { when: Some(when), text: text.to_string(), ..Step::default() }
}

fn thought(reasoning: &str) -> Value {
    json!({"reasoning": reasoning, "approaches": ["look"], "confidence": 0.9})
}

/// A plan of one look, called so.
fn plan(goal: &str) -> Value {
    json!({"plan": {"goal": goal, "answer": "It is ${look.sky}.",
        "steps": [{"id": "look", "goal": goal, "tool": "weather.current", "arguments": {"city": "Oslo"}}]},
        "system_prompt": "You look.", "tool_names": ["weather.current"], "confidence": 0.9})
}

fn critique(score: f64, issue: &str) -> Value {
    let issues = if issue.is_empty() { json!([]) } else { json!([{"severity": "high", "description": issue}]) };
    json!({"scores": {"correctness": score, "completeness": score, "feasibility": score, "efficiency": score,
        "safety": score}, "overall": score, "issues": issues, "summary": "so it is"})
}

fn assessed(quality: f64) -> Value {
    json!({"quality": quality, "assessment": "seen"})
}

/// A world in which a planner first plans `first` and, told what is wrong with it, `second`.
async fn world(more: Vec<Step>) -> World {
    let mut steps = more;
    steps.extend([
        answers(THINKER, None, thought("rain decides")),
        answers(PLANNER, Some("not good enough"), plan("second")),
        answers(PLANNER, Some("cannot be carried out"), plan("second")),
        answers(PLANNER, None, plan("first")),
        answers(CRITIC, None, critique(0.9, "")),
        answers(META, None, assessed(0.9)),
    ]);
    World::new()
        .await
        .tool("weather.current", Effect::Read, gives(json!({"sky": "clear"})))
        .scripted(Scripted::new("scripted:thinking", steps))
        .set(|settings| {
            settings.strategy = Strategy::TaskGraph;
            settings.orchestration = Some(Orchestration::Adaptive);
        })
}

/// Everything that was said to somebody, newest last.
pub(crate) fn told_to(world: &World, who: &str) -> Vec<String> {
    let text = |message: &Message| match message {
        Message::System { text } | Message::User { text } => text.clone(),
        _ => String::new(),
    };
    let asks = world.model.as_ref().expect("a model").asks();
    let all = asks.iter().map(|ask| ask.messages.iter().map(text).collect::<Vec<_>>().join("\n"));
    all.filter(|text| text.contains(who)).collect()
}

fn gates(told: &Told) -> Vec<Next> {
    told.view.reasoning.gates.iter().map(|(_, next, _)| *next).collect()
}

#[tokio::test]
async fn a_good_plan_goes_through_every_stage_once() {
    let world = world(vec![]).await.set(|settings| settings.orchestration = Some(Orchestration::Standard));
    let told = world.ask("Is it clear in Oslo?").await;
    let stages: Vec<&str> = told.kinds().into_iter().filter(|kind| *kind != "model_called").collect();
    assert_eq!(
        stages,
        [
            "received",
            "routed",
            "recalled",
            "weighed",
            "thought",
            "thought",
            "verified",
            "planned",
            "critiqued",
            "scored",
            "assessed",
            "gated",
            "foreseen",
            "step_started",
            "tool_called",
            "step_finished",
            "kept",
            "finished",
        ]
    );
    assert_eq!(told.answer(), "It is clear.");
    assert_eq!(told.view.chain, ["router", "thinker", "planner", "critic", "scorer", "meta_agent"]);
    assert_eq!(gates(&told), [Next::Go]);
    let summary = world.store.run(told.run).await.expect("store").expect("the run");
    assert_eq!(summary.quality, Some(0.9));
}

#[tokio::test]
async fn a_simple_request_is_only_planned_and_proved() {
    let world = world(vec![]).await.set(|settings| settings.orchestration = Some(Orchestration::Simple));
    let told = world.ask("Is it clear in Oslo?").await;
    assert_eq!(told.answer(), "It is clear.");
    assert_eq!(world.asks(), 1);
    assert_eq!(told.events("verified").len(), 1);
}

#[tokio::test]
async fn what_was_wrong_goes_into_the_next_thought_and_the_next_plan() {
    let world =
        world(vec![answers(CRITIC, Some("\"goal\": \"first\""), critique(0.2, "the evening is missing"))]).await;
    let told = world.ask("Is it clear in Oslo?").await;
    assert_eq!(told.answer(), "It is clear.");
    assert_eq!(gates(&told), [Next::Replan, Next::Go]);
    assert_eq!(told.view.plans.len(), 2);
    assert_eq!(told.view.plans[1].0.goal(), "second");
    assert_eq!(told.view.plans[1].1.as_deref(), Some("the evening is missing"));
    let thinker = told_to(&world, THINKER);
    assert!(!thinker[0].contains("the evening is missing"));
    assert!(thinker.last().expect("a second thought").contains("the evening is missing"));
    assert!(told_to(&world, PLANNER).last().expect("a second plan").contains("the evening is missing"));
}

#[tokio::test]
async fn the_worst_reasoning_is_replanned_and_every_attempt_is_kept() {
    let world = world(vec![answers(META, Some("\"goal\":\"first\""), assessed(0.0))]).await;
    let told = world.ask("Is it clear in Oslo?").await;
    assert_eq!(gates(&told), [Next::Replan, Next::Go]);
    let qualities: Vec<Score> = told.view.reasoning.assessments.iter().map(|(_, it)| it.quality).collect();
    assert_eq!(qualities, [Score::ZERO, Score::nearest(0.9)]);
    let (kept, _) =
        world.store.stage_history(Stage::MetaAgent, &StageFilter::default(), None, 10).await.expect("history");
    assert_eq!(kept.iter().map(|record| record.attempt).collect::<Vec<_>>(), [2, 1]);
    assert!(kept.iter().all(|record| record.request == told.run.to_string()));
}

#[tokio::test]
async fn the_meta_agent_s_own_word_sends_a_good_plan_back() {
    for (word, next) in [("should_replan", Next::Replan), ("should_deepen", Next::Deepen)] {
        let says = json!({"quality": 0.95, word: true, "assessment": "no"});
        let world = world(vec![answers(META, Some("\"goal\":\"first\""), says)]).await;
        let told = world.ask("Is it clear in Oslo?").await;
        assert_eq!(gates(&told), [next, Next::Go], "{word}");
        let thoughts = told.view.reasoning.thoughts.len();
        assert_eq!(thoughts, if next == Next::Deepen { 3 + 4 } else { 3 + 1 }, "{word}");
    }
}

#[tokio::test]
async fn a_plan_that_nobody_likes_is_put_before_a_person_after_the_last_round() {
    for (says, good) in [("yes", true), ("no", false)] {
        let world = world(vec![answers(CRITIC, None, critique(0.1, "it is wrong"))]).await;
        let told = world.ask("Is it clear in Oslo?").await;
        assert_eq!(told.view.status, Some(RunStatus::Waiting));
        assert_eq!(gates(&told), [Next::Replan, Next::Replan, Next::Replan, Next::Escalate]);
        assert_eq!(world.called("weather.current").calls(), 0);
        let wait = told.view.waits[0].name.clone();
        world.runtime().answer(told.run, &wait, json!(says), None).await.expect("answered");
        world.go_on(told.run).await.expect("advanced");
        let told = world.tell(told.run).await;
        match told.view.ending {
            Some(Ending::Completed { .. }) => assert!(good),
            Some(Ending::Failed { reason: FailureKind::Rejected, .. }) => assert!(!good),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_standard_request_goes_back_once_at_most() {
    let world = world(vec![answers(META, None, json!({"quality": 0.5, "assessment": "thin"}))])
        .await
        .set(|settings| settings.orchestration = Some(Orchestration::Standard));
    let told = world.ask("Is it clear in Oslo?").await;
    assert_eq!(gates(&told), [Next::Deepen, Next::Go]);
    assert_eq!(told.answer(), "It is clear.");
}

#[tokio::test]
async fn the_best_version_is_carried_out_when_none_is_good_enough() {
    let world = world(vec![
        answers(CRITIC, Some("\"goal\": \"first\""), critique(0.75, "almost")),
        answers(CRITIC, None, critique(0.62, "worse")),
    ])
    .await;
    let told = world.ask("Is it clear in Oslo?").await;
    assert_eq!(told.answer(), "It is clear.");
    let (last, because) = told.view.plans.last().expect("a plan");
    assert_eq!(last.goal(), "first");
    assert!(because.as_ref().expect("a reason").contains("version 1 was judged better"), "{because:?}");
}

#[tokio::test]
async fn a_critic_s_question_is_put_before_the_person_and_the_answer_goes_into_the_plan() {
    let mut unsure = critique(0.3, "it is unclear when");
    unsure["follow_up_questions"] = json!(["When do you leave?"]);
    let world = world(vec![answers(CRITIC, Some("\"goal\": \"first\""), unsure)]).await;
    let told = world.ask("Is it clear in Oslo?").await;
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    assert_eq!(told.view.waits[0].need.question(), Some("When do you leave?"));
    let wait = told.view.waits[0].name.clone();
    world.runtime().answer(told.run, &wait, json!("at noon"), None).await.expect("answered");
    world.go_on(told.run).await.expect("advanced");
    let told = world.tell(told.run).await;
    assert_eq!(told.answer(), "It is clear.");
    assert!(told_to(&world, PLANNER).last().expect("a plan").contains("When do you leave? — at noon"));
    assert!(told_to(&world, CRITIC).last().expect("a critique").contains("at noon"));
}

#[tokio::test]
async fn another_way_of_the_planner_is_taken_when_the_first_plan_dies() {
    let mut two_ways = plan("first");
    two_ways["plan"]["steps"][0]["tool"] = json!("weather.broken");
    two_ways["tool_names"] = json!(["weather.broken"]);
    two_ways["alternatives"] = json!([plan("other")["plan"]]);
    let world = world(vec![answers(PLANNER, None, &two_ways)]).await.tool(
        "weather.broken",
        Effect::Read,
        refuses("weather.broken"),
    );
    let told = world.ask("Is it clear in Oslo?").await;
    assert_eq!(told.answer(), "It is clear.");
    assert_eq!(told_to(&world, PLANNER).len(), 1, "no planner is asked again");
    let (last, because) = told.view.plans.last().expect("a plan");
    assert_eq!(last.goal(), "other");
    assert!(because.as_ref().expect("a reason").contains("the planner had another way"));
}

#[tokio::test]
async fn another_way_is_taken_when_the_first_cannot_be_carried_out_at_all() {
    let mut two_ways = plan("first");
    two_ways["plan"]["steps"][0]["tool"] = json!("wether.current");
    two_ways["alternatives"] = json!([plan("other")["plan"]]);
    let world = world(vec![answers(PLANNER, None, &two_ways)]).await;
    let told = world.ask("Is it clear in Oslo?").await;
    assert_eq!(told.answer(), "It is clear.");
    assert_eq!(told.view.plans.len(), 1);
    assert_eq!(told.events("plan_refused").len(), 1);
}

#[tokio::test]
async fn a_plan_that_failed_is_not_tried_again_as_it_is() {
    let mut broken = plan("first");
    broken["plan"]["steps"][0]["tool"] = json!("weather.broken");
    broken["tool_names"] = json!(["weather.broken", "weather.current"]);
    let world =
        world(vec![answers(PLANNER, Some("change something"), plan("second")), answers(PLANNER, None, &broken)])
            .await
            .tool("weather.broken", Effect::Read, refuses("weather.broken"));
    let told = world.ask("Is it clear in Oslo?").await;
    assert_eq!(told.answer(), "It is clear.");
    assert_eq!(world.called("weather.broken").calls(), 1);
}

#[tokio::test]
async fn what_was_only_planned_says_nothing_about_what_it_takes() {
    let world = world(vec![]).await.wishing(|wishes| wishes.plan_only = true);
    world.ask("Is it clear in Oslo?").await;
    assert!(world.store.hindsight(10).await.expect("history").is_empty());
}

#[tokio::test]
async fn deliberation_is_replayed_exactly_and_costs_no_call() {
    let world = world(vec![answers(CRITIC, Some("\"goal\": \"first\""), critique(0.2, "no"))]).await;
    let told = world.ask("Is it clear in Oslo?").await;
    let asked = world.asks();
    assert_eq!(world.runtime().replay(&told.ledger).map_err(|at| at.detail), Ok(told.ledger.len()));
    assert_eq!(world.asks(), asked);
}

#[tokio::test]
async fn deliberation_goes_on_where_it_was_wherever_the_process_dies() {
    for commits in 0..12 {
        // Slow enough that what is said is written bit by bit.
        let slow = |step: Step| Step { millis: 12, ..step };
        let world = world(vec![
            slow(answers(CRITIC, Some("\"goal\": \"first\""), critique(0.2, "no"))),
            slow(answers(THINKER, None, thought("rain decides"))),
            slow(answers(META, None, assessed(0.9))),
        ])
        .await;
        let run = world.runtime().accept(world.request("Is it clear in Oslo?")).await.expect("accepted");
        for dying in [commits, 1] {
            let _ = world.runtime_over(Brittle::over(&world.store, dying)).advance(run).await;
        }
        world.go_on(run).await.expect("advanced");
        let told = world.tell(run).await;
        assert_eq!(told.answer(), "It is clear.", "{commits}");
        assert_eq!(gates(&told), [Next::Replan, Next::Go], "{commits}");
        assert_eq!(told.view.plans.len(), 2, "{commits}");
        let replayed = world.runtime().replay(&told.ledger).map_err(|at| at.detail);
        assert_eq!(replayed, Ok(told.ledger.len()), "{commits}");
    }
}

#[tokio::test]
async fn what_was_expected_is_held_against_what_came_of_it() {
    let world = world(vec![]).await.set(|settings| settings.reuse.whole = false);
    for _ in 0..3 {
        world.ask("Is it clear in Oslo?").await;
    }
    let history = world.store.hindsight(10).await.expect("history");
    assert_eq!(history.len(), 3);
    for past in &history {
        assert!(past.succeeded && past.forecast.is_some() && past.seconds.is_some());
        assert_eq!(past.reported["critique"], Score::nearest(0.9));
        assert_eq!(past.reported["quality"], Score::nearest(0.9));
    }
    assert_eq!(learn_hits(&history), 3);
}

fn learn_hits(history: &[domain::forecast::Hindsight]) -> u64 {
    u64::from(learn::hits(history).seconds.of)
}
