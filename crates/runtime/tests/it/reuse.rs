//! Plans, skills and teams that are used again, and what keeps them from being used wrongly.

use domain::event::Event;
use domain::library::{Choice, Decision, ItemFilter, Kind, Rating};
use domain::plan::Strategy;
use domain::tool::{Effect, Repeat};
use llm::{Scripted, Step};
use serde_json::{Value, json};

use crate::thinking::{PLANNER, answers, told_to};
use crate::world::{Told, World, echo, gives, refuses, write};

/// A plan that writes something down.
fn note(text: &str) -> Value {
    json!({"plan": {"goal": "write it down", "answer": "Noted.",
        "steps": [{"id": "note", "goal": "write it down", "tool": "notes.add", "arguments": {"text": text}}]},
        "system_prompt": "You write.", "tool_names": ["notes.add"]})
}

fn planned(request: &str, plan: Value) -> Step {
    answers(PLANNER, Some(request), plan)
}

/// A world in which a planner knows what to do about some requests.
async fn world(plans: Vec<Step>) -> World {
    World::new()
        .await
        .tool("notes.add", write(Repeat::SameKey), echo())
        .scripted(Scripted::new("scripted:notes", plans))
        .set(|settings| settings.strategy = Strategy::TaskGraph)
}

async fn notes() -> World {
    world(vec![
        planned("the cat is fed", note("the cat is fed")),
        planned("the dog is out", note("the dog is out")),
        planned("rain comes soon", note("rain comes soon")),
        planned("Forget", note("never mind")),
    ])
    .await
}

fn choice(told: &Told) -> Option<&Choice> {
    told.ledger.iter().find_map(|recorded| match &recorded.entry.event {
        Event::Chosen { step: None, choice, .. } => Some(&**choice),
        _ => None,
    })
}

fn written(told: &Told) -> Value {
    match told.events("intent_declared")[..] {
        [Event::IntentDeclared { intent }] => intent.arguments["text"].clone(),
        _ => Value::Null,
    }
}

#[tokio::test]
async fn what_was_planned_before_is_not_planned_again() {
    let world = notes().await;
    world.ask("Write down that the cat is fed").await;
    world.ask("Write down that the dog is out").await;
    let asked = told_to(&world, PLANNER).len();
    let told = world.ask("Write down that the stove is cold").await;
    assert_eq!(written(&told), "the stove is cold", "{:?}", choice(&told));
    assert_eq!(told_to(&world, PLANNER).len(), asked, "no planner was asked");
    let choice = choice(&told).expect("a choice");
    assert_eq!((choice.decision, choice.kind), (Decision::Reuse, Kind::Plan));
    assert!(choice.why.contains("`the stove is cold`"), "{}", choice.why);
    assert_eq!(told.view.chain[..2], ["router", "library"], "nobody planned it");
}

#[tokio::test]
async fn a_plan_that_worked_often_becomes_a_skill() {
    let world = notes().await;
    for request in
        ["Write down that the cat is fed", "Write down that the dog is out", "Write down that rain comes soon"]
    {
        assert_eq!(world.ask(request).await.answer(), "Noted.");
    }
    let skills = ItemFilter { kind: Some(Kind::Skill), ..ItemFilter::default() };
    let (skills, _) = world.store.items(&skills, None, 10).await.expect("store");
    assert_eq!(skills.len(), 1, "{skills:?}");
    let told = world.ask("Write down that the milk is gone").await;
    let choice = choice(&told).expect("a choice");
    assert_eq!((choice.decision, choice.kind), (Decision::Reuse, Kind::Skill), "{choice:?}");
    assert_eq!(written(&told), "the milk is gone");
    let used = world.store.item(Kind::Skill, &skills[0].item.draft.name, None).await.expect("store").expect("it");
    assert_eq!((used.record.uses, used.record.good), (1, 1));
    // What is different is planned.
    let other = world.ask("Forget that the milk is gone").await;
    assert_eq!(written(&other), "never mind");
}

#[tokio::test]
async fn a_tool_that_changed_is_planned_with_anew() {
    let world = notes().await;
    for request in
        ["Write down that the cat is fed", "Write down that the dog is out", "Write down that rain comes soon"]
    {
        world.ask(request).await;
    }
    let (asked, called) = (told_to(&world, PLANNER).len(), world.called("notes.add").calls());
    let changed = world.tool("notes.add", write(Repeat::Never), echo());
    let told = changed.ask("Write down that the cat is fed").await;
    assert_eq!(told_to(&changed, PLANNER).len(), asked + 1);
    assert!(choice(&told).is_some_and(|choice| choice.decision != Decision::Reuse), "{:?}", choice(&told));
    assert_eq!((called, changed.called("notes.add").calls()), (3, 1));
}

