//! What people have agreed to in this run so far, and what is known about the plan that is carried out.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::id::StepId;
use domain::intent::IntentDraft;
use domain::library::Decision;
use domain::plan::{Action, Call, Plan, PlanDraft, Strategy};
use domain::tool::{Effect, Toolbox};

use crate::plan::Planned;
use crate::policy::Known;

/// Filled while a run is advanced; what it says comes from the ledger, so that it is the same each time.
#[derive(Default)]
pub(crate) struct Consent(Mutex<Agreed>);

#[derive(Default)]
struct Agreed {
    /// The role that answers.
    role: Option<String>,
    /// The agents by their steps.
    agents: BTreeMap<StepId, String>,
    known: Known,
    /// The versions that a person agreed to, the latest last.
    plans: Vec<(u32, Plan)>,
}

impl Consent {
    /// Notes which role answers the request.
    pub(crate) fn answers(&self, role: &str) {
        self.lock().role = Some(role.to_owned());
    }

    /// Notes which plan is carried out from now on.
    pub(crate) fn carries_out(&self, planned: &Planned, strategy: Strategy) {
        let mut agreed = self.lock();
        let judged = planned.plan.steps().iter().filter(|step| matches!(step.action, Action::Agent(_))).count();
        let agents = if strategy == Strategy::SingleAgent { 1 } else { judged };
        let old = planned.members.iter().filter(|member| member.choice.decision == Decision::Reuse).count();
        agreed.agents = planned.members.iter().map(|it| (it.step.clone(), it.name.to_string())).collect();
        agreed.known = Known {
            role: agreed.role.clone(),
            confidence: planned.confidence.map(|score| score.get()),
            cost: planned.forecast.as_ref().map(|forecast| forecast.usd.high),
            strategy: Some(strategy),
            agents: Some(agents),
            new_agents: Some(agents.saturating_sub(old)),
        };
    }

    /// Notes that a person agreed to a plan.
    pub(crate) fn agree(&self, planned: &Planned) {
        self.lock().plans.push((planned.version, planned.plan.clone()));
    }

    /// What is known about the plan, before anything of it happens.
    pub(crate) fn known(&self) -> Known {
        self.lock().known.clone()
    }

    /// What is known when a step calls something, after so much was spent.
    pub(crate) fn known_at(&self, step: Option<&StepId>, spent: f64) -> Known {
        let agreed = self.lock();
        let agent = step.and_then(|step| agreed.agents.get(step));
        let cost = agreed.known.cost.map_or(spent, |foreseen| foreseen.max(spent));
        let role = agent.or(agreed.role.as_ref()).cloned();
        Known { role, cost: Some(cost), ..agreed.known.clone() }
    }

    /// The version that a person agreed to last.
    pub(crate) fn base(&self) -> Option<(u32, PlanDraft)> {
        self.lock().plans.last().map(|(version, plan)| (*version, PlanDraft::from(plan.clone())))
    }

    /// Whether a person agreed to any plan of this run.
    pub(crate) fn any(&self) -> bool {
        !self.lock().plans.is_empty()
    }

    /// Whether a person saw this very call in this very place and agreed.
    pub(crate) fn covers(&self, step: Option<&StepId>, call: &Call) -> bool {
        self.lock().covers(step, call)
    }

    /// Whether a plan has agents, writes or anything that leaves that nobody agreed to. What is dropped, reordered or
    /// only reads needs nobody.
    pub(crate) fn leaves_out(&self, plan: &Plan, tools: &dyn Toolbox) -> bool {
        let agreed = self.lock();
        let reads = |call: &Call| tools.tool(&call.tool).is_some_and(|tool| tool.spec().effect == Effect::Read);
        let new_call = calls_of(plan).any(|(step, call)| !reads(&call) && !agreed.covers(step, &call));
        let new_agent = plan.steps().iter().any(|step| {
            let mut tasks = std::iter::once(&step.action).chain(&step.alternatives);
            tasks.any(|action| {
                let same = |(_, plan): &(u32, Plan)| {
                    plan.step(&step.id)
                        .is_some_and(|before| before.action == *action || before.alternatives.contains(action))
                };
                matches!(action, Action::Agent(_)) && !agreed.plans.iter().any(same)
            })
        });
        new_call || new_agent
    }

    fn lock(&self) -> MutexGuard<'_, Agreed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Agreed {
    fn covers(&self, step: Option<&StepId>, call: &Call) -> bool {
        self.plans.iter().any(|(_, plan)| calls_of(plan).any(|(owner, known)| owner == step && known == *call))
    }
}

/// Every call that a plan makes by itself, with its step.
pub(crate) fn calls_of(plan: &Plan) -> impl Iterator<Item = (Option<&StepId>, Call)> {
    let steps = plan.steps().iter().flat_map(|step| {
        let calls = std::iter::once(&step.action).chain(&step.alternatives).filter_map(|action| match action {
            Action::Call(call) => Some(call),
            Action::Agent(_) => None,
        });
        calls.chain(&step.undo).map(|call| (Some(&step.id), call.clone()))
    });
    steps.chain(intents_of(plan).into_iter().map(|call| (None, call)))
}

/// Every write at the end of a plan.
pub(crate) fn intents_of(plan: &Plan) -> Vec<Call> {
    fn gather(intents: &[IntentDraft], calls: &mut Vec<Call>) {
        for intent in intents {
            calls.push(Call { tool: intent.tool.clone(), arguments: intent.arguments.clone() });
            gather(&intent.then, calls);
        }
    }
    let mut calls = Vec::new();
    gather(plan.intents(), &mut calls);
    calls
}
