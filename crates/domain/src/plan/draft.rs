//! Plans as planners write them: tolerant about spelling, strict about meaning.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Action, AgentTask, BadPlan, Call, Plan, Step};
use crate::agent::ITERATIONS;
use crate::id::StepId;
use crate::intent::IntentDraft;
use crate::reference;

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
    #[serde(alias = "step_id", alias = "name", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What it is for.
    #[serde(alias = "description", alias = "action", alias = "task")]
    pub goal: String,
    /// How it is done.
    #[serde(flatten)]
    pub how: ActionDraft,
    /// The steps that must have ended before.
    #[serde(alias = "dependencies", alias = "after", alias = "dependsOn", skip_serializing_if = "Vec::is_empty")]
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
    #[serde(alias = "tool_name", skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The tool's arguments.
    #[serde(alias = "args", alias = "parameters", skip_serializing_if = "Value::is_null")]
    pub arguments: Value,
    /// What an agent is told besides the goal.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// All an agent can reach.
    #[serde(alias = "tool_names", skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// How many turns an agent has.
    #[serde(alias = "maxIterations", skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
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
                prompt: task.prompt,
                tools: task.tools.into_iter().map(String::from).collect(),
                max_iterations: task.max_iterations,
                ..Self::default()
            },
        }
    }
}

impl StepDraft {
    /// `at` is the step's place in the plan, from which steps without an id get theirs.
    pub(super) fn parse(self, at: usize) -> Result<Step, BadPlan> {
        let name = self.id.unwrap_or_else(|| format!("step_{}", at + 1));
        let wrong = |problem: String| BadPlan::Step { step: name.clone(), problem };
        let id: StepId = name.parse().map_err(|error: crate::id::BadName| wrong(error.to_string()))?;
        if self.goal.trim().is_empty() && self.how.tool.is_none() && self.how.prompt.trim().is_empty() {
            return Err(wrong("it says neither what to do nor with which tool".into()));
        }
        let mut after = BTreeSet::new();
        for other in self.depends_on {
            after.insert(other.parse().map_err(|error: crate::id::BadName| wrong(error.to_string()))?);
        }
        let condition = |text: Option<String>| {
            text.filter(|text| !text.trim().is_empty())
                .map(|text| text.parse())
                .transpose()
                .map_err(|error: crate::condition::BadCondition| wrong(error.to_string()))
        };
        let when: Option<crate::condition::Condition> = condition(self.when)?;
        let check: Option<crate::condition::Condition> = condition(self.check)?;
        let action = self.how.parse().map_err(&wrong)?;
        let alternatives: Vec<Action> =
            self.alternatives.into_iter().map(ActionDraft::parse).collect::<Result<_, _>>().map_err(&wrong)?;
        for action in std::iter::once(&action).chain(&alternatives) {
            after.extend(action.refers_to().map_err(|error| wrong(error.to_string()))?);
        }
        after.extend(when.iter().flat_map(|condition| condition.steps()));
        // Checking and undoing look at the step's own result as well.
        let own = check.iter().flat_map(|condition| condition.steps()).collect::<BTreeSet<_>>();
        let undone = self.undo.as_ref().map(|call| reference::steps_in(&call.arguments)).transpose();
        let undone = undone.map_err(|error| wrong(error.to_string()))?.unwrap_or_default();
        after.extend(own.into_iter().chain(undone).filter(|step| *step != id));
        Ok(Step {
            id,
            goal: self.goal,
            action,
            after,
            when,
            check,
            undo: self.undo,
            alternatives,
            expects: self.expects,
        })
    }
}

impl ActionDraft {
    fn parse(self) -> Result<Action, String> {
        if let Some(tool) = self.tool {
            let tool = tool.try_into().map_err(|error: crate::id::BadName| error.to_string())?;
            return match self.arguments {
                Value::Null => Ok(Action::Call(Call { tool, arguments: Value::Object(Default::default()) })),
                arguments @ Value::Object(_) => Ok(Action::Call(Call { tool, arguments })),
                other => Err(format!("the arguments of `{tool}` must be an object, not `{other}`")),
            };
        }
        if let Some(turns) = self.max_iterations.filter(|turns| !ITERATIONS.contains(turns)) {
            return Err(format!("`max_iterations` is {turns}; it must be from 1 to 50"));
        }
        let tools = self.tools.into_iter().map(|name| name.try_into()).collect::<Result<_, _>>();
        let tools = tools.map_err(|error: crate::id::BadName| error.to_string())?;
        Ok(Action::Agent(AgentTask { prompt: self.prompt, tools, max_iterations: self.max_iterations }))
    }
}

impl Action {
    fn refers_to(&self) -> Result<BTreeSet<StepId>, reference::BadReference> {
        match self {
            Action::Call(call) => reference::steps_in(&call.arguments),
            Action::Agent(task) => reference::steps_in(&Value::String(task.prompt.clone())),
        }
    }
}
