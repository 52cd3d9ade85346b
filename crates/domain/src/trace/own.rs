//! The trace of a run of ours: a view of its ledger.

use std::collections::HashMap;

use serde_json::Value;

use super::assemble::shorten;
use super::{CallEnd, Source, Speaker, Step, Trace, Trouble, Untrusted, Verdict};
use crate::event::{Entry, Event, Outcome, Recorded, Route};
use crate::guideline::Guideline;
use crate::id::{RunId, TraceId};
use crate::intent::{Intent, Settlement};
use crate::library::Rating;
use crate::plan::Strategy;
use crate::request::Request;
use crate::run::{Ending, RunStatus};
use crate::symbol::Symbol;
use crate::tool::ToolError;

/// The trace of a run that has ended. None where it has not, or where nothing was carried out.
///
/// What a person said about the run counts more than how it ended; a run that was cancelled and not rated has no outcome.
pub fn of_run(run: RunId, ledger: &[Recorded], rating: Option<&Rating>) -> Option<Trace> {
    let Event::Received { request, .. } = &ledger.first()?.entry.event else { return None };
    if request.wishes.dry || request.wishes.plan_only {
        return None;
    }
    let last = ledger.last()?;
    let Event::Finished { ending, spent, worked_ms } = &last.entry.event else { return None };
    let mut trace = bare(run, request, ledger.first()?.entry.at);
    trace.ended_at = Some(last.entry.at.max(trace.started_at));
    let mut declared: HashMap<&str, (&Intent, &Entry)> = HashMap::new();
    for entry in ledger.iter().map(|recorded| &recorded.entry) {
        match &entry.event {
            Event::IntentDeclared { intent } => {
                declared.entry(&intent.key).or_insert((intent, entry));
            }
            Event::IntentSettled { intent, settlement } => {
                if let Some((intent, declared)) = declared.get(intent.as_str()) {
                    trace.steps.push(settled(intent, declared, entry, settlement));
                }
            }
            event => {
                describe(&mut trace, event);
                trace.steps.extend(step(entry));
            }
        }
    }
    trace.left_out = shorten(&mut trace.steps);
    trace.outcome = verdict(ending, rating);
    let metrics = [
        ("usd", spent.usage.cost.as_dollars()),
        ("tokens", spent.usage.tokens() as f64),
        ("model_calls", spent.model_calls as f64),
        ("tool_calls", spent.tool_calls as f64),
    ];
    trace.metrics.extend(metrics.map(|(name, value)| (Symbol::of(name), value)));
    if let Some(worked) = worked_ms {
        trace.metrics.insert(Symbol::of("seconds"), *worked as f64 / 1000.0);
    }
    Some(trace)
}

/// What kind of agent a run is a trace of: whoever chose the calls.
pub fn agent_of(route: Route, strategy: Strategy) -> Symbol {
    Symbol::of(match (route, strategy) {
        (Route::Reflex, _) => "reflex",
        (Route::Fast, _) => "fast",
        (Route::Direct, _) => "direct",
        (Route::Plan | Route::Given, Strategy::TaskGraph) => "planner",
        (Route::Plan | Route::Given, Strategy::SingleAgent | Strategy::Cohort) => "agent",
    })
}

fn bare(run: RunId, request: &Request, started_at: jiff::Timestamp) -> Trace {
    Trace {
        id: TraceId::of_run(run),
        source: Source::own(),
        agent: Symbol::of("unknown"),
        problem: Symbol::of("other"),
        task: None,
        system: None,
        user: request.user.as_deref().map(Symbol::of),
        context: Untrusted::text(request.text.as_str()),
        started_at,
        ended_at: None,
        steps: Vec::new(),
        left_out: 0,
        outcome: None,
        ground_truth: None,
        metrics: Default::default(),
        lessons: Vec::new(),
        trials: Vec::new(),
    }
}

fn describe(trace: &mut Trace, event: &Event) {
    match event {
        Event::Routed { route, strategy, judgement, .. } => {
            trace.agent = agent_of(*route, *strategy);
            if let Some(judgement) = judgement {
                trace.problem = judgement.problem();
            }
        }
        Event::Recalled { guidelines, .. } => {
            trace.lessons = guidelines.iter().flat_map(Guideline::lessons).cloned().collect();
            trace.trials = guidelines.iter().flat_map(|guideline| &guideline.trials).cloned().collect();
        }
        Event::ModelCalled { component, model, .. } if trace.system.is_none() && component != "router" => {
            trace.system = Some(Symbol::of(model));
        }
        _ => {}
    }
}

