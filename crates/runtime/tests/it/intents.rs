//! Writes: recorded before they are sent, sent once, settled truthfully, whatever breaks in between.

use std::sync::Arc;

use domain::dispatch::Advance;
use domain::event::Entry;
use domain::intent::IntentStatus;
use domain::run::RunStatus;
use domain::store::StoreError;
use domain::tool::{Effect, Repeat, ToolError};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::brittle::Brittle;
use crate::world::{World, calls, echo, gives, plans, says, write};

fn plan() -> Value {
    json!({"steps": [
        {"id": "look", "tool": "weather.now"},
        {"id": "note", "tool": "notes.add", "arguments": {"text": "${look.sky}"}},
        {"id": "mail", "tool": "mail.send", "arguments": {"text": "${note.text}"}},
        {"id": "keep", "tool": "book.keep", "arguments": {"text": "${mail.text}"}},
    ], "answer": "${keep.read}"})
}

async fn world() -> World {
    World::new()
        .await
        .tool("weather.now", Effect::Read, gives(json!({"sky": "clear"})))
        .tool("notes.add", write(Repeat::SameKey), echo())
        .tool("mail.send", write(Repeat::Never), echo())
        .tool("book.keep", write(Repeat::ReadBack), gives(json!({"read": "kept"})))
        .wishing(|wishes| wishes.plan = Some(plan()))
}

#[tokio::test]
async fn an_intent_is_carried_out_once_however_often_we_crash() {
    let mut doubts = 0;
    for commits in 0..12 {
        let world = world().await;
        let run = world.runtime().accept(world.request("x")).await.expect("accepted");
        // The process dies after so many commits; then another takes the run up, and dies too; then one lives.
        for dying in [commits, 1] {
            let _ = world.runtime_over(Brittle::over(&world.store, dying)).advance(run).await;
        }
        world.go_on(run).await.expect("advanced");
        let told = world.tell(run).await;
        assert!(told.view.status.is_some_and(RunStatus::is_final), "{commits}: {:?}", told.view.status);
        assert!(world.called("mail.send").calls() <= 1, "{commits}: sent twice");
        for tool in ["notes.add", "book.keep"] {
            let mut keys = world.called(tool).keys();
            keys.dedup();
            assert!(keys.len() <= 1, "{commits}: `{tool}` under two keys");
        }
        assert!(world.called("book.keep").calls() <= 1, "{commits}: it could be read back");
        let seqs: Vec<u64> = told.ledger.iter().map(|recorded| recorded.seq).collect();
        assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
        doubts += told.view.intents.unknown;
        if told.view.intents.unknown > 0 {
            assert_eq!(told.view.status, Some(RunStatus::Failed));
            let views = world.store.intents(Some(run), Some(IntentStatus::Unknown), 10).await.expect("intents");
            assert_eq!(views.len(), 1);
        } else {
            assert_eq!(told.view.status, Some(RunStatus::Completed), "{commits}: {:?}", told.view.ending);
            assert_eq!(world.called("mail.send").calls(), 1);
        }
        assert_eq!(world.runtime().replay(&told.ledger), Ok(told.ledger.len()), "{commits}");
    }
    assert!(doubts > 0, "no crash left a doubt: the test does not reach where it should");
}

#[tokio::test]
async fn nothing_leaves_before_its_record_is_on_disk() {
    let world = world().await;
    let run = world.runtime().accept(world.request("x")).await.expect("accepted");
    let advanced = world.runtime_over(Brittle::over(&world.store, 0)).advance(run).await;
    assert!(matches!(advanced, Err(StoreError::Unavailable(_))));
    for tool in ["notes.add", "mail.send", "book.keep"] {
        assert_eq!(world.called(tool).calls(), 0, "{tool}");
    }
}

#[tokio::test]
async fn a_write_that_fails_is_reported_as_failed_not_as_done() {
    let failing = Arc::new(|_: &Value, _| {
        Err(ToolError::Unavailable { tool: "mail.send".parse().expect("name"), detail: "no route".into() })
    });
    let world = World::new().await.tool("mail.send", write(Repeat::Never), failing).model([
        plans(&["mail.send"]),
        calls(&[("mail__send", json!({"text": "hi"}))]),
        says("It was not sent."),
    ]);
    let told = world.ask("Send hi").await;
    assert_eq!((told.view.intents.done, told.view.intents.failed), (0, 1));
    let asks = world.model.as_ref().expect("a model").asks();
    assert!(format!("{:?}", asks[2].messages.last()).contains("Error: `mail.send` is not available: no route"));
}

