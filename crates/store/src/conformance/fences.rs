//! One owner at a time, one entry per key, and what is left of those who were refused.

use std::sync::Arc;

use domain::run::RunStatus;
use domain::store::{Parting, Store, Token};
use futures::future::join_all;

use super::language::{
    accepted, answered, at, claimed, commit, completed, due, ended, is_conflict, is_fenced, keys, ledger, resumed,
    shown, work,
};

pub(super) async fn an_owner_that_was_replaced_is_refused(store: Arc<dyn Store>) {
    let old = claimed(&store, "fenced").await;
    commit(&store, old, vec![work("a")]).await;
    let new = store.claim(old.run, "you").await.expect("claimed");
    assert_eq!(new.token, Token { run: old.run, epoch: old.epoch + 1 });
    assert_eq!(new.ledger, ledger(&store, old.run).await);
    is_fenced(store.commit(old, vec![work("late")]).await, old.run);
    is_fenced(store.commit(old, Vec::new()).await, old.run);
    is_fenced(store.release(old, Some(at(0))).await, old.run);
    commit(&store, new.token, vec![work("b")]).await;
    assert_eq!(keys(&store, old.run).await, ["received", "a", "b"]);
}

pub(super) async fn an_owner_that_was_replaced_is_refused_after_the_run_has_ended(store: Arc<dyn Store>) {
    let old = claimed(&store, "zombie").await;
    let new = store.claim(old.run, "you").await.expect("claimed").token;
    commit(&store, new, vec![completed(1, "done")]).await;
    store.release(new, None).await.expect("released");
    is_fenced(store.commit(old, vec![work("late")]).await, old.run);
    is_fenced(store.release(old, Some(at(0))).await, old.run);
    assert_eq!(keys(&store, old.run).await, ["received", "finished"]);
    assert!(due(&store, 100).await.is_empty());
}

pub(super) async fn an_entry_is_recorded_once(store: Arc<dyn Store>) {
    let token = claimed(&store, "once").await;
    commit(&store, token, vec![work("a")]).await;
    is_conflict(store.commit(token, vec![work("a")]).await, "a");
    is_conflict(store.commit(token, vec![work("b"), work("b")]).await, "b");
    is_conflict(store.commit(token, vec![work("c"), work("received")]).await, "received");
    // The same key in another run is another entry.
    let other = claimed(&store, "other").await;
    commit(&store, other, vec![work("a")]).await;
    assert_eq!(keys(&store, token.run).await, ["received", "a"]);
}

pub(super) async fn a_refused_commit_leaves_nothing_behind(store: Arc<dyn Store>) {
    let token = claimed(&store, "all or nothing").await;
    commit(&store, token, vec![work("a")]).await;
    let before = shown(&store, token.run).await;
    is_conflict(store.commit(token, vec![work("b"), work("a"), completed(5, "no")]).await, "a");
    assert_eq!(shown(&store, token.run).await, before);
    assert_eq!(commit(&store, token, vec![work("b")]).await, 3);
    assert_eq!(keys(&store, token.run).await, ["received", "a", "b"]);
}

pub(super) async fn of_many_commits_only_the_wrong_ones_are_refused(store: Arc<dyn Store>) {
    let stale = claimed(&store, "mixed").await;
    let token = store.claim(stale.run, "me").await.expect("claimed").token;
    let commits = (0..60).map(|n| {
        let store = store.clone();
        async move {
            match n % 3 {
                0 => commit(&store, token, vec![work(&format!("{n}"))]).await,
                1 => {
                    is_conflict(store.commit(token, vec![work(&format!("x{n}")), work("received")]).await, "received");
                    0
                }
                _ => {
                    is_fenced(store.commit(stale, vec![work(&format!("{n}"))]).await, stale.run);
                    0
                }
            }
        }
    });
    join_all(commits).await;
    let mut expected: Vec<String> = (0..60).step_by(3).map(|n| n.to_string()).collect();
    let mut found = keys(&store, token.run).await.split_off(1);
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

pub(super) async fn claims_without_progress_are_counted(store: Arc<dyn Store>) {
    let run = accepted(&store, "poison").await;
    for (n, barren) in [0, 1, 2].into_iter().enumerate() {
        let claim = store.claim(run, "me").await.expect("claimed");
        assert_eq!(claim.barren, barren);
        // Having been taken up is not progress.
        commit(&store, claim.token, vec![resumed(&format!("resumed/{n}"))]).await;
    }
    let claim = store.claim(run, "me").await.expect("claimed");
    assert_eq!(claim.barren, 3);
    commit(&store, claim.token, vec![resumed("resumed/3"), work("a")]).await;
    assert_eq!(store.claim(run, "me").await.expect("claimed").barren, 0);
    assert_eq!(store.claim(run, "me").await.expect("claimed").barren, 1);
    // What comes from outside is something new to work on.
    store.signal(run, answered(1, "a", true)).await.expect("signalled");
    assert_eq!(store.claim(run, "me").await.expect("claimed").barren, 0);
    // Whoever lets go in good order was not brought down.
    let claim = store.claim(run, "me").await.expect("claimed");
    assert_eq!(claim.barren, 1);
    store.release(claim.token, None).await.expect("released");
    assert_eq!(store.claim(run, "me").await.expect("claimed").barren, 0);
    store.part("me", Parting::Died, at(9)).await.expect("parted");
    assert_eq!(store.claim(run, "me").await.expect("claimed").barren, 1);
    store.part("me", Parting::InOrder, at(9)).await.expect("parted");
    assert_eq!(store.claim(run, "me").await.expect("claimed").barren, 0);
}

pub(super) async fn a_run_that_has_ended_can_still_be_read_by_claiming_it(store: Arc<dyn Store>) {
    let run = ended(&store, "over", "done").await;
    let claim = store.claim(run, "me").await.expect("claimed");
    assert_eq!(claim.ledger.len(), 2);
    store.release(claim.token, Some(at(0))).await.expect("released");
    assert_eq!(shown(&store, run).await.status, RunStatus::Completed);
    assert!(due(&store, 100).await.is_empty());
    assert_eq!(store.reconcile(at(100)).await.expect("reconciled"), 0);
}
