//! Reads off a trace what may be learnt from, and leaves behind everything anybody wrote.

use std::collections::HashSet;

use domain::symbol::Symbol;
use domain::trace::{Cue, Move, Sketch, Step, Trace};
use serde_json::Value;

/// The sketch of a trace.
pub fn sketch(trace: &Trace) -> Sketch {
    let mut seen: HashSet<(&Symbol, &Value)> = HashSet::new();
    let moves = trace.steps.iter().map(|step| match step {
        Step::Call { tool, by, arguments, response, length, ended, millis, .. } => {
            let arguments = arguments.reveal();
            let mut cues = Vec::new();
            if !seen.insert((tool, arguments)) {
                cues.push(Cue::Again);
            }
            if response.is_empty() {
                cues.push(Cue::Empty);
            }
            let keys = arguments.as_object().map(|fields| fields.keys().map(|key| Symbol::of(key)).collect());
            Move::Call {
                tool: tool.clone(),
                by: by.clone(),
                keys: keys.unwrap_or_default(),
                cues,
                ended: *ended,
                length: *length,
                millis: *millis,
            }
        }
        Step::Said { who, by, length, .. } => {
            Move::Said { who: *who, by: by.clone(), length: *length, cues: Vec::new() }
        }
        Step::Thought { what, length, confidence, .. } => {
            Move::Thought { what: what.clone(), length: *length, confidence: *confidence, cues: Vec::new() }
        }
        Step::Model { tokens_in, tokens_out, ended, .. } => {
            Move::Model { tokens: tokens_in + tokens_out, ended: *ended }
        }
    });
    let moves = moves.collect();
    let metric = |name: &str| trace.metrics.get(&Symbol::of(name)).copied().filter(|value| value.is_finite());
    let lasted =
        trace.ended_at.map(|end| end.duration_since(trace.started_at).as_secs_f64()).filter(|lasted| *lasted > 0.0);
    Sketch {
        trace: trace.id.clone(),
        source: trace.source.clone(),
        agent: trace.agent.clone(),
        problem: trace.problem.clone(),
        task: trace.task.clone(),
        system: trace.system.clone(),
        user: trace.user.clone(),
        success: trace.outcome.as_ref().map(|outcome| outcome.success),
        moves,
        seconds: metric("seconds").or(lasted),
        usd: metric("usd"),
        lessons: trace.lessons.clone(),
        trials: trace.trials.clone(),
    }
}
