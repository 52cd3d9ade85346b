//! Waiting is ending: what is waited for comes as one more event, and the run is advanced again.

use domain::dispatch::Advanced;
use domain::run::{Ending, RunStatus};
use domain::store::Signalled;
use domain::tool::{Effect, Repeat};
use runtime::policy::{Action, Rule};
use serde_json::json;

use crate::world::{World, calls, echo, gives, plans, says, write};

#[tokio::test]
async fn a_run_that_asks_a_person_ends_its_work_and_goes_on_with_the_answer() {
    let world = World::new().await.model([
        plans(&[]),
        calls(&[("ask_user", json!({"question": "Which city?"}))]),
        says("Oslo it is"),
    ]);
    let told = world.ask("Weather?").await;
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    let waits = world.store.waits(Some(told.run), 10).await.expect("waits");
    assert_eq!(waits[0].wait.need.question(), Some("Which city?"));

    let runtime = world.runtime();
    let name = &waits[0].wait.name;
    let answered = runtime.answer(told.run, name, json!("Oslo"), None).await.expect("answered");
    assert_eq!(answered, Signalled::Recorded);
    assert!(world.store.due(jiff::Timestamp::now(), 10).await.expect("due").contains(&told.run));
    assert_eq!(world.go_on(told.run).await.expect("advanced"), Advanced::Ended);
    let told = world.tell(told.run).await;
    assert_eq!(told.answer(), "Oslo it is");
    assert_eq!(world.asks(), 3, "what was answered before the wait is not asked again");
    assert!(matches!(
        runtime.answer(told.run, name, json!("Bergen"), None).await.expect("late"),
        Signalled::Ended(_) | Signalled::Late(_)
    ));
}

#[tokio::test]
async fn an_answer_that_comes_before_the_question_is_an_answer() {
    let world = World::new().await.model([
        plans(&[]),
        calls(&[("ask_user", json!({"question": "Which city?"}))]),
        says("Oslo it is"),
    ]);
    let runtime = world.runtime();
    let run = runtime.accept(world.request("Weather?")).await.expect("accepted");
    runtime.answer(run, "agent/1/turn/1/tool/0", json!("Oslo"), None).await.expect("answered");
    assert_eq!(world.go_on(run).await.expect("advanced"), Advanced::Ended);
    let told = world.tell(run).await;
    assert_eq!(told.answer(), "Oslo it is");
    assert!(told.events("waiting").is_empty());
}

#[tokio::test]
async fn other_steps_go_on_while_one_waits() {
    // What the note will say is not known before the first look: until then nobody needs to be asked.
    let rule = Rule { tool: "notes.*".into(), when: "arguments.text == 'clear'".parse().ok(), action: Action::Ask };
    let world = World::new()
        .await
        .tool("notes.add", write(Repeat::Never), echo())
        .tool("weather.now", Effect::Read, gives(json!("clear")))
        .set(|settings| settings.rules = vec![rule]);
    let plan = json!({"steps": [
        {"id": "look", "tool": "weather.now"},
        {"id": "note", "tool": "notes.add", "arguments": {"text": "${look}"}},
        {"id": "again", "tool": "weather.now", "depends_on": ["look"]},
    ], "answer": "${note.text}"});
    let (world, told) = world.carry_out(plan).await;
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    assert_eq!((world.called("weather.now").calls(), world.called("notes.add").calls()), (2, 0));
    let wait = world.store.waits(Some(told.run), 10).await.expect("waits").remove(0).wait;
    world.runtime().answer(told.run, &wait.name, json!("yes"), None).await.expect("answered");
    world.go_on(told.run).await.expect("advanced");
    assert_eq!(world.tell(told.run).await.answer(), "clear");
    assert_eq!((world.called("weather.now").calls(), world.called("notes.add").calls()), (2, 1));
}

#[tokio::test]
async fn a_no_is_a_no() {
    let rule = Rule { tool: "*".into(), when: "effect == 'write'".parse().ok(), action: Action::Ask };
    let world =
        World::new().await.tool("notes.add", write(Repeat::Never), echo()).set(|settings| settings.rules = vec![rule]);
    let (world, told) =
        world.carry_out(json!({"steps": [{"id": "note", "tool": "notes.add", "arguments": {"text": "x"}}]})).await;
    let wait = world.store.waits(Some(told.run), 10).await.expect("waits").remove(0).wait;
    world.runtime().answer(told.run, &wait.name, json!("no"), None).await.expect("answered");
    world.go_on(told.run).await.expect("advanced");
    let told = world.tell(told.run).await;
    assert_eq!(told.error(), "the plan is not carried out: a person said no");
    assert_eq!(world.called("notes.add").calls(), 0);
}

#[tokio::test]
async fn a_wait_that_expires_is_an_answer_too() {
    let world = World::new()
        .await
        .model([plans(&[]), calls(&[("ask_user", json!({"question": "Which city?"}))]), says("nobody there")])
        .set(|settings| settings.patience = Some(std::time::Duration::from_millis(20)));
    let told = world.ask("Weather?").await;
    assert_eq!(told.view.status, Some(RunStatus::Waiting));
    let due = world.store.next_due(jiff::Timestamp::UNIX_EPOCH).await.expect("store").expect("a wake for the expiry");
    tokio::time::sleep(due.duration_since(jiff::Timestamp::now()).try_into().unwrap_or_default()).await;
    assert_eq!(world.go_on(told.run).await.expect("advanced"), Advanced::Ended);
    assert_eq!(world.tell(told.run).await.answer(), "nobody there");
}

#[tokio::test]
async fn cancelling_reaches_a_tool_that_is_under_way() {
    let world = World::new()
        .await
        .slow_tool("slow.write", write(Repeat::SameKey), 600_000, echo())
        .wishing(|wishes| wishes.plan = Some(json!({"steps": [{"id": "x", "tool": "slow.write"}]})))
        .set(|settings| settings.tool_timeout = std::time::Duration::from_secs(900));
    let runtime = world.runtime();
    let run = runtime.accept(world.request("x")).await.expect("accepted");
    let (advanced, ()) = tokio::join!(domain::dispatch::Advance::advance(runtime.as_ref(), run), async {
        while world.called("slow.write").calls() == 0 {
            tokio::task::yield_now().await;
        }
        runtime.cancel(run, Some("changed my mind".into())).await.expect("cancelled");
    });
    assert_eq!(advanced.expect("advanced"), Advanced::Ended);
    let told = world.tell(run).await;
    assert_eq!(told.view.ending, Some(Ending::Cancelled { reason: Some("changed my mind".into()) }));
    assert_eq!(told.view.intents.unknown, 1, "what was under way is in doubt");
    assert_eq!(world.store.run(run).await.expect("store").expect("run").status, RunStatus::Cancelled);
}

#[tokio::test]
async fn a_waiting_run_can_be_cancelled() {
    let world = World::new().await.model([plans(&[]), calls(&[("ask_user", json!({"question": "?"}))])]);
    let told = world.ask("x").await;
    world.runtime().cancel(told.run, None).await.expect("cancelled");
    world.go_on(told.run).await.expect("advanced");
    assert_eq!(world.tell(told.run).await.view.status, Some(RunStatus::Cancelled));
    assert!(world.store.waits(None, 10).await.expect("waits").is_empty());
}
