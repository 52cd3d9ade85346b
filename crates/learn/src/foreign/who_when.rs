//! Logs of several agents that failed together, as Who&When writes them down: one step for each message, in its order.

use domain::symbol::Symbol;
use domain::trace::{Speaker, Step, Trace, Untrusted, Verdict};
use jiff::Timestamp;
use serde_json::Value;

use super::row::{ForeignError, Row, uncut};

/// The trace a line says, as of a time that stands for the one it does not say.
pub fn who_when(line: &Value, at: Timestamp) -> Result<Trace, ForeignError> {
    let row = Row::of(line, "")?;
    let mut trace = row.bare("who_when", at)?;
    trace.agent = Symbol::of("team");
    trace.problem = Symbol::of(row.text("kind")?);
    trace.context = Untrusted::text(row.said("question")?);
    trace.ground_truth = row.get("ground_truth").cloned().map(Untrusted::new);
    trace.outcome = Some(Verdict { success: false, score: None, answer: None });
    trace.steps = row.steps()?.iter().map(step).collect::<Result<_, _>>()?;
    Ok(trace)
}

fn step(message: &Row<'_>) -> Result<Step, ForeignError> {
    let agent = message.text("agent")?;
    let role = message.said("role")?;
    let (by, text, length) =
        (Some(Symbol::of(agent)), Untrusted::text(uncut(message.said("content")?)), message.count("len")?);
    if role.contains("thought") {
        return Ok(Step::Thought { what: Symbol::of("thought"), by, text, length, confidence: None, at: None });
    }
    let who = if agent == "human" {
        Speaker::User
    } else if agent.to_lowercase().contains("terminal") {
        Speaker::Other
    } else {
        Speaker::Agent
    };
    Ok(Step::Said { who, by, text, length, at: None })
}
