//! Nothing is done for nothing, and nothing twice.

use std::collections::BTreeSet;

use domain::finding::{Code, Finding};
use domain::id::StepId;
use domain::plan::{Action, Step};
use domain::tool::Effect;

use super::ground::Ground;

pub(super) fn check(ground: &Ground<'_>, findings: &mut Vec<Finding>) {
    let steps = ground.plan.steps();
    let used: BTreeSet<&StepId> = steps
        .iter()
        .flat_map(|step| &step.after)
        .chain(
            ground
                .sites
                .iter()
                .filter(|site| site.step.is_none())
                .flat_map(|site| site.mentions.iter().map(|mention| &mention.reference.step)),
        )
        .collect();
    // Without a template the answer is made from all results.
    for step in steps.iter().filter(|step| ground.plan.answer().is_some() && !used.contains(&step.id)) {
        if let Action::Call(call) = &step.action
            && ground.spec(&call.tool).is_some_and(|spec| spec.effect == Effect::Read)
        {
            let says = "nothing uses its result: neither a step, nor the answer, nor an intent";
            findings.push(Finding::new(Code::Unused, Some(step.id.as_str()), says));
        }
    }
    for (at, step) in steps.iter().enumerate() {
        if let Some(twin) = steps[..at].iter().find(|earlier| same(earlier, step)) {
            let says = format!("it makes the same call as `{}`; refer to that result instead", twin.id);
            findings.push(Finding::new(Code::SameCall, Some(step.id.as_str()), says));
        }
    }
}

/// Whether two steps make the same call under the same circumstances.
fn same(one: &Step, other: &Step) -> bool {
    matches!((&one.action, &other.action), (Action::Call(one), Action::Call(other)) if one == other)
        && one.when == other.when
}
