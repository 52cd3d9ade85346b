//! Plans: what is to be done, in which order, and what then.
//!
//! Planners write [`PlanDraft`]s. A [`Plan`] exists only if it hangs together: ids are unique, everything a step waits
//! for or refers to is an earlier step, nothing goes in circles. Whether its tools exist and its arguments fit is for
//! the registry to say.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::condition::Condition;
use crate::hash::Hash;
use crate::id::{ItemName, StepId, ToolName};
use crate::intent::IntentDraft;
use crate::library::Member;
use crate::reference;
use crate::score::Score;

pub mod diff;
mod draft;
mod order;

use self::order::in_order;

pub use draft::{ActionDraft, BadStep, PlanDraft, StepDraft};

/// The most steps a plan can have.
pub const MAX_STEPS: usize = 100;

/// How agents are made from a plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The steps are carried out one by one, in parallel where they can be.
    TaskGraph,
    /// One agent gets the whole plan and all its tools.
    #[default]
    SingleAgent,
    /// Each step gets an agent of its own, and they can talk.
    Cohort,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 3] = [Self::TaskGraph, Self::SingleAgent, Self::Cohort];

    /// The word for it in configuration and listings.
    pub fn word(self) -> &'static str {
        match self {
            Strategy::TaskGraph => "task_graph",
            Strategy::SingleAgent => "single_agent",
            Strategy::Cohort => "cohort",
        }
    }

    /// The strategy a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.word() == word)
    }
}

/// Steps in an order in which each comes after everything it waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PlanDraft", into = "PlanDraft")]
pub struct Plan {
    goal: String,
    steps: Vec<Step>,
    answer: Option<String>,
    intents: Vec<IntentDraft>,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What others call it.
    pub id: StepId,
    /// What it is for.
    pub goal: String,
    /// How it is done.
    pub action: Action,
    /// What must have ended before it begins: what the plan says, and what the step refers to.
    pub after: BTreeSet<StepId>,
    /// It is skipped unless this holds.
    pub when: Option<Condition>,
    /// Its result counts only if this holds.
    pub check: Option<Condition>,
    /// What takes it back, when its result does not count.
    pub undo: Option<Call>,
    /// Tried in turn when it fails.
    pub alternatives: Vec<Action>,
    /// What it should bring, in words.
    pub expects: Option<String>,
}

/// What a planner says about its plan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// How sure it is of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Score>,
    /// How much the plan takes, in the planner's words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub complexity: String,
    /// Why it is as it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rationale: String,
    /// Other plans, best first, for when this one dies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<PlanDraft>,
    /// The declarations of its tools as they were: what changes later is not what was planned with.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pins: BTreeMap<ToolName, Hash>,
    /// What in the library it was taken from: no planner made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<ItemName>,
}

/// How a step is done.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Tool and arguments are known: no model is needed.
    Call(Call),
    /// Judgement is needed: an agent does it.
    Agent(AgentTask),
}

/// A tool and its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// Which tool.
    pub tool: ToolName,
    /// With what; `${step.path}` takes values from results.
    #[serde(default)]
    pub arguments: Value,
}

/// A task for an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentTask {
    /// The agent in the library that does it, once one was chosen.
    pub agent: Option<ItemName>,
    /// What the agent is told besides the step's goal.
    pub prompt: String,
    /// All it can reach.
    pub tools: Vec<ToolName>,
    /// How many turns it has; the configured number when absent.
    pub max_iterations: Option<u32>,
}

/// What is wrong with a draft. A planner can act on each sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPlan {
    /// Say what to do.
    #[error("the plan has no steps")]
    NoSteps,
    /// Do less, or do it in several requests.
    #[error("the plan has {0} steps; at most {MAX_STEPS} are allowed")]
    TooManySteps(usize),
    /// Rename one of them.
    #[error("two steps are called `{0}`")]
    Twice(StepId),
    /// Correct the name.
    #[error("step `{step}` waits for unknown step `{missing}`")]
    UnknownStep {
        /// Who waits.
        step: String,
        /// For whom.
        missing: StepId,
    },
    /// Break the circle.
    #[error("steps wait for each other in a circle: `{}`", .0.iter().map(StepId::as_str).collect::<Vec<_>>().join("`, `"))]
    Circle(Vec<StepId>),
    /// Correct the step.
    #[error("step `{step}`: {problem}")]
    Step {
        /// Which.
        step: String,
        /// What is wrong with it.
        problem: BadStep,
    },
}

