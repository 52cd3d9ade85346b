//! Teams made to order: agents that are found, changed or made for the steps of a plan, and kept.

use domain::event::Event;
use domain::id::ItemName;
use domain::library::{Body, Decision, ItemSummary, Kind, Member};
use domain::plan::Strategy;
use domain::tool::Effect;
use llm::{Scripted, Step};
use serde_json::{Value, json};

use crate::brittle::Brittle;
use crate::thinking::{PLANNER, answers, told_to};
use crate::world::{Told, World, gives};
use domain::dispatch::Advance;

const CREATOR: &str = "You write what an agent is told";

/// A plan of a look and a report, each for an agent.
fn team(tools: &[&str]) -> Value {
    json!({"plan": {"goal": "report the weather", "steps": [
        {"id": "look", "goal": "look up the weather in a city", "tools": tools},
        {"id": "report", "goal": "write a short report about the weather", "depends_on": ["look"]},
    ]}, "system_prompt": "You look.", "tool_names": tools})
}

fn brief(prompt: &str) -> Value {
    json!({"description": "Tells the weather.", "keywords": ["weather"], "prompt": prompt})
}

/// A world in which a planner makes teams and a prompt creator is criticised once.
async fn world(more: Vec<Step>) -> World {
    let mut steps = more;
    steps.extend([
        answers(CREATOR, Some("Write the prompt again"), brief("You tell the weather. If it fails, say so.")),
        answers(CREATOR, Some("Criticise the prompt"), json!({"failure": "what if the tool is down?"})),
        answers(CREATOR, None, brief("You tell the weather.")),
        answers(PLANNER, None, team(&["weather.current"])),
        answers("report about the weather", None, "It is clear."),
        answers("look up the weather", None, "clear"),
    ]);
    World::new()
        .await
        .tool("weather.current", Effect::Read, gives(json!({"sky": "clear"})))
        .tool("weather.archive", Effect::Read, gives(json!({"sky": "grey"})))
        .scripted(Scripted::new("scripted:team", steps))
        .set(|settings| settings.strategy = Strategy::Cohort)
}

fn members(told: &Told) -> Vec<&Member> {
    let staffed = told.events("staffed");
    match staffed.last() {
        Some(Event::Staffed { members, .. }) => members.iter().collect(),
        _ => Vec::new(),
    }
}

fn decisions(told: &Told) -> Vec<Decision> {
    members(told).iter().map(|member| member.choice.decision).collect()
}

async fn agent(world: &World, name: &ItemName) -> ItemSummary {
    world.store.item(Kind::Agent, name, None).await.expect("store").expect("the agent")
}

#[tokio::test]
async fn agents_are_made_once_and_used_again() {
    let world = world(vec![]).await;
    let first = world.ask("Report the weather in Oslo").await;
    assert_eq!(first.answer(), "It is clear.");
    assert_eq!(decisions(&first), [Decision::Create, Decision::Create]);
    let look = members(&first)[0];
    assert_eq!(
        look.criticised,
        ["tools: it does not say when to use `weather.current`", "failure: what if the tool is down?"]
    );
    assert!(look.agent.prompt.starts_with("You tell the weather. If it fails, say so."), "{}", look.agent.prompt);
    assert!(look.agent.prompt.contains("`weather.current`"), "what it lacks for sure is added: {}", look.agent.prompt);
    let kept = agent(&world, &look.name).await;
    assert_eq!((kept.item.version, kept.record.good, kept.item.draft.lineage.run), (1, 1, Some(first.run)));

    let written = told_to(&world, CREATOR).len();
    let second = world.ask("Report the weather in Bergen").await;
    assert_eq!(decisions(&second), [Decision::Reuse, Decision::Reuse], "{:?}", members(&second)[0].choice);
    assert_eq!(told_to(&world, CREATOR).len(), written, "nothing had to be written again");
    let used = agent(&world, &look.name).await;
    assert_eq!((used.versions, used.record.uses, used.record.good), (1, 2, 2));
    assert!(members(&second)[0].choice.why.contains("went well"), "{}", members(&second)[0].choice.why);
}

#[tokio::test]
async fn an_agent_that_is_switched_off_or_whose_tool_is_gone_is_not_used() {
    let world = world(vec![]).await;
    let first = world.ask("Report the weather in Oslo").await;
    let (look, report) = (members(&first)[0].name.clone(), members(&first)[1].name.clone());
    assert!(world.store.switch(Kind::Agent, &report, false).await.expect("store"));
    let second = world.ask("Report the weather in Bergen").await;
    let [again, other] = members(&second)[..] else { panic!("two members") };
    assert_eq!((again.choice.decision, &again.name), (Decision::Reuse, &look));
    assert_ne!(other.choice.decision, Decision::Reuse);

    let mut gone = agent(&world, &look).await.item.draft;
    let Body::Agent(body) = &mut gone.body else { panic!("an agent") };
    body.tools = vec!["weather.gone".parse().expect("a name")];
    world.store.put(&gone, jiff::Timestamp::now()).await.expect("kept");
    let third = world.ask("Report the weather in Turku").await;
    let choice = &members(&third)[0].choice;
    assert_ne!(choice.decision, Decision::Reuse);
    assert!(choice.considered.iter().any(|it| it.why.contains("its tool `weather.gone` is gone")), "{choice:?}");
}

