//! Plans as planners write them: tolerant about spelling, strict about meaning.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Action, AgentTask, BadPlan, Call, Plan, Step};
use crate::agent::ITERATIONS;
use crate::condition::{BadCondition, Condition};
use crate::id::{BadName, StepId, ToolName};
use crate::intent::IntentDraft;
use crate::reference::{self, BadReference};

/// A plan that has not been checked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PlanDraft {
    /// What it is all for.
    pub goal: String,
    /// What is to be done.
    pub steps: Vec<StepDraft>,
    /// The answer, with `${step.path}` where results go; left out when words have to be found first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What is to be written to the world once all steps have ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub intents: Vec<IntentDraft>,
}

/// A step that has not been checked: with `tool` it is a direct call, without it is a task for an agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StepDraft {
    /// What other steps call it.
    #[serde(alias = "step_id", alias = "stepId", alias = "name", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What it is for.
    #[serde(alias = "description", alias = "action", alias = "task")]
    pub goal: String,
    /// How it is done.
    #[serde(flatten)]
    pub how: ActionDraft,
    /// The steps that must have ended before.
    #[serde(alias = "dependsOn", alias = "dependencies", alias = "after", skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// A condition without which it is skipped.
    #[serde(alias = "condition", skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// A condition on its own result, without which it has failed.
    #[serde(alias = "validate", skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// The call that takes it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undo: Option<Call>,
    /// Other ways, tried in turn when it fails.
    #[serde(alias = "fallbacks", skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<ActionDraft>,
    /// What it should bring, in words.
    #[serde(alias = "expected_outcome", alias = "expectedOutcome", skip_serializing_if = "Option::is_none")]
    pub expects: Option<String>,
}

/// How a step is done, not yet checked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ActionDraft {
    /// The tool, for a direct call.
    #[serde(alias = "tool_name", alias = "toolName", skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The tool's arguments.
    #[serde(alias = "args", alias = "parameters", skip_serializing_if = "Value::is_null")]
    pub arguments: Value,
    /// The agent in the library that does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What an agent is told besides the goal.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// All an agent can reach.
    #[serde(alias = "tool_names", alias = "toolNames", skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// How many turns an agent has.
    #[serde(alias = "maxIterations", skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
}

