//! What a plan does to the world is allowed, stands in the right place, and is no more than the first plan could do.

use domain::finding::{Code, Finding};
use domain::id::ToolName;
use domain::plan::Action;
use domain::tool::Effect;

use super::Given;
use super::ground::{Ground, Part};
use crate::policy::{Arguments, Case, Decision, Known, foresee};

pub(super) fn check(ground: &Ground<'_>, given: &Given<'_>, findings: &mut Vec<Finding>) {
    for site in &ground.sites {
        let Some((tool, arguments)) = site.call else { continue };
        if let Some((code, says)) = ruled(ground, given, tool, Arguments::Planned(arguments)) {
            findings.push(site.finding(code, &says));
        }
        let idle = ground.spec(tool).is_some_and(|spec| !spec.effect.is_write());
        if site.part == Part::Intent && idle {
            let says = format!("`{tool}` changes nothing: it belongs into a step");
            findings.push(site.finding(Code::IdleIntent, &says));
        }
    }
    for step in ground.plan.steps() {
        for action in std::iter::once(&step.action).chain(&step.alternatives) {
            let Action::Agent(task) = action else { continue };
            for (code, says) in task.tools.iter().filter_map(|tool| ruled(ground, given, tool, Arguments::Open)) {
                findings.push(Finding::new(code, Some(step.id.as_str()), says));
            }
        }
    }
    for tool in given.configuration.iter().flat_map(|configuration| &configuration.tool_names) {
        // What the plan itself reaches has been looked at where it does.
        let unseen = |_: &(Code, String)| !ground.plan.tools().contains(tool);
        if let Some((code, says)) = ruled(ground, given, tool, Arguments::Open).filter(unseen) {
            findings.push(Finding::new(code, None, says));
        }
    }
    let Some(frozen) = given.frozen else { return };
    for tool in ground.reachable.iter().filter(|tool| !frozen.contains(tool)) {
        if ground.spec(tool).is_some_and(|spec| spec.effect != Effect::Read) {
            let says = format!("`{tool}` was not part of the first plan: a new plan may add only tools that read");
            findings.push(Finding::new(Code::NewEffect, None, says));
        }
    }
}

/// What is certain about a call before the run is known that makes it.
fn ruled(ground: &Ground<'_>, given: &Given<'_>, tool: &ToolName, arguments: Arguments<'_>) -> Option<(Code, String)> {
    let case = Case { tool: ground.spec(tool)?, arguments, tainted: &[], known: &Known::default(), agreed: false };
    match foresee(given.rules, std::slice::from_ref(tool), &case)? {
        Decision::Allow | Decision::Intent => None,
        Decision::Ask { reason, .. } => Some((Code::Asks, format!("a person is asked before `{tool}`: {reason}"))),
        Decision::Deny { reason } => Some((Code::Denied, format!("`{tool}` may not be used: {reason}"))),
    }
}
