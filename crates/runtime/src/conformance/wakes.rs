//! Runs are advanced when they are due: not before, and not much later.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::Fresh;
use super::language::{
    Actor, Deed, Word, accepted, accepted_for, answer, from_now, millis, several, to_the_end, while_working,
};

pub(super) async fn what_was_accepted_before_is_advanced(fresh: Fresh) {
    let runs = several(&fresh.store, 20).await;
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    while_working(&fresh, &actor, actor.until_ended(&runs)).await;
}

pub(super) async fn what_is_accepted_meanwhile_is_advanced_without_a_nudge(fresh: Fresh) {
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    while_working(&fresh, &actor, async {
        for pause in [0, 300] {
            sleep(millis(pause)).await;
            let run = accepted(&fresh.store).await;
            actor.until_ended(&[run]).await;
        }
    })
    .await;
}

/// Several in a row, so that each begins where the dispatcher has just looked.
pub(super) async fn a_nudge_spares_the_delay(fresh: Fresh) {
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    while_working(&fresh, &actor, async {
        let first = accepted(&fresh.store).await;
        actor.until_ended(&[first]).await;
        let began = Instant::now();
        for _ in 0..5 {
            let run = accepted(&fresh.store).await;
            fresh.dispatch.nudge(run).await;
            actor.until_ended(&[run]).await;
        }
        assert!(began.elapsed() < millis(2_500), "five nudged runs took {:?}", began.elapsed());
    })
    .await;
}

pub(super) async fn a_nudge_for_what_is_not_due_does_nothing(fresh: Fresh) {
    let later = accepted_for(&fresh.store, Some(from_now(Duration::from_secs(3_600)))).await;
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    while_working(&fresh, &actor, async {
        let over = accepted(&fresh.store).await;
        actor.until_ended(&[over]).await;
        for _ in 0..20 {
            fresh.dispatch.nudge(over).await;
            fresh.dispatch.nudge(later).await;
            sleep(millis(10)).await;
        }
        let books = actor.books();
        assert_eq!((books.advances(over), books.advances(later)), (1, 0));
    })
    .await;
}

pub(super) async fn what_is_to_wake_later_is_not_advanced_before(fresh: Fresh) {
    let actor = Actor::new(&fresh, |_, _| to_the_end());
    let before = from_now(millis(300));
    let accepted_before = accepted_for(&fresh.store, Some(before)).await;
    while_working(&fresh, &actor, async {
        let meanwhile = from_now(millis(400));
        let accepted_meanwhile = accepted_for(&fresh.store, Some(meanwhile)).await;
        for _ in 0..20 {
            fresh.dispatch.nudge(accepted_before).await;
            sleep(millis(10)).await;
        }
        actor.until_ended(&[accepted_before, accepted_meanwhile]).await;
        for (run, wake) in [(accepted_before, before), (accepted_meanwhile, meanwhile)] {
            let begun = actor.books().begun.iter().find(|(begun, _)| *begun == run).map(|(_, at)| *at);
            assert!(begun.is_some_and(|at| at >= wake), "to be woken at {wake}, advanced at {begun:?}");
        }
    })
    .await;
}

pub(super) async fn what_is_let_go_of_with_a_wake_is_advanced_again(fresh: Fresh) {
    let run = accepted(&fresh.store).await;
    let actor = Actor::new(&fresh, |_, nth| match nth {
        1 => vec![Deed::Claim, Deed::Release(millis(0))],
        2 => vec![Deed::Claim, Deed::Release(millis(300))],
        _ => to_the_end(),
    });
    while_working(&fresh, &actor, actor.until_ended(&[run])).await;
    let begun: Vec<_> = actor.books().begun.iter().map(|(_, at)| *at).collect();
    assert_eq!(begun.len(), 3);
    assert!(begun[2] >= begun[1].checked_add(millis(300)).expect("a moment"), "advanced before its time: {begun:?}");
}

pub(super) async fn what_waits_is_left_alone_until_it_is_answered(fresh: Fresh) {
    let run = accepted(&fresh.store).await;
    let actor = Actor::new(&fresh, |_, nth| match nth {
        1 => vec![Deed::Claim, Deed::Ask],
        _ => to_the_end(),
    });
    while_working(&fresh, &actor, async {
        actor.until("a question", |books| books.advances(run) == 1 && books.under_way() == 0).await;
        fresh.dispatch.nudge(run).await;
        sleep(millis(1_500)).await;
        assert_eq!(actor.books().advances(run), 1, "it was advanced while it waited");
        answer(&fresh.store, run).await;
        actor.until_ended(&[run]).await;
        assert_eq!(actor.books().advances(run), 2);
    })
    .await;
}

pub(super) async fn an_answer_during_an_advance_leads_to_another(fresh: Fresh) {
    let run = accepted(&fresh.store).await;
    let word = Word::unsaid();
    let when = word.clone();
    let actor = Actor::new(&fresh, move |_, nth| match nth {
        1 => vec![Deed::Claim, Deed::Await(when.clone()), Deed::Ask],
        _ => to_the_end(),
    });
    while_working(&fresh, &actor, async {
        actor.until("an advance", |books| books.advances(run) == 1).await;
        answer(&fresh.store, run).await;
        fresh.dispatch.nudge(run).await;
        word.say();
        actor.until_ended(&[run]).await;
    })
    .await;
    assert_eq!(actor.books().most_of_one, 1);
}
