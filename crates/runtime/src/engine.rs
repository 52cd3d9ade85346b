//! Carries a plan out, step by step and side by side: what is ready is begun, what ended is put on record, until nothing
//! can be begun any more.

pub(crate) mod schedule;
pub(crate) mod step;

use std::collections::{BTreeMap, VecDeque};

use domain::event::{Event, StepOutcome};
use domain::id::StepId;
use domain::plan::Plan;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use serde_json::Value;

use crate::forge::Team;
use crate::lend;
use crate::messages::agent_of;
use crate::record::Halt;
use crate::work::Work;
use schedule::Next;

/// How the steps of a run have ended so far, over all versions of its plan.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Results {
    ended: BTreeMap<StepId, StepOutcome>,
    attempts: BTreeMap<StepId, u32>,
}

impl Results {
    pub(crate) fn get(&self, step: &StepId) -> Option<&StepOutcome> {
        self.ended.get(step)
    }

    /// What a step brought.
    pub(crate) fn output(&self, step: &StepId) -> Option<&Value> {
        match self.ended.get(step) {
            Some(StepOutcome::Done { output }) => Some(output),
            _ => None,
        }
    }

    /// Whether a step has failed.
    pub(crate) fn any_failed(&self) -> bool {
        self.ended.values().any(|outcome| matches!(outcome, StepOutcome::Failed { .. }))
    }

    /// What is done stays; what failed or was skipped may be tried again under a new plan.
    pub(crate) fn keep_finished(&mut self) {
        self.ended.retain(|_, outcome| matches!(outcome, StepOutcome::Done { .. }));
    }

    fn end(&mut self, step: &StepId, outcome: StepOutcome) {
        self.ended.insert(step.clone(), outcome);
    }

    fn next_attempt(&mut self, step: &StepId) -> u32 {
        let attempt = self.attempts.entry(step.clone()).or_default();
        *attempt += 1;
        *attempt
    }
}

/// How a plan ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Carried {
    /// Everything that was needed is done.
    Out,
    /// Something failed for good.
    Failed { reason: String, in_doubt: bool },
}

/// Begins every step as soon as it can be, and returns when no step is under way and none can be begun.
pub(crate) async fn carry_out(
    work: &Work<'_>,
    plan: &Plan,
    team: &Team,
    results: &mut Results,
) -> Result<Carried, Halt> {
    let reach = team.reach(plan);
    lend::meet_all(work, &reach).await?;
    work.agents().keep_within(reach);
    let mut running: FuturesUnordered<_> = FuturesUnordered::new();
    let mut ended = VecDeque::new();
    let mut begun: Vec<StepId> = Vec::new();
    let mut halted: Option<Halt> = None;
    loop {
        if !matches!(halted, Some(Halt::OverBudget(_) | Halt::Store(_) | Halt::Diverged(_))) {
            for next in schedule::ready(plan, &results.ended, &begun) {
                match next {
                    Next::Begin(step) => {
                        begun.push(step.id.clone());
                        let attempt = results.next_attempt(&step.id);
                        let started = Event::StepStarted { step: step.id.clone(), attempt };
                        let recorded = work.journal.record(format!("step/{}/{attempt}/started", step.id), started);
                        meanwhile(recorded, &mut running, &mut ended).await?;
                        let so_far = results.clone();
                        running.push(async move {
                            let outcome = step::run(work, plan, team, step, attempt, &so_far).await;
                            let outcome = match outcome {
                                Ok(outcome) => finished(work, &step.id, attempt, &outcome).await.map(|()| outcome),
                                Err(halt) => Err(halt),
                            };
                            (step, outcome)
                        });
                    }
                    Next::Skip(step, reason) => {
                        let attempt = results.next_attempt(&step.id);
                        let outcome = StepOutcome::Skipped { reason };
                        let recorded = finished(work, &step.id, attempt, &outcome);
                        meanwhile(recorded, &mut running, &mut ended).await?;
                        results.end(&step.id, outcome);
                    }
                }
            }
        }
        // A skip may have made something ready.
        if halted.is_none() && !schedule::ready(plan, &results.ended, &begun).is_empty() {
            continue;
        }
        let next = match ended.pop_front() {
            Some(next) => Some(next),
            None => running.next().await,
        };
        match next {
            Some((step, Ok(outcome))) => results.end(&step.id, outcome),
            Some((step, Err(halt))) => {
                // Whoever waits for this one is not answered before the run is taken up again.
                work.journal.room().pause(agent_of(&step.id));
                match halt {
                    // The others would wait for ever for their turn in a record that is another.
                    Halt::Diverged(_) if work.journal.gate().is_some() => return Err(halt),
                    Halt::Waits => drop(halted.get_or_insert(Halt::Waits)),
                    halt => halted = Some(halt),
                }
            }
            None => break,
        }
    }
    match halted {
        Some(halt) => Err(halt),
        None => Ok(schedule::verdict(plan, &results.ended)),
    }
}

/// Puts something on record while the steps go on: in a replay what they do may stand before it.
async fn meanwhile<F: Future>(
    recorded: impl Future<Output = Result<(), Halt>>,
    running: &mut FuturesUnordered<F>,
    ended: &mut VecDeque<F::Output>,
) -> Result<(), Halt> {
    let mut recorded = std::pin::pin!(recorded);
    loop {
        tokio::select! {
            biased;
            recorded = &mut recorded => return recorded,
            Some(one) = running.next(), if !running.is_empty() => ended.push_back(one),
        }
    }
}

async fn finished(work: &Work<'_>, step: &StepId, attempt: u32, outcome: &StepOutcome) -> Result<(), Halt> {
    let event = Event::StepFinished { step: step.clone(), attempt, outcome: outcome.clone() };
    work.journal.record(step::finished_key(step, attempt), event).await
}
