//! Runs of an agent that finds its tools by asking for them, as LiveMCPBench writes them down.

use domain::symbol::Symbol;
use domain::trace::{Trace, Untrusted, Verdict};
use jiff::Timestamp;
use serde_json::Value;

use super::messages;
use super::row::{ForeignError, Row};

/// The trace a line says, as of a time that stands for the one it does not say.
pub fn livemcp(line: &Value, at: Timestamp) -> Result<Trace, ForeignError> {
    let row = Row::of(line, "")?;
    let mut trace = row.bare("livemcp_traces", at)?;
    trace.agent = Symbol::of("livemcp");
    trace.problem = Symbol::of(row.text("category")?);
    trace.task = Some(Symbol::of(row.text("task_id")?));
    trace.context = Untrusted::text(row.said("question")?);
    trace.steps = messages::steps(&row.steps()?, call)?;
    if let Some(success) = row.flag("success")? {
        trace.outcome = Some(Verdict { success, score: None, answer: None });
    }
    Ok(trace)
}

/// The tool behind the one tool that calls all others.
fn call(call: &Row<'_>) -> Result<(Symbol, Value), ForeignError> {
    let name = call.text("name")?;
    let arguments: Value = match call.get("args") {
        Some(Value::String(written)) => serde_json::from_str(written).unwrap_or_default(),
        Some(value) => value.clone(),
        None => Value::Null,
    };
    match arguments.get("tool_name").and_then(Value::as_str) {
        Some(inner) => Ok((Symbol::of(inner), arguments.get("params").cloned().unwrap_or_default())),
        None => Ok((Symbol::of(name), arguments)),
    }
}
