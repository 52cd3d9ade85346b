//! What a person wrote in the place of what was proposed: read and proved like anything that a planner writes.

use domain::finding::{Code, Finding};
use domain::id::StepId;
use domain::plan::Plan;
use domain::tool::{ToolError, ToolSpec};
use serde_json::Value;

use crate::policy::{Arguments, Case, Decision, Known, decide};
use crate::verify::{self, Given, Verified};

/// A plan that can be carried out, or everything that is wrong with it.
pub(crate) fn plan(draft: &Value, given: &Given<'_>) -> Result<(Plan, Verified), Vec<Finding>> {
    let plan = verify::read(draft)?;
    let mut verified = verify::verify(&plan, given);
    if !verified.holds() {
        return Err(verified.findings);
    }
    verified.findings.extend(verify::unread(draft));
    Ok((plan, verified))
}

/// Whether a tool can be called with other arguments, or everything that is wrong with them.
pub(crate) fn arguments(
    given: &Given<'_>,
    known: &Known,
    step: Option<&StepId>,
    tool: &ToolSpec,
    arguments: &Value,
) -> Result<(), Vec<Finding>> {
    let found = |code, says: String| Finding::new(code, step.map(StepId::as_str), says);
    if !arguments.is_object() {
        let says = format!("the arguments of `{}` must be an object, not `{arguments}`", tool.name);
        return Err(vec![found(Code::ArgumentsNoObject, says)]);
    }
    match given.tools.check(&tool.name, arguments) {
        Ok(()) => {}
        Err(ToolError::BadArguments { problems, .. }) => {
            return Err(problems.into_iter().map(|problem| found(Code::OutOfRange, problem)).collect());
        }
        Err(error) => return Err(vec![found(Code::UnknownTool, error.to_string())]),
    }
    let case = Case { tool, arguments: Arguments::Given(arguments), tainted: &[], known, agreed: true };
    match decide(given.rules, std::slice::from_ref(&tool.name), &case) {
        Decision::Deny { reason } => {
            Err(vec![found(Code::Denied, format!("`{}` may not be used so: {reason}", tool.name))])
        }
        Decision::Allow | Decision::Intent | Decision::Ask { .. } => Ok(()),
    }
}
