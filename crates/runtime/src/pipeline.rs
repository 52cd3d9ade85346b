//! The life of a request, from the top: route, deliberate, forge, carry out, settle, answer. Read this first.
//!
//! Stages never call each other; this file calls them. Each returns a value or a [`Halt`]: something is needed from
//! outside, a limit was reached, or the ledger could not be written. A run that is taken up again goes through here from
//! the start and finds what it has done on record.

use domain::event::{Event, Need, Route};
use domain::plan::Strategy;
use domain::request::Asked;
use domain::route::{Judgement, Part};
use domain::run::{Ending, FailureKind};

use crate::agent::End;
use crate::answer::{answer, plainly};
use crate::approve;
use crate::deliberate::deliberate;
use crate::direct::direct;
use crate::engine::{self, Carried, Results};
use crate::forge::{self, Team};
use crate::keep::keep;
use crate::plan::{NoPlan, Planned, Planning, step_lines};
use crate::record::Halt;
use crate::route::{Filled, Routed, fill, route};
use crate::settle;
use crate::which;
use crate::work::Work;

/// Takes a run from wherever it is to its end, or to where it needs something from outside.
pub(crate) async fn run(work: &Work<'_>) -> Result<Ending, Halt> {
    let routed = route(work).await?;
    work.is_about(routed.kind());
    let mut planning = Planning::default();
    let planned = match (routed.route, &routed.judgement, &work.request.wishes.plan) {
        (Route::Given, _, Some(draft)) => planning.given(work, draft).await?,
        (Route::Reflex, Some(judgement), _) => match fill(work, judgement).await? {
            Filled::Clear(clear) => by_reflex(work, &mut planning, &routed, &clear).await?,
            Filled::Withdrawn => return Ok(Ending::Completed { answer: "All right, nothing was done.".into() }),
            Filled::Unclear => by_planner(work, &mut planning, &routed).await?,
        },
        (Route::Fast, Some(judgement), _) => by_role(work, &mut planning, &routed, &judgement.role).await?,
        (Route::Direct, _, _) => return direct(work).await,
        (Route::Given | Route::Reflex | Route::Fast | Route::Plan, _, _) => {
            by_planner(work, &mut planning, &routed).await?
        }
    };
    let planned = match planned {
        Ok(planned) => planned,
        Err(no_plan) => return Ok(failed(without_a_model(work, &routed, no_plan), None)),
    };
    let strategy = routed.strategy;
    if work.request.wishes.plan_only {
        let steps = step_lines(&planned.plan, &Results::default());
        let lines =
            steps.iter().enumerate().map(|(at, step)| format!("{}. {}: {} {}", at + 1, step.id, step.goal, step.how));
        let doubt =
            planned.doubtful.map(|_| "It was not judged good enough: a person would be asked first.".to_owned());
        return Ok(Ending::Completed { answer: lines.chain(doubt).collect::<Vec<_>>().join("\n") });
    }
    if let (Route::Reflex | Route::Fast, Some(judgement)) = (routed.route, &routed.judgement) {
        work.consent.answers(&judgement.role);
    }
    let planned = planning.ready(work, planned, strategy).await?;
    let planned = match approve::plan(work, &mut planning, planned, strategy, None).await? {
        Ok(planned) => planned,
        Err(no_plan) => return Ok(failed(no_plan, None)),
    };
    // What a role answers may be planned after all: only then is it known what it takes.
    if routed.route == Route::Given || planned.notes.is_some() {
        planning.freeze(&planned);
    }
    match strategy {
        Strategy::TaskGraph | Strategy::Cohort => graph(work, planning, planned, strategy).await,
        Strategy::SingleAgent => single(work, planning, planned).await,
    }
}

/// What is clear becomes a plan without a planner. What its tools refuse before anything happened is planned after all.
async fn by_reflex(
    work: &Work<'_>,
    planning: &mut Planning,
    routed: &Routed,
    judgement: &Judgement,
) -> Result<Result<Planned, NoPlan>, Halt> {
    let draft = reflex::draft(work.request.text.as_str(), judgement);
    match planning.clear(work, draft).await? {
        Err(_) if !work.runtime.models.is_empty() => by_planner(work, planning, routed).await,
        planned => Ok(planned),
    }
}