#[tokio::test]
async fn an_agent_for_other_tools_is_made_from_the_one_there_is() {
    let other = answers(PLANNER, Some("archive"), team(&["weather.current", "weather.archive"]));
    let world = world(vec![other]).await;
    let first = world.ask("Report the weather in Oslo").await;
    let second = world.ask("Report the weather in Oslo from the archive").await;
    let (before, after) = (members(&first)[0], members(&second)[0]);
    assert_eq!(after.choice.decision, Decision::Adapt, "{:?}", after.choice);
    assert_ne!(after.name, before.name, "who has other tools is somebody else");
    let kept = agent(&world, &after.name).await;
    assert_eq!(kept.item.draft.lineage.from.map(|(name, _)| name).as_ref(), Some(&before.name));
    let said = told_to(&world, "An agent that did nearly this before");
    assert!(said[0].contains("You tell the weather. If it fails, say so."), "{}", said[0]);
}

#[tokio::test]
async fn without_a_prompt_creator_prompts_are_put_together() {
    let world = world(vec![]).await.set(|settings| {
        let off = runtime::Component { disabled: true, ..runtime::Component::default() };
        settings.components.insert("prompt_creator".into(), off);
    });
    let told = world.ask("Report the weather in Oslo").await;
    assert_eq!(told.answer(), "It is clear.");
    let prompt = &members(&told)[0].agent.prompt;
    assert!(
        prompt.contains("Look up the weather in a city.")
            && prompt.contains("`weather.current`: Does weather.current."),
        "{prompt}"
    );
    assert_eq!(told_to(&world, CREATOR).len(), 0);
}

#[tokio::test]
async fn a_bad_end_speaks_against_an_agent() {
    let world = world(vec![]).await;
    let first = world.ask("Report the weather in Oslo").await;
    let name = members(&first)[1].name.clone();
    let good = agent(&world, &name).await.record;
    world
        .store
        .rate(first.run, &domain::library::Rating { good: false, words: None, by: None, at: jiff::Timestamp::now() })
        .await
        .expect("rated");
    let bad = agent(&world, &name).await.record;
    assert_eq!((good.good, good.bad, bad.good, bad.bad), (1, 0, 0, 1));
    let found = world.runtime().find("write a short report about the weather", &[Kind::Agent], 5).await.expect("found");
    let it = found.iter().find(|found| found.name == name.as_str()).expect("the agent");
    assert!(it.why.contains("went badly"), "{}", it.why);
}

#[tokio::test]
async fn a_team_is_the_same_whenever_the_process_dies() {
    let whole = world(vec![]).await.ask("Report the weather in Oslo").await;
    let names: Vec<String> = members(&whole).iter().map(|member| member.name.to_string()).collect();
    for commits in 0..12 {
        let world = world(vec![]).await;
        let run = world.runtime().accept(world.request("Report the weather in Oslo")).await.expect("accepted");
        let _ = world.runtime_over(Brittle::over(&world.store, commits)).advance(run).await;
        world.go_on(run).await.expect("advanced");
        let told = world.tell(run).await;
        assert_eq!(told.answer(), "It is clear.", "{commits}");
        assert_eq!(members(&told).iter().map(|member| member.name.to_string()).collect::<Vec<_>>(), names);
        let kept = agent(&world, &members(&told)[0].name).await;
        assert_eq!((kept.versions, kept.record.uses), (1, 1), "{commits}");
    }
}

#[tokio::test]
async fn a_planner_sees_the_tools_that_fit_where_there_are_many() {
    let mut world = world(vec![]).await;
    for n in 0..60 {
        world = world.tool(&format!("other.thing{n}"), Effect::Read, gives(json!({})));
    }
    let world = world.set(|settings| settings.shortlist = 10);
    let told = world.ask("Report the current weather in Oslo").await;
    let Some(Event::Recalled { shortlist: Some(list), .. }) = told.events("recalled").first() else {
        panic!("no shortlist")
    };
    assert_eq!((list.tools.len(), list.of), (10, 62));
    assert!(list.tools.iter().any(|tool| tool.as_str() == "weather.current"), "{list:?}");
    assert!(list.tokens_saved > 100, "{list:?}");
    let asked = &told_to(&world, PLANNER)[0];
    assert!(asked.matches("- other.thing").count() < 10, "{asked}");
}
