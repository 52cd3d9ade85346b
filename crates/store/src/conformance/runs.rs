//! Taking runs in, appending to them, following them.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use domain::event::{Event, Origin, Route, Seq};
use domain::id::RunId;
use domain::plan::Strategy;
use domain::run::RunStatus;
use domain::store::{Store, StoreError, Token};
use futures::future::join_all;

use super::language::{
    accepted, answered, at, claimed, commit, due, entry, keys, ledger, received, request, resumed, shown, work,
};

pub(super) async fn what_is_accepted_can_be_read(store: Arc<dyn Store>) {
    let run = accepted(&store, "feed the cat").await;
    let recorded = ledger(&store, run).await;
    assert_eq!(recorded.len(), 1);
    assert_eq!((recorded[0].seq, &recorded[0].entry), (1, &received("feed the cat")));
    assert_eq!(store.entry(run, "received").await.expect("read").as_ref(), Some(&recorded[0]));
    assert_eq!(store.entry(run, "other").await.expect("read"), None);
    let shown = shown(&store, run).await;
    assert_eq!((shown.status, shown.text.as_str(), shown.events), (RunStatus::Pending, "feed the cat", 1));
    assert_eq!((shown.created_at, shown.updated_at), (at(0), at(0)));
}

pub(super) async fn accepting_a_run_twice_changes_nothing(store: Arc<dyn Store>) {
    let token = claimed(&store, "once").await;
    commit(&store, token, vec![work("a")]).await;
    store.accept(token.run, vec![received("twice"), work("b")], Some(at(0))).await.expect("accepted");
    assert_eq!(keys(&store, token.run).await, ["received", "a"]);
    assert_eq!(shown(&store, token.run).await.text, "once");
    assert!(due(&store, 1).await.is_empty());
    commit(&store, token, vec![work("c")]).await;
}

pub(super) async fn what_begins_without_a_request_is_not_accepted(store: Arc<dyn Store>) {
    let run = RunId::fresh();
    store.accept(run, vec![work("a")], None).await.expect_err("refused");
    assert_eq!(store.run(run).await.expect("read"), None);
}

pub(super) async fn a_fork_begins_with_the_state_of_its_events(store: Arc<dyn Store>) {
    let parent = accepted(&store, "original").await;
    let fork = RunId::fresh();
    let begin = Event::Received { request: Box::new(request("fork")), parent: Some(Origin { run: parent, seq: 1 }) };
    let routed =
        Event::Routed { route: Route::Plan, strategy: Strategy::Cohort, why: "because".into(), judgement: None };
    store.accept(fork, vec![entry("received", begin), entry("routed", routed)], None).await.expect("accepted");
    let shown = shown(&store, fork).await;
    assert_eq!((shown.status, shown.strategy), (RunStatus::Running, Some(Strategy::Cohort)));
    assert_eq!(shown.parent, Some(Origin { run: parent, seq: 1 }));
    assert_eq!(due(&store, 9).await, [parent]);
}

pub(super) async fn sequence_numbers_have_no_gaps_however_many_write(store: Arc<dyn Store>) {
    const RUNS: usize = 4;
    const WRITERS: usize = 64;
    const COMMITS: usize = 5;
    let tokens: Vec<Token> = join_all((0..RUNS).map(|_| claimed(&store, "busy"))).await;
    let writers = (0..WRITERS).map(|writer| {
        let (store, token) = (&store, tokens[writer % RUNS]);
        async move {
            let mut lasts = Vec::new();
            for n in 0..COMMITS {
                let entries = (0..3).map(|k| work(&format!("{writer}/{n}/{k}"))).collect();
                lasts.push((token.run, commit(store, token, entries).await));
                store.signal(token.run, answered(1, &format!("{writer}/{n}"), true)).await.expect("signalled");
            }
            lasts
        }
    });
    let lasts: BTreeSet<(RunId, Seq)> = join_all(writers).await.into_iter().flatten().collect();
    assert_eq!(lasts.len(), WRITERS * COMMITS, "two commits were given one number");
    for token in tokens {
        let keys = keys(&store, token.run).await;
        assert_eq!(keys.len(), 1 + WRITERS / RUNS * COMMITS * 4);
        assert_eq!(shown(&store, token.run).await.events, keys.len() as u64);
        for (_, last) in lasts.iter().filter(|(run, _)| *run == token.run) {
            // A commit's number is that of its last entry, and its entries stand together.
            let together = &keys[*last as usize - 3..*last as usize];
            let stem = together[0].strip_suffix("/0").expect("the first of its commit");
            assert_eq!(together, [format!("{stem}/0"), format!("{stem}/1"), format!("{stem}/2")]);
        }
    }
}

pub(super) async fn a_commit_without_entries_changes_nothing(store: Arc<dyn Store>) {
    let token = claimed(&store, "nothing").await;
    assert_eq!(commit(&store, token, vec![work("a")]).await, 2);
    let before = shown(&store, token.run).await;
    assert_eq!(commit(&store, token, Vec::new()).await, 2);
    assert_eq!(shown(&store, token.run).await, before);
}

pub(super) async fn what_follows_a_run_hears_of_it_at_once(store: Arc<dyn Store>) {
    let token = claimed(&store, "followed").await;
    store.grown(token.run, 0).await.expect("there is something already");
    let following = async {
        while store.events(token.run, 1, 10).await.expect("events").is_empty() {
            store.grown(token.run, 1).await.expect("grown");
        }
    };
    let both = async { tokio::join!(following, commit(&store, token, vec![resumed("r")])) };
    tokio::time::timeout(Duration::from_secs(5), both).await.expect("it was heard of");
    // Without anything new it returns all the same, after a while.
    tokio::time::timeout(Duration::from_secs(5), store.grown(token.run, 2)).await.expect("a while").expect("grown");
}

pub(super) async fn nothing_can_be_done_to_a_run_that_is_not_there(store: Arc<dyn Store>) {
    let run = RunId::fresh();
    let token = Token { run, epoch: 1 };
    let refusals = [
        store.claim(run, "me").await.map(drop),
        store.commit(token, vec![work("a")]).await.map(drop),
        store.release(token, None).await,
        store.signal(run, answered(1, "a", true)).await.map(drop),
        store.grown(run, 0).await,
    ];
    for refusal in refusals {
        assert!(matches!(refusal, Err(StoreError::NoSuchRun { run: missing }) if missing == run), "{refusal:?}");
    }
    assert!(ledger(&store, run).await.is_empty());
    assert_eq!(store.entry(run, "received").await.expect("read"), None);
    assert_eq!(store.run(run).await.expect("read"), None);
}
