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
use crate::context::{cap, told, tool_text};
use crate::engine::Results;
use crate::lend;
use crate::messages::{Standing, agent_of};
use crate::plan::{Planned, step_lines};
use crate::prompt::{AgentPrompt, ResultText, Task, TeamLine, render};
use crate::record::Halt;
use crate::work::Work;

/// All that an agent consists of, besides its tools.
pub(crate) struct Made {
    pub(crate) name: String,
    /// What its work is filed under.
    pub(crate) key: String,
    pub(crate) step: Option<StepId>,
    /// What it is, and what it is to do.
    pub(crate) prompts: (String, String),
    pub(crate) max_iterations: u32,
    /// Whom it can send messages to.
    pub(crate) peers: Vec<String>,
}

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

    /// All that the agents of a plan can reach.
    pub(crate) fn reach(&self, plan: &Plan) -> Vec<ToolName> {
        let configured = self.configuration.iter().flat_map(|configuration| &configuration.tool_names);
        plan.tools().into_iter().chain(configured.cloned()).collect()
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
            let now = work.tools().tool(name).map(|tool| Hash::of_json(tool.spec()));
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
        let name = agent_of(&step.id);
        let team = if self.strategy == Strategy::Cohort { team_of(work, plan, &step.id) } else { Vec::new() };
        let max_iterations = task.max_iterations.unwrap_or(work.runtime.settings.max_iterations);
        let guidance = configured.map(|configuration| configuration.guidance.as_str()).unwrap_or_default();
        let goal = if step.goal.is_empty() { work.request.text.as_str() } else { &step.goal };
        let needed: Vec<ResultText> = step.after.iter().filter_map(|id| result_text(work, id, results)).collect();
        let system = match work.journal.known(&forged_key(key)) {
            // Who had finished when it began is on record.
            Some(Event::Forged { prompt, .. }) if !team.is_empty() => prompt.clone(),
            _ => {
                let (zone, now) = (work.request.zone.as_deref(), work.request.at.to_string());
                let (system_prompt, name, team, heed) = (&system, &name, &team, work.heeded());
                let (plan, steps, now) = ("", &[][..], now.as_str());
                render(
                    work,
                    &AgentPrompt { system_prompt, plan, steps, guidance, heed, name, team, now, zone, max_iterations },
                )?
            }
        };
        let earlier = told(&work.request.earlier);
        let prompts = (system, render(work, &Task { goal, earlier: &earlier, results: &needed })?);
        let peers = team.into_iter().map(|other| other.name).collect();
        let made = Made { name, key: key.to_owned(), step: Some(step.id.clone()), prompts, max_iterations, peers };
        forge(work, made, &names).await
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
    let prompt = AgentPrompt {
        system_prompt: &configuration.system_prompt,
        plan: &configuration.plan,
        steps: &lines,
        guidance: &configuration.guidance,
        heed: work.heeded(),
        name: "agent",
        team: &[],
        now: &work.request.at.to_string(),
        zone: work.request.zone.as_deref(),
        max_iterations: configuration.max_iterations,
    };
    let system = render(work, &prompt)?;
    let earlier = told(&work.request.earlier);
    let task = render(work, &Task { goal: work.request.text.as_str(), earlier: &earlier, results: &[] })?;
    lend::meet_all(work, &configuration.tool_names).await?;
    work.agents().keep_within(configuration.tool_names.clone());
    let made = Made {
        name: "agent".into(),
        key: format!("agent/{}", planned.version),
        step: None,
        prompts: (system, task),
        max_iterations: configuration.max_iterations,
        peers: Vec::new(),
    };
    forge(work, made, &configuration.tool_names).await
}

/// Makes an agent with the tools of these names, and puts it on record.
pub(crate) async fn forge(work: &Work<'_>, made: Made, names: &[ToolName]) -> Result<Agent, Halt> {
    let tools: Vec<Arc<dyn Tool>> = names.iter().filter_map(|name| work.tools().tool(name)).collect();
    let event = Event::Forged {
        agent: made.name.clone(),
        step: made.step.clone(),
        tools: tools.iter().map(|tool| tool.spec().name.clone()).collect(),
        prompt: made.prompts.0.clone(),
        max_iterations: made.max_iterations,
        offered: None,
    };
    work.journal.record(forged_key(&made.key), event).await?;
    Ok(Agent::new(made, tools))
}

/// Where it is on record how an agent was made.
fn forged_key(key: &str) -> String {
    format!("{key}/forged")
}

/// The agents of the other steps that need judgement, with what they do and where they stand.
fn team_of(work: &Work<'_>, plan: &Plan, own: &StepId) -> Vec<TeamLine> {
    /// How much of what another does is shown.
    const CHARS: usize = 300;
    let others = plan.steps().iter().filter(|step| step.id != *own);
    others
        .filter_map(|step| match &step.action {
            Action::Agent(task) => {
                Some((agent_of(&step.id), if step.goal.is_empty() { &task.prompt } else { &step.goal }))
            }
            Action::Call(_) => None,
        })
        .map(|(name, does)| TeamLine {
            status: match work.journal.room().standing(&name) {
                Standing::NotBegun => "has not begun".into(),
                Standing::UnderWay => "is under way".into(),
                Standing::Ended { how, .. } => how.into(),
            },
            does: cap(does, CHARS),
            name,
        })
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
