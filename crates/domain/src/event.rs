//! Everything that can happen to a run. The ledger is a sequence of these and all else is a view of it.
//!
//! Ledgers outlive programs: an event may gain optional fields and never changes its meaning. The golden files in
//! `tests/golden` hold one of each as every released version wrote it.

mod message;
mod outcome;
mod wait;
mod way;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::AgentConfiguration;
use crate::assessment::{Assessment, Next};
use crate::budget::Spent;
use crate::chat::{ModelError, Reply};
use crate::confidence::Confidence;
use crate::critique::Critique;
use crate::finding::{Bounds, Finding};
use crate::forecast::Forecast;
use crate::guideline::Guideline;
use crate::hash::Hash;
use crate::id::{StepId, ToolName};
use crate::intent::{Intent, Settlement};
use crate::library::{Choice, Draft, Member, Shortlist, ToolNote};
use crate::plan::{Notes, Plan, Strategy};
use crate::request::Request;
use crate::route::Judgement;
use crate::run::Ending;
use crate::thought::{Complexity, Thought};
use crate::tool::ToolError;

pub use message::Purpose;
pub use outcome::{Outcome, StepOutcome};
pub use wait::{Need, Wait, is_no, is_yes};
pub use way::{Origin, Route};

/// A position in a run's ledger: 1 for the first event, without gaps.
pub type Seq = u64;

/// An event that is to be recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// What this is the record of, for example `step/forecast/1/turn/2`. Once in a run.
    pub key: String,
    /// The hash of what a result was computed from: a different question does not get a recorded answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Hash>,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// An event on record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// Where it stands.
    pub seq: Seq,
    /// What stands there.
    #[serde(flatten)]
    pub entry: Entry,
}

