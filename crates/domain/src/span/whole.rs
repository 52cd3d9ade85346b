//! The span of a whole run.

use super::attributes::said;
use super::{Attribute, Mark, Span, Telling, root};
use crate::event::{Entry, Event, Need, Origin, Recorded, Route, StepOutcome};
use crate::guideline::{Arm, Guideline};
use crate::request::Request;
use crate::run::{Ending, FailureKind};
use crate::view::fold;

type Known = Vec<(&'static str, Attribute)>;

/// The span of a run that has ended.
pub(super) fn span(telling: &Telling, ledger: &[Recorded]) -> Option<Span> {
    let (first, last) = (ledger.first()?, ledger.last()?);
    let (Event::Received { request, parent }, Event::Finished { ending, worked_ms, .. }) =
        (&first.entry.event, &last.entry.event)
    else {
        return None;
    };
    let (name, mut known) = called(ledger);
    let mut span = telling.span("", name, (first.entry.at, last.entry.at), last.seq);
    (span.id, span.parent) = (root(telling.run), None);
    span.links = parent.iter().map(|Origin { run, .. }| (*run.bytes(), root(*run))).collect();
    known.extend(asked(telling, request));
    for Recorded { entry, .. } in ledger {
        known.extend(learnt(&entry.event));
        span.marks.extend(mark(entry));
    }
    known.extend(used(ledger, *worked_ms));
    known.push(("agentwright.status", ending.status().word().into()));
    span.attributes = known;
    match ending {
        Ending::Completed { answer } => {
            span.attributes.push(("agentwright.success", true.into()));
            if telling.tells() {
                span.attributes.push(("gen_ai.output.messages", said("assistant", answer)));
            }
        }
        Ending::Failed { reason, error, .. } => {
            span.attributes.push(("agentwright.success", false.into()));
            telling.failed(&mut span, kind(*reason), || error.clone());
        }
        Ending::Cancelled { .. } => {}
    }
    Some(span)
}

/// What a run is called: an agent where a role answered, else a workflow by the way agents were made for it.
fn called(ledger: &[Recorded]) -> (String, Known) {
    let routed = ledger.iter().find_map(|it| match &it.entry.event {
        Event::Routed { route, strategy, judgement, .. } => Some((*route, *strategy, judgement)),
        _ => None,
    });
    let Some((route, strategy, judgement)) = routed else {
        return ("invoke_workflow".to_owned(), vec![("gen_ai.operation.name", "invoke_workflow".into())]);
    };
    let mut known: Known =
        vec![("agentwright.route", route.word().into()), ("agentwright.strategy", strategy.word().into())];
    if let Some(judgement) = judgement {
        known.push(("agentwright.problem", judgement.problem().as_str().into()));
        known.push(("agentwright.route.confidence", judgement.confidence.into()));
    }
    match (route, judgement) {
        (Route::Reflex | Route::Fast, Some(judgement)) => {
            known.push(("gen_ai.operation.name", "invoke_agent".into()));
            known.push(("gen_ai.provider.name", "agentwright".into()));
            known.push(("gen_ai.agent.name", judgement.role.as_str().into()));
            (format!("invoke_agent {}", judgement.role), known)
        }
        _ => {
            known.push(("gen_ai.operation.name", "invoke_workflow".into()));
            known.push(("gen_ai.workflow.name", strategy.word().into()));
            (format!("invoke_workflow {}", strategy.word()), known)
        }
    }
}

fn asked(telling: &Telling, request: &Request) -> Known {
    let mut known: Known = vec![("agentwright.run", telling.run.to_string().into())];
    known.extend(request.session.as_ref().map(|session| ("gen_ai.conversation.id", session.as_str().into())));
    if telling.tells() {
        known.push(("gen_ai.input.messages", said("user", request.text.as_str())));
        known.extend(request.user.as_deref().map(|user| ("agentwright.user", user.into())));
    }
    known
}

/// The guidelines that were heeded, and the experiments that had a say in them.
fn learnt(event: &Event) -> Known {
    let Event::Recalled { guidelines, .. } = event else { return Known::new() };
    let texts = |texts: Vec<String>| (!texts.is_empty()).then(|| Attribute::from(texts));
    let versions = guidelines.iter().map(|it| format!("{}@{}", it.agent, it.version)).collect();
    let lessons = guidelines.iter().flat_map(Guideline::lessons).map(|id| id.0.to_string()).collect();
    let trials: Vec<_> = guidelines.iter().flat_map(|it| &it.trials).collect();
    let arm = |arm: Arm| match arm {
        Arm::Control => "control",
        Arm::Candidate => "candidate",
    };
    let all = [
        ("agentwright.guideline", texts(versions)),
        ("agentwright.lesson", texts(lessons)),
        ("agentwright.experiment", texts(trials.iter().map(|it| it.experiment.0.to_string()).collect())),
        ("agentwright.arm", texts(trials.iter().map(|it| arm(it.arm).to_owned()).collect())),
    ];
    all.into_iter().filter_map(|(name, texts)| Some((name, texts?))).collect()
}

fn used(ledger: &[Recorded], worked_ms: Option<u64>) -> Known {
    let view = fold(ledger);
    let mut known: Known = vec![
        ("agentwright.plan.versions", view.plans.len().into()),
        ("agentwright.metric.usd", view.spent.usage.cost.as_dollars().into()),
        ("agentwright.metric.tokens", view.spent.usage.tokens().into()),
        ("agentwright.metric.model_calls", view.spent.model_calls.into()),
        ("agentwright.metric.tool_calls", view.spent.tool_calls.into()),
    ];
    known.extend(worked_ms.map(|worked| ("agentwright.metric.seconds", (worked as f64 / 1000.0).into())));
    let in_doubt = (view.intents.unknown > 0).then(|| ("agentwright.intents.unknown", view.intents.unknown.into()));
    known.extend(in_doubt);
    known
}

/// What happened on the way that took no time of the run's own.
fn mark(entry: &Entry) -> Option<Mark> {
    let (name, known): (_, Known) = match &entry.event {
        Event::Resumed { epoch } => ("agentwright.resumed", vec![("agentwright.epoch", (*epoch).into())]),
        Event::Waiting { wait } => ("agentwright.waiting", vec![("agentwright.need", need(&wait.need).into())]),
        Event::Answered { .. } => ("agentwright.answered", Known::new()),
        Event::CancelAsked { .. } => ("agentwright.cancel_asked", Known::new()),
        Event::StepFinished { step, attempt, outcome } => {
            let name = match outcome {
                StepOutcome::Done { .. } => return None,
                StepOutcome::Failed { .. } => "agentwright.step_failed",
                StepOutcome::Skipped { .. } => "agentwright.step_skipped",
            };
            (name, vec![("agentwright.step", step.as_str().into()), ("agentwright.attempt", (*attempt).into())])
        }
        _ => return None,
    };
    Some(Mark { name, at: entry.at, attributes: known })
}

fn need(need: &Need) -> &'static str {
    match need {
        Need::Answer { .. } => "answer",
        Need::Approval { .. } => "approval",
        Need::Budget { .. } => "budget",
        Need::Time { .. } => "time",
    }
}

fn kind(reason: FailureKind) -> &'static str {
    match reason {
        FailureKind::Plan => "plan",
        FailureKind::Step => "step",
        FailureKind::Model => "model",
        FailureKind::Budget => "budget",
        FailureKind::Rejected => "rejected",
        FailureKind::Quarantined => "quarantined",
    }
}
