//! Intents as they stand.

use std::sync::Arc;

use domain::event::{Entry, Event};
use domain::intent::{IntentStatus, Settlement};
use domain::store::{RunFilter, Store};
use domain::tool::ToolError;
use serde_json::json;

use super::language::{at, claimed, commit, entry_at, shown};
use super::samples::{declared, intent};

fn declare(second: i64, key: &str) -> Entry {
    entry_at(second, &format!("declare/{key}"), declared(key))
}

fn send(second: i64, key: &str, attempt: u32) -> Entry {
    entry_at(second, &format!("send/{key}/{attempt}"), Event::IntentSent { intent: key.into(), attempt })
}

fn settle(second: i64, key: &str, settlement: Settlement) -> Entry {
    entry_at(second, &format!("settle/{key}/{second}"), Event::IntentSettled { intent: key.into(), settlement })
}

fn unknown() -> Settlement {
    Settlement::Unknown { detail: "the line went dead".into() }
}

fn done() -> Settlement {
    Settlement::Done { result: json!({"sent": true}) }
}

pub(super) async fn an_intent_is_shown_as_far_as_it_is(store: Arc<dyn Store>) {
    let token = claimed(&store, "act").await;
    let now = async || store.intents(Some(token.run), None, 10).await.expect("intents").remove(0);
    commit(&store, token, vec![declare(1, "i")]).await;
    let shown_now = now().await;
    assert_eq!((shown_now.run, &shown_now.intent), (token.run, &intent("i")));
    assert_eq!((shown_now.status, shown_now.attempts, shown_now.updated_at), (IntentStatus::Declared, 0, at(1)));
    commit(&store, token, vec![send(2, "i", 1)]).await;
    commit(&store, token, vec![send(3, "i", 2)]).await;
    let shown_now = now().await;
    assert_eq!((shown_now.status, shown_now.attempts, shown_now.updated_at), (IntentStatus::Sending, 2, at(3)));
    assert_eq!(shown_now.settlement, None);
    commit(&store, token, vec![settle(4, "i", done())]).await;
    let shown_now = now().await;
    assert_eq!((shown_now.status, shown_now.settlement), (IntentStatus::Done, Some(done())));
    // An intent that is sent again was called once.
    assert_eq!(shown(&store, token.run).await.spent.tool_calls, 1);
}

pub(super) async fn an_intent_in_doubt_marks_its_run_until_it_is_settled(store: Arc<dyn Store>) {
    let token = claimed(&store, "doubt").await;
    let doubtful = RunFilter { in_doubt: Some(true), ..RunFilter::default() };
    commit(&store, token, vec![declare(1, "i"), send(1, "i", 1), settle(2, "i", unknown())]).await;
    commit(&store, token, vec![declare(1, "j"), send(1, "j", 1), settle(3, "j", unknown())]).await;
    assert!(shown(&store, token.run).await.flags.in_doubt);
    assert_eq!(store.count(&doubtful).await.expect("counted"), 1);
    commit(&store, token, vec![settle(4, "i", done())]).await;
    assert!(shown(&store, token.run).await.flags.in_doubt);
    commit(&store, token, vec![settle(5, "j", done())]).await;
    assert!(!shown(&store, token.run).await.flags.in_doubt);
    assert_eq!(store.count(&doubtful).await.expect("counted"), 0);
}

pub(super) async fn intents_are_listed_by_run_and_state(store: Arc<dyn Store>) {
    let (one, other) = (claimed(&store, "one").await, claimed(&store, "other").await);
    let error = ToolError::Failed { tool: "mail.send".parse().expect("a tool"), detail: "no such address".into() };
    let withheld = Settlement::Withheld { detail: "dry run".into() };
    commit(&store, one, vec![declare(1, "done"), send(1, "done", 1), settle(6, "done", done())]).await;
    commit(&store, one, vec![declare(2, "failed"), settle(5, "failed", Settlement::Failed { error })]).await;
    commit(&store, other, vec![declare(3, "declared"), declare(2, "sending"), send(4, "sending", 1)]).await;
    commit(&store, other, vec![declare(1, "unknown"), settle(7, "unknown", unknown())]).await;
    commit(&store, other, vec![declare(1, "withheld"), settle(8, "withheld", withheld)]).await;
    let list = async |run, status, limit| {
        let found = store.intents(run, status, limit).await.expect("intents");
        found.into_iter().map(|view| view.intent.key).collect::<Vec<_>>()
    };
    assert_eq!(list(None, None, 10).await, ["declared", "sending", "failed", "withheld", "unknown", "done"]);
    assert_eq!(list(None, None, 2).await, ["declared", "sending"]);
    assert_eq!(list(Some(one.run), None, 10).await, ["failed", "done"]);
    for status in ["declared", "sending", "done", "failed", "unknown", "withheld"] {
        assert_eq!(list(None, IntentStatus::from_word(status), 10).await, [status]);
    }
    assert_eq!(list(Some(one.run), Some(IntentStatus::Unknown), 10).await, Vec::<String>::new());
    assert_eq!(list(Some(other.run), Some(IntentStatus::Unknown), 10).await, ["unknown"]);
}