impl Plan {
    /// Reads a draft, or says everything that is wrong with it.
    pub fn parse(draft: PlanDraft) -> Result<Self, Vec<BadPlan>> {
        if draft.steps.is_empty() {
            return Err(vec![BadPlan::NoSteps]);
        }
        if draft.steps.len() > MAX_STEPS {
            return Err(vec![BadPlan::TooManySteps(draft.steps.len())]);
        }
        // What has a problem of its own is still there for others to wait for.
        let mut known: BTreeSet<StepId> = BTreeSet::new();
        let mut unnamed: BTreeSet<String> = BTreeSet::new();
        for (at, step) in draft.steps.iter().enumerate() {
            match step.name(at).parse() {
                Ok(id) => drop(known.insert(id)),
                Err(_) => drop(unnamed.insert(step.name(at))),
            }
        }
        let mut problems = Vec::new();
        let mut steps: Vec<Step> = Vec::new();
        for (at, step) in draft.steps.into_iter().enumerate() {
            match step.parse(at, &unnamed) {
                Ok(step) if steps.iter().any(|earlier| earlier.id == step.id) => problems.push(BadPlan::Twice(step.id)),
                Ok(step) => steps.push(step),
                Err(wrong) => problems.extend(wrong),
            }
        }
        for step in &mut steps {
            for missing in step.after.difference(&known) {
                problems.push(BadPlan::UnknownStep { step: step.id.to_string(), missing: missing.clone() });
            }
            step.after.retain(|other| known.contains(other));
        }
        let ends = [
            ("answer", draft.answer.as_deref().map(|text| reference::steps_in(&Value::String(text.to_owned())))),
            ("intents", Some(steps_in_intents(&draft.intents))),
        ];
        for (place, needed) in ends {
            match needed.unwrap_or_else(|| Ok(BTreeSet::new())) {
                Ok(needed) => problems.extend(
                    needed
                        .difference(&known)
                        .map(|missing| BadPlan::UnknownStep { step: place.to_owned(), missing: missing.clone() }),
                ),
                Err(problem) => {
                    problems.push(BadPlan::Step { step: place.to_owned(), problem: BadStep::Reference(problem) })
                }
            }
        }
        // Circles among the steps that could be read; those that could not count as done.
        let readable: BTreeSet<StepId> = steps.iter().map(|step| step.id.clone()).collect();
        for step in &mut steps {
            step.after.retain(|other| readable.contains(other));
        }
        match in_order(steps) {
            Err(circle) => problems.push(BadPlan::Circle(circle)),
            Ok(steps) if problems.is_empty() => {
                return Ok(Self { goal: draft.goal, steps, answer: draft.answer, intents: draft.intents });
            }
            Ok(_) => {}
        }
        Err(problems)
    }

    /// What it is all for.
    pub fn goal(&self) -> &str {
        &self.goal
    }

    /// Each after everything it waits for.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// One step.
    pub fn step(&self, id: &StepId) -> Option<&Step> {
        self.steps.iter().find(|step| step.id == *id)
    }

    /// How the answer is put together from results, where the plan knows.
    pub fn answer(&self) -> Option<&str> {
        self.answer.as_deref()
    }

    /// What is to be written to the world once all steps have ended.
    pub fn intents(&self) -> &[IntentDraft] {
        &self.intents
    }

    /// Every tool the plan can reach, each once, in order of appearance.
    pub fn tools(&self) -> Vec<ToolName> {
        let mut tools: Vec<ToolName> = Vec::new();
        let mut add = |tool: &ToolName| {
            if !tools.contains(tool) {
                tools.push(tool.clone());
            }
        };
        for step in &self.steps {
            for action in std::iter::once(&step.action).chain(&step.alternatives) {
                match action {
                    Action::Call(call) => add(&call.tool),
                    Action::Agent(task) => task.tools.iter().for_each(&mut add),
                }
            }
            step.undo.iter().for_each(|call| add(&call.tool));
        }
        fn chained(intents: &[IntentDraft], add: &mut impl FnMut(&ToolName)) {
            for intent in intents {
                add(&intent.tool);
                chained(&intent.then, add);
            }
        }
        chained(&self.intents, &mut add);
        tools
    }
}

/// The plan with the agents that carry out its steps: what they are told and all they can reach.
pub fn staffed(plan: &Plan, members: &[Member]) -> Plan {
    let mut plan = plan.clone();
    for step in &mut plan.steps {
        if let (Action::Agent(task), Some(member)) = (&mut step.action, members.iter().find(|it| it.step == step.id)) {
            *task = AgentTask {
                agent: Some(member.name.clone()),
                prompt: member.agent.prompt.clone(),
                tools: member.agent.tools.clone(),
                max_iterations: member.agent.max_iterations.or(task.max_iterations),
            };
        }
    }
    plan
}

fn steps_in_intents(intents: &[IntentDraft]) -> Result<BTreeSet<StepId>, reference::BadReference> {
    let mut steps = BTreeSet::new();
    for intent in intents {
        steps.extend(reference::steps_in(&intent.arguments)?);
        steps.extend(steps_in_intents(&intent.then)?);
    }
    Ok(steps)
}

#[cfg(test)]
mod tests;
