//! An advance that goes wrong is made again, and nobody else suffers from it.

use tokio::time::sleep;

use super::language::{Actor, Deed, Word, accepted, millis, several, to_the_end, while_working};
use super::{CONCURRENCY, Fresh};

/// Goes wrong before the run is claimed, then after, then not at all.
fn twice(wrong: Deed) -> impl Fn(usize) -> Vec<Deed> {
    move |nth| match nth {
        1 => vec![wrong.clone()],
        2 => vec![Deed::Claim, wrong.clone()],
        _ => to_the_end(),
    }
}

async fn is_tried_again(fresh: Fresh, wrong: Deed) {
    let unlucky = accepted(&fresh.store).await;
    let part = twice(wrong);
    let actor = Actor::new(&fresh, move |run, nth| if run == unlucky { part(nth) } else { to_the_end() });
    while_working(&fresh, &actor, async {
        let lucky = several(&fresh.store, 2 * CONCURRENCY).await;
        actor.until_ended(&lucky).await;
        actor.until_ended(&[unlucky]).await;
    })
    .await;
    let books = actor.books();
    assert_eq!((books.advances(unlucky), books.most_of_one), (3, 1));
}

pub(super) async fn a_run_whose_store_failed_is_tried_again(fresh: Fresh) {
    is_tried_again(fresh, Deed::Fail).await;
}

pub(super) async fn a_run_that_panicked_is_tried_again(fresh: Fresh) {
    is_tried_again(fresh, Deed::Panic).await;
}

pub(super) async fn a_run_that_panics_again_and_again_keeps_nobody_from_working(fresh: Fresh) {
    let unlucky = several(&fresh.store, CONCURRENCY).await;
    let hopeless = unlucky.clone();
    let actor = Actor::new(
        &fresh,
        move |run, _| {
            if hopeless.contains(&run) { vec![Deed::Claim, Deed::Panic] } else { to_the_end() }
        },
    );
    while_working(&fresh, &actor, async {
        actor.until("three panics each", |books| unlucky.iter().all(|run| books.advances(*run) >= 3)).await;
        let lucky = several(&fresh.store, CONCURRENCY).await;
        actor.until_ended(&lucky).await;
        // They are tried again, and not as fast as can be.
        let most = unlucky.iter().map(|run| actor.books().advances(*run)).max();
        assert!(most < Some(100), "a run that panics was advanced {most:?} times in no time");
    })
    .await;
    assert_eq!(actor.books().most_of_one, 1);
}

/// The bystander has not claimed its run yet: the store still says that it is due.
pub(super) async fn a_panic_does_not_bring_another_run_to_be_advanced_twice(fresh: Fresh) {
    let bystander = accepted(&fresh.store).await;
    let word = Word::unsaid();
    let when = word.clone();
    let actor = Actor::new(&fresh, move |run, nth| match nth {
        _ if run == bystander => vec![Deed::Await(when.clone()), Deed::Claim, Deed::End],
        1 => vec![Deed::Panic],
        _ => to_the_end(),
    });
    while_working(&fresh, &actor, async {
        actor.until("the bystander's advance", |books| books.advances(bystander) == 1).await;
        let unlucky = accepted(&fresh.store).await;
        fresh.dispatch.nudge(unlucky).await;
        actor.until("a panic", |books| books.advances(unlucky) >= 1 && books.under_way() == 1).await;
        sleep(millis(100)).await;
        fresh.dispatch.nudge(bystander).await;
        sleep(millis(100)).await;
        assert_eq!(actor.books().advances(bystander), 1, "it was begun again while it was under way");
        word.say();
        actor.until_ended(&[bystander, unlucky]).await;
    })
    .await;
    assert_eq!(actor.books().most_of_one, 1);
}
