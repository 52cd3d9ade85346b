//! References lead somewhere: into results that have what is taken from them, of steps that are not skipped.

use std::collections::BTreeSet;

use domain::finding::{Code, Finding};
use domain::id::StepId;
use domain::plan::Step;
use domain::reference::Reference;

use super::conditions::references_in;
use super::ground::{Brings, Ground, Part, Site};
use super::schema::{self, Gone, Look};

pub(super) fn check(ground: &Ground<'_>, findings: &mut Vec<Finding>) {
    for site in &ground.sites {
        for mention in &site.mentions {
            if let Some((code, says)) = leads_nowhere(ground, &mention.reference) {
                findings.push(site.finding(code, &says));
            }
        }
    }
    for step in ground.plan.steps() {
        for condition in step.when.iter().chain(&step.check) {
            for reference in references_in(condition.root()) {
                if let Some((code, says)) = leads_nowhere(ground, reference) {
                    findings.push(Finding::new(code, Some(step.id.as_str()), format!("in `{condition}`, {says}")));
                }
            }
        }
    }
    let mut told: BTreeSet<(Option<&StepId>, &StepId)> = BTreeSet::new();
    for site in &ground.sites {
        for mention in &site.mentions {
            let Some(other) = ground.step(&mention.reference.step) else { continue };
            let from = site.step.map(|step| &step.id);
            if may_be_skipped(site, other) && told.insert((from, &other.id)) {
                let then = match site.part {
                    Part::Answer => "the answer then is put together without the template",
                    Part::Intent => "the intent then cannot be declared",
                    Part::Action | Part::Alternative | Part::Undo => "this step is then skipped as well",
                };
                let says = format!("`{}` may be skipped and its result is used here; {then}", other.id);
                findings.push(site.finding(Code::MayBeMissing, &says));
            }
        }
    }
}

/// What is wrong with where a reference leads, as far as it is certain.
pub(super) fn leads_nowhere(ground: &Ground<'_>, reference: &Reference) -> Option<(Code, String)> {
    if reference.path.is_empty() {
        return None;
    }
    let step = ground.step(&reference.step)?;
    let ways = ground.brings(step);
    let number = ways.len();
    let mut missing: Vec<Gone> = Vec::new();
    let mut words = false;
    for way in ways {
        match way {
            Brings::Declared(root) => match schema::look(root, root, &reference.path) {
                Look::Gone(gone) => missing.push(gone),
                Look::Is(_) | Look::Unknown => {}
            },
            Brings::Words => words = true,
            Brings::Anything => {}
        }
    }
    let why = |gone: &Gone| match gone {
        Gone::Field { missing, has } if has.is_empty() => format!("there is no field `{missing}`"),
        Gone::Field { missing, has } => format!("there is no field `{missing}`; there are {}", schema::listed(has)),
        Gone::Kind(kinds) => format!("it is {}, which has no such part", kinds.words()),
    };
    match missing.first() {
        Some(gone) if missing.len() == number => {
            let code = match gone {
                Gone::Field { .. } => Code::NoSuchField,
                Gone::Kind(_) => Code::NoWayIn,
            };
            Some((code, format!("`{reference}` refers to nothing in the result of `{}`: {}", step.id, why(gone))))
        }
        Some(gone) => Some((
            Code::FieldOfSome,
            format!("`{reference}` is there only if `{}` is done one way and not another: {}", step.id, why(gone)),
        )),
        None if words && number == 1 => Some((
            Code::FieldOfWords,
            format!("`{reference}` asks for a part of an agent's words, which are text; refer to `${{{}}}`", step.id),
        )),
        None => None,
    }
}

/// Whether the other step may be skipped without this one being meant to be.
fn may_be_skipped(site: &Site<'_>, other: &Step) -> bool {
    let own = site.step.is_some_and(|step| step.id == other.id);
    let Some(when) = other.when.as_ref().filter(|_| !own) else { return false };
    let guarded = site
        .step
        .and_then(|step| step.when.as_ref())
        .is_some_and(|guard| guard.steps().contains(&other.id) || guard.to_string() == when.to_string());
    !guarded
}
