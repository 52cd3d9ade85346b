//! What every store must do, as checks that any store can be put through: one fresh store for each of [`CHECKS`].

use std::sync::Arc;

use domain::store::Store;
use futures::future::BoxFuture;

mod approvals;
mod audit;
mod bodies;
mod fences;
mod hindsight;
mod intents;
mod items;
mod language;
mod learning;
mod library;
mod listings;
mod memories;
mod news;
mod own_traces;
mod pieces;
mod promises;
mod reasoning;
mod requests;
mod runs;
mod samples;
mod shelves;
mod stages;
mod traces;
mod uses;
mod wakes;

/// One thing that a store must do.
pub struct Check {
    /// The thing, as a sentence.
    pub name: &'static str,
    body: fn(Arc<dyn Store>) -> BoxFuture<'static, ()>,
}

impl Check {
    /// Panics unless a store that nothing has been written to does it.
    pub async fn pass(&self, fresh: Arc<dyn Store>) {
        (self.body)(fresh).await
    }
}

macro_rules! checks {
    ($($module:ident: $($name:ident),+;)+) => {
        &[$($(Check { name: stringify!($name), body: |store| Box::pin($module::$name(store)) }),+),+]
    };
}

/// Everything that a store must do.
pub const CHECKS: &[Check] = checks! {
    runs:
        what_is_accepted_can_be_read,
        accepting_a_run_twice_changes_nothing,
        what_begins_without_a_request_is_not_accepted,
        a_fork_begins_with_the_state_of_its_events,
        sequence_numbers_have_no_gaps_however_many_write,
        a_commit_without_entries_changes_nothing,
        what_follows_a_run_hears_of_it_at_once,
        nothing_can_be_done_to_a_run_that_is_not_there;
    fences:
        an_owner_that_was_replaced_is_refused,
        an_owner_that_was_replaced_is_refused_after_the_run_has_ended,
        an_entry_is_recorded_once,
        a_refused_commit_leaves_nothing_behind,
        of_many_commits_only_the_wrong_ones_are_refused,
        claims_without_progress_are_counted,
        a_run_that_has_ended_can_still_be_read_by_claiming_it;
    promises:
        of_two_answers_the_first_wins,
        of_many_answers_at_once_one_wins,
        an_early_answer_is_kept,
        an_answer_during_work_is_not_lost_by_releasing,
        a_run_that_has_ended_takes_no_answers,
        what_is_waited_for_is_listed_until_it_is_answered,
        what_is_waited_for_is_gone_when_the_run_ends,
        a_timer_wakes_the_run,
        a_timer_outlives_a_claim_that_was_not_about_it;
    wakes:
        runs_become_due_in_the_order_of_their_wakes,
        a_run_that_is_owned_is_not_due,
        the_runs_of_a_dead_worker_become_due,
        a_lost_wake_is_made_up_for,
        what_waits_is_left_alone_by_reconciling,
        workers_are_known_by_their_beats,
        vitals_count_what_is_open;
    listings:
        a_run_is_shown_as_its_events_say,
        pages_show_every_run_once,
        a_cursor_that_is_not_ours_is_refused,
        filters_let_through_what_they_say,
        text_is_found_whatever_its_case_and_characters,
        totals_are_counted_and_summed_up_per_person,
        clearing_deletes_what_has_ended_and_nothing_else;
    intents:
        an_intent_is_shown_as_far_as_it_is,
        an_intent_in_doubt_marks_its_run_until_it_is_settled,
        intents_are_listed_by_run_and_state;
    bodies:
        every_kind_of_event_is_read_as_it_was_written,
        large_bodies_are_read_as_they_were_written,
        numbers_are_read_to_the_last_digit,
        what_is_nested_deeply_is_read;
    memories:
        memories_are_found_by_their_words,
        what_is_forgotten_is_not_found_and_does_not_come_back;
    shelves:
        a_record_is_read_as_it_was_kept,
        a_record_is_changed_only_by_who_has_read_it,
        of_many_who_change_a_record_at_once_one_wins,
        what_is_discarded_is_gone;
    audit:
        an_entry_is_read_as_it_was_noted,
        the_trail_is_read_backwards_in_pages,
        of_many_who_note_at_once_all_are_in_one_chain,
        the_trail_is_longer_than_one_look;
    stages:
        an_answer_is_read_as_it_was_filed,
        an_answer_belongs_to_one_request_and_one_stage,
        of_many_answers_at_once_none_is_lost,
        answers_are_found_by_what_a_filter_says,
        pages_show_every_answer_once,
        a_cursor_of_another_listing_is_refused,
        clearing_a_stage_keeps_the_others,
        a_run_files_what_its_stages_say;
    requests:
        what_is_told_about_a_request_adds_up,
        an_answer_for_a_run_leaves_its_row_alone,
        what_was_told_about_a_run_gives_way_to_the_run,
        requests_of_both_kinds_are_listed_newest_first,
        a_chain_names_everyone_once_in_order;
    hindsight:
        hindsight_sets_what_was_said_beside_what_became_of_it,
        hindsight_knows_planned_runs_that_ended_by_themselves,
        what_a_person_said_counts_in_hindsight,
        runs_are_found_by_their_quality;
    library:
        what_is_put_is_read_as_it_was_put,
        the_same_content_is_one_version,
        a_new_version_becomes_the_one_that_is_used,
        another_version_can_be_turned_to,
        what_is_switched_off_stays_off_when_there_is_a_new_version,
        what_a_run_keeps_says_which_run_made_it,
        items_are_found_by_what_a_filter_says,
        a_cursor_that_is_not_of_items_is_refused,
        of_many_who_keep_the_same_one_makes_it,
        of_many_different_versions_each_gets_its_own_number,
        ten_thousand_agents_that_are_nearly_the_same_are_told_apart;
    uses:
        an_agent_that_joins_a_run_is_kept_and_used,
        what_is_used_for_a_request_is_used_for_its_words,
        how_a_run_ends_settles_what_it_used,
        an_item_counts_once_for_each_run,
        what_was_used_last_is_listed_first,
        what_is_not_in_the_library_is_not_used,
        a_rehearsal_keeps_and_uses_nothing,
        what_a_fork_begins_with_counts_for_its_parent_only,
        a_rating_is_read_as_it_was_given,
        of_what_people_say_the_last_word_counts,
        what_a_good_run_made_is_offered_at_once,
        what_a_bad_run_made_is_offered_no_longer,
        clearing_runs_keeps_what_they_made_and_what_was_counted;
    news:
        every_change_is_news_as_things_are_now,
        news_come_in_parts_oldest_first,
        nothing_new_is_missed_while_many_write;
    approvals:
        a_question_is_shown_as_it_was_asked,
        other_questions_are_no_approvals,
        the_first_answer_decides,
        an_answer_before_the_question_decides_it,
        a_question_expires_by_itself,
        what_nobody_answered_is_withdrawn_when_the_run_ends,
        the_gravest_and_then_the_oldest_come_first,
        questions_are_found_by_run_and_state,
        clearing_runs_deletes_what_they_asked;
    traces:
        pieces_make_one_trace_in_whatever_order_they_arrive,
        the_same_pieces_again_change_nothing,
        a_piece_that_says_something_else_replaces_the_one_before,
        a_trace_belongs_to_whoever_named_it_first,
        nobody_sends_pieces_of_our_runs,
        what_is_only_watched_never_becomes_evidence,
        a_source_that_was_revoked_is_only_watched,
        traces_are_found_by_what_a_filter_says,
        pages_show_every_trace_once,
        a_trace_about_which_much_is_said_is_listed_all_the_same,
        however_pieces_change_listings_say_what_the_trace_says,
        of_a_very_long_trace_the_first_and_the_last_steps_are_read,
        nothing_that_changed_is_missed_while_many_write;
    own_traces:
        a_run_that_has_ended_is_a_trace,
        what_a_person_says_about_a_run_counts_for_its_trace,
        what_nothing_comes_of_has_no_trace,
        deleting_runs_deletes_their_traces,
        calls_of_tools_are_counted_and_timed,
        writes_are_counted_when_they_are_settled,
        a_fork_has_a_trace_of_its_own_and_counts_what_it_did_itself,
        runs_are_summed_up_by_the_way_they_went;
    learning:
        one_learns_at_a_time,
        what_is_learnt_is_read_as_it_was_written,
        evidence_is_found_by_trace,
        an_outcome_that_turns_out_otherwise_keeps_its_place,
        agents_are_told_the_version_that_was_turned_to,
        of_many_who_revise_at_once_one_does,
        a_revision_that_cannot_be_leaves_all_as_before;
};