/// What is wrong with one step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadStep {
    /// Say what to do.
    #[error("it says neither what to do nor with which tool")]
    Empty,
    /// Use names as they can be.
    #[error(transparent)]
    Name(#[from] BadName),
    /// Write it as conditions are written.
    #[error(transparent)]
    Condition(#[from] BadCondition),
    /// Write it as references are written.
    #[error(transparent)]
    Reference(#[from] BadReference),
    /// Give each argument its name.
    #[error("the arguments of `{tool}` must be an object, not `{given}`")]
    Arguments {
        /// Whose arguments.
        tool: ToolName,
        /// What was given.
        given: Value,
    },
    /// Choose another number.
    #[error("`max_iterations` is {0}; it must be from 1 to 50")]
    Turns(i64),
}

impl TryFrom<PlanDraft> for Plan {
    type Error = String;

    fn try_from(draft: PlanDraft) -> Result<Self, String> {
        Plan::parse(draft).map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    }
}

impl From<Plan> for PlanDraft {
    fn from(plan: Plan) -> Self {
        Self {
            goal: plan.goal,
            steps: plan.steps.into_iter().map(StepDraft::from).collect(),
            answer: plan.answer,
            intents: plan.intents,
        }
    }
}

impl From<Step> for StepDraft {
    fn from(step: Step) -> Self {
        Self {
            id: Some(step.id.into()),
            goal: step.goal,
            how: step.action.into(),
            depends_on: step.after.into_iter().map(String::from).collect(),
            when: step.when.map(String::from),
            check: step.check.map(String::from),
            undo: step.undo,
            alternatives: step.alternatives.into_iter().map(ActionDraft::from).collect(),
            expects: step.expects,
        }
    }
}

impl From<Action> for ActionDraft {
    fn from(action: Action) -> Self {
        match action {
            Action::Call(call) => Self { tool: Some(call.tool.into()), arguments: call.arguments, ..Self::default() },
            Action::Agent(task) => Self {
                agent: task.agent.map(String::from),
                prompt: task.prompt,
                tools: task.tools.into_iter().map(String::from).collect(),
                max_iterations: task.max_iterations,
                ..Self::default()
            },
        }
    }
}

impl StepDraft {
    /// What others call it; `at` is its place in the plan, from which steps without an id get theirs.
    pub(super) fn name(&self, at: usize) -> String {
        self.id.clone().unwrap_or_else(|| format!("step_{}", at + 1))
    }

    /// Everything that keeps it from being a step. Those that are waited for under an `unnamed` name have a problem of
    /// their own.
    pub(super) fn parse(self, at: usize, unnamed: &BTreeSet<String>) -> Result<Step, Vec<BadPlan>> {
        let name = self.name(at);
        let mut wrong: Vec<BadStep> = Vec::new();
        let id: Option<StepId> = noted(name.parse(), &mut wrong);
        if self.goal.trim().is_empty() && self.how.tool.is_none() && self.how.prompt.trim().is_empty() {
            wrong.push(BadStep::Empty);
        }
        let mut after = BTreeSet::new();
        for other in self.depends_on.into_iter().filter(|other| !unnamed.contains(other)) {
            after.extend(noted(other.parse::<StepId>(), &mut wrong));
        }
        let mut condition = |text: Option<String>| {
            let text = text.filter(|text| !text.trim().is_empty())?;
            noted(text.parse::<Condition>(), &mut wrong)
        };
        let (when, check) = (condition(self.when), condition(self.check));
        let action = self.how.parse(&mut wrong);
        let alternatives: Vec<Option<Action>> =
            self.alternatives.into_iter().map(|way| way.parse(&mut wrong)).collect();
        for action in action.iter().chain(alternatives.iter().flatten()) {
            after.extend(noted(action.refers_to(), &mut wrong).unwrap_or_default());
        }
        after.extend(when.iter().flat_map(Condition::steps));
        // Checking and undoing look at the step's own result as well.
        let mut own: BTreeSet<StepId> = check.iter().flat_map(Condition::steps).collect();
        if let Some(undo) = &self.undo {
            if !matches!(undo.arguments, Value::Object(_) | Value::Null) {
                wrong.push(BadStep::Arguments { tool: undo.tool.clone(), given: undo.arguments.clone() });
            }
            own.extend(noted(reference::steps_in(&undo.arguments), &mut wrong).unwrap_or_default());
        }
        after.extend(own.into_iter().filter(|step| Some(step) != id.as_ref()));
        match (id, action, wrong.is_empty()) {
            (Some(id), Some(action), true) => Ok(Step {
                id,
                goal: self.goal,
                action,
                after,
                when,
                check,
                undo: self.undo,
                alternatives: alternatives.into_iter().flatten().collect(),
                expects: self.expects,
            }),
            _ => Err(wrong.into_iter().map(|problem| BadPlan::Step { step: name.clone(), problem }).collect()),
        }
    }
}

impl ActionDraft {
    fn parse(self, wrong: &mut Vec<BadStep>) -> Option<Action> {
        if let Some(tool) = self.tool {
            let tool: ToolName = noted(tool.try_into(), wrong)?;
            return match self.arguments {
                Value::Null => Some(Action::Call(Call { tool, arguments: Value::Object(Default::default()) })),
                arguments @ Value::Object(_) => Some(Action::Call(Call { tool, arguments })),
                given => {
                    wrong.push(BadStep::Arguments { tool, given });
                    None
                }
            };
        }
        if let Some(turns) = self.max_iterations.filter(|turns| !ITERATIONS.contains(turns)) {
            wrong.push(BadStep::Turns(turns.into()));
        }
        let tools = self.tools.into_iter().filter_map(|name| noted(name.try_into(), wrong)).collect();
        let agent = self.agent.and_then(|name| noted(name.try_into(), wrong));
        Some(Action::Agent(AgentTask { agent, prompt: self.prompt, tools, max_iterations: self.max_iterations }))
    }
}

impl Action {
    fn refers_to(&self) -> Result<BTreeSet<StepId>, BadReference> {
        match self {
            Action::Call(call) => reference::steps_in(&call.arguments),
            Action::Agent(task) => reference::steps_in(&Value::String(task.prompt.clone())),
        }
    }
}

/// What was read, or nothing and why.
fn noted<T, E: Into<BadStep>>(read: Result<T, E>, wrong: &mut Vec<BadStep>) -> Option<T> {
    read.map_err(|error| wrong.push(error.into())).ok()
}
