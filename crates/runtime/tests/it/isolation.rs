//! Teams side by side in one process: none hears of another. `bench` has the same with two hundred.

use domain::chat::Ask;
use domain::dispatch::Advance;
use domain::event::Event;
use domain::tool::Effect;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::cast::{Cast, aloud, sends};
use crate::world::{World, calls, echo, says};

const TEAMS: usize = 10;
const AGENTS: usize = 5;

fn marker(team: usize) -> String {
    format!("team-{team:02}")
}

/// Every team that a text speaks of.
fn markers(text: &str) -> Vec<&str> {
    text.match_indices("team-").filter_map(|(at, _)| text.get(at..at + "team-00".len())).collect()
}

fn plan(team: usize) -> Value {
    let steps: Vec<Value> = (0..AGENTS)
        .map(|n| json!({"id": format!("m{n}"), "goal": format!("part {n} of {}", marker(team)), "tools": ["echo.say"]}))
        .collect();
    json!({"steps": steps, "answer": "${m0} ${m1} ${m2} ${m3} ${m4}"})
}

/// Looks, tells the next one, and answers.
fn member(me: usize) -> impl Fn(usize, &Ask) -> domain::chat::Reply + Send + Sync {
    move |turn, ask| {
        let all = aloud(ask);
        let own = markers(&all)[0];
        match turn {
            0 => calls(&[("echo__say", json!({"text": format!("{own} {me}")}))]),
            1 => sends(&format!("agent:m{}", (me + 1) % AGENTS), "update", &format!("{own}: {me} has looked")),
            _ => says(&format!("{own}/{me}")),
        }
    }
}

#[tokio::test]
async fn ten_teams_of_five_complete_and_hear_only_of_themselves() {
    let cast = (0..AGENTS).fold(Cast::default(), |cast, me| cast.plays(&format!("m{me}"), member(me)));
    let mut world = World::new().await.tool("echo.say", Effect::Read, echo()).cast(cast);
    let runtime = world.runtime();
    let mut runs = Vec::new();
    for team in 0..TEAMS {
        world.wishes.plan = Some(plan(team));
        runs.push(runtime.accept(world.request(&format!("do {}", marker(team)))).await.expect("accepted"));
    }
    for advanced in join_all(runs.iter().map(|run| runtime.advance(*run))).await {
        advanced.expect("advanced");
    }
    for (team, run) in runs.iter().enumerate() {
        let told = world.tell(*run).await;
        let whole: Vec<String> = (0..AGENTS).map(|n| format!("{}/{n}", marker(team))).collect();
        assert_eq!(told.answer(), whole.join(" "));
        let sent = told.events("message_sent");
        assert_eq!(sent.len(), AGENTS);
        assert!(
            sent.iter().all(|event| matches!(event, Event::MessageSent { text, .. } if text.contains(&marker(team))))
        );
        assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
    }
    for (name, ask) in world.cast.as_ref().expect("a cast").asks() {
        let all = aloud(&ask);
        let own = markers(&all)[0];
        assert!(markers(&all).iter().all(|other| *other == own), "{name} of {own} reads of others:\n{all}");
    }
}
