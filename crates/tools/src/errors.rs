//! What went wrong, said in terms of what it means for a write: did it happen, did it not, or can nobody tell?

use std::time::Duration;

use domain::tool::{ToolError, ToolSpec};

/// The receiver said no: nothing happened.
pub(crate) fn failed(spec: &ToolSpec, detail: impl Into<String>) -> ToolError {
    ToolError::Failed { tool: spec.name.clone(), detail: detail.into() }
}

/// The receiver was not reached: nothing happened.
pub(crate) fn unavailable(spec: &ToolSpec, detail: impl Into<String>) -> ToolError {
    ToolError::Unavailable { tool: spec.name.clone(), detail: detail.into() }
}

/// The call cannot be made with these arguments.
pub(crate) fn bad_argument(spec: &ToolSpec, problem: impl Into<String>) -> ToolError {
    ToolError::BadArguments { tool: spec.name.clone(), problems: vec![problem.into()] }
}

/// The receiver was reached and the outcome is unknown. That matters for writes only.
pub(crate) fn lost(spec: &ToolSpec, detail: impl Into<String>) -> ToolError {
    if spec.effect.is_write() {
        ToolError::InDoubt { tool: spec.name.clone(), detail: detail.into() }
    } else {
        unavailable(spec, detail)
    }
}

/// The call was given up after it may have reached the receiver.
pub(crate) fn timed_out(spec: &ToolSpec, after: Duration) -> ToolError {
    if spec.effect.is_write() {
        lost(spec, format!("it did not finish within {after:?}"))
    } else {
        ToolError::TimedOut { tool: spec.name.clone(), after }
    }
}
