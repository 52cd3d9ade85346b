//! Customers and their agents, as tau-bench writes them down: a task, a model, messages, and a check of what is in the
//! database afterwards.

use domain::symbol::Symbol;
use domain::trace::{Trace, Untrusted, Verdict};
use jiff::Timestamp;
use serde_json::Value;

use super::messages;
use super::row::{ForeignError, Row};

/// The trace a line says, as of a time that stands for the one it does not say.
pub fn tau(line: &Value, at: Timestamp) -> Result<Trace, ForeignError> {
    let row = Row::of(line, "")?;
    let mut trace = row.bare("tau_traces", at)?;
    let domain = row.text("domain")?;
    trace.agent = Symbol::of(domain);
    trace.problem = Symbol::of(domain);
    trace.task = Some(Symbol::of(row.text("task_id")?));
    let model = row.text("model")?;
    trace.system = Some(match row.said("system")? {
        "" => Symbol::of(model),
        system => Symbol::of(&format!("{model}/{system}")),
    });
    trace.steps = messages::steps(&row.steps()?, |call| {
        let arguments = call.get("args").cloned().unwrap_or_default();
        Ok((Symbol::of(call.text("name")?), arguments))
    })?;
    if let Some(success) = row.flag("success")? {
        trace.outcome = Some(Verdict { success, score: row.number("reward")?, answer: None });
    }
    for (field, metric) in [("duration_s", "seconds"), ("agent_cost", "usd")] {
        if let Some(value) = row.number(field)? {
            trace.metrics.insert(Symbol::of(metric), value);
        }
    }
    if let Some(first) = row.steps()?.iter().find(|step| step.said("role") == Ok("user")) {
        trace.context = Untrusted::text(first.said("content")?);
    }
    Ok(trace)
}
