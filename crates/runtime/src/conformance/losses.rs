//! What others left is taken up; what others have is left to them.

use jiff::Timestamp;
use tokio::time::sleep;

use super::Fresh;
use super::language::{Actor, accepted, accepted_for, millis, to_the_end, while_working};

pub(super) async fn the_runs_of_a_dead_worker_are_taken_up(fresh: Fresh) {
    fresh.store.beat(&fresh.dead, Timestamp::now()).await.expect("beaten");
    let run = accepted(&fresh.store).await;
    fresh.store.claim(run, &fresh.dead.id).await.expect("claimed");
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    while_working(&fresh, &actor, async {
        actor.until_ended(&[run]).await;
        // One that dies while others work is missed as well, if later.
        let meanwhile = accepted_for(&fresh.store, None).await;
        fresh.store.beat(&fresh.dead, Timestamp::now()).await.expect("beaten");
        fresh.store.claim(meanwhile, &fresh.dead.id).await.expect("claimed");
        actor.until_ended(&[meanwhile]).await;
    })
    .await;
}

pub(super) async fn the_runs_of_a_living_worker_are_left_alone(fresh: Fresh) {
    fresh.store.beat(&fresh.alive, Timestamp::now()).await.expect("beaten");
    let theirs = accepted(&fresh.store).await;
    let token = fresh.store.claim(theirs, &fresh.alive.id).await.expect("claimed").token;
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    while_working(&fresh, &actor, async {
        let ours = accepted(&fresh.store).await;
        actor.until_ended(&[ours]).await;
        fresh.dispatch.nudge(theirs).await;
        sleep(millis(1_500)).await;
        assert_eq!(actor.books().advances(theirs), 0, "a run was taken from its owner");
        fresh.store.release(token, Some(Timestamp::now())).await.expect("still theirs");
        actor.until_ended(&[theirs]).await;
    })
    .await;
}

pub(super) async fn a_run_that_lost_its_wake_is_found(fresh: Fresh) {
    let without_a_wake = accepted_for(&fresh.store, None).await;
    let with_an_unknown_owner = accepted(&fresh.store).await;
    fresh.store.claim(with_an_unknown_owner, "nobody knows me").await.expect("claimed");
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    while_working(&fresh, &actor, actor.until_ended(&[without_a_wake, with_an_unknown_owner])).await;
}