#[tokio::test]
async fn a_skill_that_fails_half_way_goes_back_to_the_planner_with_what_is_done() {
    let two = |text: &str| {
        json!({"plan": {"goal": "write it down", "answer": "Noted.", "steps": [
            {"id": "note", "goal": "write it down", "tool": "notes.add", "arguments": {"text": text}},
            {"id": "tell", "goal": "tell it", "tool": "mail.send", "arguments": {"text": text}, "depends_on": ["note"]},
        ]}, "system_prompt": "You write.", "tool_names": ["notes.add", "mail.send"]})
    };
    let other = json!({"plan": {"goal": "write it down", "answer": "Noted, not told.", "steps": [
        {"id": "keep", "goal": "keep it", "tool": "notes.add", "arguments": {"text": "tell later"}},
    ]}, "system_prompt": "You write.", "tool_names": ["notes.add"]});
    let world = world(vec![
        answers(PLANNER, Some("`tell`"), other),
        planned("the cat is fed", two("the cat is fed")),
        planned("the dog is out", two("the dog is out")),
    ])
    .await
    .tool("mail.send", write(Repeat::SameKey), echo());
    world.ask("Write down that the cat is fed").await;
    world.ask("Write down that the dog is out").await;
    let world = world.tool("mail.send", write(Repeat::SameKey), refuses("mail.send"));
    let before = world.called("notes.add").calls();
    let told = world.ask("Write down that the stove is cold").await;
    assert_eq!(choice(&told).map(|choice| choice.decision), Some(Decision::Reuse));
    assert_eq!(told.answer(), "Noted, not told.");
    assert_eq!(world.called("notes.add").calls(), before + 2, "what was done was not done again");
}

#[tokio::test]
async fn nothing_is_kept_of_what_was_only_tried() {
    let world = notes().await.wishing(|wishes| wishes.dry = true);
    let told = world.ask("Write down that the cat is fed").await;
    assert_eq!(told.events("kept").len(), 0);
    let (items, _) = world.store.items(&ItemFilter::default(), None, 10).await.expect("store");
    assert!(items.is_empty(), "{items:?}");
}

#[tokio::test]
async fn a_team_is_offered_whole_once_people_are_content() {
    let team = |city: &str| {
        json!({"plan": {"goal": "report the weather", "steps": [
            {"id": "look", "goal": format!("look up the weather in {city}"), "tools": ["weather.current"]},
            {"id": "report", "goal": "write a short report", "depends_on": ["look"]},
        ]}, "system_prompt": "You look.", "tool_names": ["weather.current"]})
    };
    let world = World::new()
        .await
        .tool("weather.current", Effect::Read, gives(json!({"sky": "clear"})))
        .scripted(Scripted::new(
            "scripted:team",
            vec![
                planned("Oslo", team("Oslo")),
                planned("Bergen", team("Bergen")),
                planned("Turku", team("Turku")),
                answers("write a short report", None, "It is clear."),
                answers("look up the weather", None, "clear"),
            ],
        ))
        .set(|settings| {
            settings.strategy = Strategy::Cohort;
            let off = runtime::Component { disabled: true, ..runtime::Component::default() };
            settings.components.insert("prompt_creator".into(), off);
        });
    let first = world.ask("Report the weather in Oslo").await;
    assert_eq!(first.answer(), "It is clear.");
    let cohorts = ItemFilter { kind: Some(Kind::Cohort), ..ItemFilter::default() };
    let (kept, _) = world.store.items(&cohorts, None, 10).await.expect("store");
    assert_eq!(kept.len(), 1);
    assert!(kept[0].item.draft.offered_from > Some(jiff::Timestamp::now()), "nobody has said yet that it was good");
    assert!(world.runtime().find("Report the weather", &[Kind::Cohort], 5).await.expect("found").is_empty());

    let good = Rating { good: true, words: None, by: None, at: jiff::Timestamp::now() };
    world.store.rate(first.run, &good).await.expect("rated");
    let found = world.runtime().find("Report the weather", &[Kind::Cohort], 5).await.expect("found");
    assert_eq!(found.len(), 1);
    let second = world.ask("Report the weather in Bergen").await;
    let choice = choice(&second).expect("a choice");
    assert_eq!((choice.decision, choice.kind), (Decision::Adapt, Kind::Cohort), "{choice:?}");
    assert!(told_to(&world, "What was done for a similar request").len() == 1, "the planner sees the team");

    world.store.rate(first.run, &Rating { good: false, ..good }).await.expect("rated");
    let found = world.runtime().find("Report the weather in Oslo", &[Kind::Cohort], 5).await.expect("found");
    assert!(found.iter().all(|found| found.name != kept[0].item.draft.name.as_str()), "{found:?}");
}
