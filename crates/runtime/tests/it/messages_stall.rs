//! Teams that get nowhere: noticed by counting, told, stopped with what was counted, and replanned.

use domain::chat::{Ask, Reply};
use domain::dispatch::Advance;
use domain::event::Event;
use domain::tool::Effect;
use serde_json::{Value, json};

use crate::brittle::Brittle;
use crate::cast::{Cast, aloud, sends};
use crate::world::{Told, World, calls, echo, gives, says};

fn plan() -> Value {
    json!({"steps": [{"id": "a", "goal": "do a", "tools": ["weather.now"]}, {"id": "b", "goal": "do b"}],
        "answer": "${a}, ${b}"})
}

/// Writes to another whatever happens, always something else.
fn chats_with(other: &'static str) -> impl Fn(usize, &Ask) -> Reply + Send + Sync {
    move |turn, _| sends(other, "update", &format!("thought {turn}"))
}

fn never_ending() -> Cast {
    let planned = json!({"plan": {"steps": [{"id": "look", "tool": "weather.now"}], "answer": "planned anew"},
        "system_prompt": "x", "tool_names": ["weather.now"]});
    let cast = Cast::default().plays("a", chats_with("agent:b")).plays("b", chats_with("agent:a"));
    cast.others_say(says(&planned.to_string()))
}

async fn world(cast: Cast) -> World {
    World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!({"sky": "clear"})))
        .tool("echo.say", Effect::Read, echo())
        .set(|settings| settings.max_iterations = 50)
        .cast(cast)
        .wishing(|wishes| wishes.plan = Some(plan()))
}

fn notices<'t>(told: &'t Told, part: &str) -> Vec<&'t str> {
    let events = told.events("message_sent").into_iter();
    events
        .filter_map(|event| match event {
            Event::MessageSent { from, to, text, .. } if from == "runtime" && text.contains(part) => Some(to.as_str()),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn a_team_that_only_talks_is_told_then_stopped_then_replanned() {
    let world = world(never_ending()).await;
    let told = world.ask("x").await;
    let mut finish = notices(&told, "Finish now with what you have");
    finish.sort_unstable();
    assert_eq!(finish, ["agent:a", "agent:b"], "everybody is told");
    assert_eq!(notices(&told, "the team stalled").len(), 2);
    let because = told.view.plans[1].1.as_deref().expect("a second plan");
    assert!(because.contains("step `a` failed: the team stalled: its 2 agents took 1"), "{because}");
    assert_eq!(told.view.plans.len(), 2);
    let turns = world.cast.as_ref().expect("a cast").asks().iter().filter(|(name, _)| name == "agent:a").count();
    assert!(turns <= 10, "{turns} turns of 50");
    assert_eq!(told.answer(), "planned anew");
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn talk_between_two_is_refused_when_nothing_comes_of_it() {
    let world = world(never_ending()).await;
    let told = world.ask("x").await;
    let delivered = told
        .events("message_sent")
        .into_iter()
        .filter(|event| matches!(event, Event::MessageSent { from, refused: None, .. } if from != "runtime"));
    assert_eq!(delivered.count(), 10);
    let seen = aloud(world.cast.as_ref().expect("a cast").asks_of("a").last().expect("asked"));
    assert!(seen.contains("have exchanged 10 messages and nothing new has come of it"), "{seen}");
}

#[tokio::test]
async fn a_stalled_team_comes_to_the_same_end_wherever_the_process_dies() {
    for commits in [1, 3, 5, 8, 12, 16, 20, 24] {
        let world = world(never_ending()).await;
        let run = world.runtime().accept(world.request("x")).await.expect("accepted");
        let _ = world.runtime_over(Brittle::over(&world.store, commits)).advance(run).await;
        world.go_on(run).await.expect("advanced");
        let told = world.tell(run).await;
        assert_eq!(told.answer(), "planned anew", "{commits}");
        assert_eq!(notices(&told, "the team stalled").len(), 2, "{commits}");
        assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()), "{commits}");
    }
}

#[tokio::test]
async fn a_stalled_team_goes_on_from_any_event_to_the_same_end() {
    let world = world(never_ending()).await;
    let whole = world.ask("x").await;
    let runtime = world.runtime();
    for at in 1..=whole.ledger.len() as u64 {
        let fork = runtime.fork(whole.run, at).await.expect("any event");
        world.go_on(fork).await.expect("advanced");
        let told = world.tell(fork).await;
        assert_eq!(told.answer(), "planned anew", "from {at}");
        assert_eq!(notices(&told, "the team stalled").len(), 2, "from {at}");
        assert_eq!(runtime.replay(&told.ledger), Ok(told.ledger.len()), "from {at}");
    }
}

#[tokio::test]
async fn a_team_that_heeds_the_notice_finishes() {
    let heeds = |other: &'static str| {
        move |turn: usize, ask: &Ask| match aloud(ask).contains("Notice: The team has taken") {
            true => says("what I have"),
            false => sends(other, "update", &format!("thought {turn}")),
        }
    };
    let world = world(Cast::default().plays("a", heeds("agent:b")).plays("b", heeds("agent:a"))).await;
    let told = world.ask("x").await;
    assert_eq!(told.answer(), "what I have, what I have");
    assert!(notices(&told, "stalled").is_empty());
}

#[tokio::test]
async fn what_tools_bring_that_is_new_keeps_a_team_going_and_the_same_again_does_not() {
    let looks = |turn: usize, city: String| match turn {
        n if n < 24 => calls(&[("echo__say", json!({"city": city}))]),
        _ => says("seen it all"),
    };
    let plan = json!({"steps": [{"id": "a", "goal": "do a", "tools": ["echo.say"]}, {"id": "b", "goal": "do b"}],
        "answer": "${a}, ${b}"});
    let new =
        world(Cast::default().plays("a", move |turn, _| looks(turn, turn.to_string())).plays("b", |_, _| says("idle")));
    let (_, told) = new.await.carry_out(plan.clone()).await;
    assert_eq!(told.answer(), "seen it all, idle");
    assert!(notices(&told, "").is_empty());
    // The same thing under ever new names.
    let stale = Cast::default().plays("a", |turn, _| match turn {
        n if n < 49 => calls(&[("weather__now", json!({"city": turn.to_string()}))]),
        _ => says("looked again and again"),
    });
    let plan = json!({"steps": [{"id": "a", "goal": "do a", "tools": ["weather.now"]}, {"id": "b", "goal": "do b"}],
        "answer": "${a}, ${b}"});
    let (world, told) = world(stale.plays("b", |_, _| says("idle"))).await.carry_out(plan).await;
    assert!(
        told.error().contains("the team stalled: its 2 agents took 16 turns and sent 0 messages"),
        "{}",
        told.error()
    );
    assert_eq!(world.called("weather.now").calls(), 17);
}
