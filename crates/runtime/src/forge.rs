//! Makes agents from a plan: exactly the chosen tools, a prompt put together for them, a number of turns. Nothing else is
//! reachable.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::agent::AgentConfiguration;
use domain::event::{Event, StepOutcome};
use domain::hash::Hash;
use domain::id::{StepId, ToolName};
use domain::plan::{Action, AgentTask, Plan, Step, Strategy};
use domain::reference;
use domain::tool::Tool;
use serde_json::Value;

use crate::agent::Agent;
use crate::context::tool_text;
use crate::engine::Results;
use crate::plan::{Planned, step_lines};
use crate::prompt::{AgentPrompt, ResultText, Task, render};
use crate::record::Halt;
use crate::work::Work;

/// What step agents of a run are made from.
pub(crate) struct Team {
    strategy: Strategy,
    configuration: Option<AgentConfiguration>,
    pins: BTreeMap<ToolName, Hash>,
}

impl Team {
    pub(crate) fn new(strategy: Strategy, planned: &Planned) -> Self {
        let pins = planned.notes.as_ref().map(|notes| notes.pins.clone()).unwrap_or_default();
        Self { strategy, configuration: planned.configuration.clone(), pins }
    }

    /// A tool of an action whose declaration is not the one that was planned with. A replay looks at the record only.
    pub(crate) fn changed_since<'a>(&self, work: &Work<'_>, action: &'a Action) -> Option<&'a ToolName> {
        if work.journal.gate().is_some() {
            return None;
        }
        let tools = match action {
            Action::Call(call) => std::slice::from_ref(&call.tool),
            Action::Agent(task) => &task.tools,
        };
        tools.iter().find(|name| {
            let now = work.runtime.tools.tool(name).map(|tool| Hash::of_json(tool.spec()));
            self.pins.get(*name).is_some_and(|pin| now != Some(*pin))
        })
    }

    /// An agent for one step.
    pub(crate) async fn for_step(
        &self,
        work: &Work<'_>,
        plan: &Plan,
        step: &Step,
        task: &AgentTask,
        key: &str,
        results: &Results,
    ) -> Result<Agent, Halt> {
        let configured = self.configuration.as_ref();
        // A step that names no tools has those of the plan.
        let names = match (&task.tools[..], configured) {
            ([], Some(configuration)) => configuration.tool_names.clone(),
            (names, _) => names.to_vec(),
        };
        let prompt = reference::fill(&Value::String(task.prompt.clone()), &|id| results.output(id));
        let prompt = prompt.map(|filled| reference::aloud(&filled)).unwrap_or_else(|_| task.prompt.clone());
        let system = match (prompt.trim(), configured) {
            ("", Some(configuration)) => configuration.system_prompt.clone(),
            ("", None) => "You carry out one step of a plan for a person.".into(),
            (prompt, _) => prompt.to_owned(),
        };
        let peers = if self.strategy == Strategy::Cohort { peers_of(plan, &step.id) } else { Vec::new() };
        let name = format!("agent:{}", step.id);
        let max_iterations = task.max_iterations.unwrap_or(work.runtime.settings.max_iterations);
        let guidance = configured.map(|configuration| configuration.guidance.as_str()).unwrap_or_default();
        let goal = if step.goal.is_empty() { work.request.text.as_str() } else { &step.goal };
        let needed: Vec<ResultText> = step.after.iter().filter_map(|id| result_text(work, id, results)).collect();
        let prompts = (
            system_prompt(work, &system, "", &[], guidance, max_iterations)?,
            render(work, &Task { goal, results: &needed })?,
        );
        forge(work, name, key.to_owned(), Some(step.id.clone()), &names, prompts, max_iterations, peers).await
    }
}

/// The one agent that gets the whole plan.
pub(crate) async fn single(work: &Work<'_>, planned: &Planned, results: &Results) -> Result<Agent, Halt> {
    let fallback;
    let configuration = match &planned.configuration {
        Some(configuration) => configuration,
        None => {
            fallback = AgentConfiguration {
                plan: planned.plan.goal().to_owned(),
                system_prompt: "You carry out a plan for a person, with the tools you are given.".into(),
                tool_names: planned.plan.tools(),
                guidance: String::new(),
                max_iterations: work.runtime.settings.max_iterations,
                metadata: Default::default(),
            };
            &fallback
        }
    };
    let lines = step_lines(&planned.plan, results);
    let system = system_prompt(
        work,
        &configuration.system_prompt,
        &configuration.plan,
        &lines,
        &configuration.guidance,
        configuration.max_iterations,
    )?;
    let task = render(work, &Task { goal: work.request.text.as_str(), results: &[] })?;
    let key = format!("agent/{}", planned.version);
    let prompts = (system, task);
    let turns = configuration.max_iterations;
    forge(work, "agent".into(), key, None, &configuration.tool_names, prompts, turns, Vec::new()).await
}

#[expect(clippy::too_many_arguments, reason = "an agent is made in one place from all it consists of")]
async fn forge(
    work: &Work<'_>,
    name: String,
    key: String,
    step: Option<StepId>,
    names: &[ToolName],
    prompts: (String, String),
    max_iterations: u32,
    peers: Vec<String>,
) -> Result<Agent, Halt> {
    let tools: Vec<Arc<dyn Tool>> = names.iter().filter_map(|name| work.runtime.tools.tool(name)).collect();
    let event = Event::Forged {
        agent: name.clone(),
        step: step.clone(),
        tools: tools.iter().map(|tool| tool.spec().name.clone()).collect(),
        prompt: prompts.0.clone(),
        max_iterations,
    };
    work.journal.record(format!("{key}/forged"), event).await?;
    Ok(Agent::new(name, key, step, tools, prompts, max_iterations, peers))
}

fn system_prompt(
    work: &Work<'_>,
    system_prompt: &str,
    plan: &str,
    steps: &[crate::prompt::StepLine],
    guidance: &str,
    max_iterations: u32,
) -> Result<String, Halt> {
    let now = work.request.at.to_string();
    let zone = work.request.zone.as_deref();
    render(work, &AgentPrompt { system_prompt, plan, steps, guidance, now: &now, zone, max_iterations })
}

/// The agents of the other steps that need judgement.
fn peers_of(plan: &Plan, own: &StepId) -> Vec<String> {
    plan.steps()
        .iter()
        .filter(|step| step.id != *own && matches!(step.action, Action::Agent(_)))
        .map(|step| format!("agent:{}", step.id))
        .collect()
}

/// A step's result as a prompt shows it.
pub(crate) fn result_text(work: &Work<'_>, step: &StepId, results: &Results) -> Option<ResultText> {
    let text = match results.get(step)? {
        StepOutcome::Done { output } => tool_text(step.as_str(), output, work.runtime.settings.result_chars),
        StepOutcome::Failed { reason, .. } => format!("failed: {reason}"),
        StepOutcome::Skipped { reason } => format!("skipped: {reason}"),
    };
    Some(ResultText { step: step.to_string(), text })
}
