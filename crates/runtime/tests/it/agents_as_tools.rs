//! Agents of the library that others call: within the plan, within the run, and never deeper than they may.

use domain::event::Event;
use domain::library::{AgentBody, Body, Draft, Kind, Lineage};
use domain::run::RunStatus;
use domain::tool::{Effect, Repeat};
use llm::Scripted;
use runtime::policy::{Action, Rule};
use serde_json::{Value, json};

use crate::cast::aloud;
use crate::world::{Told, World, echo, gives, refuses, write};

/// Keeps an agent in the library.
async fn keep(world: &World, name: &str, prompt: &str, tools: &[&str]) {
    let draft = Draft {
        name: name.parse().expect("name"),
        description: format!("Knows about {name}."),
        keywords: vec![],
        body: Body::Agent(AgentBody {
            prompt: prompt.to_owned(),
            tools: tools.iter().map(|tool| tool.parse().expect("tool")).collect(),
            max_iterations: Some(4),
        }),
        lineage: Lineage::default(),
        offered_from: None,
    };
    world.store.put(&draft, jiff::Timestamp::now()).await.expect("kept");
}

/// A world with a sky, notes, and an agent who looks at the one and writes the other.
async fn world(script: Value) -> World {
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!({"sky": "clear"})))
        .tool("notes.add", write(Repeat::SameKey), echo())
        .scripted(Scripted::from_json("scripted:lent", &script.to_string()).expect("a script"));
    keep(&world, "sky-watcher", "You watch the sky.", &["weather.now", "notes.add"]).await;
    world
}

/// What the sky watcher does: looks, notes it down, and says so.
fn watching() -> Vec<Value> {
    vec![
        json!({"when": {"anywhere": "You watch the sky", "contains": "\"text\":\"clear\""}, "text": "clear, and noted"}),
        json!({"when": {"anywhere": "You watch the sky", "contains": "\"sky\""},
            "calls": [{"name": "notes__add", "arguments": {"text": "clear"}}]}),
        json!({"when": {"anywhere": "You watch the sky"}, "calls": [{"name": "weather__now", "arguments": {}}]}),
    ]
}

fn script(more: Vec<Value>) -> Value {
    watching().into_iter().chain(more).collect()
}

/// A plan in which an agent can call the sky watcher, and names what that one uses.
fn asking(tools: &[&str]) -> Value {
    json!({"steps": [{"id": "ask", "goal": "know the sky", "prompt": "You ask around.", "tools": tools}], "answer": "${ask}"})
}

fn caller() -> Vec<Value> {
    vec![
        json!({"when": {"anywhere": "You ask around", "contains": "tool_result"}, "text": "it is clear"}),
        json!({"when": {"anywhere": "You ask around"},
            "calls": [{"name": "agent__sky-watcher", "arguments": {"task": "look up"}}]}),
    ]
}

async fn carry_out(world: World, plan: Value) -> (World, Told) {
    let (world, told) = world.carry_out(plan).await;
    let asked = world.asks();
    if told.view.status != Some(RunStatus::Waiting) {
        assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()), "not repeated exactly");
    }
    assert_eq!(world.asks(), asked, "a replay asks nobody");
    (world, told)
}

fn keys(told: &Told) -> Vec<&str> {
    told.ledger.iter().map(|recorded| recorded.entry.key.as_str()).collect()
}

#[tokio::test]
async fn an_agent_calls_another_and_gets_its_words() {
    let plan = asking(&["agent.sky-watcher", "weather.now", "notes.add"]);
    let (world, told) = carry_out(world(script(caller())).await, plan).await;
    assert_eq!(told.answer(), "it is clear");
    assert_eq!((world.called("weather.now").calls(), world.called("notes.add").calls()), (1, 1));
    let lent = "step/ask/1/way/1/turn/1/tool/0/lent/sky-watcher";
    for key in [
        "library/agent/sky-watcher",
        &format!("{lent}/forged"),
        &format!("{lent}/turn/1"),
        &format!("{lent}/turn/2/tool/0/settled"),
        "step/ask/1/way/1/turn/1/tool/0",
    ] {
        assert!(keys(&told).contains(&key), "`{key}` is not among {:?}", keys(&told));
    }
    assert_eq!(told.view.chain, ["router", "agent:ask", "agent.sky-watcher"]);
    assert_eq!(told.view.spent.model_calls, 5, "every turn of both is paid for");
    assert_eq!((told.view.intents.declared, told.view.intents.done), (1, 1), "what it writes is an intent");
    let asks = world.model.as_ref().expect("a model").asks();
    let offered: Vec<&str> = asks[0].tools.iter().map(|tool| tool.name.as_str()).collect();
    assert!(offered.contains(&"agent__sky-watcher"), "{offered:?}");
    assert!(asks.iter().any(|ask| aloud(ask).contains("You watch the sky.") && aloud(ask).contains("look up")));
}