/// Something that happened to a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Event {
    /// A request was accepted: the first event of every run.
    Received {
        /// What was asked.
        request: Box<Request>,
        /// The run this one was forked from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<Origin>,
    },
    /// Another process, or the same one after a wait, took the run up again.
    Resumed {
        /// The epoch it works in.
        epoch: u64,
    },
    /// It was decided how the request is dealt with.
    Routed {
        /// Which way it goes.
        route: Route,
        /// How agents are made from the plan.
        strategy: Strategy,
        /// Why.
        why: String,
        /// What was understood of the request without a model, where that was tried.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        judgement: Option<Box<Judgement>>,
    },
    /// What the planner gets to know besides the request was looked up.
    Recalled {
        /// What was remembered, best first.
        memories: Vec<String>,
        /// What was asked and answered lately, newest first.
        recent: Vec<String>,
        /// What those who plan and act are told to heed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        guidelines: Vec<Guideline>,
        /// The tools that planners get to see, where there are too many to see them all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shortlist: Option<Shortlist>,
        /// What calling tools was like, in a few words, where that is worth knowing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        experience: Vec<ToolNote>,
    },
    /// It was decided whether something that is there is used, for a step or for the whole request.
    Chosen {
        /// The step; absent for the whole request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<StepId>,
        /// What was decided, and why.
        choice: Box<Choice>,
        /// What is used or changed, as it was then: whoever repeats this need not look it up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<Box<Draft>>,
    },
    /// It was told how much the request takes.
    Weighed {
        /// How much.
        complexity: Complexity,
    },
    /// The request was thought about.
    Thought {
        /// Counted from 1; a plan that goes back begins another.
        round: u32,
        /// Counted from 1 within the round: each goes deeper than the one before.
        pass: u32,
        /// What came of it.
        thought: Box<Thought>,
    },
    /// It was proved what can be proved about a draft of a plan.
    Verified {
        /// Which attempt at a plan it was.
        attempt: u32,
        /// What was found.
        findings: Vec<Finding>,
        /// What carrying it out can use, where it can be carried out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bounds: Option<Bounds>,
    },
    /// A draft of a plan was turned down before anything of it happened.
    PlanRefused {
        /// Which attempt it was.
        version: u32,
        /// What is wrong with it, one sentence each.
        findings: Vec<String>,
    },
    /// There is a plan, or a new version of it.
    Planned {
        /// Counted from 1.
        version: u32,
        /// The steps.
        plan: Plan,
        /// What the planner configured for a single agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        configuration: Option<Box<AgentConfiguration>>,
        /// Why there is a new version.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<String>,
        /// What its planner says about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notes: Option<Box<Notes>>,
    },
    /// A plan was criticised.
    Critiqued {
        /// Which version.
        version: u32,
        /// What was said.
        critique: Box<Critique>,
    },
    /// It was weighed how sure everyone is of a plan.
    Scored {
        /// Which version.
        version: u32,
        /// How sure.
        confidence: Box<Confidence>,
    },
    /// The reasoning behind a plan was judged.
    Assessed {
        /// Which version.
        version: u32,
        /// How good it is.
        assessment: Box<Assessment>,
    },
    /// It was decided what is done with a plan.
    Gated {
        /// Which version.
        version: u32,
        /// What.
        next: Next,
        /// Why, and what another pass would have been worth.
        why: String,
    },
    /// It was said what the run will probably take and bring.
    Foreseen {
        /// Which version of the plan.
        version: u32,
        /// What is expected.
        forecast: Box<Forecast>,
    },
    /// The steps of a plan that need judgement got their agents.
    Staffed {
        /// Which version of the plan.
        version: u32,
        /// Who, step by step.
        members: Vec<Member>,
    },
    /// An agent was made.
    Forged {
        /// What it is called in this run.
        agent: String,
        /// The step it was made for; absent for an agent that has the whole plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<StepId>,
        /// All it can reach.
        tools: Vec<ToolName>,
        /// What it is told.
        prompt: String,
        /// How many turns it has.
        max_iterations: u32,
        /// What it is for, where it was not made to work at once but is offered to others as a tool.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offered: Option<String>,
    },
    /// A step was begun.
    StepStarted {
        /// Which.
        step: StepId,
        /// Counted from 1.
        attempt: u32,
    },
    /// A model was asked.
    ModelCalled {
        /// On whose behalf: `planner`, `agent`, …
        component: String,
        /// Which model.
        model: String,
        /// What it answered.
        reply: Outcome<Reply, ModelError>,
        /// How long it took.
        millis: u64,
    },
    /// A tool was called that changes nothing.
    ToolCalled {
        /// Which.
        tool: ToolName,
        /// With what.
        arguments: Value,
        /// What it answered.
        result: Outcome<Value, ToolError>,
        /// How long it took.
        millis: u64,
    },
    /// An agent told another something.
    MessageSent {
        /// Who.
        from: String,
        /// Whom.
        to: String,
        /// What.
        text: String,
        /// What the sender wants by it.
        #[serde(default, skip_serializing_if = "Purpose::is_update")]
        purpose: Purpose,
        /// Why it was not delivered, where it was not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<String>,
    },
    /// An agent read its mailbox.
    MessagesRead {
        /// Who.
        agent: String,
        /// How many messages it has read by now.
        count: usize,
    },
    /// A write is wanted.
    IntentDeclared {
        /// What.
        intent: Intent,
    },
    /// A write is about to leave; from here on it may have happened.
    IntentSent {
        /// Which.
        intent: String,
        /// Counted from 1.
        attempt: u32,
    },
    /// It is known, or known to be unknown, what became of a write.
    IntentSettled {
        /// Which.
        intent: String,
        /// What became of it.
        settlement: Settlement,
    },
    /// A step ended.
    StepFinished {
        /// Which.
        step: StepId,
        /// Counted from 1.
        attempt: u32,
        /// How.
        outcome: StepOutcome,
    },
    /// What worked was kept, to be found and used again.
    Kept {
        /// What.
        items: Vec<Draft>,
    },
    /// Something is needed from outside before the run can go on.
    Waiting {
        /// What.
        wait: Wait,
    },
    /// Somebody answered. Comes from outside the run, perhaps before it asked.
    Answered {
        /// The [`Wait::name`].
        name: String,
        /// The answer.
        answer: Value,
        /// Who.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// Somebody wants the run to stop. Comes from outside the run.
    CancelAsked {
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The run is over. The last event of every run that ended.
    Finished {
        /// How.
        ending: Ending,
        /// What it used.
        spent: Spent,
        /// Milliseconds in which it was worked on; absent where it was only planned or tried.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        worked_ms: Option<u64>,
    },
}

impl Event {
    /// The word under which it is serialised.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::Received { .. } => "received",
            Event::Resumed { .. } => "resumed",
            Event::Routed { .. } => "routed",
            Event::Recalled { .. } => "recalled",
            Event::Chosen { .. } => "chosen",
            Event::Weighed { .. } => "weighed",
            Event::Thought { .. } => "thought",
            Event::Verified { .. } => "verified",
            Event::PlanRefused { .. } => "plan_refused",
            Event::Planned { .. } => "planned",
            Event::Critiqued { .. } => "critiqued",
            Event::Scored { .. } => "scored",
            Event::Assessed { .. } => "assessed",
            Event::Gated { .. } => "gated",
            Event::Foreseen { .. } => "foreseen",
            Event::Staffed { .. } => "staffed",
            Event::Forged { .. } => "forged",
            Event::StepStarted { .. } => "step_started",
            Event::ModelCalled { .. } => "model_called",
            Event::ToolCalled { .. } => "tool_called",
            Event::MessageSent { .. } => "message_sent",
            Event::MessagesRead { .. } => "messages_read",
            Event::IntentDeclared { .. } => "intent_declared",
            Event::IntentSent { .. } => "intent_sent",
            Event::IntentSettled { .. } => "intent_settled",
            Event::StepFinished { .. } => "step_finished",
            Event::Kept { .. } => "kept",
            Event::Waiting { .. } => "waiting",
            Event::Answered { .. } => "answered",
            Event::CancelAsked { .. } => "cancel_asked",
            Event::Finished { .. } => "finished",
        }
    }

    /// Whether it comes from outside the run's own work: people, clocks and processes, not the pipeline.
    pub fn is_external(&self) -> bool {
        matches!(
            self,
            Event::Received { .. } | Event::Resumed { .. } | Event::Answered { .. } | Event::CancelAsked { .. }
        )
    }
}
