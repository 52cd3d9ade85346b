//! The times in which a plan was made: from the first thought to the word that it may be carried out.

use std::collections::HashMap;

use jiff::Timestamp;

use super::{Attribute, Span, SpanId, Telling, id};
use crate::event::{Entry, Event, Recorded, Route, Seq};

/// What plans are made by, as far as spans tell.
const PLANNER: &str = "planner";

/// A plan that is being made.
struct Planning<'l> {
    key: &'l str,
    from: Timestamp,
    to: (Seq, Timestamp),
    version: Option<u32>,
    refused: u32,
    steps: usize,
    quality: Option<f64>,
}

pub(super) fn spans(telling: &Telling, ledger: &[Recorded]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut open: Option<Planning<'_>> = None;
    // A plan that came with the request, or that a role means, was not made here.
    if !ledger.iter().any(|it| matches!(it.entry.event, Event::Routed { route: Route::Plan, .. })) {
        return spans;
    }
    for Recorded { seq, entry } in ledger {
        let begins_another = matches!(entry.event, Event::Planned { .. })
            && open.as_ref().is_some_and(|planning| planning.version.is_some());
        if begins_another || ends(&entry.event) {
            spans.extend(open.take().map(|planning| planning.span(telling)));
        }
        if deliberates(telling, entry) {
            open.get_or_insert_with(|| Planning::begun(*seq, entry)).take(*seq, entry);
        }
    }
    // What is still being thought about is told of when it is done.
    spans
}

/// The span of planning that each model's answer belongs to, by the answer's key.
pub(super) fn owners<'l>(plans: &[Span], ledger: &'l [Recorded]) -> HashMap<&'l str, SpanId> {
    let mut owners = HashMap::new();
    let mut plans = plans.iter().peekable();
    for Recorded { seq, entry } in ledger {
        while plans.next_if(|plan| plan.closed < *seq).is_some() {}
        if let (Event::ModelCalled { component, .. }, Some(plan)) = (&entry.event, plans.peek())
            && makes_plans(component, &entry.key)
        {
            owners.insert(entry.key.as_str(), plan.id);
        }
    }
    owners
}

impl<'l> Planning<'l> {
    fn begun(seq: Seq, entry: &'l Entry) -> Self {
        let from = match &entry.event {
            Event::ModelCalled { millis, .. } => super::calls::before(entry.at, *millis),
            _ => entry.at,
        };
        Self { key: &entry.key, from, to: (seq, entry.at), version: None, refused: 0, steps: 0, quality: None }
    }

    fn take(&mut self, seq: Seq, entry: &Entry) {
        self.to = (seq, entry.at);
        match &entry.event {
            Event::Planned { version, plan, .. } => {
                self.version = Some(*version);
                self.steps = plan.steps().len();
            }
            Event::PlanRefused { .. } => self.refused += 1,
            Event::Assessed { assessment, .. } => self.quality = Some(assessment.quality.get()),
            _ => {}
        }
    }

    fn span(self, telling: &Telling) -> Span {
        let (closed, to) = self.to;
        let mut span = telling.span("", format!("plan {PLANNER}"), (self.from, to), closed);
        span.id = id(telling.run, &format!("planning/{}", self.key));
        let mut known: Vec<(&'static str, Attribute)> =
            vec![("gen_ai.operation.name", "plan".into()), ("gen_ai.agent.name", PLANNER.into())];
        if let Some(version) = self.version {
            known.push(("agentwright.plan.version", version.into()));
            known.push(("agentwright.plan.steps", self.steps.into()));
        }
        known.push(("agentwright.plan.refused", self.refused.into()));
        known.extend(self.quality.map(|quality| ("agentwright.plan.quality", quality.into())));
        span.attributes = known;
        if self.version.is_none() {
            telling.failed(&mut span, "no_plan", || "no plan could be carried out".to_owned());
        }
        span
    }
}

fn deliberates(telling: &Telling, entry: &Entry) -> bool {
    match &entry.event {
        Event::Recalled { .. }
        | Event::Weighed { .. }
        | Event::Thought { .. }
        | Event::Verified { .. }
        | Event::PlanRefused { .. }
        | Event::Planned { .. }
        | Event::Critiqued { .. }
        | Event::Scored { .. }
        | Event::Assessed { .. }
        | Event::Gated { .. }
        | Event::Foreseen { .. }
        | Event::Staffed { .. } => true,
        Event::ModelCalled { component, .. } => {
            telling.agents.owner(telling.run, &entry.key).is_none() && makes_plans(component, &entry.key)
        }
        _ => false,
    }
}

/// Whether a model's answer has to do with a plan, and not with carrying one out.
fn makes_plans(component: &str, key: &str) -> bool {
    let others = ["router", "answer", "reflect", "distiller", "agent"];
    !others.contains(&component) && !key.starts_with("step/") && !key.starts_with("agent/")
}

fn ends(event: &Event) -> bool {
    matches!(
        event,
        Event::StepStarted { .. }
            | Event::Forged { offered: None, .. }
            | Event::Waiting { .. }
            | Event::Finished { .. }
    )
}