fn step(entry: &Entry) -> Option<Step> {
    let thought = |what: &str, text: &str, confidence| Step::Thought {
        what: Symbol::of(what),
        by: None,
        text: Untrusted::text(text),
        length: length(text),
        confidence,
        at: Some(entry.at),
    };
    Some(match &entry.event {
        Event::Received { request, .. } => Step::Said {
            who: Speaker::User,
            by: None,
            text: Untrusted::text(request.text.as_str()),
            length: length(request.text.as_str()),
            at: Some(entry.at),
        },
        Event::Thought { thought: made, .. } => thought("thought", &made.reasoning, made.confidence),
        Event::Planned { because: None, plan, .. } => thought("plan", plan.goal(), None),
        Event::Planned { because: Some(because), .. } => thought("replan", because, None),
        Event::PlanRefused { findings, .. } => thought("refused", &findings.join("\n"), None),
        Event::Critiqued { critique, .. } => thought("critique", &critique.summary, Some(critique.overall)),
        Event::Scored { confidence, .. } => thought("score", "", Some(confidence.overall)),
        Event::Assessed { assessment, .. } => thought("assess", &assessment.assessment, Some(assessment.quality)),
        Event::ToolCalled { tool, arguments, result, millis } => Step::Call {
            tool: Symbol::of(tool.as_str()),
            by: actor(entry),
            arguments: Untrusted::new(arguments.clone()),
            response: response(result),
            length: spoken(result),
            ended: match result {
                Outcome::Ok(_) => CallEnd::Done,
                Outcome::Err(error) => CallEnd::Failed(trouble(error)),
            },
            at: Some(entry.at),
            millis: Some(*millis),
        },
        Event::ModelCalled { model, reply, millis, .. } => {
            let (usage, ended) = match reply {
                Outcome::Ok(reply) => (reply.usage, CallEnd::Done),
                Outcome::Err(error) => (Default::default(), CallEnd::Failed(Trouble::of(&error.to_string()))),
            };
            Step::Model {
                model: Symbol::of(model),
                tokens_in: usage.input_tokens,
                tokens_out: usage.output_tokens,
                ended,
                at: Some(entry.at),
                millis: Some(*millis),
            }
        }
        Event::Answered { answer, .. } => {
            let text = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
            let (length, text) = (length(&text), Untrusted::text(&text));
            Step::Said { who: Speaker::User, by: None, text, length, at: Some(entry.at) }
        }
        Event::Finished { ending: Ending::Completed { answer, .. }, .. } => Step::Said {
            who: Speaker::Agent,
            by: None,
            text: Untrusted::text(answer),
            length: length(answer),
            at: Some(entry.at),
        },
        _ => return None,
    })
}

fn settled(intent: &Intent, declared: &Entry, entry: &Entry, settlement: &Settlement) -> Step {
    let (ended, said) = match settlement {
        Settlement::Done { result } => (CallEnd::Done, written(result)),
        Settlement::Failed { error } => (CallEnd::Failed(trouble(error)), error.to_string()),
        Settlement::Unknown { detail } => (CallEnd::Unknown, detail.clone()),
        Settlement::Withheld { detail } => (CallEnd::Failed(Trouble::Denied), detail.clone()),
    };
    let millis = entry.at.as_millisecond().saturating_sub(declared.at.as_millisecond());
    Step::Call {
        tool: Symbol::of(intent.tool.as_str()),
        by: actor(declared),
        arguments: Untrusted::new(intent.arguments.clone()),
        response: Untrusted::text(&said),
        length: length(&said),
        ended,
        at: Some(entry.at),
        millis: u64::try_from(millis).ok(),
    }
}

/// The step whose agent made a call, by the call's key: `step/forecast/1/…`.
fn actor(entry: &Entry) -> Option<Symbol> {
    entry.key.strip_prefix("step/")?.split('/').next().map(Symbol::of)
}

fn verdict(ending: &Ending, rating: Option<&Rating>) -> Option<Verdict> {
    let by_itself = match ending.status() {
        RunStatus::Completed => Some(true),
        RunStatus::Failed => Some(false),
        RunStatus::Pending | RunStatus::Running | RunStatus::Waiting | RunStatus::Cancelled => None,
    };
    let success = rating.map(|rating| rating.good).or(by_itself)?;
    let answer = match ending {
        Ending::Completed { answer, .. } => Some(Untrusted::text(answer)),
        _ => None,
    };
    Some(Verdict { success, score: None, answer })
}

fn trouble(error: &ToolError) -> Trouble {
    match error {
        ToolError::Unknown { .. } => Trouble::NotFound,
        ToolError::BadArguments { .. } => Trouble::BadArguments,
        ToolError::Unavailable { .. } => Trouble::Unavailable,
        ToolError::Failed { detail, .. } => Trouble::of(detail),
        ToolError::TimedOut { .. } => Trouble::TimedOut,
        ToolError::InDoubt { .. } => Trouble::Other,
        ToolError::Denied { .. } | ToolError::OverBudget { .. } => Trouble::Denied,
    }
}

fn response(result: &Outcome<Value, ToolError>) -> Untrusted<String> {
    match result {
        Outcome::Ok(value) => Untrusted::text(&written(value)),
        Outcome::Err(error) => Untrusted::text(&error.to_string()),
    }
}

fn spoken(result: &Outcome<Value, ToolError>) -> u32 {
    match result {
        Outcome::Ok(value) => length(&written(value)),
        Outcome::Err(error) => length(&error.to_string()),
    }
}

fn written(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn length(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}
