//! What can be proved about a plan before anything of it happens. Findings are sentences a planner can act on.

use std::collections::BTreeMap;

use domain::agent::AgentConfiguration;
use domain::budget::Budget;
use domain::finding::{Bounds, Finding, Weight};
use domain::hash::Hash;
use domain::id::ToolName;
use domain::intent::IntentDraft;
use domain::money::Price;
use domain::plan::{Action, BadPlan, Call, Plan, PlanDraft};
use domain::tool::Toolbox;
use serde::Deserialize;
use serde_json::Value;

use crate::policy::Rule;

/// What a plan is measured by.
#[derive(Clone, Copy)]
pub struct Given<'g> {
    /// The tools there are.
    pub tools: &'g dyn Toolbox,
    /// What needs a person, and what is forbidden.
    pub rules: &'g [Rule],
    /// What may be used.
    pub budget: &'g Budget,
    /// How many turns an agent has when its step does not say.
    pub max_iterations: u32,
    /// What models cost, where that is known.
    pub price: Option<Price>,
    /// The agent that carries the plan out, where the planner configured one.
    pub configuration: Option<&'g AgentConfiguration>,
    /// What the first plan of the run could reach: a later one can add reads, but nothing that changes or reveals anything.
    pub frozen: Option<&'g [ToolName]>,
    /// The declarations that were planned with, by tool.
    pub pins: Option<&'g BTreeMap<ToolName, Hash>>,
}

/// What was proved.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// What was found, gravest first.
    pub findings: Vec<Finding>,
    /// What carrying the plan out can use.
    pub bounds: Bounds,
}

impl Verified {
    /// Whether the plan can be carried out.
    pub fn holds(&self) -> bool {
        self.findings.iter().all(|finding| finding.weight != Weight::Fatal)
    }
}

/// A plan from anywhere, or everything that keeps it from being one.
pub fn read(draft: &Value) -> Result<Plan, Vec<Finding>> {
    let draft = PlanDraft::deserialize(draft).map_err(|error| vec![fatal(error.to_string())])?;
    Plan::parse(draft).map_err(|problems| misread(&problems))
}

/// What a planner wrote that cannot be read as a plan.
pub fn unreadable(problem: String) -> Finding {
    fatal(problem)
}

/// The declarations of a plan's tools as they are now.
pub fn pins(tools: &dyn Toolbox, plan: &Plan) -> BTreeMap<ToolName, Hash> {
    let known = plan.tools().into_iter().filter_map(|name| Some((tools.tool(&name)?, name)));
    known.map(|(tool, name)| (name, Hash::of_json(tool.spec()))).collect()
}

/// What keeps a draft from being a plan, as findings.
pub fn misread(problems: &[BadPlan]) -> Vec<Finding> {
    problems.iter().map(|problem| fatal(problem.to_string())).collect()
}

/// Everything that can be proved about a plan.
pub fn verify(plan: &Plan, given: &Given<'_>) -> Verified {
    let findings = proved(given.tools, plan, given.configuration, given.frozen).into_iter().map(fatal).collect();
    Verified { findings, bounds: Bounds::default() }
}

fn fatal(says: String) -> Finding {
    Finding { code: "AW-PLAN-001".into(), step: None, says, weight: Weight::Fatal }
}

/// Everything that is wrong with a plan's tools and arguments. `frozen` is what the first plan of the run could reach:
/// a later one can add reads, but nothing that changes or reveals anything.
fn proved(
    tools: &dyn Toolbox,
    plan: &Plan,
    configuration: Option<&AgentConfiguration>,
    frozen: Option<&[ToolName]>,
) -> Vec<String> {
    let mut findings = Vec::new();
    for step in plan.steps() {
        let mut found = Vec::new();
        for action in std::iter::once(&step.action).chain(&step.alternatives) {
            match action {
                Action::Call(call) => check_call(tools, call, &mut found),
                Action::Agent(task) => task.tools.iter().for_each(|tool| check_tool(tools, tool, &mut found)),
            }
        }
        if let Some(undo) = &step.undo {
            check_call(tools, undo, &mut found);
        }
        findings.extend(found.into_iter().map(|finding| format!("step `{}`: {finding}", step.id)));
    }
    check_intents(tools, plan.intents(), &mut findings);
    for tool in configuration.iter().flat_map(|configuration| &configuration.tool_names) {
        check_tool(tools, tool, &mut findings);
    }
    if let Some(frozen) = frozen {
        let mut reachable = plan.tools();
        reachable.extend(configuration.iter().flat_map(|configuration| configuration.tool_names.clone()));
        for tool in reachable.into_iter().filter(|tool| !frozen.contains(tool)) {
            if tools.tool(&tool).is_some_and(|tool| tool.spec().effect != domain::tool::Effect::Read) {
                findings
                    .push(format!("`{tool}` was not part of the first plan: a new plan may add only tools that read"));
            }
        }
    }
    findings.dedup();
    findings
}

fn check_tool(tools: &dyn Toolbox, name: &ToolName, found: &mut Vec<String>) {
    if tools.tool(name).is_none() {
        found.push(match tools.resolve(name.as_str(), None) {
            Ok(meant) => format!("there is no tool `{name}`; the nearest is `{}`", meant.spec().name),
            Err(error) => error.to_string(),
        });
    }
}

fn check_call(tools: &dyn Toolbox, call: &Call, found: &mut Vec<String>) {
    if tools.tool(&call.tool).is_none() {
        check_tool(tools, &call.tool, found);
    } else if let Err(error) = tools.check_draft(&call.tool, &call.arguments) {
        found.push(error.to_string());
    }
}

fn check_intents(tools: &dyn Toolbox, intents: &[IntentDraft], findings: &mut Vec<String>) {
    for intent in intents {
        let call = Call { tool: intent.tool.clone(), arguments: intent.arguments.clone() };
        let mut found = Vec::new();
        check_call(tools, &call, &mut found);
        if tools.tool(&intent.tool).is_some_and(|tool| !tool.spec().effect.is_write()) {
            found.push(format!("`{}` changes nothing: it belongs into a step", intent.tool));
        }
        findings.extend(found.into_iter().map(|finding| format!("intents: {finding}")));
        check_intents(tools, &intent.then, findings);
    }
}
