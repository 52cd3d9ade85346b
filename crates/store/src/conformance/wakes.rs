//! Who is to be advanced when.

use std::sync::Arc;

use domain::id::RunId;
use domain::store::{Parting, Store};

use super::language::{accepted, answered, at, commit, due, ended, question, received, resumed, waiting, worker};

async fn due_at(store: &Arc<dyn Store>, second: i64) -> RunId {
    let run = RunId::fresh();
    store.accept(run, vec![received("timed")], Some(at(second))).await.expect("accepted");
    run
}

pub(super) async fn runs_become_due_in_the_order_of_their_wakes(store: Arc<dyn Store>) {
    let third = due_at(&store, 30).await;
    let first = due_at(&store, 10).await;
    let second = due_at(&store, 20).await;
    let never = RunId::fresh();
    store.accept(never, vec![received("never")], None).await.expect("accepted");
    assert!(due(&store, 9).await.is_empty());
    assert_eq!(store.next_due(at(9)).await.expect("next"), Some(at(10)));
    assert_eq!(due(&store, 25).await, [first, second]);
    assert_eq!(store.due(at(25), 1).await.expect("due"), [first]);
    assert_eq!(store.next_due(at(25)).await.expect("next"), Some(at(30)));
    assert_eq!(due(&store, 30).await, [first, second, third]);
    assert_eq!(store.next_due(at(30)).await.expect("next"), None);
}

pub(super) async fn a_run_that_is_owned_is_not_due(store: Arc<dyn Store>) {
    let run = due_at(&store, 10).await;
    let token = store.claim(run, "me").await.expect("claimed").token;
    assert!(due(&store, 100).await.is_empty());
    assert_eq!(store.next_due(at(0)).await.expect("next"), None);
    store.release(token, Some(at(20))).await.expect("released");
    assert!(due(&store, 19).await.is_empty());
    assert_eq!(due(&store, 20).await, [run]);
    let token = store.claim(run, "me").await.expect("claimed").token;
    store.release(token, None).await.expect("released");
    assert!(due(&store, 100).await.is_empty());
}

pub(super) async fn the_runs_of_a_dead_worker_become_due(store: Arc<dyn Store>) {
    for name in ["dead", "alive"] {
        store.beat(&worker(name), at(0)).await.expect("beaten");
    }
    let (lost, kept) = (accepted(&store, "lost").await, accepted(&store, "kept").await);
    let over = ended(&store, "over", "done").await;
    store.claim(lost, "dead").await.expect("claimed");
    store.claim(over, "dead").await.expect("claimed");
    store.claim(kept, "alive").await.expect("claimed");
    assert_eq!(store.part("dead", Parting::Died, at(5)).await.expect("buried"), 1);
    assert_eq!(due(&store, 5).await, [lost]);
    let known: Vec<String> = store.workers().await.expect("workers").into_iter().map(|(known, _)| known.id).collect();
    assert_eq!(known, ["alive"]);
    assert_eq!(store.part("dead", Parting::Died, at(6)).await.expect("buried"), 0);
}

pub(super) async fn a_lost_wake_is_made_up_for(store: Arc<dyn Store>) {
    store.beat(&worker("alive"), at(0)).await.expect("beaten");
    let forgotten = RunId::fresh();
    store.accept(forgotten, vec![received("forgotten")], None).await.expect("accepted");
    let abandoned = accepted(&store, "abandoned").await;
    let token = store.claim(abandoned, "nobody knows me").await.expect("claimed").token;
    commit(&store, token, vec![resumed("resumed")]).await;
    let owned = accepted(&store, "owned").await;
    store.claim(owned, "alive").await.expect("claimed");
    let over = ended(&store, "over", "done").await;
    let timed = due_at(&store, 90).await;
    assert_eq!(store.reconcile(at(5)).await.expect("reconciled"), 2);
    let mut woken = due(&store, 5).await;
    woken.sort();
    let mut expected = [forgotten, abandoned];
    expected.sort();
    assert_eq!(woken, expected);
    assert_eq!(store.reconcile(at(6)).await.expect("reconciled"), 0);
    assert!(!due(&store, 89).await.contains(&timed) && !due(&store, 100).await.contains(&over));
}

pub(super) async fn what_waits_is_left_alone_by_reconciling(store: Arc<dyn Store>) {
    let run = accepted(&store, "patient").await;
    let token = store.claim(run, "me").await.expect("claimed").token;
    commit(&store, token, vec![waiting(1, "a", question("a?"), None)]).await;
    store.release(token, None).await.expect("released");
    assert_eq!(store.reconcile(at(5)).await.expect("reconciled"), 0);
    // Answered, taken up by somebody who is not heard of again: there was a reason to take it up.
    store.signal(run, answered(6, "a", true)).await.expect("signalled");
    store.claim(run, "nobody knows me").await.expect("claimed");
    assert!(due(&store, 100).await.is_empty());
    assert_eq!(store.reconcile(at(7)).await.expect("reconciled"), 1);
    assert_eq!(due(&store, 7).await, [run]);
}

pub(super) async fn workers_are_known_by_their_beats(store: Arc<dyn Store>) {
    let (one, other) = (worker("one"), worker("other"));
    store.beat(&one, at(1)).await.expect("beaten");
    store.beat(&other, at(2)).await.expect("beaten");
    store.beat(&one, at(3)).await.expect("beaten");
    assert_eq!(store.workers().await.expect("workers"), [(one, at(3)), (other, at(2))]);
}

pub(super) async fn vitals_count_what_is_open(store: Arc<dyn Store>) {
    due_at(&store, 10).await;
    due_at(&store, 200).await;
    let token = store.claim(accepted(&store, "wait").await, "me").await.expect("claimed").token;
    commit(&store, token, vec![resumed("resumed"), waiting(1, "w", question("who?"), None)]).await;
    ended(&store, "over", "yes").await;
    store.beat(&worker("w"), at(0)).await.expect("beaten");
    let seen = store.vitals(at(100)).await.expect("vitals");
    assert_eq!((seen.pending, seen.running, seen.waiting), (2, 0, 1));
    assert_eq!((seen.due, seen.workers, seen.approvals, seen.in_doubt), (1, 1, 0, 0));
}
