//! What every dispatcher must do, as checks that any dispatcher can be put through, whatever it advances.
//!
//! ```text
//! for check in runtime::conformance::CHECKS {
//!     check.pass(fresh_dispatcher().await).await;
//! }
//! ```

use std::sync::Arc;

use domain::dispatch::Dispatch;
use domain::store::{Store, Worker};
use futures::future::BoxFuture;

mod endings;
mod failures;
mod language;
mod limits;
mod losses;
mod wakes;

/// How many runs the dispatcher that is put through this advances at once.
pub const CONCURRENCY: usize = 3;

/// A dispatcher that has not worked yet, with what it works on.
pub struct Fresh {
    /// Sees to it that runs are advanced, [`CONCURRENCY`] at once.
    pub dispatch: Arc<dyn Dispatch>,
    /// Where it finds them; nothing has been written to it.
    pub store: Arc<dyn Store>,
    /// Under which name runs are claimed that it advances.
    pub worker: String,
    /// Another worker, of which it can tell that it is alive.
    pub alive: Worker,
    /// Another worker, of which it can tell that it is dead.
    pub dead: Worker,
}

/// One thing that a dispatcher must do.
pub struct Check {
    /// The thing, as a sentence.
    pub name: &'static str,
    body: fn(Fresh) -> BoxFuture<'static, ()>,
}

impl Check {
    /// Panics unless a dispatcher that has not worked yet does it.
    pub async fn pass(&self, fresh: Fresh) {
        (self.body)(fresh).await
    }
}

macro_rules! checks {
    ($($module:ident: $($name:ident),+;)+) => {
        &[$($(Check { name: stringify!($name), body: |fresh| Box::pin($module::$name(fresh)) }),+),+]
    };
}

/// Everything that a dispatcher must do.
pub const CHECKS: &[Check] = checks! {
    wakes:
        what_was_accepted_before_is_advanced,
        what_is_accepted_meanwhile_is_advanced_without_a_nudge,
        a_nudge_spares_the_delay,
        a_nudge_for_what_is_not_due_does_nothing,
        what_is_to_wake_later_is_not_advanced_before,
        what_is_let_go_of_with_a_wake_is_advanced_again,
        what_waits_is_left_alone_until_it_is_answered,
        an_answer_during_an_advance_leads_to_another;
    limits:
        a_run_is_advanced_by_one_at_a_time,
        different_runs_are_advanced_side_by_side,
        no_more_runs_are_advanced_at_once_than_allowed,
        a_place_that_becomes_free_is_taken_at_once,
        runs_that_wait_take_no_place;
    losses:
        the_runs_of_a_dead_worker_are_taken_up,
        the_runs_of_a_living_worker_are_left_alone,
        a_run_that_lost_its_wake_is_found;
    failures:
        a_run_whose_store_failed_is_tried_again,
        a_run_that_panicked_is_tried_again,
        a_run_that_panics_again_and_again_keeps_nobody_from_working,
        a_panic_does_not_bring_another_run_to_be_advanced_twice;
    endings:
        it_stops_at_once_when_there_is_nothing_to_do,
        it_stops_at_once_when_told_before_it_began,
        nothing_is_under_way_after_it_has_stopped,
        nothing_is_begun_after_it_has_stopped,
        what_it_lets_go_of_is_taken_up_by_the_next,
        what_failed_before_it_stopped_is_taken_up_by_the_next,
        nothing_is_under_way_soon_after_it_was_dropped;
};