#[tokio::test]
async fn a_plan_calls_an_agent_directly() {
    let plan = json!({"steps": [
        {"id": "ask", "tool": "agent.sky-watcher", "arguments": {"task": "look up"}},
        {"id": "more", "goal": "x", "prompt": "You ask around.", "tools": ["weather.now", "notes.add"], "when": "${ask} == \"no\""},
    ], "answer": "it said: ${ask}"});
    let (_, told) = carry_out(world(script(vec![])).await, plan).await;
    assert_eq!(told.answer(), "it said: clear, and noted");
}

#[tokio::test]
async fn a_planner_can_plan_with_an_agent() {
    let planned = json!({"plan": {"steps": [{"id": "ask", "tool": "agent.sky-watcher", "arguments": {"task": "look up"}}],
        "answer": "${ask}"}, "system_prompt": "You ask around.", "tool_names": ["agent.sky-watcher", "weather.now", "notes.add"]});
    let script = script(vec![json!({"when": {"anywhere": "You plan how a request"}, "text": planned.to_string()})]);
    let mut world = world(script).await;
    world.wishes.strategy = Some(domain::plan::Strategy::TaskGraph);
    let told = world.ask("How is the sky?").await;
    assert_eq!(told.answer(), "clear, and noted");
    let Some(Event::Planned { notes: Some(notes), .. }) = told.events("planned").first().copied() else {
        panic!("no plan")
    };
    assert!(notes.pins.keys().any(|tool| tool.as_str() == "agent.sky-watcher"), "its declaration is pinned");
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn what_an_agent_uses_must_be_named_in_the_plan() {
    let (world, told) = carry_out(world(script(caller())).await, asking(&["agent.sky-watcher", "weather.now"])).await;
    assert!(
        told.error().contains("the agent `agent.sky-watcher` uses `notes.add`; name it among the tools of the plan"),
        "{}",
        told.error()
    );
    assert_eq!(world.asks(), 0);
}

#[tokio::test]
async fn an_agent_whose_tool_has_gone_says_so() {
    let world = world(script(vec![])).await;
    keep(&world, "old-hand", "You know the old ways.", &["fax.send", "weather.now"]).await;
    let (_, told) = carry_out(world, asking(&["agent.old-hand", "weather.now"])).await;
    assert!(
        told.error().contains("the agent `agent.old-hand` needs `fax.send`, which is not there any more"),
        "{}",
        told.error()
    );
}

#[tokio::test]
async fn an_agent_that_is_switched_off_or_unknown_is_no_tool() {
    let world = world(script(vec![])).await;
    let name = "sky-watcher".parse().expect("name");
    assert!(world.store.switch(Kind::Agent, &name, false).await.expect("switched"));
    let (world, told) = carry_out(world, asking(&["agent.sky-watcher", "weather.now", "notes.add"])).await;
    assert!(told.error().contains("there is no tool `agent.sky-watcher`"), "{}", told.error());
    let (_, told) = carry_out(world, asking(&["agent.nobody"])).await;
    assert!(told.error().contains("there is no tool `agent.nobody`"), "{}", told.error());
}

#[tokio::test]
async fn a_task_must_be_given_in_words() {
    let call = |arguments: Value| {
        json!({"steps": [{"id": "ask", "tool": "agent.sky-watcher", "arguments": arguments},
        {"id": "more", "goal": "x", "tools": ["weather.now", "notes.add"]}]})
    };
    for (arguments, problem) in [
        (json!({}), "argument `task` of `agent.sky-watcher` is missing"),
        (json!({"task": 5}), "argument `task` of `agent.sky-watcher` must be a string, got 5"),
        (json!({"task": " "}), "must not be empty"),
        (json!({"task": "x", "tools": ["secret.write"]}), "argument `tools` of `agent.sky-watcher` is not known"),
    ] {
        let (_, told) = carry_out(world(script(vec![])).await, call(arguments)).await;
        assert!(told.error().contains(problem), "{problem}: {}", told.error());
    }
}

#[tokio::test]
async fn the_rules_decide_about_what_an_agent_does_for_another() {
    let ask = |tool: &str, action| {
        let rule = Rule { tool: tool.into(), when: None, action };
        move |settings: &mut runtime::Settings| settings.rules = vec![rule]
    };
    let plan = asking(&["agent.sky-watcher", "weather.now", "notes.add"]);
    // Calling the agent needs a person.
    let (world_one, told) =
        carry_out(world(script(caller())).await.set(ask("agent.*", Action::Ask)), plan.clone()).await;
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    assert_eq!(world_one.called("weather.now").calls(), 0);
    // What it writes needs a person, whoever asked for it; then it goes on where it was.
    let (world, told) = carry_out(world(script(caller())).await.set(ask("notes.*", Action::Ask)), plan).await;
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    assert_eq!((world.called("weather.now").calls(), world.called("notes.add").calls()), (1, 0));
    let name = told.view.waits[0].name.clone();
    assert!(name.contains("/lent/sky-watcher/"), "{name}");
    world.runtime().answer(told.run, &name, json!("yes"), None).await.expect("answered");
    world.go_on(told.run).await.expect("advanced");
    let told = world.tell(told.run).await;
    assert_eq!(told.answer(), "it is clear");
    assert_eq!((world.called("weather.now").calls(), world.called("notes.add").calls()), (1, 1));
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn the_effect_of_an_agent_is_the_gravest_of_its_tools() {
    let world = world(script(caller())).await.set(|settings| {
        settings.rules = vec![Rule {
            tool: "*".into(),
            when: Some("effect == 'write'".parse().expect("a condition")),
            action: Action::Deny,
        }];
    });
    let (_, told) = carry_out(world, asking(&["agent.sky-watcher", "weather.now", "notes.add"])).await;
    assert!(told.error().contains("`agent.sky-watcher` may not be used"), "{}", told.error());
}

/// Agents that pass everything on.
fn passing_on(name: &str, to: &str) -> Value {
    json!({"when": {"anywhere": format!("You are {name}.")}, "calls": [{"name": format!("agent__{to}"), "arguments": {"task": "you do it"}}]})
}

#[tokio::test]
async fn agents_call_one_another_two_deep_and_no_deeper() {
    let gives_up = |name: &str| json!({"when": {"anywhere": format!("You are {name}."), "contains": "Error"}, "text": format!("{name} could not")});
    let reports = |name: &str| json!({"when": {"anywhere": format!("You are {name}."), "contains": "tool_result"}, "text": format!("{name} passed it on")});
    let script: Value = ["one", "two", "three"]
        .iter()
        .flat_map(|name| [gives_up(name), reports(name)])
        .chain([passing_on("one", "two"), passing_on("two", "three"), passing_on("three", "one")])
        .collect();
    let world = world(script).await;
    keep(&world, "one", "You are one.", &["agent.two"]).await;
    keep(&world, "two", "You are two.", &["agent.three"]).await;
    keep(&world, "three", "You are three.", &[]).await;
    let plan = json!({"steps": [{"id": "ask", "tool": "agent.one", "arguments": {"task": "go"}},
        {"id": "more", "goal": "x", "tools": ["agent.two", "agent.three"], "when": "${ask} == \"no\""}], "answer": "${ask}"});
    let (world, told) = carry_out(world, plan).await;
    assert_eq!(told.answer(), "one passed it on");
    let last = world.model.as_ref().expect("a model").asks().into_iter().map(|ask| aloud(&ask)).collect::<String>();
    assert!(last.contains("agents can call one another 2 deep, and no deeper"), "{last}");
    assert!(!last.contains("You are three."), "the third is never asked");
}

#[tokio::test]
async fn an_agent_cannot_call_itself() {
    let world = world(json!([])).await;
    keep(&world, "echo-chamber", "You are one.", &["agent.echo-chamber"]).await;
    let (world, told) = carry_out(world, asking(&["agent.echo-chamber"])).await;
    assert!(told.error().contains("agents cannot call themselves"), "{}", told.error());
    // Nor by way of another.
    let script = json!([
        {"when": {"anywhere": "You are ping.", "contains": "tool_result"}, "text": "ping is done"},
        {"when": {"anywhere": "You are pong.", "contains": "Error"}, "text": "pong was refused"},
        {"when": {"anywhere": "You are ping."}, "calls": [{"name": "agent__pong", "arguments": {"task": "go"}}]},
        {"when": {"anywhere": "You are pong."}, "calls": [{"name": "agent__ping", "arguments": {"task": "go"}}]},
    ]);
    let world = world.scripted(Scripted::from_json("scripted:circle", &script.to_string()).expect("a script"));
    keep(&world, "ping", "You are ping.", &["agent.pong"]).await;
    keep(&world, "pong", "You are pong.", &["agent.ping"]).await;
    let plan = json!({"steps": [{"id": "ask", "tool": "agent.ping", "arguments": {"task": "go"}},
        {"id": "more", "goal": "x", "tools": ["agent.pong"], "when": "${ask} == \"no\""}], "answer": "${ask}"});
    let (world, told) = carry_out(world, plan).await;
    assert_eq!(told.answer(), "ping is done");
    let said: String = world.model.as_ref().expect("a model").asks().iter().map(aloud).collect();
    assert!(said.contains("`agent.ping` may not be used here: an agent cannot call itself"), "{said}");
}

#[tokio::test]
async fn an_agent_that_fails_is_an_error_to_its_caller() {
    let world = World::new().await.tool("a.bad", Effect::Read, refuses("a.bad")).scripted(
        Scripted::from_json(
            "scripted:fails",
            &json!([
                {"when": {"anywhere": "You ask around", "contains": "did not finish within 4 turns"}, "text": "it failed"},
                {"when": {"anywhere": "You ask around"}, "calls": [{"name": "agent__clumsy", "arguments": {"task": "try"}}]},
                {"calls": [{"name": "a__bad", "arguments": {"city": "1"}}]},
                {"calls": [{"name": "a__bad", "arguments": {"city": "2"}}]},
                {"calls": [{"name": "a__bad", "arguments": {"city": "3"}}]},
                {"calls": [{"name": "a__bad", "arguments": {"city": "4"}}]},
            ])
            .to_string(),
        )
        .expect("a script"),
    );
    keep(&world, "clumsy", "You try.", &["a.bad"]).await;
    let (world, told) = carry_out(world, asking(&["agent.clumsy", "a.bad"])).await;
    assert_eq!(told.answer(), "it failed");
    assert_eq!(world.called("a.bad").calls(), 4);
}

#[tokio::test]
async fn the_library_is_read_when_the_plan_is_and_the_record_counts_from_then_on() {
    let plan = asking(&["agent.sky-watcher", "weather.now", "notes.add"]);
    let (world, whole) = carry_out(world(script(caller())).await, plan).await;
    // The agent changes, and then it is gone: what was begun goes on with what it was.
    keep(&world, "sky-watcher", "You watch birds.", &[]).await;
    assert!(world.store.switch(Kind::Agent, &"sky-watcher".parse().expect("name"), false).await.expect("switched"));
    assert_eq!(world.runtime().replay(&whole.ledger), Ok(whole.ledger.len()));
    let met = whole.ledger.iter().find(|recorded| recorded.entry.key == "library/agent/sky-watcher").expect("met").seq;
    for at in met..=whole.ledger.len() as u64 {
        let fork = world.runtime().fork(whole.run, at).await.expect("any event");
        world.go_on(fork).await.expect("advanced");
        let told = world.tell(fork).await;
        assert_eq!(told.answer(), whole.answer(), "from {at}");
        assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()), "from {at}");
    }
    assert!(world.model.as_ref().expect("a model").asks().iter().all(|ask| !aloud(ask).contains("birds")));
}

#[tokio::test]
async fn a_single_agent_can_be_given_another() {
    let planned = json!({"plan": "ask the watcher", "system_prompt": "You ask around.",
        "tool_names": ["agent.sky-watcher", "weather.now", "notes.add"]});
    let mut all = vec![json!({"when": {"anywhere": "You plan how a request"}, "text": planned.to_string()})];
    all.extend(caller());
    let world = world(script(all)).await;
    let told = world.ask("How is the sky?").await;
    assert_eq!(told.answer(), "it is clear");
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}
