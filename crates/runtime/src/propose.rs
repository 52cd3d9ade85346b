//! Everything a person should see before they decide, put together from a plan or a call. Pure: nothing is looked up.

mod patch;
mod words;

use domain::agent::AgentConfiguration;
use domain::approval::{Estimate, Proposal, ProposedAgent, ProposedEffect, Risk, Subject};
use domain::finding::Finding;
use domain::forecast::Forecast;
use domain::hash::Hash;
use domain::id::{StepId, ToolName};
use domain::intent::IntentDraft;
use domain::library::Member;
use domain::plan::{Action, Call, Plan, PlanDraft, Step, Strategy};
use domain::tool::{Effect, ToolSpec, Toolbox};
use serde_json::Value;

use crate::policy::reaches_out;

/// Why a person is asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reason {
    /// In a sentence.
    pub(crate) why: String,
    /// The rule that says so.
    pub(crate) rule: Option<String>,
}

/// A plan as it would be carried out.
pub(crate) struct Intended<'p> {
    pub(crate) version: u32,
    pub(crate) plan: &'p Plan,
    pub(crate) configuration: Option<&'p AgentConfiguration>,
    pub(crate) members: &'p [Member],
    pub(crate) strategy: Strategy,
    pub(crate) forecast: Option<&'p Forecast>,
    pub(crate) findings: &'p [Finding],
}

/// The proposal for a plan; `base` is what a person agreed to before.
pub(crate) fn plan(
    tools: &dyn Toolbox,
    intended: &Intended<'_>,
    base: Option<(u32, &PlanDraft)>,
    reason: Reason,
) -> Proposal {
    let draft = PlanDraft::from(intended.plan.clone());
    let diff = base.map(|(_, before)| patch::between(&json(before), &json(&draft))).unwrap_or_default();
    let effects = effects(tools, intended);
    let agents = agents(intended);
    let steps = intended.plan.steps().len();
    let who = match agents.len() {
        0 => String::new(),
        1 => " by 1 agent".to_owned(),
        many => format!(" by {many} agents"),
    };
    let does: Vec<String> = effects.iter().map(|effect| effect.words.clone()).collect();
    let does = if does.is_empty() { "changes nothing".to_owned() } else { does.join("; ") };
    let plural = if steps == 1 { "step" } else { "steps" };
    let goal = intended.plan.goal().trim();
    let goal = if goal.is_empty() { String::new() } else { format!("{}: ", goal.trim_end_matches(['.', ':'])) };
    Proposal {
        summary: format!("{goal}{steps} {plural}{who}; {does}"),
        subject: Subject::Plan {
            version: intended.version,
            base: base.map(|(version, _)| version),
            plan: Box::new(draft),
            agent: intended.configuration.cloned().map(Box::new),
            diff,
        },
        why: reason.why,
        rule: reason.rule,
        agents,
        risk: risk(&effects),
        effects,
        estimate: intended.forecast.map(|forecast| Estimate {
            usd: [forecast.usd.low, forecast.usd.high],
            seconds: [forecast.seconds.low, forecast.seconds.high],
        }),
        findings: intended.findings.to_vec(),
    }
}

/// What an approval of a plan is bound to.
pub(crate) fn hash_of_plan(plan: &Plan, configuration: Option<&AgentConfiguration>) -> Hash {
    let draft = PlanDraft::from(plan.clone());
    match configuration {
        None => Hash::of_json(&draft),
        Some(agent) => Hash::of_json(&(draft, agent)),
    }
}

/// The proposal for one call.
pub(crate) fn call(tool: &ToolSpec, step: Option<&StepId>, arguments: &Value, reason: Reason) -> Proposal {
    let effect = effect(tool, step, words::of_call(tool, arguments));
    Proposal {
        summary: effect.words.clone(),
        subject: Subject::Call {
            step: step.cloned(),
            call: Call { tool: tool.name.clone(), arguments: arguments.clone() },
        },
        why: reason.why,
        rule: reason.rule,
        agents: Vec::new(),
        risk: risk(std::slice::from_ref(&effect).iter().filter(|_| tool.effect != Effect::Read)),
        effects: vec![effect],
        estimate: None,
        findings: Vec::new(),
    }
}

/// What an approval of a call is bound to.
pub(crate) fn hash_of_call(tool: &ToolName, step: Option<&StepId>, arguments: &Value) -> Hash {
    Hash::of_json(&(step, Call { tool: tool.clone(), arguments: arguments.clone() }))
}