/// A role's own agent answers.
async fn by_role(
    work: &Work<'_>,
    planning: &mut Planning,
    routed: &Routed,
    role: &str,
) -> Result<Result<Planned, NoPlan>, Halt> {
    let router = work.runtime.reflexes.as_ref().map(|reflexes| reflexes.roles());
    match router.as_ref().and_then(|router| router.role(role)) {
        Some(role) => planning.role(work, role).await,
        None => by_planner(work, planning, routed).await,
    }
}

/// A planner plans it, and others judge the plan, as deeply as the request needs.
async fn by_planner(
    work: &Work<'_>,
    planning: &mut Planning,
    routed: &Routed,
) -> Result<Result<Planned, NoPlan>, Halt> {
    if work.request.wishes.planner == Some(Asked::Never) {
        let error = "this takes a plan, and the request says that none is to be made".to_owned();
        return Ok(Err(NoPlan { kind: FailureKind::Plan, error }));
    }
    deliberate(work, planning, routed.strategy).await
}

/// Without a model there is more to say than that there is none.
fn without_a_model(work: &Work<'_>, routed: &Routed, no_plan: NoPlan) -> NoPlan {
    let Some(judgement) = routed.judgement.as_ref().filter(|_| work.runtime.models.is_empty()) else { return no_plan };
    if routed.route != Route::Plan {
        return no_plan;
    }
    let (clear, unclear): (Vec<_>, Vec<_>) = judgement.parts.iter().partition(|part| part.act.is_some());
    let quoted = |parts: &[&Part]| parts.iter().map(|part| format!("“{}”", part.text)).collect::<Vec<_>>().join(", ");
    let said = match (clear.as_slice(), unclear.as_slice()) {
        ([], _) | (_, []) => "this is not something that can be done without a plan".to_owned(),
        (clear, unclear) => format!("{} is clear, but {} is not", quoted(clear), quoted(unclear)),
    };
    let error =
        format!("{said}, and there is no model to plan it with; ask “what can you do” for what works without one");
    NoPlan { kind: FailureKind::Model, error }
}

/// Steps in a graph, replanned where they fail.
async fn graph(
    work: &Work<'_>,
    mut planning: Planning,
    mut planned: Planned,
    strategy: Strategy,
) -> Result<Ending, Halt> {
    let mut results = Results::default();
    loop {
        let team = Team::new(strategy, &planned);
        let (reason, in_doubt) = match engine::carry_out(work, &planned.plan, &team, &mut results).await? {
            Carried::Out => match which_one(work, &mut planning, &planned, &results).await? {
                None => return finish(work, &planning, &planned, &results, strategy).await,
                Some(next) => {
                    results.keep_finished();
                    planned = next;
                    continue;
                }
            },
            Carried::Failed { reason, in_doubt } => (reason, in_doubt),
        };
        // What may have happened is for a person to look at, not for a new plan to repeat.
        let next = if in_doubt {
            Err(NoPlan { kind: FailureKind::Step, error: reason })
        } else {
            planning.replan(work, &planned.plan, &results, &reason).await?
        };
        match next {
            Ok(next) => {
                let next = planning.ready(work, next, strategy).await?;
                let under_way = Some((&planned.plan, &results));
                match approve::plan(work, &mut planning, next, strategy, under_way).await? {
                    Ok(next) => {
                        results.keep_finished();
                        planned = next;
                    }
                    Err(no_plan) => return Ok(failed(no_plan, Some(plainly(&planned.plan, &results)))),
                }
            }
            Err(no_plan) => return Ok(failed(no_plan, Some(plainly(&planned.plan, &results)))),
        }
    }
}

/// Where a tool found several things, the plan about the one that the person means, once.
async fn which_one(
    work: &Work<'_>,
    planning: &mut Planning,
    planned: &Planned,
    results: &Results,
) -> Result<Option<Planned>, Halt> {
    let Some(open) = which::open(&planned.plan, results) else { return Ok(None) };
    let need = Need::Answer { question: open.question.clone() };
    let answer = work.journal.answer(&format!("which/{}", planned.version), need, work.until()).await?;
    let draft = answer.as_str().and_then(|answer| which::chosen(&planned.plan, &open, answer));
    match draft {
        None => Ok(None),
        Some(draft) => match planning.clear(work, draft).await? {
            Err(_) => Ok(None),
            Ok(next) => {
                let under_way = Some((&planned.plan, results));
                Ok(approve::plan(work, planning, next, Strategy::TaskGraph, under_way).await?.ok())
            }
        },
    }
}

