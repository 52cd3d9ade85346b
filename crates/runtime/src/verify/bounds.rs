//! How much carrying a plan out can use, at least and at most: from what the engine does with each kind of step, and from
//! what `docs/verifier.md` says is assumed about models.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::budget::OnExceed;
use domain::finding::{Bounds, Code, Extent, Finding};
use domain::id::{StepId, ToolName};
use domain::intent::IntentDraft;
use domain::plan::{Action, Call, Step};

use super::Given;
use super::ground::Ground;
use crate::lend::MAX_DEPTH;

/// What is assumed about one turn of a model: tokens read and written, at least and at most.
const TURN_LEAST: (u64, u64) = (300, 20);
const TURN_MOST: (u64, u64) = (12_000, 1_000);
/// How many tools an agent is assumed to call in one turn, at most.
const CALLS_PER_TURN: u64 = 4;
/// How often an action is repaired after its result failed its check.
const REPAIRS: u64 = 2;
/// How long a call takes at most where its tool does not say.
const CALL: Duration = Duration::from_secs(30);
/// How long a step takes at most.
const STEP: Duration = Duration::from_secs(600);

/// What one way to do a step can use.
struct Needs {
    tool_calls: Extent<u64>,
    model_calls: Extent<u64>,
    seconds: f64,
}

pub(super) fn bounds(ground: &Ground<'_>, given: &Given<'_>) -> Bounds {
    let mut bounds = Bounds::default();
    let mut ends: BTreeMap<&StepId, (u64, f64)> = BTreeMap::new();
    let mut skippable: Vec<&StepId> = Vec::new();
    for step in ground.plan.steps() {
        let needs = needs(ground, given, step);
        bounds.tool_calls.most += needs.tool_calls.most;
        bounds.model_calls.most += needs.model_calls.most;
        // What waits for a step that may be skipped may be skipped, too.
        if step.when.is_some() || step.after.iter().any(|other| skippable.contains(&other)) {
            skippable.push(&step.id);
        } else {
            bounds.tool_calls.least += needs.tool_calls.least;
            bounds.model_calls.least += needs.model_calls.least;
        }
        let before = step.after.iter().filter_map(|other| ends.get(other));
        let (steps, seconds) = before
            .fold((0, 0.0), |(steps, seconds): (u64, f64), (others, took)| (steps.max(*others), seconds.max(*took)));
        let end = (steps + 1, seconds + needs.seconds);
        bounds.critical_path = bounds.critical_path.max(end.0);
        bounds.seconds = bounds.seconds.max(end.1);
        ends.insert(&step.id, end);
    }
    bounds.tool_calls.least += ground.plan.intents().len() as u64;
    written(ground, ground.plan.intents(), &mut bounds);
    // Words are found for the answer where there is no template, or where it cannot be filled.
    if ground.plan.answer().is_none() || !skippable.is_empty() {
        bounds.model_calls.most += 1;
    }
    bounds.usd = given.price.map(|price| Extent {
        least: price.of(TURN_LEAST.0 * bounds.model_calls.least, TURN_LEAST.1 * bounds.model_calls.least),
        most: price.of(TURN_MOST.0 * bounds.model_calls.most, TURN_MOST.1 * bounds.model_calls.most),
    });
    bounds
}

pub(super) fn check(bounds: &Bounds, given: &Given<'_>, findings: &mut Vec<Finding>) {
    let budget = given.budget;
    let count = |number: u64| number as f64;
    let plain = |number: f64| format!("{number}");
    let dollars = |number: f64| format!("${number:.4}");
    let tokens = Extent {
        least: bounds.model_calls.least * (TURN_LEAST.0 + TURN_LEAST.1),
        most: bounds.model_calls.most * (TURN_MOST.0 + TURN_MOST.1),
    };
    let mut measure = |what: &str, limit: Option<f64>, least: f64, most: f64, shown: &dyn Fn(f64) -> String| {
        let Some(limit) = limit else { return };
        if least > limit {
            let code = match budget.on_exceed {
                OnExceed::Stop => Code::OverBudget,
                OnExceed::Ask => Code::AsksForBudget,
            };
            let says = format!("the plan needs at least {} {what}; the budget allows {}", shown(least), shown(limit));
            findings.push(Finding::new(code, None, says));
        } else if most > limit {
            let says = format!("the plan may need up to {} {what}; the budget allows {}", shown(most), shown(limit));
            findings.push(Finding::new(Code::MayExceedBudget, None, says));
        }
    };
    let Extent { least, most } = bounds.tool_calls;
    measure("tool calls", budget.tool_calls.map(count), count(least), count(most), &plain);
    let Extent { least, most } = bounds.model_calls;
    measure("model calls", budget.model_calls.map(count), count(least), count(most), &plain);
    measure("tokens", budget.tokens.map(count), count(tokens.least), count(tokens.most), &plain);
    if let Some(Extent { least, most }) = bounds.usd {
        let limit = budget.usd.map(|usd| usd.as_dollars());
        measure("for models", limit, least.as_dollars(), most.as_dollars(), &dollars);
    }
    measure("seconds", budget.wall.map(|wall| wall.as_secs_f64()), 0.0, bounds.seconds, &plain);
}

