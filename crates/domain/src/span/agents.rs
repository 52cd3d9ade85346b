//! The agents of a run: that they were made, and the time they were at work.

use std::collections::HashMap;

use jiff::Timestamp;

use super::attributes::model;
use super::{Span, SpanId, Telling, id};
use crate::event::{Entry, Event, Recorded, Seq, StepOutcome};
use crate::id::{RunId, StepId, ToolName};

/// Agents by what their entries are filed under.
pub(super) struct Agents(HashMap<String, Agent>);

struct Agent {
    name: String,
    step: Option<StepId>,
    made: (Seq, Timestamp),
    last: Timestamp,
    tools: Vec<ToolName>,
    prompt: String,
    /// The model it asked first.
    model: Option<String>,
}

impl Agents {
    pub(super) fn of(ledger: &[Recorded]) -> Self {
        let mut agents = Self(HashMap::new());
        for Recorded { seq, entry } in ledger {
            if let Event::Forged { agent, step, tools, prompt, offered: None, .. } = &entry.event
                && let Some((key, _)) = entry.key.rsplit_once('/')
            {
                let agent = Agent {
                    name: agent.clone(),
                    step: step.clone(),
                    made: (*seq, entry.at),
                    last: entry.at,
                    tools: tools.clone(),
                    prompt: prompt.clone(),
                    model: None,
                };
                agents.0.entry(key.to_owned()).or_insert(agent);
            }
            agents.note(entry);
        }
        agents
    }

    /// Whoever is at work while something happens is at work until then.
    fn note(&mut self, entry: &Entry) {
        for key in above(&entry.key) {
            if let Some(agent) = self.0.get_mut(key) {
                agent.last = entry.at;
                if let Event::ModelCalled { model, .. } = &entry.event {
                    agent.model.get_or_insert_with(|| model.clone());
                }
            }
        }
    }

    /// The agent that did what is filed under a key: its span and its name.
    pub(super) fn owner(&self, run: RunId, key: &str) -> Option<(SpanId, &str)> {
        above(key).find_map(|key| self.0.get(key).map(|agent| (id(run, key), agent.name.as_str())))
    }

    pub(super) fn spans(&self, telling: &Telling, ledger: &[Recorded]) -> Vec<Span> {
        let (failed, ended) = (failed(ledger), ended(ledger));
        let mut agents: Vec<(&String, &Agent)> = self.0.iter().collect();
        agents.sort_by_key(|(_, agent)| agent.made);
        let spans = agents.into_iter().flat_map(|(key, agent)| {
            let attempt = at_attempt(key).and_then(|attempt| ended.get(attempt));
            // Whoever may yet do more is told of later.
            let done = attempt.or(ended.get("")).map(|closed| self.invocation(telling, key, agent, *closed, &failed));
            std::iter::once(self.creation(telling, key, agent)).chain(done)
        });
        spans.collect()
    }

    fn creation(&self, telling: &Telling, key: &str, agent: &Agent) -> Span {
        let (seq, at) = agent.made;
        let name = format!("create_agent {}", agent.name);
        let mut span = telling.span(&format!("{key}/forged"), name, (at, at), seq);
        span.parent = self.owner(telling.run, key).map(|(owner, _)| owner).or(span.parent);
        span.attributes = agent.described("create_agent");
        span.attributes
            .push(("agentwright.tools", agent.tools.iter().map(ToString::to_string).collect::<Vec<_>>().into()));
        if telling.tells() {
            let told = serde_json::json!([{"type": "text", "content": agent.prompt}]).to_string();
            span.attributes.push(("gen_ai.system_instructions", told.into()));
        }
        span
    }

    fn invocation(
        &self,
        telling: &Telling,
        key: &str,
        agent: &Agent,
        closed: Seq,
        failed: &HashMap<String, String>,
    ) -> Span {
        let (from, to) = (agent.made.1, agent.last);
        let mut span = telling.span(key, format!("invoke_agent {}", agent.name), (from, to), closed);
        span.parent = self.owner(telling.run, key).map(|(owner, _)| owner).or(span.parent);
        span.attributes = agent.described("invoke_agent");
        if let Some(reason) = failed.get(key) {
            telling.failed(&mut span, "step_failed", || reason.clone());
        }
        span
    }
}

impl Agent {
    fn described(&self, operation: &str) -> Vec<(&'static str, super::Attribute)> {
        let mut known =
            vec![("gen_ai.operation.name", operation.into()), ("gen_ai.agent.name", self.name.as_str().into())];
        let (provider, model) = self.model.as_deref().map_or(("agentwright", None), |name| {
            let (provider, model) = model(name);
            (provider, Some(model))
        });
        known.push(("gen_ai.provider.name", provider.into()));
        known.extend(model.map(|model| ("gen_ai.request.model", model.into())));
        known.extend(self.step.as_ref().map(|step| ("agentwright.step", step.as_str().into())));
        known
    }
}

/// Why attempts at steps failed, by the agent that was at it last.
fn failed(ledger: &[Recorded]) -> HashMap<String, String> {
    let mut last: HashMap<&str, &str> = HashMap::new();
    let mut failed = HashMap::new();
    for Recorded { entry, .. } in ledger {
        match &entry.event {
            Event::Forged { step: Some(_), offered: None, .. } => {
                let agent = entry.key.rsplit_once('/').map(|(agent, _)| agent);
                last.extend(agent.and_then(|agent| Some((at_attempt(agent)?, agent))));
            }
            Event::StepFinished { outcome: StepOutcome::Failed { reason, .. }, .. } => {
                let agent = at_attempt(&entry.key).and_then(|attempt| last.get(attempt));
                failed.extend(agent.map(|agent| ((*agent).to_owned(), reason.clone())));
            }
            _ => {}
        }
    }
    failed
}

/// Where attempts at steps ended, and under no name where the run did.
fn ended(ledger: &[Recorded]) -> HashMap<&str, Seq> {
    let ends = ledger.iter().filter_map(|Recorded { seq, entry }| match entry.event {
        Event::StepFinished { .. } => Some((at_attempt(&entry.key)?, *seq)),
        Event::Finished { .. } => Some(("", *seq)),
        _ => None,
    });
    ends.collect()
}

/// The attempt at a step that something is filed under: `step/look/2` of `step/look/2/way/1`.
fn at_attempt(key: &str) -> Option<&str> {
    let step = key.strip_prefix("step/")?;
    let (end, _) = step.match_indices('/').nth(1)?;
    key.get(.."step/".len() + end)
}

/// What a key is filed under, the nearest first: `a/b` and `a` for `a/b/c`.
fn above(key: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(key.rsplit_once('/').map(|(head, _)| head), |key| key.rsplit_once('/').map(|(head, _)| head))
}
