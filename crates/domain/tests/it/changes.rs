//! The rows that listings are read from say what the fold says: both are views of the same events.

use std::collections::BTreeMap;

use domain::budget::Spent;
use domain::event::{Entry, Event, Origin, Outcome, Recorded};
use domain::id::{RunId, ToolName};
use domain::intent::{IntentStatus, Settlement};
use domain::plan::Strategy;
use domain::run::{Ending, FailureKind, RunStatus};
use domain::tool::ToolError;
use domain::view::{Change, IntentCounts, changes, fold};
use proptest::prelude::{prop_assert, prop_assert_eq};
use serde_json::json;

use crate::ledgers::{
    answered, asked, asked_in_vain, called, cancel_asked, completed, declared, done, ended, failed, failing, finished,
    forged, intent, ledger, ledgers, plan_refused, planned, received, resumed, routed, sent, settled, settlements,
    skipped, started, wait, waiting,
};

/// A run's row, and those of its intents.
#[derive(Default)]
struct Row {
    status: Option<RunStatus>,
    strategy: Option<Strategy>,
    resumed: bool,
    chain: Vec<String>,
    replanned: bool,
    spent: Spent,
    intents: BTreeMap<String, (IntentStatus, u32)>,
    answers: BTreeMap<String, bool>,
    end: Option<(Option<String>, Option<String>, Option<FailureKind>)>,
}

impl Row {
    fn of(ledger: &[Recorded]) -> Self {
        let mut row = Row::default();
        ledger.iter().flat_map(|recorded| changes(&recorded.entry)).for_each(|change| row.take(change));
        row
    }

    fn take(&mut self, change: Change) {
        match change {
            Change::Begin { .. } => self.status = Some(RunStatus::Pending),
            Change::Running => self.status = Some(RunStatus::Running),
            Change::Resumed => self.resumed = true,
            Change::Routed(_, strategy, _) => self.strategy = Some(strategy),
            Change::Replanned => self.replanned = true,
            Change::Link(names) => {
                for name in names {
                    if !self.chain.contains(&name) {
                        self.chain.push(name);
                    }
                }
            }
            Change::File(..) | Change::Report(_) | Change::Quality(_) | Change::Foresee(_) => {}
            Change::Keep(_) | Change::Use { .. } | Change::Called { .. } => {}
            Change::Spend(spent) => self.spent += spent,
            Change::Declare(intent) => {
                self.intents.insert(intent.key, (IntentStatus::Declared, 0));
            }
            Change::Send { intent, attempt } => {
                self.intents.insert(intent, (IntentStatus::Sending, attempt));
            }
            Change::Settle { intent, settlement } => {
                self.intents.entry(intent).and_modify(|row| row.0 = settlement.status());
            }
            Change::Wait(wait) => {
                self.status = Some(RunStatus::Waiting);
                self.answers.entry(wait.name).or_insert(false);
            }
            Change::Answer { name, .. } => {
                self.answers.insert(name, true);
            }
            Change::End { status, answer, error, failure, worked_ms: _ } => {
                self.status = Some(status);
                self.end = Some((answer, error, failure));
            }
        }
    }

    fn counts(&self) -> IntentCounts {
        let count = |status| self.intents.values().filter(|row| row.0 == status).count() as u32;
        IntentCounts {
            declared: self.intents.len() as u32,
            done: count(IntentStatus::Done),
            failed: count(IntentStatus::Failed),
            unknown: count(IntentStatus::Unknown),
            withheld: count(IntentStatus::Withheld),
        }
    }
}

/// What an event means.
fn means(event: Event) -> Vec<Change> {
    changes(&Entry { key: "k".into(), input: None, at: crate::ledgers::at(0), event })
}

/// Sees that each event leaves the run in the state beside it.
#[track_caller]
fn goes_through(life: &[(Event, RunStatus)]) {
    let ledger = ledger(life.iter().map(|(event, _)| event.clone()));
    for (n, (event, status)) in life.iter().enumerate() {
        assert_eq!(Row::of(&ledger[..=n]).status, Some(*status), "after `{}`, the event {}", event.kind(), n + 1);
    }
}