/// One agent with the whole plan, which can ask for another.
async fn single(work: &Work<'_>, mut planning: Planning, mut planned: Planned) -> Result<Ending, Halt> {
    let (strategy, results) = (Strategy::SingleAgent, Results::default());
    let mut agent = forge::single(work, &planned, &results).await?;
    loop {
        match agent.go_on(work).await? {
            End::Answer(text) => {
                let failures = settle::at_the_end(work, &planned.plan, &|id| results.output(id)).await?;
                if failures.is_empty() && planning.went_as_planned() {
                    keep(work, &planned, Strategy::SingleAgent).await?;
                }
                return Ok(completed(text, failures));
            }
            End::Replan { call, reason } => {
                let told = match planning.replan(work, &planned.plan, &results, &reason).await? {
                    Ok(next) => {
                        let under_way = Some((&planned.plan, &results));
                        planned = match approve::plan(work, &mut planning, next, strategy, under_way).await? {
                            Ok(next) => next,
                            Err(no_plan) => return Ok(failed(no_plan, None)),
                        };
                        let steps = step_lines(&planned.plan, &results);
                        let lines = steps.iter().map(|step| format!("- `{}`: {} {}", step.id, step.goal, step.how));
                        format!("The new plan:\n{}", lines.collect::<Vec<_>>().join("\n"))
                    }
                    Err(no_plan) => format!("There is no new plan: {}. Finish with what you have.", no_plan.error),
                };
                agent.tell(&call, told);
            }
            End::Failed { reason, in_doubt } => {
                // What has acted is not started over another way.
                if !in_doubt && !work.journal.declared_any() && agent_can_be_done_without(&planned) {
                    return graph(work, planning, planned, Strategy::TaskGraph).await;
                }
                return Ok(failed(NoPlan { kind: FailureKind::Step, error: reason }, None));
            }
        }
    }
}

/// A plan with direct steps can be carried out as a graph when its agent fails.
fn agent_can_be_done_without(planned: &Planned) -> bool {
    planned.plan.steps().iter().any(|step| matches!(step.action, domain::plan::Action::Call(_)))
}

async fn finish(
    work: &Work<'_>,
    planning: &Planning,
    planned: &Planned,
    results: &Results,
    strategy: Strategy,
) -> Result<Ending, Halt> {
    let failures = settle::at_the_end(work, &planned.plan, &|id| results.output(id)).await?;
    let answer = answer(work, &planned.plan, results).await?;
    if failures.is_empty() && planning.went_as_planned() {
        keep(work, planned, strategy).await?;
    }
    Ok(completed(answer, failures))
}

/// An answer is not complete while something it was to bring about did not happen.
fn completed(answer: String, failures: Vec<String>) -> Ending {
    if failures.is_empty() {
        return Ending::Completed { answer };
    }
    Ending::Failed { reason: FailureKind::Step, error: failures.join("; "), answer: Some(answer) }
}

fn failed(no_plan: NoPlan, answer: Option<String>) -> Ending {
    let answer = answer.filter(|text| !text.is_empty());
    Ending::Failed { reason: no_plan.kind, error: no_plan.error, answer }
}

/// The last event of a run.
pub(crate) async fn conclude(work: &Work<'_>, ending: Ending) -> Result<(), Halt> {
    let wishes = &work.request.wishes;
    let worked_ms = match work.journal.known("finished") {
        Some(Event::Finished { worked_ms, .. }) => *worked_ms,
        // What was only tried says nothing about what it takes.
        _ if wishes.plan_only || wishes.dry => None,
        _ => u64::try_from(work.meter.worked().as_millis()).ok(),
    };
    work.journal.record("finished", Event::Finished { ending, spent: work.meter.spent(), worked_ms }).await?;
    work.journal.durable().await;
    Ok(())
}
