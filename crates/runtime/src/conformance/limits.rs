//! One at a time for each run, and so many at a time for all.

use tokio::time::{Instant, sleep};

use super::language::{Actor, Deed, Word, accepted, millis, several, to_the_end, while_working};
use super::{CONCURRENCY, Fresh};

/// Every advance takes its time before it claims, while the store still says that the run is due.
pub(super) async fn a_run_is_advanced_by_one_at_a_time(fresh: Fresh) {
    const TIMES: usize = 10;
    let runs = several(&fresh.store, CONCURRENCY - 1).await;
    let actor = Actor::new(&fresh, |_, nth| {
        let last = if nth < TIMES { Deed::Release(millis(0)) } else { Deed::End };
        vec![Deed::Linger(millis(10)), Deed::Claim, Deed::Linger(millis(10)), last, Deed::Linger(millis(10))]
    });
    while_working(&fresh, &actor, async {
        let nudging = async {
            loop {
                for run in &runs {
                    fresh.dispatch.nudge(*run).await;
                }
                sleep(millis(1)).await;
            }
        };
        tokio::select! {
            () = actor.until_ended(&runs) => {}
            () = nudging => {}
        }
    })
    .await;
    let books = actor.books();
    assert_eq!(books.most_of_one, 1, "a run was advanced by several at once");
    for run in runs {
        assert_eq!(books.advances(run), TIMES);
    }
}

pub(super) async fn different_runs_are_advanced_side_by_side(fresh: Fresh) {
    let runs = several(&fresh.store, CONCURRENCY).await;
    let word = Word::unsaid();
    let when = word.clone();
    let actor = Actor::new(&fresh, move |_, _| vec![Deed::Claim, Deed::Await(when.clone()), Deed::End]);
    while_working(&fresh, &actor, async {
        actor.until("work side by side", |books| books.under_way() == CONCURRENCY).await;
        word.say();
        actor.until_ended(&runs).await;
    })
    .await;
}

pub(super) async fn no_more_runs_are_advanced_at_once_than_allowed(fresh: Fresh) {
    let runs = several(&fresh.store, 4 * CONCURRENCY).await;
    let actor =
        Actor::new(&fresh, |_, _| vec![Deed::Linger(millis(30)), Deed::Claim, Deed::Linger(millis(30)), Deed::End]);
    while_working(&fresh, &actor, async {
        for run in &runs {
            fresh.dispatch.nudge(*run).await;
        }
        actor.until_ended(&runs).await;
    })
    .await;
    let books = actor.books();
    assert_eq!(books.most_of_all, CONCURRENCY);
    assert_eq!(books.begun.len(), runs.len(), "a run was advanced more often than it was due");
}

/// If places were filled only at the next look, this would take ten looks.
pub(super) async fn a_place_that_becomes_free_is_taken_at_once(fresh: Fresh) {
    let runs = several(&fresh.store, 10 * CONCURRENCY).await;
    let actor = Actor::new(&fresh, |_, _| vec![Deed::Claim, Deed::Linger(millis(10)), Deed::End]);
    let began = Instant::now();
    while_working(&fresh, &actor, actor.until_ended(&runs)).await;
    assert!(began.elapsed() < millis(5_000), "{} short runs took {:?}", runs.len(), began.elapsed());
}

pub(super) async fn runs_that_wait_take_no_place(fresh: Fresh) {
    let waiting = several(&fresh.store, 2 * CONCURRENCY).await;
    let patient = waiting.clone();
    let actor = Actor::new(
        &fresh,
        move |run, _| {
            if patient.contains(&run) { vec![Deed::Claim, Deed::Ask] } else { to_the_end() }
        },
    );
    while_working(&fresh, &actor, async {
        actor.until("questions", |books| waiting.iter().all(|run| books.advances(*run) == 1)).await;
        let run = accepted(&fresh.store).await;
        actor.until_ended(&[run]).await;
    })
    .await;
    assert_eq!(actor.books().begun.len(), waiting.len() + 1);
}
