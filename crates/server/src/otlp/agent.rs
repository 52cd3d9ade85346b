//! Spans of agents: what a trace is about, and how it ended.

use std::collections::BTreeMap;

use domain::guideline::{Arm, ExperimentId, LessonId, Trial};
use domain::symbol::Symbol;
use domain::trace::{Piece, Untrusted, Verdict};
use serde_json::Value;

use super::attributes::parsed;
use super::map::{Seen, named};
use super::messages::{asked, brought, given};
use super::step::{TOKENS_IN, TOKENS_OUT, Told};
use super::wire::{STATUS_ERROR, STATUS_OK};

/// Under which names frameworks put the task among the arguments of an agent.
const TASKS: [&str; 8] = ["task", "input", "query", "question", "prompt", "user_prompt", "message", "text"];

/// What an agent's span says: what the trace is about, and, where it has an end, how it ended.
pub(super) fn pieces(seen: &Seen<'_>) -> Vec<Told> {
    let mut told = vec![(":about", seen.from, about(seen))];
    if let Some(to) = seen.to {
        told.push((":end", to.max(seen.from), end(seen)));
    }
    told
}

/// What was said later about how good it was; nothing where it does not say.
pub(super) fn label(seen: &Seen<'_>) -> Option<Piece> {
    let success = seen.is.yes(&["agentwright.success"])?;
    Some(Piece::Label { outcome: Verdict { success, score: seen.is.number(&["agentwright.score"]), answer: None } })
}

fn about(seen: &Seen<'_>) -> Piece {
    let symbol = |names: &[&str]| seen.is.text(names).map(|name| named(&name));
    let agent =
        symbol(&["gen_ai.agent.name", "agent.name", "agent_name", "gen_ai.workflow.name", "traceloop.entity.name"]);
    // Some call a span after the function: `forecaster.run`.
    let called = seen.bare_name().trim_end_matches(".run");
    let model = symbol(&["gen_ai.request.model", "gen_ai.response.model", "llm.model_name", "model_name"]);
    let program = || {
        let name = seen.program.text(&["service.name"])?;
        (!name.starts_with("unknown_service")).then(|| named(&name))
    };
    Piece::About {
        depth: seen.depth,
        agent: agent.or_else(|| (!called.is_empty()).then(|| named(called))),
        problem: symbol(&["agentwright.problem"]),
        task: symbol(&["agentwright.task"]),
        system: model.or_else(program),
        user: symbol(&["agentwright.user", "user.id", "enduser.id", "traceloop.association.properties.user_id"]),
        context: context(seen).map(|text| Untrusted::text(&text)),
        lessons: seen.is.texts("agentwright.lesson").iter().map(|id| LessonId(Symbol::of(id))).collect(),
        trials: trials(seen),
    }
}

/// What was asked: the user's last words, or what the agent was called with.
fn context(seen: &Seen<'_>) -> Option<String> {
    let given = given(&seen.is);
    if let Some(words) = given.iter().rev().find_map(asked) {
        return Some(words.to_owned());
    }
    let text = seen.is.text(&["agentwright.context", "input.value", "traceloop.entity.input", "gen_ai.prompt"])?;
    if let Value::Object(arguments) = parsed(&text)
        && let Some(task) = TASKS.iter().find_map(|name| arguments.get(*name)?.as_str())
    {
        return Some(task.to_owned());
    }
    Some(text.into_owned())
}

/// The experiments it took part in: names and arms, in the same order.
fn trials(seen: &Seen<'_>) -> Vec<Trial> {
    let experiments = seen.is.texts("agentwright.experiment");
    let arms = seen.is.texts("agentwright.arm");
    let pairs = experiments.iter().zip(arms).filter_map(|(experiment, arm)| {
        let arm = match arm.as_ref() {
            "control" => Arm::Control,
            "candidate" => Arm::Candidate,
            _ => return None,
        };
        Some(Trial { experiment: ExperimentId(Symbol::of(experiment)), arm })
    });
    pairs.collect()
}

/// How it ended. Whoever says so with `agentwright.success` is believed; otherwise a status of error is a failure, a status
/// of OK a success, and no status no outcome.
fn end(seen: &Seen<'_>) -> Piece {
    let by_status = match seen.status() {
        STATUS_OK => Some(true),
        STATUS_ERROR => Some(false),
        _ => None,
    };
    let outcome = seen.is.yes(&["agentwright.success"]).or(by_status).map(|success| Verdict {
        success,
        score: seen.is.number(&["agentwright.score"]),
        answer: answer(seen).map(|text| Untrusted::text(&text)),
    });
    let ground_truth = seen.is.json(&["agentwright.ground_truth"]).map(Untrusted::value);
    Piece::End { depth: seen.depth, outcome, ground_truth, metrics: metrics(seen) }
}

fn answer(seen: &Seen<'_>) -> Option<String> {
    let names = ["agentwright.answer", "output.value", "final_result", "traceloop.entity.output"];
    let last = || brought(&seen.is).pop().map(|message| message.text).filter(|text| !text.is_empty());
    last().or_else(|| seen.is.text(&names).map(String::from))
}

fn metrics(seen: &Seen<'_>) -> BTreeMap<Symbol, f64> {
    let (read, written) = (seen.is.number(&TOKENS_IN), seen.is.number(&TOKENS_OUT));
    let tokens = [read, written].into_iter().flatten().reduce(|one, other| one + other);
    let usd = seen.is.number(&["gen_ai.usage.cost", "operation.cost", "llm.cost.total"]);
    let usual = [("tokens", tokens), ("usd", usd)];
    let usual = usual.into_iter().filter_map(|(name, value)| Some((Symbol::of(name), value?)));
    let prefix = "agentwright.metric.";
    let said = seen.is.under(prefix).filter_map(|(name, _)| {
        let value = seen.is.number(&[&format!("{prefix}{name}")])?;
        Some((Symbol::of(name), value))
    });
    usual.chain(said).collect()
}
