//! Conditions can be decided, and every step can be reached.

use std::collections::BTreeSet;

use domain::condition::{Comparison, Condition, Node, Operand};
use domain::finding::{Code, Finding};
use domain::id::StepId;
use domain::plan::Step;
use domain::reference::Reference;

use super::fold::fold;
use super::ground::{Ground, Part};
use super::references::leads_nowhere;
use super::schema::Kinds;

pub(super) fn check(ground: &Ground<'_>, findings: &mut Vec<Finding>) {
    let mut never: BTreeSet<&StepId> = BTreeSet::new();
    for step in ground.plan.steps() {
        let mut found = |code: Code, says: String| findings.push(Finding::new(code, Some(step.id.as_str()), says));
        if let Some(needed) = takes_from(ground, step, &never) {
            never.insert(&step.id);
            found(Code::Unreachable, format!("it is never begun: it needs the result of `{needed}`, which never is"));
            continue;
        }
        if let Some(when) = &step.when {
            let problems = undecidable(ground, when);
            let sound = problems.is_empty() && leads_somewhere(ground, when);
            problems.into_iter().for_each(|says| found(Code::Incomparable, says));
            match sound.then(|| fold(ground, when.root(), &never)).flatten() {
                Some(false) => {
                    never.insert(&step.id);
                    found(Code::Unreachable, format!("it is never begun: `{when}` can never hold"));
                }
                Some(true) => found(Code::AlwaysTrue, format!("`{when}` always holds; it can be left out")),
                None => {}
            }
        }
        if let Some(check) = &step.check {
            let problems = undecidable(ground, check);
            let sound = problems.is_empty() && leads_somewhere(ground, check);
            problems.into_iter().for_each(|says| found(Code::Incomparable, says));
            match sound.then(|| fold(ground, check.root(), &never)).flatten() {
                Some(false) => found(Code::NeverPasses, format!("it always fails: its check `{check}` can never hold")),
                Some(true) => found(Code::AlwaysTrue, format!("its check `{check}` always holds; it can be left out")),
                None => {}
            }
        }
    }
}

/// Every reference of a condition, in order.
pub(super) fn references_in(node: &Node) -> Vec<&Reference> {
    match node {
        Node::And(left, right) | Node::Or(left, right) => {
            let mut both = references_in(left);
            both.extend(references_in(right));
            both
        }
        Node::Not(inner) => references_in(inner),
        Node::Exists(reference) | Node::Truth(Operand::Reference(reference)) => vec![reference],
        Node::Truth(Operand::Literal(_)) => Vec::new(),
        Node::Compare(left, _, right) => [left, right].into_iter().filter_map(referred).collect(),
    }
}

fn referred(operand: &Operand) -> Option<&Reference> {
    match operand {
        Operand::Reference(reference) => Some(reference),
        Operand::Literal(_) => None,
    }
}

fn leads_somewhere(ground: &Ground<'_>, condition: &Condition) -> bool {
    let nowhere = |reference: &&Reference| {
        leads_nowhere(ground, reference).is_some_and(|(code, _)| matches!(code, Code::NoSuchField | Code::NoWayIn))
    };
    !references_in(condition.root()).iter().any(nowhere)
}

/// A step that is never begun and without whose result this one is not, either.
fn takes_from<'g>(ground: &Ground<'g>, step: &Step, never: &BTreeSet<&'g StepId>) -> Option<&'g StepId> {
    let own = ground.sites.iter().filter(|site| site.part == Part::Action);
    let own = own.filter(|site| site.step.is_some_and(|other| other.id == step.id));
    let mut taken = own.flat_map(|site| &site.mentions);
    taken.find_map(|mention| never.get(&mention.reference.step).copied())
}

/// Comparisons that come out the same whatever the results are, because of their types.
fn undecidable(ground: &Ground<'_>, condition: &Condition) -> Vec<String> {
    let mut problems = Vec::new();
    visit(condition.root(), &mut |node| {
        let problem = match node {
            Node::Compare(left, comparison, right) => odd(ground, left, *comparison, right),
            Node::Truth(operand @ Operand::Reference(reference)) => {
                let kinds = kinds(ground, operand).filter(|kinds| !kinds.may_be(Kinds::BOOLEAN));
                kinds.map(|kinds| {
                    format!("`{reference}` is {}, neither true nor false; compare it with something", kinds.words())
                })
            }
            Node::And(..) | Node::Or(..) | Node::Not(_) | Node::Exists(_) | Node::Truth(Operand::Literal(_)) => None,
        };
        problems.extend(problem.map(|problem| format!("in `{condition}`, {problem}")));
    });
    problems
}

fn visit<'n>(node: &'n Node, seen: &mut impl FnMut(&'n Node)) {
    seen(node);
    match node {
        Node::And(left, right) | Node::Or(left, right) => {
            visit(left, seen);
            visit(right, seen);
        }
        Node::Not(inner) => visit(inner, seen),
        Node::Compare(..) | Node::Exists(_) | Node::Truth(_) => {}
    }
}

fn kinds(ground: &Ground<'_>, operand: &Operand) -> Option<Kinds> {
    match operand {
        Operand::Reference(reference) => ground.kinds(reference).map(Kinds::present),
        Operand::Literal(value) => Some(Kinds::of(value)),
    }
}

fn odd(ground: &Ground<'_>, left: &Operand, comparison: Comparison, right: &Operand) -> Option<String> {
    let both_known = matches!((left, right), (Operand::Literal(_), Operand::Literal(_)));
    let (one, other) = (kinds(ground, left), kinds(ground, right));
    let is = |operand: &Operand, kinds: Option<Kinds>| {
        let name = match operand {
            Operand::Reference(reference) => reference.to_string(),
            Operand::Literal(value) => value.to_string(),
        };
        format!("`{name}` is {}", kinds.map(Kinds::words).unwrap_or_default())
    };
    let disagree = || format!("{} and {}: they cannot be compared", is(left, one), is(right, other));
    let ordered = Kinds::NUMBER.or(Kinds::STRING);
    match comparison {
        // Whether something is null can be asked of everything, and constants are decided elsewhere.
        Comparison::Equal | Comparison::NotEqual => {
            let (one, other) = (one?, other?);
            let known = both_known || one == Kinds::NULL || other == Kinds::NULL || one.may_be(other);
            (!known).then(disagree)
        }
        Comparison::Less | Comparison::AtMost | Comparison::Greater | Comparison::AtLeast => {
            for (operand, kinds) in [(left, one), (right, other)] {
                if kinds.is_some_and(|kinds| !kinds.may_be(ordered)) {
                    return Some(format!("{}, which is neither more nor less than anything", is(operand, kinds)));
                }
            }
            (!one?.may_be(other?)).then(disagree)
        }
        Comparison::Contains => {
            let one = one?;
            let held = Kinds::STRING.or(Kinds::ARRAY).or(Kinds::OBJECT);
            if !one.may_be(held) {
                return Some(format!("{}, which contains nothing", is(left, Some(one))));
            }
            (!one.may_be(Kinds::ARRAY) && !other?.may_be(Kinds::STRING)).then(disagree)
        }
    }
}
