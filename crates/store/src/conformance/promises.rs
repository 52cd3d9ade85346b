//! What runs wait for, and what they are told from outside.

use std::sync::Arc;

use domain::event::{Event, Need, Wait};
use domain::id::RunId;
use domain::run::{Ending, RunStatus};
use domain::store::{PendingWait, Signalled, Store};
use futures::future::join_all;

use super::language::{
    accepted, answered, at, claimed, commit, due, ended, entry_at, finished, keys, question, resumed, shown, waiting,
    work,
};

pub(super) async fn of_two_answers_the_first_wins(store: Arc<dyn Store>) {
    let run = accepted(&store, "may I").await;
    let first = store.signal(run, answered(1, "permission", true)).await.expect("signalled");
    assert_eq!(first, Signalled::Recorded);
    match store.signal(run, answered(2, "permission", false)).await.expect("signalled") {
        Signalled::Late(faster) => assert_eq!((faster.seq, faster.entry), (2, answered(1, "permission", true))),
        other => panic!("not late: {other:?}"),
    }
    assert_eq!(keys(&store, run).await, ["received", "answer/permission"]);
}

pub(super) async fn of_many_answers_at_once_one_wins(store: Arc<dyn Store>) {
    let run = accepted(&store, "may I").await;
    let answers = (0..16).map(|n| {
        let store = store.clone();
        async move { (n, store.signal(run, answered(1, "permission", n)).await.expect("signalled")) }
    });
    let outcomes = join_all(answers).await;
    let winners: Vec<i32> =
        outcomes.iter().filter(|(_, outcome)| *outcome == Signalled::Recorded).map(|(n, _)| *n).collect();
    assert_eq!(winners.len(), 1);
    for (_, outcome) in outcomes {
        if let Signalled::Late(faster) = outcome {
            assert_eq!(faster.entry, answered(1, "permission", winners[0]));
        }
    }
    assert_eq!(keys(&store, run).await.len(), 2);
}

pub(super) async fn an_early_answer_is_kept(store: Arc<dyn Store>) {
    let run = accepted(&store, "early").await;
    store.signal(run, answered(1, "colour", "blue")).await.expect("signalled");
    let claim = store.claim(run, "me").await.expect("claimed");
    commit(&store, claim.token, vec![waiting(2, "colour", question("which?"), None)]).await;
    store.release(claim.token, None).await.expect("released");
    assert_eq!(store.waits(Some(run), 10).await.expect("waits"), []);
    // What it waits for is there: it goes on at once.
    assert_eq!(due(&store, 2).await, [run]);
}

pub(super) async fn an_answer_during_work_is_not_lost_by_releasing(store: Arc<dyn Store>) {
    let token = claimed(&store, "busy").await;
    store.signal(token.run, entry_at(5, "cancel", Event::CancelAsked { reason: None })).await.expect("signalled");
    commit(&store, token, vec![work("still with the old epoch")]).await;
    assert!(due(&store, 100).await.is_empty());
    store.release(token, None).await.expect("released");
    assert!(due(&store, 4).await.is_empty());
    assert_eq!(due(&store, 5).await, [token.run]);
    // Of the signal's wake and the owner's the earlier counts.
    let token = store.claim(token.run, "me").await.expect("claimed").token;
    store.signal(token.run, answered(9, "a", true)).await.expect("signalled");
    store.release(token, Some(at(7))).await.expect("released");
    assert_eq!(due(&store, 7).await, [token.run]);
}

pub(super) async fn a_run_that_has_ended_takes_no_answers(store: Arc<dyn Store>) {
    let run = ended(&store, "over", "done").await;
    let outcome = store.signal(run, answered(9, "a", true)).await.expect("signalled");
    assert_eq!(outcome, Signalled::Ended(RunStatus::Completed));
    assert_eq!(keys(&store, run).await, ["received", "finished"]);
    assert!(due(&store, 100).await.is_empty());
}

