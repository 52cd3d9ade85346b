//! What events mean for the rows that listings are read from.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{links, spent_by, was_made};
use crate::budget::Spent;
use crate::event::{Entry, Event, Origin, Outcome, Route, Wait};
use crate::forecast::Forecast;
use crate::hash::Hash;
use crate::id::{ItemName, SessionId, StepId, ToolName};
use crate::intent::{Intent, Settlement};
use crate::library::{Choice, Decision, Draft, Kind, Member};
use crate::plan::{Plan, PlanDraft, Strategy};
use crate::run::{Ending, FailureKind, RunStatus};
use crate::score::Score;
use crate::stage::{PlanAnswer, Stage, StageAnswer};

/// A change of a row, in the same transaction as the event that means it.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// The run begins to exist: the row is made.
    Begin {
        /// What was asked.
        text: String,
        /// The conversation.
        session: Option<SessionId>,
        /// Who asked.
        user: Option<String>,
        /// The parent.
        parent: Option<Origin>,
        /// Nothing comes of it: what it keeps and uses does not count.
        rehearsal: bool,
    },
    /// The run is being worked on.
    Running,
    /// The run has been taken up again.
    Resumed,
    /// The run's route and strategy are known, and who answers, where that is a role.
    Routed(Route, Strategy, Option<String>),
    /// The run has more than one plan version.
    Replanned,
    /// These have worked on the run: names that are not in its chain yet are added at the end.
    Link(Vec<String>),
    /// A stage answered: a row of its history.
    File(Stage, Box<StageAnswer>),
    /// What was reported about the plan that is to be carried out; replaces what was reported before by that name.
    Report(BTreeMap<String, Score>),
    /// How good the reasoning is.
    Quality(Score),
    /// What is expected of the run.
    Foresee(Box<Forecast>),
    /// Something was used.
    Spend(Spent),
    /// A tool was called: its record grows. That of a write grows when its intent, which was sent, is settled.
    Called {
        /// Which.
        tool: ToolName,
        /// Whether it brought nothing.
        failed: bool,
        /// How long it took.
        millis: u64,
    },
    /// Something is kept, made by this run unless it says otherwise; a version that is there already stays as it is.
    Keep(Box<Draft>),
    /// Something from the library is used.
    Use {
        /// For which step; for the whole request when absent.
        step: Option<StepId>,
        /// What it is to do; the request when absent.
        text: Option<String>,
        /// What kind of thing.
        kind: Kind,
        /// Its name.
        name: ItemName,
        /// Its version.
        hash: Hash,
        /// How it came to be used.
        decision: Decision,
        /// How well it fits.
        score: Score,
    },
    /// A new intent row.
    Declare(Intent),
    /// An intent may have left.
    Send {
        /// The intent's key.
        intent: String,
        /// How often it was sent, this time included.
        attempt: u32,
    },
    /// An intent ended; one in doubt marks its run.
    Settle {
        /// The intent's key.
        intent: String,
        /// How.
        settlement: Settlement,
    },
    /// A new promise row, unless it was answered early; the run waits.
    Wait(Wait),
    /// A promise is kept, or kept early: the row is made if it is not there.
    Answer {
        /// The promise.
        name: String,
        /// What it holds.
        answer: Value,
        /// Who said it.
        by: Option<String>,
    },
    /// The run is over: promises that nobody answered are gone.
    End {
        /// How.
        status: RunStatus,
        /// The answer.
        answer: Option<String>,
        /// Why it failed.
        error: Option<String>,
        /// What kind of failure it was.
        failure: Option<FailureKind>,
        /// Milliseconds in which it was worked on, where that was counted.
        worked_ms: Option<u64>,
    },
}

/// The changes that an entry means, in order.
pub fn changes(entry: &Entry) -> Vec<Change> {
    let mut changes = meant(entry);
    let links = links(&entry.event);
    if !links.is_empty() {
        changes.push(Change::Link(links));
    }
    changes
}