#[tokio::test]
async fn a_doubtful_answer_is_cleared_up_where_the_receiver_can_tell() {
    let doubtful = |times: u32| {
        Arc::new(move |arguments: &Value, nth: u32| {
            if nth <= times {
                return Err(ToolError::InDoubt { tool: "a.b".parse().expect("name"), detail: "cut off".into() });
            }
            Ok(arguments.clone())
        })
    };
    let outcome = async |repeat: Repeat, times: u32| {
        let world = World::new().await.tool("a.b", write(repeat), doubtful(times));
        let (world, told) = world.carry_out(json!({"steps": [{"id": "x", "tool": "a.b"}], "answer": "ok"})).await;
        (told.view.status.expect("a status").word(), told.view.intents.unknown, world.called("a.b").calls())
    };
    assert_eq!(outcome(Repeat::SameKey, 1).await, ("completed", 0, 2));
    assert_eq!(outcome(Repeat::SameKey, 9).await, ("failed", 1, 3));
    assert_eq!(outcome(Repeat::ReadBack, 1).await, ("completed", 0, 1));
    assert_eq!(outcome(Repeat::Never, 1).await, ("failed", 1, 1));
}

#[tokio::test]
async fn intents_at_the_end_go_by_priority_and_chains_follow_success_only() {
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = Arc::clone(&order);
    let note = Arc::new(move |arguments: &Value, _| {
        let text = arguments["text"].as_str().unwrap_or_default().to_owned();
        seen.lock().expect("lock").push(text.clone());
        if text == "fails" {
            return Err(ToolError::Failed { tool: "notes.add".parse().expect("name"), detail: "no".into() });
        }
        Ok(json!({}))
    });
    let world = World::new().await.tool("weather.now", Effect::Read, gives(json!({"sky": "clear"}))).tool(
        "notes.add",
        write(Repeat::Never),
        note,
    );
    let intent = |text: &str, priority: &str, then: Value| json!({"tool": "notes.add", "arguments": {"text": text}, "priority": priority, "then": then});
    let plan = json!({"steps": [{"id": "look", "tool": "weather.now"}], "answer": "done", "intents": [
        intent("low", "low", json!([])),
        intent("first normal", "normal", json!([])),
        intent("second normal: ${look.sky}", "normal", json!([])),
        intent("urgent", "urgent", json!([intent("after urgent", "urgent", json!([]))])),
        intent("fails", "high", json!([intent("never", "high", json!([]))])),
    ]});
    let (_, told) = world.carry_out(plan).await;
    assert_eq!(
        *order.lock().expect("lock"),
        ["urgent", "after urgent", "fails", "first normal", "second normal: clear", "low"]
    );
    assert_eq!((told.view.intents.declared, told.view.intents.done, told.view.intents.failed), (6, 5, 1));
    assert_eq!(told.error(), "`notes.add`: no");
}

#[tokio::test]
async fn a_dry_run_declares_and_withholds() {
    let world = world().await.wishing(|wishes| wishes.dry = true);
    let told = world.ask("x").await;
    assert_eq!(world.called("notes.add").calls() + world.called("mail.send").calls(), 0);
    assert_eq!((told.view.intents.done, told.view.intents.unknown), (0, 0));
    assert!(told.view.intents.withheld > 0);
}

#[tokio::test]
async fn a_stale_owner_cannot_write() {
    let world = world().await;
    let run = world.runtime().accept(world.request("x")).await.expect("accepted");
    let stale = world.store.claim(run, "first").await.expect("claimed");
    let fresh = world.store.claim(run, "second").await.expect("claimed");
    assert!(fresh.token.epoch > stale.token.epoch);
    let entry = Entry {
        key: "late".into(),
        input: None,
        at: Timestamp::now(),
        event: domain::event::Event::Resumed { epoch: stale.token.epoch },
    };
    assert!(matches!(world.store.commit(stale.token, vec![entry]).await, Err(StoreError::Fenced { .. })));
}

#[tokio::test]
async fn a_run_that_brings_processes_down_is_quarantined() {
    let world = world().await;
    let run = world.runtime().accept(world.request("x")).await.expect("accepted");
    for _ in 0..5 {
        world.store.claim(run, "a process that dies at once").await.expect("claimed");
    }
    world.go_on(run).await.expect("advanced");
    let told = world.tell(run).await;
    assert_eq!(told.error(), "advancing it ended the process 5 times; the last thing on record is `received`");
    assert_eq!(world.called("weather.now").calls(), 0);
}
