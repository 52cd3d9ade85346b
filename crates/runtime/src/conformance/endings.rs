//! A dispatcher that is told to stop lets go at once, of everything, so that the next can go on.

use std::sync::Arc;

use domain::dispatch::Advance;
use tokio::time::sleep;

use super::language::{Actor, Deed, accepted, millis, several, to_the_end, while_working};
use super::{CONCURRENCY, Fresh};

pub(super) async fn it_stops_at_once_when_there_is_nothing_to_do(fresh: Fresh) {
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    while_working(&fresh, &actor, sleep(millis(100))).await;
    assert!(actor.books().begun.is_empty());
}

pub(super) async fn it_stops_at_once_when_told_before_it_began(fresh: Fresh) {
    several(&fresh.store, 2 * CONCURRENCY).await;
    let actor = Actor::new(&fresh, |_, _| vec![Deed::Claim, Deed::Hang]);
    let stop = Box::pin(std::future::ready(()));
    let working = fresh.dispatch.work(Arc::clone(&actor) as Arc<dyn Advance>, stop);
    tokio::time::timeout(millis(2_000), working).await.expect("a prompt stop").expect("an orderly stop");
    actor.rests();
}

/// Some hang before they claim their run, some after.
pub(super) async fn nothing_is_under_way_after_it_has_stopped(fresh: Fresh) {
    let runs = several(&fresh.store, 2 * CONCURRENCY).await;
    let owned = runs[0];
    let actor =
        Actor::new(&fresh, move |run, _| if run == owned { vec![Deed::Claim, Deed::Hang] } else { vec![Deed::Hang] });
    while_working(&fresh, &actor, actor.until("work", |books| books.under_way() == CONCURRENCY)).await;
    assert_eq!(actor.books().begun.len(), CONCURRENCY);
}

pub(super) async fn nothing_is_begun_after_it_has_stopped(fresh: Fresh) {
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    let before = accepted(&fresh.store).await;
    while_working(&fresh, &actor, actor.until_ended(&[before])).await;
    let after = accepted(&fresh.store).await;
    fresh.dispatch.nudge(after).await;
    sleep(millis(300)).await;
    assert_eq!(actor.books().advances(after), 0, "it works without anybody waiting for it");
    while_working(&fresh, &actor, actor.until_ended(&[after])).await;
}

pub(super) async fn what_it_lets_go_of_is_taken_up_by_the_next(fresh: Fresh) {
    let (owned, due) = (accepted(&fresh.store).await, accepted(&fresh.store).await);
    let actor = Actor::new(&fresh, move |run, nth| match nth {
        1 if run == owned => vec![Deed::Claim, Deed::Linger(millis(1)), Deed::Hang],
        1 => vec![Deed::Hang],
        _ => to_the_end(),
    });
    while_working(&fresh, &actor, async {
        actor.until("work on both", |books| books.under_way() == 2).await;
        // Long enough for the claim.
        sleep(millis(200)).await;
    })
    .await;
    while_working(&fresh, &actor, actor.until_ended(&[owned, due])).await;
    assert_eq!(actor.books().most_of_one, 1);
}

pub(super) async fn what_failed_before_it_stopped_is_taken_up_by_the_next(fresh: Fresh) {
    let (failed, panicked) = (accepted(&fresh.store).await, accepted(&fresh.store).await);
    let actor = Actor::new(&fresh, move |run, nth| match nth {
        1 if run == failed => vec![Deed::Claim, Deed::Fail],
        1 => vec![Deed::Claim, Deed::Panic],
        _ => to_the_end(),
    });
    let both_went_wrong = actor.until("a failure and a panic", |books| {
        books.advances(failed) >= 1 && books.advances(panicked) >= 1 && books.under_way() == 0
    });
    while_working(&fresh, &actor, both_went_wrong).await;
    while_working(&fresh, &actor, actor.until_ended(&[failed, panicked])).await;
}

pub(super) async fn nothing_is_under_way_soon_after_it_was_dropped(fresh: Fresh) {
    several(&fresh.store, CONCURRENCY).await;
    let actor = Actor::new(&fresh, |_, _| vec![Deed::Claim, Deed::Hang]);
    let working = fresh.dispatch.work(Arc::clone(&actor) as Arc<dyn Advance>, Box::pin(std::future::pending()));
    tokio::select! {
        biased;
        () = actor.until("work", |books| books.under_way() == CONCURRENCY) => {}
        ended = working => panic!("it stopped without being told to: {ended:?}"),
    }
    actor.until("an end of all work", |books| books.under_way() == 0).await;
}