pub(super) async fn what_is_waited_for_is_listed_until_it_is_answered(store: Arc<dyn Store>) {
    let (one, other) = (claimed(&store, "one").await, claimed(&store, "other").await);
    commit(&store, one, vec![waiting(3, "b", question("b?"), Some(at(50)))]).await;
    commit(&store, other, vec![waiting(2, "c", question("c?"), None)]).await;
    commit(&store, one, vec![waiting(1, "a", question("a?"), None)]).await;
    let pending = |run: RunId, name: &str, since, until| PendingWait {
        run,
        wait: Wait { name: name.into(), need: question(&format!("{name}?")), until },
        since: at(since),
    };
    let (a, b, c) =
        (pending(one.run, "a", 1, None), pending(one.run, "b", 3, Some(at(50))), pending(other.run, "c", 2, None));
    assert_eq!(store.waits(None, 10).await.expect("waits"), [a.clone(), c.clone(), b.clone()]);
    assert_eq!(store.waits(None, 2).await.expect("waits"), [a.clone(), c]);
    assert_eq!(store.waits(Some(one.run), 10).await.expect("waits"), [a.clone(), b]);
    assert_eq!(shown(&store, one.run).await.status, RunStatus::Waiting);
    store.signal(one.run, answered(4, "b", "yes")).await.expect("signalled");
    assert_eq!(store.waits(Some(one.run), 10).await.expect("waits"), [a]);
}

pub(super) async fn what_is_waited_for_is_gone_when_the_run_ends(store: Arc<dyn Store>) {
    let token = claimed(&store, "impatient").await;
    commit(&store, token, vec![waiting(1, "a", question("a?"), Some(at(50)))]).await;
    commit(&store, token, vec![finished(2, Ending::Cancelled { reason: Some("enough".into()) })]).await;
    store.release(token, Some(at(3))).await.expect("released");
    assert_eq!(store.waits(None, 10).await.expect("waits"), []);
    assert!(due(&store, 100).await.is_empty());
    assert_eq!(store.next_due(at(0)).await.expect("next"), None);
}

pub(super) async fn a_timer_wakes_the_run(store: Arc<dyn Store>) {
    let timed = claimed(&store, "later").await;
    commit(&store, timed, vec![waiting(1, "moment", Need::Time { at: at(30) }, None)]).await;
    store.release(timed, None).await.expect("released");
    let limited = claimed(&store, "not for ever").await;
    commit(&store, limited, vec![waiting(1, "answer", question("well?"), Some(at(20)))]).await;
    store.release(limited, None).await.expect("released");
    assert!(due(&store, 19).await.is_empty());
    assert_eq!(store.next_due(at(0)).await.expect("next"), Some(at(20)));
    assert_eq!(due(&store, 20).await, [limited.run]);
    assert_eq!(due(&store, 30).await, [limited.run, timed.run]);
}

pub(super) async fn a_timer_outlives_a_claim_that_was_not_about_it(store: Arc<dyn Store>) {
    let token = claimed(&store, "two things").await;
    let waits = vec![waiting(1, "a", question("a?"), Some(at(50))), waiting(1, "b", question("b?"), None)];
    commit(&store, token, waits).await;
    store.release(token, None).await.expect("released");
    store.signal(token.run, answered(2, "b", true)).await.expect("signalled");
    assert_eq!(due(&store, 2).await, [token.run]);
    let token = store.claim(token.run, "me").await.expect("claimed").token;
    commit(&store, token, vec![resumed("resumed")]).await;
    store.release(token, None).await.expect("released");
    assert!(due(&store, 49).await.is_empty());
    assert_eq!(due(&store, 50).await, [token.run]);
    // Once its moment has come and the run has seen it, it wakes nobody again.
    let token = store.claim(token.run, "me").await.expect("claimed").token;
    commit(&store, token, vec![entry_at(51, "resumed again", Event::Resumed { epoch: token.epoch })]).await;
    store.release(token, None).await.expect("released");
    assert!(due(&store, 100).await.is_empty());
}