fn needs(ground: &Ground<'_>, given: &Given<'_>, step: &Step) -> Needs {
    let ways = std::iter::once(&step.action).chain(&step.alternatives).map(|action| match action {
        Action::Call(call) => match ground.toolbox.agent(&call.tool) {
            // What its agent uses comes with every call.
            Some(agent) => {
                let own = agent_uses(ground, given, &agent.tools, agent.max_iterations, 1);
                let call = called(ground, step, call);
                let calls = call.tool_calls.most;
                Needs {
                    tool_calls: Extent { most: calls + calls * own.tool_calls.most, ..call.tool_calls },
                    model_calls: Extent { least: 1, most: call.model_calls.most + calls * own.model_calls.most },
                    seconds: own.seconds,
                }
            }
            None => called(ground, step, call),
        },
        Action::Agent(task) => agent_uses(ground, given, &task.tools, task.max_iterations, 0),
    });
    // One way is enough; at worst all of them are tried.
    let together = |one: Extent<u64>, other: Extent<u64>| Extent {
        least: one.least.min(other.least),
        most: one.most + other.most,
    };
    let needs = ways.reduce(|one, other| Needs {
        tool_calls: together(one.tool_calls, other.tool_calls),
        model_calls: together(one.model_calls, other.model_calls),
        seconds: one.seconds + other.seconds,
    });
    let needs = needs.unwrap_or(Needs { tool_calls: Extent::default(), model_calls: Extent::default(), seconds: 0.0 });
    Needs { seconds: needs.seconds.min(STEP.as_secs_f64()), ..needs }
}

/// What an agent can use, and the agents that it can call: so deep, and no deeper.
fn agent_uses(ground: &Ground<'_>, given: &Given<'_>, tools: &[ToolName], turns: Option<u32>, depth: usize) -> Needs {
    let turns = u64::from(turns.unwrap_or(given.max_iterations));
    let called = tools.iter().filter(|_| depth < MAX_DEPTH).filter_map(|tool| ground.toolbox.agent(tool));
    let others: Vec<Needs> =
        called.map(|other| agent_uses(ground, given, &other.tools, other.max_iterations, depth + 1)).collect();
    let most = |of: fn(&Needs) -> u64| others.iter().map(of).max().unwrap_or_default();
    let calls = turns.saturating_mul(CALLS_PER_TURN);
    let (other_tools, other_models) = (most(|needs| needs.tool_calls.most), most(|needs| needs.model_calls.most));
    Needs {
        tool_calls: Extent { least: 0, most: calls.saturating_mul(1 + other_tools) },
        model_calls: Extent { least: 1, most: turns.saturating_add(calls.saturating_mul(other_models)) },
        seconds: STEP.as_secs_f64(),
    }
}

/// A direct call, made again after each repair where its result is checked.
fn called(ground: &Ground<'_>, step: &Step, call: &Call) -> Needs {
    let repairs = if step.check.is_some() { REPAIRS } else { 0 };
    let undone = step.undo.as_ref().filter(|_| repairs > 0);
    let each = 1 + u64::from(undone.is_some());
    let took = seconds(ground, call) + undone.map_or(0.0, |undo| seconds(ground, undo));
    Needs {
        tool_calls: Extent { least: 1, most: each * (1 + repairs) },
        model_calls: Extent { least: 0, most: repairs },
        seconds: took * (1 + repairs) as f64,
    }
}

fn seconds(ground: &Ground<'_>, call: &Call) -> f64 {
    ground.spec(&call.tool).and_then(|spec| spec.timeout).unwrap_or(CALL).as_secs_f64()
}

/// Intents are carried out one after the other once all steps have ended.
fn written(ground: &Ground<'_>, intents: &[IntentDraft], bounds: &mut Bounds) {
    for intent in intents {
        bounds.tool_calls.most += 1;
        let call = Call { tool: intent.tool.clone(), arguments: serde_json::Value::Null };
        bounds.seconds += seconds(ground, &call);
        written(ground, &intent.then, bounds);
    }
}
