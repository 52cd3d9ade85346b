//! A run's state as the fold of its ledger, and what each event means for the rows that listings are read from.

mod changes;
mod reasoning;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::budget::Spent;
use crate::event::{Entry, Event, Outcome, Recorded, Route, StepOutcome, Wait};
use crate::id::{StepId, ToolName};
use crate::intent::IntentStatus;
use crate::library::Member;
use crate::plan::{Plan, Strategy};
use crate::run::{Ending, RunStatus};
use crate::tool::ToolError;

pub use changes::{Change, changes};
pub use reasoning::Reasoning;

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
    /// What was thought, found, criticised, weighed and expected.
    pub reasoning: Reasoning,
    /// All versions of its plan, oldest first, each with the reason for it.
    pub plans: Vec<(Plan, Option<String>)>,
    /// The agents of its latest plan.
    pub members: Vec<Member>,
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
        for name in links(&entry.event) {
            if !self.chain.contains(&name) {
                self.chain.push(name);
            }
        }
        self.reasoning.take(&entry.event);
        match &entry.event {
            Event::Received { .. } => self.status = Some(RunStatus::Pending),
            Event::Resumed { .. } => self.status = Some(RunStatus::Running),
            Event::Routed { strategy, .. } => {
                self.status = Some(RunStatus::Running);
                self.strategy = Some(*strategy);
            }
            Event::Planned { plan, because, .. } => self.plans.push((plan.clone(), because.clone())),
            Event::Staffed { members, .. } => {
                if let Some((plan, _)) = self.plans.last_mut() {
                    *plan = crate::plan::staffed(plan, members);
                }
                self.members.clone_from(members);
            }
            Event::Forged { offered: Some(_), .. } => {}
            Event::Forged { tools, .. } => {
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
            Event::PlanRefused { .. }
            | Event::Weighed { .. }
            | Event::Thought { .. }
            | Event::Verified { .. }
            | Event::Critiqued { .. }
            | Event::Scored { .. }
            | Event::Assessed { .. }
            | Event::Gated { .. }
            | Event::Foreseen { .. }
            | Event::MessageSent { .. }
            | Event::MessagesRead { .. }
            | Event::Recalled { .. }
            | Event::Chosen { .. }
            | Event::Kept { .. }
            | Event::CancelAsked { .. } => {}
        }
    }

    /// The attempt at a step that an entry belongs to, by its key: `step/forecast/1/…`.
    fn step_of(&mut self, key: &str) -> Option<&mut StepView> {
        let (step, rest) = key.strip_prefix("step/")?.split_once('/')?;
        let attempt: u32 = rest.split('/').next()?.parse().ok()?;
        self.steps.iter_mut().rev().find(|view| view.step.as_str() == step && view.attempt == attempt)
    }
}

/// Who has worked on a run, going by one of its events.
fn links(event: &Event) -> Vec<String> {
    let one = |name: &str| vec![name.to_owned()];
    match event {
        Event::Routed { route, judgement, .. } => {
            let answers = matches!(route, Route::Reflex | Route::Fast);
            let roles = judgement.iter().filter(|_| answers).flat_map(|judgement| &judgement.parts);
            std::iter::once("router".to_owned()).chain(roles.map(|part| part.role.clone())).collect()
        }
        Event::Thought { .. } => one("thinker"),
        Event::PlanRefused { .. } => one("planner"),
        // A plan that came with the request, that a role means or that worked before, has no planner.
        Event::Planned { notes: Some(notes), .. } if notes.from.is_some() => one("library"),
        Event::Planned { configuration, because, notes, .. } => {
            if configuration.is_some() || because.is_some() || notes.is_some() { one("planner") } else { Vec::new() }
        }
        Event::Critiqued { .. } => one("critic"),
        Event::Scored { .. } => one("scorer"),
        Event::Assessed { .. } => one("meta_agent"),
        Event::Forged { agent, offered: None, .. } => one(agent),
        _ => Vec::new(),
    }
}

/// Whether a call reached its tool, or was refused before.
pub(crate) fn was_made(result: &Outcome<Value, ToolError>) -> bool {
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
