//! The same run again: exactly, from somewhere in the middle, or with one thing changed.

use domain::event::{Event, Outcome};
use domain::run::{Ending, RunStatus};
use domain::tool::{Effect, Repeat};
use runtime::Changed;
use serde_json::json;

use crate::world::{Told, World, calls, echo, gives, plans, refuses, says, write};

async fn finished() -> (World, Told) {
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!({"sky": "clear"})))
        .slow_tool("slow.read", Effect::Read, 10, echo())
        .tool("notes.add", write(Repeat::Never), echo())
        .tool("a.bad", Effect::Read, refuses("a.bad"));
    world
        .carry_out(json!({"steps": [
            {"id": "slow", "tool": "slow.read", "arguments": {"text": "last"}},
            {"id": "look", "tool": "weather.now"},
            {"id": "bad", "tool": "a.bad", "alternatives": [{"tool": "weather.now"}]},
            {"id": "note", "tool": "notes.add", "arguments": {"text": "${look.sky} ${slow.text}"}},
        ], "answer": "${note.text}", "intents": [{"tool": "notes.add", "arguments": {"text": "end"}}]}))
        .await
}

#[tokio::test]
async fn a_finished_run_is_repeated_exactly_without_calling_anything() {
    let (world, told) = finished().await;
    let before = (world.called("weather.now").calls(), world.called("notes.add").calls());
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
    assert_eq!((world.called("weather.now").calls(), world.called("notes.add").calls()), before);
}

#[tokio::test]
async fn runs_with_agents_waits_and_failures_are_repeated_exactly() {
    let world = World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!({"sky": "clear"})))
        .tool("notes.add", write(Repeat::SameKey), echo())
        .model([
            says("no JSON at all"),
            plans(&["weather.now", "notes.add"]),
            calls(&[
                ("weather__now", json!({})),
                ("notes__add", json!({"text": "a"})),
                ("weather__now", json!({"city": "b"})),
            ]),
            calls(&[("ask_user", json!({"question": "Sure?"}))]),
            calls(&[("notes__add", json!({"text": "sure"}))]),
            says("done"),
        ]);
    let told = world.ask("x").await;
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    world.runtime().answer(told.run, "agent/1/turn/2/tool/0", json!("yes"), None).await.expect("answered");
    world.go_on(told.run).await.expect("advanced");
    let told = world.tell(told.run).await;
    assert_eq!(told.answer(), "done");
    let asked = world.asks();
    assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()));
    assert_eq!(world.asks(), asked);

    let failing = World::new().await.model([plans(&[])]);
    let told = failing.ask("x").await;
    assert_eq!(failing.runtime().replay(&told.ledger), Ok(told.ledger.len()));

    let slow = World::new()
        .await
        .slow_tool("slow.read", Effect::Read, 60_000, echo())
        .set(|settings| settings.step_timeout = std::time::Duration::from_millis(20));
    let (slow, told) = slow.carry_out(json!({"steps": [{"id": "x", "tool": "slow.read"}]})).await;
    assert_eq!(slow.runtime().replay(&told.ledger), Ok(told.ledger.len()));
}

#[tokio::test]
async fn a_record_that_was_tampered_with_does_not_repeat() {
    let (world, told) = finished().await;
    for (at, recorded) in told.ledger.iter().enumerate() {
        if recorded.entry.event.is_external() {
            continue;
        }
        let mut ledger = told.ledger.clone();
        ledger.remove(at);
        assert!(world.runtime().replay(&ledger).is_err(), "nobody missed {}", recorded.entry.key);
    }
    let mut ledger = told.ledger.clone();
    for recorded in &mut ledger {
        if let Event::ToolCalled { result, .. } = &mut recorded.entry.event
            && recorded.entry.key == "step/look/1/way/1/call"
        {
            *result = Outcome::Ok(json!({"sky": "grey"}));
        }
    }
    let divergence = world.runtime().replay(&ledger).expect_err("another sky");
    assert!(divergence.detail.contains("clear") || divergence.detail.contains("other arguments"), "{divergence:?}");
}

#[tokio::test]
async fn a_changed_result_recomputes_only_what_it_reaches() {
    let (world, told) = finished().await;
    let before = world.called("weather.now").calls();
    let changed = Changed { results: [("step/look/1/way/1/call".to_owned(), json!({"sky": "grey"}))].into() };
    let what_if = world.runtime().what_if(&told.ledger, &changed).await.expect("tried");
    let text = serde_json::to_string(&what_if.entries).expect("json");
    assert!(text.contains("grey last"), "{text}");
    assert_eq!(world.called("weather.now").calls(), before, "nothing else was looked up again");
    assert_eq!(world.called("notes.add").calls(), 2, "nothing is written");
    assert!(what_if.made.is_empty() && what_if.reused == 4, "{:?} {}", what_if.made, what_if.reused);
}

#[tokio::test]
async fn nothing_changed_reuses_everything() {
    let (world, told) = finished().await;
    let what_if = world.runtime().what_if(&told.ledger, &Changed::default()).await.expect("tried");
    assert_eq!(what_if.ending, told.view.ending);
    assert!(what_if.made.is_empty());
}

#[tokio::test]
async fn a_changed_prompt_asks_again_from_where_it_matters() {
    let mut world = World::new().await.tool("weather.now", Effect::Read, gives(json!({"sky": "clear"}))).model([
        plans(&["weather.now"]),
        calls(&[("weather__now", json!({}))]),
        says("clear"),
        calls(&[("weather__now", json!({}))]),
        says("a clear sky, my friend"),
    ]);
    let told = world.ask("x").await;
    world.prompts = [("agent".to_owned(), "Be friendly. {{ system_prompt }}".to_owned())].into();
    let what_if = world.runtime().what_if(&told.ledger, &Changed::default()).await.expect("tried");
    assert_eq!(what_if.ending, Some(Ending::Completed { answer: "a clear sky, my friend".into() }));
    assert_eq!(what_if.made, ["agent/1/turn/1", "agent/1/turn/2"], "the plan and the sky are used again");
    assert_eq!(world.called("weather.now").calls(), 1);
}

#[tokio::test]
async fn a_fork_shares_the_past_and_goes_its_own_way() {
    let (world, told) = finished().await;
    let note = told.ledger.iter().find(|recorded| recorded.entry.key == "step/note/1/started").expect("there");
    let runtime = world.runtime();
    let fork = runtime.fork(told.run, note.seq).await.expect("forked");
    world.go_on(fork).await.expect("advanced");
    let forked = world.tell(fork).await;
    assert_eq!(forked.answer(), told.answer());
    let summary = world.store.run(fork).await.expect("store").expect("the fork");
    assert_eq!(summary.parent.map(|origin| (origin.run, origin.seq)), Some((told.run, note.seq)));
    assert_eq!(world.called("slow.read").calls(), 1, "what the parent had done is not done again");
    assert_eq!(world.called("notes.add").calls(), 4, "what comes after the fork is the fork's own");
    assert_eq!(world.runtime().replay(&forked.ledger), Ok(forked.ledger.len()));
    for at in 1..=told.ledger.len() as u64 {
        let fork = runtime.fork(told.run, at).await.expect("any event");
        world.go_on(fork).await.expect("advanced");
        assert_eq!(world.tell(fork).await.answer(), told.answer(), "forked at {at}");
    }
    assert!(runtime.fork(told.run, 0).await.is_err() && runtime.fork(told.run, 1_000).await.is_err());
}
