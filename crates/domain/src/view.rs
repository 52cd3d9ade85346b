//! What events mean for the rows that listings are read from, and a run's state as the fold of its ledger.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::budget::Spent;
use crate::event::{Entry, Event, Origin, Outcome, Recorded, Route, StepOutcome, Wait};
use crate::id::{SessionId, StepId, ToolName};
use crate::intent::{Intent, IntentStatus, Settlement};
use crate::plan::{Plan, Strategy};
use crate::run::{Ending, FailureKind, RunStatus};
use crate::tool::ToolError;

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
    },
    /// The run is being worked on.
    Running,
    /// The run has been taken up again.
    Resumed,
    /// The run's strategy is known, and who answers, where that is a role.
    Routed(Strategy, Option<String>),
    /// The run has more than one plan version.
    Replanned,
    /// Something was used.
    Spend(Spent),
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
    },
}

/// The changes that an entry means, in order.
pub fn changes(entry: &Entry) -> Vec<Change> {
    match &entry.event {
        Event::Received { request, parent } => vec![Change::Begin {
            text: request.text.as_str().to_owned(),
            session: request.session.clone(),
            user: request.user.clone(),
            parent: *parent,
        }],
        Event::Resumed { .. } => vec![Change::Resumed, Change::Running],
        Event::Routed { route, strategy, judgement, .. } => {
            let answers = matches!(route, Route::Reflex | Route::Fast);
            let role = judgement.as_ref().filter(|_| answers).map(|judgement| judgement.role.clone());
            vec![Change::Routed(*strategy, role), Change::Running]
        }
        Event::Planned { version, .. } if *version > 1 => vec![Change::Replanned],
        Event::ModelCalled { .. } | Event::ToolCalled { .. } => vec![Change::Spend(spent_by(&entry.event))],
        Event::IntentDeclared { intent } => vec![Change::Declare(intent.clone())],
        Event::IntentSent { intent, attempt } => {
            vec![Change::Send { intent: intent.clone(), attempt: *attempt }, Change::Spend(spent_by(&entry.event))]
        }
        Event::IntentSettled { intent, settlement } => {
            vec![Change::Settle { intent: intent.clone(), settlement: settlement.clone() }]
        }
        Event::Waiting { wait } => vec![Change::Wait(wait.clone())],
        Event::Answered { name, answer, .. } => {
            vec![Change::Answer { name: name.clone(), answer: answer.clone() }]
        }
        Event::Finished { ending, .. } => {
            let (answer, error, failure) = match ending {
                Ending::Completed { answer } => (Some(answer.clone()), None, None),
                Ending::Failed { reason, error, answer } => (answer.clone(), Some(error.clone()), Some(*reason)),
                Ending::Cancelled { reason } => (None, reason.clone(), None),
            };
            vec![Change::End { status: ending.status(), answer, error, failure }]
        }
        Event::PlanRefused { .. }
        | Event::Planned { .. }
        | Event::Forged { .. }
        | Event::StepStarted { .. }
        | Event::MessageSent { .. }
        | Event::MessagesRead { .. }
        | Event::Recalled { .. }
        | Event::StepFinished { .. }
        | Event::CancelAsked { .. } => Vec::new(),
    }
}

/// What an event used.
pub fn spent_by(event: &Event) -> Spent {
    match event {
        Event::ModelCalled { reply, .. } => Spent {
            usage: match reply {
                Outcome::Ok(reply) => reply.usage,
                Outcome::Err(_) => Default::default(),
            },
            model_calls: 1,
            tool_calls: 0,
        },
        Event::ToolCalled { .. } | Event::IntentSent { attempt: 1, .. } => Spent { tool_calls: 1, ..Spent::default() },
        _ => Spent::default(),
    }
}

/// A run's state: everything that can be said about it from its ledger.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunView {
    /// Where it stands.
    pub status: Option<RunStatus>,
    /// Who has worked on it, in the order of first appearance.
    pub chain: Vec<String>,
    /// Whether roles answer it and no planner is asked at first.
    #[serde(skip)]
    pub obvious: bool,
    /// All versions of its plan, oldest first, each with the reason for it.
    pub plans: Vec<(Plan, Option<String>)>,
    /// How its steps ended, in the order in which they did; every attempt is kept.
    pub steps: Vec<StepView>,
    /// The tools its agents were given.
    pub tools_selected: Vec<ToolName>,
    /// The tools that were really called, by anyone.
    pub tools_used: Vec<ToolName>,
    /// How many turns agents took.
    pub iterations: u32,
    /// How many intents were declared and how they ended.
    pub intents: IntentCounts,
    /// What it waits for.
    pub waits: Vec<Wait>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// What it used.
    pub spent: Spent,
    /// The strategy.
    pub strategy: Option<Strategy>,
    /// What was answered, perhaps before it was asked.
    #[serde(skip)]
    pub answered: BTreeSet<String>,
    /// The tools of the intents that were declared, by the intents' keys.
    #[serde(skip)]
    pub declared: BTreeMap<String, ToolName>,
}

/// One attempt at one step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepView {
    /// Which.
    pub step: StepId,
    /// Counted from 1.
    pub attempt: u32,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended, and how; absent while it is under way.
    pub finished: Option<(Timestamp, StepOutcome)>,
    /// What it used so far.
    pub spent: Spent,
}