#[test]
fn a_run_is_pending_then_running_then_waiting_then_running_then_completed() {
    use RunStatus::{Completed, Pending, Running, Waiting};
    goes_through(&[
        (received(), Pending),
        (answered("where"), Pending),
        (routed(Strategy::TaskGraph), Running),
        (asked("planner"), Running),
        (planned(1, &["look", "feed"], None), Running),
        (forged("feeder", &["cat.look"]), Running),
        (started("look", 1), Running),
        (called("cat.look"), Running),
        (ended("look", 1, done()), Running),
        (started("feed", 1), Running),
        (waiting("when"), Waiting),
        (answered("when"), Waiting),
        (resumed(2), Running),
        (declared("i"), Running),
        (sent("i", 1), Running),
        (settled("i", settlements()[0].clone()), Running),
        (ended("feed", 1, done()), Running),
        (finished(completed()), Completed),
    ]);
}

#[test]
fn a_run_that_fails_is_failed_when_it_is_over_and_not_before() {
    use RunStatus::{Failed, Pending, Running};
    goes_through(&[
        (received(), Pending),
        (resumed(1), Running),
        (routed(Strategy::SingleAgent), Running),
        (plan_refused(1), Running),
        (asked_in_vain("planner"), Running),
        (ended("look", 1, failed()), Running),
        (finished(failing(FailureKind::Step)), Failed),
    ]);
}

#[test]
fn a_run_that_is_cancelled_goes_on_until_it_has_stopped() {
    use RunStatus::{Cancelled, Pending, Running};
    goes_through(&[
        (received(), Pending),
        (cancel_asked(), Pending),
        (routed(Strategy::SingleAgent), Running),
        (finished(Ending::Cancelled { reason: None }), Cancelled),
    ]);
}

#[test]
fn a_request_begins_a_row() {
    let Event::Received { request, .. } = received() else { panic!("not a request") };
    let origin = Origin { run: RunId::of_intent("parent"), seq: 3 };
    let forked = Event::Received { request: request.clone(), parent: Some(origin) };
    let begin = |parent, rehearsal| Change::Begin {
        text: "feed the cat".into(),
        session: request.session.clone(),
        user: request.user.clone(),
        parent,
        rehearsal,
    };
    assert_eq!(means(received()), [begin(None, false)]);
    assert_eq!(means(forked), [begin(Some(origin), false)]);
    for (dry, plan_only) in [(true, false), (false, true)] {
        let mut request = request.clone();
        (request.wishes.dry, request.wishes.plan_only) = (dry, plan_only);
        assert_eq!(means(Event::Received { request, parent: None }), [begin(None, true)]);
    }
}

#[test]
fn what_happens_within_a_run_does_not_change_its_row() {
    let events = [
        planned(1, &["look"], None),
        started("look", 1),
        ended("look", 1, done()),
        ended("look", 1, failed()),
        ended("look", 1, skipped()),
        Event::MessageSent {
            from: "a".into(),
            to: "b".into(),
            text: "psst".into(),
            purpose: Default::default(),
            refused: None,
        },
        Event::MessagesRead { agent: "b".into(), count: 1 },
        Event::Recalled {
            memories: vec!["it likes fish".into()],
            recent: Vec::new(),
            guidelines: Vec::new(),
            shortlist: None,
            experience: Default::default(),
        },
        cancel_asked(),
    ];
    for event in events {
        let kind = event.kind();
        assert_eq!(means(event), [], "`{kind}`");
    }
}

#[test]
fn who_works_on_a_run_is_added_to_its_chain() {
    assert_eq!(means(plan_refused(1)), [Change::Link(vec!["planner".into()])]);
    assert_eq!(means(forged("feeder", &["cat.look"])), [Change::Link(vec!["feeder".into()])]);
}

#[test]
fn only_a_second_plan_is_a_new_one() {
    assert_eq!(means(planned(1, &["look"], None)), []);
    let again = [Change::Replanned, Change::Link(vec!["planner".into()])];
    assert_eq!(means(planned(2, &["look"], Some("x"))), again);
    assert_eq!(means(planned(3, &["look"], Some("x"))), again);
}