fn meant(entry: &Entry) -> Vec<Change> {
    match &entry.event {
        Event::Received { request, parent } => vec![Change::Begin {
            text: request.text.as_str().to_owned(),
            session: request.session.clone(),
            user: request.user.clone(),
            parent: *parent,
            rehearsal: request.wishes.dry || request.wishes.plan_only,
        }],
        Event::Resumed { .. } => vec![Change::Resumed, Change::Running],
        Event::Routed { route, strategy, judgement, .. } => {
            let answers = matches!(route, Route::Reflex | Route::Fast);
            let role = judgement.as_ref().filter(|_| answers).map(|judgement| judgement.role.clone());
            vec![Change::Routed(*route, *strategy, role), Change::Running]
        }
        Event::Thought { thought, .. } => {
            vec![Change::File(Stage::Thinker, Box::new(StageAnswer::Thought((**thought).clone())))]
        }
        Event::Planned { version, plan, notes, .. } => {
            let again = *version > 1;
            let stage = if again { Stage::Replanner } else { Stage::Planner };
            // Only a planner has something to say about its plan.
            let notes = notes.as_ref().filter(|notes| notes.from.is_none());
            let filed = notes.map(|notes| Change::File(stage, Box::new(plan_answer(*version, plan, notes))));
            again.then_some(Change::Replanned).into_iter().chain(filed).collect()
        }
        Event::Critiqued { critique, .. } => {
            vec![Change::File(Stage::Critic, Box::new(StageAnswer::Critique((**critique).clone())))]
        }
        Event::Scored { version, confidence } => {
            let reported = confidence.scores.iter().map(|score| (score.name.clone(), score.reported));
            // What was thought of the first plan tells later what going back was worth.
            let first = (*version == 1).then(|| ("first".to_owned(), confidence.reported));
            let overall = ("overall".to_owned(), confidence.reported);
            vec![
                Change::Report(reported.chain([overall]).chain(first).collect()),
                Change::File(Stage::Scorer, Box::new(StageAnswer::Confidence((**confidence).clone()))),
            ]
        }
        Event::Assessed { assessment, .. } => vec![
            Change::Quality(assessment.quality),
            Change::Report([("quality".to_owned(), assessment.quality)].into()),
            Change::File(Stage::MetaAgent, Box::new(StageAnswer::Assessment((**assessment).clone()))),
        ],
        // Who carries out a step is used once the whole plan has its agents.
        Event::Chosen { step: Some(_), .. } => Vec::new(),
        Event::Chosen { step: None, choice, .. } => used(choice).into_iter().collect(),
        Event::Staffed { members, .. } => members.iter().flat_map(joined).collect(),
        Event::Kept { items } => items.iter().map(|draft| Change::Keep(Box::new(draft.clone()))).collect(),
        Event::Foreseen { forecast, .. } => vec![Change::Foresee(forecast.clone())],
        Event::ModelCalled { .. } => vec![Change::Spend(spent_by(&entry.event))],
        Event::ToolCalled { tool, result, millis, .. } => {
            // What was refused says nothing about the tool.
            let failed = matches!(result, Outcome::Err(_));
            let called = was_made(result).then(|| Change::Called { tool: tool.clone(), failed, millis: *millis });
            called.into_iter().chain([Change::Spend(spent_by(&entry.event))]).collect()
        }
        Event::IntentDeclared { intent } => vec![Change::Declare(intent.clone())],
        Event::IntentSent { intent, attempt } => {
            vec![Change::Send { intent: intent.clone(), attempt: *attempt }, Change::Spend(spent_by(&entry.event))]
        }
        Event::IntentSettled { intent, settlement } => {
            vec![Change::Settle { intent: intent.clone(), settlement: settlement.clone() }]
        }
        Event::Waiting { wait } => vec![Change::Wait(wait.clone())],
        Event::Answered { name, answer, by } => {
            vec![Change::Answer { name: name.clone(), answer: answer.clone(), by: by.clone() }]
        }
        Event::Finished { ending, worked_ms, .. } => {
            let (answer, error, failure) = match ending {
                Ending::Completed { answer } => (Some(answer.clone()), None, None),
                Ending::Failed { reason, error, answer } => (answer.clone(), Some(error.clone()), Some(*reason)),
                Ending::Cancelled { reason } => (None, reason.clone(), None),
            };
            vec![Change::End { status: ending.status(), answer, error, failure, worked_ms: *worked_ms }]
        }
        Event::PlanRefused { .. }
        | Event::Weighed { .. }
        | Event::Verified { .. }
        | Event::Gated { .. }
        | Event::Forged { .. }
        | Event::StepStarted { .. }
        | Event::MessageSent { .. }
        | Event::MessagesRead { .. }
        | Event::Recalled { .. }
        | Event::StepFinished { .. }
        | Event::CancelAsked { .. } => Vec::new(),
    }
}

/// An agent that joins a run is kept, if it is new, and used.
fn joined(member: &Member) -> [Change; 2] {
    let draft = member.draft();
    let joins = Change::Use {
        step: Some(member.step.clone()),
        text: Some(member.goal.clone()),
        kind: Kind::Agent,
        name: member.name.clone(),
        hash: draft.hash(),
        decision: member.choice.decision,
        score: member.choice.score,
    };
    [Change::Keep(Box::new(draft)), joins]
}

/// What is used for the whole request; what is newly made is not there yet.
fn used(choice: &Choice) -> Option<Change> {
    let (name, hash) = choice.item.clone()?;
    let Choice { kind, decision, score, .. } = *choice;
    Some(Change::Use { step: None, text: None, kind, name, hash, decision, score })
}

fn plan_answer(version: u32, plan: &Plan, notes: &crate::plan::Notes) -> StageAnswer {
    StageAnswer::Plan(PlanAnswer {
        version,
        plan: PlanDraft::from(plan.clone()),
        confidence: notes.confidence,
        rationale: notes.rationale.clone(),
        alternatives: notes.alternatives.clone(),
        findings: Vec::new(),
    })
}