fn json(draft: &PlanDraft) -> Value {
    serde_json::to_value(draft).unwrap_or_default()
}

fn risk<'e>(effects: impl IntoIterator<Item = &'e ProposedEffect>) -> Risk {
    let graver = |effect: &ProposedEffect| if effect.reversible { Risk::Medium } else { Risk::High };
    effects.into_iter().map(graver).max().unwrap_or(Risk::Low)
}

fn effect(tool: &ToolSpec, step: Option<&StepId>, words: String) -> ProposedEffect {
    ProposedEffect {
        step: step.cloned(),
        tool: tool.name.clone(),
        words,
        reversible: !matches!(tool.effect, Effect::Write { reversible: false, .. }),
        external: reaches_out(&tool.effect),
    }
}

/// Who carries the steps out that need judgement, and what each is told.
fn agents(intended: &Intended<'_>) -> Vec<ProposedAgent> {
    if let (Strategy::SingleAgent, Some(agent)) = (intended.strategy, intended.configuration) {
        let prompt = format!("{}\n{}", agent.system_prompt.trim(), agent.guidance.trim()).trim().to_owned();
        return intended
            .plan
            .steps()
            .first()
            .map(|step| ProposedAgent {
                id: "agent".into(),
                step: step.id.clone(),
                description: "has the whole plan and all its tools".into(),
                prompt,
                tools: agent.tool_names.clone(),
                decision: None,
                why: String::new(),
                from: None,
            })
            .into_iter()
            .collect();
    }
    intended.plan.steps().iter().filter_map(|step| agent(intended, step)).collect()
}

fn agent(intended: &Intended<'_>, step: &Step) -> Option<ProposedAgent> {
    let Action::Agent(task) = &step.action else { return None };
    let member = intended.members.iter().find(|member| member.step == step.id);
    // A step that names no tools has those of the plan's agent, and so with what it is told.
    let (tools, prompt) = match intended.configuration {
        Some(agent) => (
            if task.tools.is_empty() { &agent.tool_names } else { &task.tools },
            if task.prompt.trim().is_empty() { &agent.system_prompt } else { &task.prompt },
        ),
        None => (&task.tools, &task.prompt),
    };
    Some(ProposedAgent {
        id: member.map_or_else(|| step.id.to_string(), |member| member.name.to_string()),
        step: step.id.clone(),
        description: member.map_or_else(|| step.goal.clone(), |member| member.description.clone()),
        prompt: prompt.clone(),
        tools: tools.clone(),
        decision: member.map(|member| member.choice.decision),
        why: member.map(|member| member.choice.why.clone()).unwrap_or_default(),
        from: member.and_then(|member| member.choice.item.as_ref().map(|(name, _)| name.clone())),
    })
}

/// Every write and everything that leaves, in the order of the plan.
fn effects(tools: &dyn Toolbox, intended: &Intended<'_>) -> Vec<ProposedEffect> {
    let mut effects: Vec<ProposedEffect> = Vec::new();
    let mut add = |step: Option<&StepId>, tool: &ToolName, arguments: Option<&Value>| {
        let Some(tool) = tools.tool(tool) else { return };
        let tool = tool.spec();
        if tool.effect == Effect::Read {
            return;
        }
        let words = arguments.map_or_else(|| words::of_tool(tool), |arguments| words::of_call(tool, arguments));
        let effect = effect(tool, step, words);
        if !effects.contains(&effect) {
            effects.push(effect);
        }
    };
    for step in intended.plan.steps() {
        for action in std::iter::once(&step.action).chain(&step.alternatives) {
            match action {
                Action::Call(call) => add(Some(&step.id), &call.tool, Some(&call.arguments)),
                Action::Agent(task) => task.tools.iter().for_each(|tool| add(Some(&step.id), tool, None)),
            }
        }
    }
    for tool in intended.configuration.iter().flat_map(|agent| &agent.tool_names) {
        if !intended.plan.tools().contains(tool) {
            add(None, tool, None);
        }
    }
    fn at_the_end<'i>(intents: &'i [IntentDraft], found: &mut Vec<&'i IntentDraft>) {
        for intent in intents {
            found.push(intent);
            at_the_end(&intent.then, found);
        }
    }
    let mut intents = Vec::new();
    at_the_end(intended.plan.intents(), &mut intents);
    intents.into_iter().for_each(|intent| add(None, &intent.tool, Some(&intent.arguments)));
    effects
}
