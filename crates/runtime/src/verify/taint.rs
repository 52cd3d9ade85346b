//! Where data that nobody vouches for decides whom or what a write reaches.

use std::collections::BTreeSet;

use domain::finding::{Code, Finding};
use domain::id::{StepId, ToolName};
use domain::plan::{Action, Step};
use domain::reference::Segment;
use domain::tool::Effect;

use super::ground::{Ground, Part, Site};
use crate::policy::{self, Arguments, Case, Known, Rule, certain_rule};

/// Tools whose results nobody outside can write: a person's own words, and the clock of this machine.
const TRUSTED: [&str; 2] = ["conversation.ask_user", "time.now"];

pub(super) fn check(ground: &Ground<'_>, rules: &[Rule], findings: &mut Vec<Finding>) {
    let untrusted = untrusted(ground);
    for site in &ground.sites {
        let Some((tool, arguments)) = site.call else { continue };
        for target in tainted(ground, site, &untrusted) {
            let rule = ground.spec(tool).and_then(|tool| {
                let arguments = Arguments::Planned(arguments);
                certain_rule(rules, &Case { tool, arguments, tainted: &[], known: &Known::default(), agreed: false })?
            });
            let allowed = rule.filter(|rule| rule.action == policy::Action::Allow && rule.names_its_tools());
            let (code, then) = match allowed {
                Some(rule) => (Code::AllowedTarget, format!("{rule} allows it")),
                None => (Code::UntrustedTarget, "a person is asked first".to_owned()),
            };
            let says = format!("what `{tool}` reaches (`{target}`) is decided by the results of tools; {then}");
            findings.push(site.finding(code, &says));
        }
    }
}

/// The target arguments of a step's calls that come from untrusted results.
pub(super) fn targets(ground: &Ground<'_>, step: &StepId) -> Vec<String> {
    let untrusted = untrusted(ground);
    let own = ground.sites.iter().filter(|site| site.step.is_some_and(|owner| owner.id == *step));
    let calls = own.filter(|site| matches!(site.part, Part::Action | Part::Alternative));
    let mut targets = Vec::new();
    for target in calls.flat_map(|site| tainted(ground, site, &untrusted)) {
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    targets
}

fn tainted(ground: &Ground<'_>, site: &Site<'_>, untrusted: &BTreeSet<&StepId>) -> Vec<String> {
    let spec = site.call.and_then(|(tool, _)| ground.spec(tool));
    let Some(Effect::Write { targets, .. }) = spec.map(|spec| &spec.effect) else { return Vec::new() };
    let from_outside = |target: &&String| {
        site.mentions.iter().any(|mention| {
            let about = matches!(mention.at.first(), Some(Segment::Field(name)) if name == *target);
            about && untrusted.contains(&mention.reference.step)
        })
    };
    targets.iter().filter(from_outside).cloned().collect()
}

/// The steps whose results nobody vouches for: those of tools, and what agents make of them.
fn untrusted<'g>(ground: &Ground<'g>) -> BTreeSet<&'g StepId> {
    // An agent that names no tools may be given those of the plan.
    let plan_reads = ground.plan.tools().iter().any(|tool| !trusted(tool));
    let mut untrusted: BTreeSet<&StepId> = BTreeSet::new();
    for step in ground.plan.steps() {
        let any = std::iter::once(&step.action).chain(&step.alternatives).any(|action| match action {
            Action::Call(call) => !trusted(&call.tool),
            Action::Agent(task) => {
                let reads =
                    if task.tools.is_empty() { plan_reads } else { task.tools.iter().any(|tool| !trusted(tool)) };
                reads || hears(step, &untrusted)
            }
        });
        if any {
            untrusted.insert(&step.id);
        }
    }
    untrusted
}

/// An agent is shown the results of all the steps it waits for.
fn hears(step: &Step, untrusted: &BTreeSet<&StepId>) -> bool {
    step.after.iter().any(|other| untrusted.contains(other))
}

fn trusted(tool: &ToolName) -> bool {
    TRUSTED.contains(&tool.as_str())
}
