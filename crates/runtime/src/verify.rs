//! What can be proved about a plan before anything of it happens: no model, no I/O, no clock. Findings are sentences a
//! planner can act on; `docs/verifier.md` explains every one of them.

mod bounds;
mod calls;
mod conditions;
mod effects;
mod fold;
mod form;
mod ground;
mod references;
mod schema;
mod taint;
mod uses;

use std::collections::BTreeMap;

use domain::agent::AgentConfiguration;
use domain::budget::Budget;
use domain::finding::{Bounds, Code, Finding, Weight};
use domain::hash::Hash;
use domain::id::{StepId, ToolName};
use domain::money::Price;
use domain::plan::{BadPlan, Plan};
use domain::tool::{Effect, ToolSpec, Toolbox};
use serde_json::Value;

use self::ground::Ground;
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

/// A plan from anywhere, or everything that keeps it from being one. It may stand alone, be a list of steps, or be the
/// `plan` of an agent's configuration or of a page that shows it.
pub fn read(draft: &Value) -> Result<Plan, Vec<Finding>> {
    form::read(draft)
}

/// What a planner wrote that cannot be read as a plan.
pub fn unreadable(problem: String) -> Finding {
    Finding::new(Code::NotAPlan, None, problem)
}

/// What stands in a plan from anywhere and is not read.
pub fn unread(draft: &Value) -> Vec<Finding> {
    form::unread(draft)
}

/// What keeps a draft from being a plan, as findings.
pub fn misread(problems: &[BadPlan]) -> Vec<Finding> {
    form::misread(problems)
}

/// Everything that can be proved about a plan.
pub fn verify(plan: &Plan, given: &Given<'_>) -> Verified {
    let ground = Ground::new(plan, given.tools, given.configuration);
    let bounds = bounds::bounds(&ground, given);
    let mut findings = Vec::new();
    calls::check(&ground, given, &mut findings);
    references::check(&ground, &mut findings);
    conditions::check(&ground, &mut findings);
    effects::check(&ground, given, &mut findings);
    taint::check(&ground, given.rules, &mut findings);
    bounds::check(&bounds, given, &mut findings);
    uses::check(&ground, &mut findings);
    let mut findings = once_each(findings);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.weight));
    Verified { findings, bounds }
}

/// The declarations of the tools that a plan can reach, as they are now: [`Given::pins`] for whoever looks later.
pub fn pins(tools: &dyn Toolbox, plan: &Plan) -> BTreeMap<ToolName, Hash> {
    let reachable = plan.tools().into_iter();
    reachable.filter_map(|name| tools.tool(&name).map(|tool| (name, Hash::of_json(tool.spec())))).collect()
}

/// The target arguments of a step's call that come from untrusted results: before such a call a person is asked.
pub fn tainted(plan: &Plan, tools: &dyn Toolbox, step: &StepId) -> Vec<String> {
    taint::targets(&Ground::new(plan, tools, None), step)
}

/// The target arguments of a write at the end of a plan that take anything from results.
pub(crate) fn referring(tool: &ToolSpec, arguments: &Value) -> Vec<String> {
    let Effect::Write { targets, .. } = &tool.effect else { return Vec::new() };
    let refers =
        |target: &&String| arguments.get(target.as_str()).is_some_and(|value| value.to_string().contains("${"));
    targets.iter().filter(refers).cloned().collect()
}

fn once_each(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        if !kept.contains(&finding) {
            kept.push(finding);
        }
    }
    kept
}
