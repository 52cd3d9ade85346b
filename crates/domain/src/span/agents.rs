//! The agents of a run: that they were made, and the time they were at work.

use std::collections::{HashMap, HashSet};

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
    last: (Seq, Timestamp),
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
                    last: (*seq, entry.at),
                    tools: tools.clone(),
                    prompt: prompt.clone(),
                    model: None,
                };
                agents.0.entry(key.to_owned()).or_insert(agent);
            }
            agents.note(*seq, entry);
        }
        agents
    }

    /// Whoever is at work while something happens is at work until then.
    fn note(&mut self, seq: Seq, entry: &Entry) {
        for key in above(&entry.key) {
            if let Some(agent) = self.0.get_mut(key) {
                agent.last = (seq, entry.at);
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
        let failed = failed(ledger);
        let mut keys: Vec<&String> = self.0.keys().collect();
        keys.sort_by_key(|key| self.0[*key].made);
        let spans = keys.into_iter().flat_map(|key| {
            let agent = &self.0[key];
            [self.creation(telling, key, agent), self.invocation(telling, key, agent, &failed)]
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

    fn invocation(&self, telling: &Telling, key: &str, agent: &Agent, failed: &HashMap<String, String>) -> Span {
        let ((_, from), (closed, to)) = (agent.made, agent.last);
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
    let mut last: HashMap<(&StepId, &str), &str> = HashMap::new();
    let mut failed = HashMap::new();
    let mut ways: HashSet<&str> = HashSet::new();
    for Recorded { entry, .. } in ledger {
        match &entry.event {
            Event::Forged { step: Some(step), offered: None, .. } => {
                let Some((key, _)) = entry.key.rsplit_once('/') else { continue };
                if let Some(attempt) = attempt(key).filter(|_| ways.insert(key)) {
                    last.insert((step, attempt), key);
                }
            }
            Event::StepFinished { step, outcome: StepOutcome::Failed { reason, .. }, .. } => {
                let agent = attempt(&entry.key).and_then(|attempt| last.get(&(step, attempt)));
                failed.extend(agent.map(|key| ((*key).to_owned(), reason.clone())));
            }
            _ => {}
        }
    }
    failed
}

/// The number in `step/look/2/…`.
pub(super) fn attempt(key: &str) -> Option<&str> {
    key.strip_prefix("step/")?.split('/').nth(1)
}

/// What a key is filed under, the nearest first: `a/b` and `a` for `a/b/c`.
fn above(key: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(key.rsplit_once('/').map(|(head, _)| head), |key| key.rsplit_once('/').map(|(head, _)| head))
}
