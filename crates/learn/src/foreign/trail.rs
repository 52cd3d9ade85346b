//! Spans of agents that look things up or mend programs, as TRAIL writes them down: one step for each span, in its order.

use domain::symbol::Symbol;
use domain::trace::{CallEnd, Step, Trace, Trouble, Untrusted};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::row::{ForeignError, Row, uncut};

/// The trace a line says, as of a time that stands for the one it does not say.
pub fn trail(line: &Value, at: Timestamp) -> Result<Trace, ForeignError> {
    let row = Row::of(line, "")?;
    let mut trace = row.bare("trail", at)?;
    trace.agent = Symbol::of("trail");
    trace.problem = Symbol::of(row.text("dataset")?);
    trace.steps = row.steps()?.iter().map(step).collect::<Result<_, _>>()?;
    Ok(trace)
}

fn step(span: &Row<'_>) -> Result<Step, ForeignError> {
    let name = Symbol::of(span.text("name")?);
    let output = uncut(span.said("output")?);
    let length = u32::try_from(output.chars().count()).unwrap_or(u32::MAX);
    let failed = span.said("status")? == "Error" || span.flag("exception")? == Some(true);
    let ended = if failed { CallEnd::Failed(Trouble::of(span.said("status_message")?)) } else { CallEnd::Done };
    let millis = millis(span)?;
    Ok(match span.said("kind")? {
        "TOOL" => Step::Call {
            tool: span.get("tool").and_then(Value::as_str).map_or(name, Symbol::of),
            by: None,
            arguments: Untrusted::new(Value::String(uncut(span.said("input")?).to_owned())),
            response: Untrusted::text(output),
            length,
            ended,
            at: None,
            millis,
        },
        "LLM" => Step::Model {
            model: name,
            tokens_in: u64::from(span.count("tokens_in")?),
            tokens_out: u64::from(span.count("tokens_out")?),
            ended,
            at: None,
            millis,
        },
        kind => Step::Thought {
            what: Symbol::of(if kind.is_empty() { "span" } else { kind }),
            by: Some(name),
            text: Untrusted::text(output),
            length,
            confidence: None,
            at: None,
        },
    })
}

fn millis(span: &Row<'_>) -> Result<Option<u64>, ForeignError> {
    let written = span.said("duration")?;
    if written.is_empty() {
        return Ok(None);
    }
    let lasted: SignedDuration = written.parse().map_err(|_| span.wrong("duration", "a duration such as `PT1.5S`"))?;
    Ok(u64::try_from(lasted.as_millis()).ok())
}