#[test]
fn an_intent_is_declared_sent_and_settled_in_its_row() {
    assert_eq!(means(declared("i")), [Change::Declare(intent("i"))]);
    let send = |attempt| Change::Send { intent: "i".into(), attempt };
    let spend = |tool_calls| Change::Spend(Spent { tool_calls, ..Spent::default() });
    assert_eq!(means(sent("i", 1)), [send(1), spend(1)]);
    // Sending it again is the same call.
    assert_eq!(means(sent("i", 2)), [send(2), spend(0)]);
    for settlement in settlements() {
        assert_eq!(means(settled("i", settlement.clone())), [Change::Settle { intent: "i".into(), settlement }]);
    }
}

#[test]
fn a_call_counts_for_its_tool_unless_it_was_refused() {
    let tool: ToolName = "cat.feed".parse().expect("a tool");
    let counts = |result| {
        let event = Event::ToolCalled { tool: tool.clone(), arguments: json!({}), result, millis: 7 };
        means(event).into_iter().find_map(|change| match change {
            Change::Called { tool: called, failed, millis } => Some((called == tool, failed, millis)),
            _ => None,
        })
    };
    let (detail, tool) = (String::from("no"), tool.clone());
    assert_eq!(counts(Outcome::Ok(json!(1))), Some((true, false, 7)));
    assert_eq!(
        counts(Outcome::Err(ToolError::Failed { tool: tool.clone(), detail: detail.clone() })),
        Some((true, true, 7))
    );
    assert_eq!(counts(Outcome::Err(ToolError::Denied { tool, detail })), None);
}

#[test]
fn a_question_and_its_answer_are_a_promise() {
    assert_eq!(means(waiting("when")), [Change::Wait(wait("when"))]);
    assert_eq!(means(answered("when")), [Change::Answer { name: "when".into(), answer: json!("yes"), by: None }]);
}

#[test]
fn an_end_says_how_with_which_answer_and_why() {
    let end = |status, answer: Option<&str>, error: Option<&str>, failure| {
        vec![Change::End {
            status,
            answer: answer.map(str::to_owned),
            error: error.map(str::to_owned),
            failure,
            worked_ms: None,
        }]
    };
    assert_eq!(means(finished(completed())), end(RunStatus::Completed, Some("fed"), None, None));
    let partly =
        Ending::Failed { reason: FailureKind::Budget, error: "too dear".into(), answer: Some("half fed".into()) };
    assert_eq!(
        means(finished(partly)),
        end(RunStatus::Failed, Some("half fed"), Some("too dear"), Some(FailureKind::Budget))
    );
    let stopped = Ending::Cancelled { reason: Some("enough".into()) };
    assert_eq!(means(finished(stopped)), end(RunStatus::Cancelled, None, Some("enough"), None));
}

#[test]
fn an_intent_in_doubt_is_told_from_one_that_failed() {
    let ledger = ledger([
        received(),
        declared("i"),
        sent("i", 1),
        settled("i", Settlement::Unknown { detail: "the lights went out".into() }),
    ]);
    assert_eq!(Row::of(&ledger).intents["i"], (IntentStatus::Unknown, 1));
}

proptest::proptest! {
    #[test]
    fn the_row_says_what_the_fold_says(ledger in ledgers()) {
        for until in 1..=ledger.len() {
            let (row, view) = (Row::of(&ledger[..until]), fold(&ledger[..until]));
            prop_assert_eq!(row.status, view.status);
            prop_assert_eq!(row.strategy, view.strategy);
            prop_assert_eq!(row.spent, view.spent);
            prop_assert_eq!(row.counts(), view.intents);
            prop_assert_eq!(row.end.is_some(), view.ending.is_some());
            let open = row.answers.iter().filter(|(_, answered)| !**answered && row.end.is_none());
            let mut waits: Vec<&String> = view.waits.iter().map(|wait| &wait.name).collect();
            waits.sort();
            prop_assert_eq!(open.map(|(name, _)| name).collect::<Vec<_>>(), waits);
            prop_assert_eq!(row.resumed, ledger[..until].iter().any(|it| it.entry.event.kind() == "resumed"));
            prop_assert!(!row.replanned || !view.plans.is_empty());
        }
    }
}