/// How many intents there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct IntentCounts {
    /// All.
    pub declared: u32,
    /// Those that happened.
    pub done: u32,
    /// Those that did not.
    pub failed: u32,
    /// Those of which nobody can tell.
    pub unknown: u32,
    /// Those that were never sent, on purpose.
    pub withheld: u32,
}

/// The state that a ledger describes.
pub fn fold<'e>(ledger: impl IntoIterator<Item = &'e Recorded>) -> RunView {
    let mut view = RunView::default();
    for recorded in ledger {
        view.take(&recorded.entry);
    }
    view
}

impl RunView {
    /// Adds one event.
    pub fn take(&mut self, entry: &Entry) {
        let spent = spent_by(&entry.event);
        self.spent += spent;
        if let Some(step) = self.step_of(&entry.key) {
            step.spent += spent;
        }
        match &entry.event {
            Event::Received { .. } => self.status = Some(RunStatus::Pending),
            Event::Resumed { .. } => self.status = Some(RunStatus::Running),
            Event::Routed { route, strategy, judgement, .. } => {
                self.status = Some(RunStatus::Running);
                self.strategy = Some(*strategy);
                self.link("router");
                let obvious = matches!(route, Route::Reflex | Route::Fast);
                self.obvious = obvious;
                for part in judgement.iter().filter(|_| obvious).flat_map(|judgement| &judgement.parts) {
                    self.link(&part.role);
                }
            }
            Event::PlanRefused { .. } => self.link("planner"),
            Event::Planned { plan, because, .. } => {
                if !self.obvious || because.is_some() {
                    self.link("planner");
                }
                self.plans.push((plan.clone(), because.clone()));
            }
            Event::Forged { agent, tools, .. } => {
                self.link(agent);
                for tool in tools {
                    push_once(&mut self.tools_selected, tool);
                }
            }
            Event::StepStarted { step, attempt } => self.steps.push(StepView {
                step: step.clone(),
                attempt: *attempt,
                started_at: entry.at,
                finished: None,
                spent: Spent::default(),
            }),
            Event::StepFinished { step, attempt, outcome } => {
                let finished = Some((entry.at, outcome.clone()));
                match self.steps.iter_mut().rev().find(|view| view.step == *step && view.attempt == *attempt) {
                    Some(view) => view.finished = finished,
                    // Skipped steps end without having begun.
                    None => self.steps.push(StepView {
                        step: step.clone(),
                        attempt: *attempt,
                        started_at: entry.at,
                        finished,
                        spent: Spent::default(),
                    }),
                }
            }
            Event::ModelCalled { component, .. } => {
                if component.starts_with("agent") {
                    self.iterations += 1;
                }
            }
            Event::ToolCalled { tool, result, .. } => {
                if was_made(result) {
                    push_once(&mut self.tools_used, tool);
                }
            }
            Event::IntentDeclared { intent } => {
                self.intents.declared += 1;
                self.declared.insert(intent.key.clone(), intent.tool.clone());
            }
            Event::IntentSent { intent, .. } => {
                if let Some(tool) = self.declared.get(intent) {
                    push_once(&mut self.tools_used, tool);
                }
            }
            Event::IntentSettled { settlement, .. } => match settlement.status() {
                IntentStatus::Done => self.intents.done += 1,
                IntentStatus::Failed => self.intents.failed += 1,
                IntentStatus::Unknown => self.intents.unknown += 1,
                IntentStatus::Withheld => self.intents.withheld += 1,
                IntentStatus::Declared | IntentStatus::Sending => {}
            },
            Event::Waiting { wait } => {
                self.status = Some(RunStatus::Waiting);
                if !self.answered.contains(&wait.name) {
                    self.waits.push(wait.clone());
                }
            }
            Event::Answered { name, .. } => {
                self.answered.insert(name.clone());
                self.waits.retain(|wait| wait.name != *name);
            }
            Event::Finished { ending, .. } => {
                self.status = Some(ending.status());
                self.waits.clear();
                self.ending = Some(ending.clone());
            }
            Event::MessageSent { .. }
            | Event::MessagesRead { .. }
            | Event::Recalled { .. }
            | Event::CancelAsked { .. } => {}
        }
    }

    /// The attempt at a step that an entry belongs to, by its key: `step/forecast/1/…`.
    fn step_of(&mut self, key: &str) -> Option<&mut StepView> {
        let (step, rest) = key.strip_prefix("step/")?.split_once('/')?;
        let attempt: u32 = rest.split('/').next()?.parse().ok()?;
        self.steps.iter_mut().rev().find(|view| view.step.as_str() == step && view.attempt == attempt)
    }

    fn link(&mut self, name: &str) {
        if !self.chain.iter().any(|link| link == name) {
            self.chain.push(name.to_owned());
        }
    }
}

/// Whether a call reached its tool, or was refused before.
fn was_made(result: &Outcome<Value, ToolError>) -> bool {
    match result {
        Outcome::Ok(_) => true,
        Outcome::Err(error) => match error {
            ToolError::Unavailable { .. }
            | ToolError::Failed { .. }
            | ToolError::TimedOut { .. }
            | ToolError::InDoubt { .. } => true,
            ToolError::Unknown { .. }
            | ToolError::BadArguments { .. }
            | ToolError::Denied { .. }
            | ToolError::OverBudget { .. } => false,
        },
    }
}

fn push_once(tools: &mut Vec<ToolName>, tool: &ToolName) {
    if !tools.contains(tool) {
        tools.push(tool.clone());
    }
}
