//! A run's state is the fold of its ledger.

use domain::event::{Recorded, StepOutcome};
use domain::id::ToolName;
use domain::intent::Settlement;
use domain::plan::Strategy;
use domain::run::{Ending, FailureKind, RunStatus};
use domain::tool::ToolError;
use domain::view::{IntentCounts, RunView, fold};
use proptest::prelude::{prop_assert, prop_assert_eq};

use crate::ledgers::{
    answered, asked, asked_in_vain, at, called, called_in_vain, cancel_asked, completed, declared, done, ended, failed,
    failing, finished, forged, ledger, ledgers, plan, plan_refused, planned, received, refused, resumed, routed, sent,
    settled, settlements, skipped, started, wait, waiting,
};

/// Every kind of failure there is.
const FAILURES: [FailureKind; 6] = [
    FailureKind::Plan,
    FailureKind::Step,
    FailureKind::Model,
    FailureKind::Budget,
    FailureKind::Rejected,
    FailureKind::Quarantined,
];

fn status(ledger: &[Recorded]) -> Option<RunStatus> {
    fold(ledger).status
}

fn names<T: ToString>(list: &[T]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

/// The attempts at steps, each as `step/attempt: how it ended`.
fn attempts(view: &RunView) -> Vec<String> {
    let ending = |finished: &Option<(_, StepOutcome)>| match finished {
        None => "under way",
        Some((_, StepOutcome::Done { .. })) => "done",
        Some((_, StepOutcome::Failed { .. })) => "failed",
        Some((_, StepOutcome::Skipped { .. })) => "skipped",
    };
    view.steps.iter().map(|it| format!("{}/{}: {}", it.step, it.attempt, ending(&it.finished))).collect()
}

#[test]
fn nothing_on_record_is_no_run() {
    assert_eq!(fold(&[]), RunView::default());
    assert_eq!(status(&[]), None);
}

#[test]
fn a_stage_that_ends_does_not_complete_the_run() {
    let ledger = ledger([
        received(),
        routed(Strategy::TaskGraph),
        asked("planner"),
        planned(1, &["look", "feed"], None),
        forged("feeder", &["cat.look"]),
        started("look", 1),
        called("cat.look"),
        ended("look", 1, done()),
        started("feed", 1),
        asked("agent/feed"),
        declared("i"),
        sent("i", 1),
        settled("i", Settlement::Done { result: true.into() }),
        ended("feed", 1, done()),
        finished(completed()),
    ]);
    assert_eq!(status(&ledger[..1]), Some(RunStatus::Pending));
    for until in 2..ledger.len() {
        let last = ledger[until - 1].entry.event.kind();
        assert_eq!(status(&ledger[..until]), Some(RunStatus::Running), "after `{last}`");
    }
    assert_eq!(status(&ledger), Some(RunStatus::Completed));
}

#[test]
fn an_error_that_ends_the_run_sets_it_failed() {
    for reason in FAILURES {
        let view = fold(&ledger([received(), routed(Strategy::Cohort), finished(failing(reason))]));
        assert_eq!((view.status, view.ending), (Some(RunStatus::Failed), Some(failing(reason))));
    }
    let before_anything = ledger([received(), finished(failing(FailureKind::Plan))]);
    assert_eq!(status(&before_anything), Some(RunStatus::Failed));
    let with_an_answer =
        Ending::Failed { reason: FailureKind::Step, error: "not told".into(), answer: Some("fed".into()) };
    assert_eq!(status(&ledger([received(), finished(with_an_answer)])), Some(RunStatus::Failed));
}

#[test]
fn an_error_that_something_can_be_done_about_does_not_end_the_run() {
    let errors = [
        plan_refused(1),
        asked_in_vain("planner"),
        called_in_vain("cat.look"),
        ended("look", 1, failed()),
        settled("i", settlements()[1].clone()),
        settled("i", settlements()[2].clone()),
    ];
    for error in errors {
        let kind = error.kind();
        let ledger = ledger([received(), routed(Strategy::TaskGraph), error]);
        assert_eq!(status(&ledger), Some(RunStatus::Running), "after `{kind}`");
    }
}

#[test]
fn the_wish_to_cancel_is_not_yet_the_end() {
    let mut events = vec![received(), routed(Strategy::TaskGraph), cancel_asked()];
    assert_eq!(status(&ledger(events.clone())), Some(RunStatus::Running));
    events.push(finished(Ending::Cancelled { reason: Some("enough".into()) }));
    assert_eq!(status(&ledger(events)), Some(RunStatus::Cancelled));
}

#[test]
fn the_chain_is_in_the_order_of_first_appearance_and_has_everybody_once() {
    let chain = |events: &[_]| fold(&ledger(events.iter().cloned())).chain;
    let mut events = vec![received(), resumed(1), routed(Strategy::Cohort), plan_refused(1)];
    assert_eq!(chain(&events), ["router", "planner"]);
    events.extend([planned(1, &["look"], None), forged("looker", &[]), forged("feeder", &[])]);
    assert_eq!(chain(&events), ["router", "planner", "looker", "feeder"]);
    // A loop brings them all round again.
    events.extend([planned(2, &["feed"], Some("x")), forged("feeder", &[]), forged("petter", &[]), resumed(2)]);
    assert_eq!(chain(&events), ["router", "planner", "looker", "feeder", "petter"]);
    events.push(finished(completed()));
    assert_eq!(chain(&events), ["router", "planner", "looker", "feeder", "petter"]);
}

#[test]
fn every_attempt_at_a_step_is_kept_and_numbered() {
    let ledger = ledger([
        received(),
        routed(Strategy::TaskGraph),
        started("look", 1),
        started("feed", 1),
        ended("look", 1, failed()),
        ended("feed", 1, done()),
        planned(2, &["look", "pet"], Some("step `look` failed")),
        ended("pet", 1, skipped()),
        started("look", 2),
        ended("look", 2, failed()),
        started("look", 3),
    ]);
    let view = fold(&ledger);
    assert_eq!(
        attempts(&view),
        ["look/1: failed", "feed/1: done", "pet/1: skipped", "look/2: failed", "look/3: under way"]
    );
    assert_eq!((view.steps[0].started_at, &view.steps[0].finished), (at(2), &Some((at(4), failed()))));
    assert_eq!((view.steps[2].started_at, &view.steps[2].finished), (at(7), &Some((at(7), skipped()))));
    assert_eq!((view.steps[4].started_at, &view.steps[4].finished), (at(10), &None));
}

#[test]
fn attempts_that_end_out_of_order_end_as_themselves() {
    let events = [started("look", 1), started("look", 2), ended("look", 1, failed()), ended("look", 2, done())];
    assert_eq!(attempts(&fold(&ledger(events))), ["look/1: failed", "look/2: done"]);
}

#[test]
fn every_version_of_the_plan_is_kept_with_the_reason_for_it() {
    let view = fold(&ledger([
        received(),
        planned(1, &["look"], None),
        plan_refused(2),
        planned(3, &["look", "feed"], Some("step `look` failed")),
        planned(4, &["look"], Some("too much")),
    ]));
    assert_eq!(
        view.plans,
        [
            (plan(&["look"]), None),
            (plan(&["look", "feed"]), Some("step `look` failed".to_owned())),
            (plan(&["look"]), Some("too much".to_owned())),
        ]
    );
}

#[test]
fn the_tools_that_were_selected_are_not_the_tools_that_were_used() {
    let mut events = vec![
        received(),
        forged("looker", &["cat.look", "cat.hear"]),
        forged("feeder", &["cat.look", "bowl.weigh", "bowl.fill"]),
    ];
    let view = fold(&ledger(events.clone()));
    assert_eq!(names(&view.tools_selected), ["cat.look", "cat.hear", "bowl.weigh", "bowl.fill"]);
    assert!(view.tools_used.is_empty(), "a tool was used by being given: {:?}", view.tools_used);
    // Direct steps use tools that no agent was given.
    events.extend([called("clock.now"), called("cat.look"), called_in_vain("bowl.weigh"), called("cat.look")]);
    events.extend([declared("i"), sent("i", 1), settled("i", settlements()[0].clone())]);
    let view = fold(&ledger(events));
    assert_eq!(names(&view.tools_selected), ["cat.look", "cat.hear", "bowl.weigh", "bowl.fill"]);
    assert_eq!(names(&view.tools_used), ["clock.now", "cat.look", "bowl.weigh", "bowl.fill"]);
}

#[test]
fn a_call_that_was_refused_and_a_write_that_was_not_sent_use_no_tool() {
    let tool: ToolName = "cat.look".parse().expect("a tool");
    let refusals = [
        ToolError::BadArguments { tool: tool.clone(), problems: vec!["`at` is missing".into()] },
        ToolError::Denied { tool, detail: "the plan does not allow it".into() },
        ToolError::OverBudget { detail: "3 of 3 tool calls".into() },
    ];
    let refused = refusals.map(|error| refused("cat.look", error));
    let withheld = [declared("i"), settled("i", settlements()[3].clone()), declared("j")];
    let view = fold(&ledger(refused.into_iter().chain(withheld)));
    assert_eq!(names(&view.tools_used), Vec::<String>::new());
}

#[test]
fn what_was_answered_early_is_not_waited_for() {
    let view = fold(&ledger([received(), routed(Strategy::TaskGraph), answered("when"), waiting("when")]));
    assert_eq!(view.waits, []);
}

#[test]
fn turns_of_agents_are_counted_and_those_of_others_are_not() {
    let components = ["planner", "agent", "agent/feed", "answer", "agent"];
    let view = fold(&ledger(components.map(asked)));
    assert_eq!((view.iterations, view.spent.model_calls, view.spent.usage.tokens()), (3, 5, 60));
}

#[test]
fn what_was_used_is_added_up_and_a_write_that_is_sent_again_counts_once() {
    let view = fold(&ledger([
        asked("agent"),
        asked_in_vain("agent"),
        called("cat.look"),
        called_in_vain("cat.look"),
        declared("i"),
        sent("i", 1),
        sent("i", 2),
    ]));
    assert_eq!((view.spent.model_calls, view.spent.tool_calls, view.spent.usage.tokens()), (2, 3, 12));
    assert_eq!(view.spent.usage.cost.as_micros(), 5);
}

#[test]
fn intents_are_counted_by_how_they_ended() {
    let keys = ["a", "b", "c", "d", "e"];
    let settled = keys.iter().zip(settlements()).map(|(key, settlement)| settled(key, settlement));
    let view = fold(&ledger(keys.iter().map(|key| declared(key)).chain(settled)));
    assert_eq!(view.intents, IntentCounts { declared: 5, done: 1, failed: 1, unknown: 1, withheld: 1 });
}

#[test]
fn a_run_waits_until_it_is_taken_up_again() {
    let mut events = vec![received(), routed(Strategy::TaskGraph), waiting("when"), waiting("where")];
    let view = fold(&ledger(events.clone()));
    assert_eq!((view.status, view.waits), (Some(RunStatus::Waiting), vec![wait("when"), wait("where")]));
    // What was under way beside the question may still end.
    events.extend([ended("look", 1, done()), answered("when")]);
    let view = fold(&ledger(events.clone()));
    assert_eq!((view.status, view.waits), (Some(RunStatus::Waiting), vec![wait("where")]));
    events.push(resumed(2));
    assert_eq!(status(&ledger(events.clone())), Some(RunStatus::Running));
    events.push(finished(completed()));
    let view = fold(&ledger(events));
    assert_eq!((view.status, view.waits), (Some(RunStatus::Completed), vec![]));
}

/// Where a ledger leaves its run, said in another way: the last event that says something about it decides.
fn last_word(ledger: &[Recorded]) -> Option<RunStatus> {
    ledger.iter().rev().find_map(|recorded| match recorded.entry.event.kind() {
        "received" => Some(RunStatus::Pending),
        "routed" | "resumed" => Some(RunStatus::Running),
        "waiting" => Some(RunStatus::Waiting),
        "finished" => fold([recorded]).ending.map(|ending| ending.status()),
        _ => None,
    })
}

proptest::proptest! {
    #[test]
    fn every_prefix_of_a_ledger_has_exactly_one_status(ledger in ledgers()) {
        for until in 1..=ledger.len() {
            let prefix = &ledger[..until];
            let status = status(prefix);
            prop_assert_eq!(RunStatus::ALL.iter().filter(|one| status == Some(**one)).count(), 1);
            prop_assert_eq!(status, last_word(prefix));
            let over = prefix.iter().any(|recorded| recorded.entry.event.kind() == "finished");
            prop_assert_eq!(status.is_some_and(RunStatus::is_final), over);
        }
    }

    #[test]
    fn what_a_prefix_says_is_added_to_and_never_taken_back(ledger in ledgers()) {
        let mut before = RunView::default();
        for recorded in &ledger {
            let mut after = before.clone();
            after.take(&recorded.entry);
            prop_assert!(after.chain.starts_with(&before.chain));
            prop_assert!(after.plans.starts_with(&before.plans));
            prop_assert!(after.tools_selected.starts_with(&before.tools_selected));
            prop_assert!(after.tools_used.starts_with(&before.tools_used));
            for (was, is) in before.steps.iter().zip(&after.steps) {
                prop_assert_eq!((&was.step, was.attempt, was.started_at), (&is.step, is.attempt, is.started_at));
                prop_assert!(was.finished.is_none() || was.finished == is.finished);
            }
            prop_assert!(after.steps.len() >= before.steps.len());
            before = after;
        }
        prop_assert_eq!(before, fold(&ledger));
    }

    #[test]
    fn everybody_is_in_the_chain_once_and_attempts_are_counted_from_one(ledger in ledgers()) {
        let view = fold(&ledger);
        for (n, link) in view.chain.iter().enumerate() {
            prop_assert!(!view.chain[..n].contains(link), "{link} twice");
        }
        for (n, it) in view.steps.iter().enumerate() {
            let earlier = view.steps[..n].iter().filter(|before| before.step == it.step).count();
            prop_assert_eq!(it.attempt as usize, earlier + 1);
        }
    }
}
