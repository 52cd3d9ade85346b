//! What a condition comes to whatever the results are: always yes, always no, or not known before. The simple cases are
//! found, nothing is guessed.

use std::collections::BTreeSet;

use domain::condition::{Comparison, Node, Operand};
use domain::id::StepId;
use domain::reference::Reference;
use serde_json::Value;

use super::ground::Ground;

/// The answer to a condition, where it is certain. What comes from a step that is `never` begun is null.
pub(super) fn fold(ground: &Ground<'_>, node: &Node, never: &BTreeSet<&StepId>) -> Option<bool> {
    match node {
        Node::And(..) => {
            let mut parts = Vec::new();
            parts_of(node, Joined::And, &mut parts);
            let folded: Vec<_> = parts.iter().map(|part| fold(ground, part, never)).collect();
            if folded.contains(&Some(false)) || contradict(ground, &parts) {
                return Some(false);
            }
            folded.iter().all(|part| *part == Some(true)).then_some(true)
        }
        Node::Or(..) => {
            let mut parts = Vec::new();
            parts_of(node, Joined::Or, &mut parts);
            let folded: Vec<_> = parts.iter().map(|part| fold(ground, part, never)).collect();
            if folded.contains(&Some(true)) || one_and_its_opposite(&parts) {
                return Some(true);
            }
            folded.iter().all(|part| *part == Some(false)).then_some(false)
        }
        Node::Not(inner) => fold(ground, inner, never).map(|holds| !holds),
        Node::Exists(reference) => never.contains(&reference.step).then_some(false),
        Node::Truth(operand) => {
            known(operand, never).map(|value| *value == Value::Bool(true)).or_else(|| alone(ground, node))
        }
        Node::Compare(left, comparison, right) => match (known(left, never), known(right, never)) {
            (Some(left), Some(right)) => Some(comparison.holds(left, right)),
            _ if left == right => match comparison {
                Comparison::Equal => Some(true),
                Comparison::NotEqual | Comparison::Less | Comparison::Greater => Some(false),
                Comparison::AtMost | Comparison::AtLeast | Comparison::Contains => None,
            },
            _ => alone(ground, node),
        },
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Joined {
    And,
    Or,
}

fn parts_of<'n>(node: &'n Node, joined: Joined, parts: &mut Vec<&'n Node>) {
    match (node, joined) {
        (Node::And(left, right), Joined::And) | (Node::Or(left, right), Joined::Or) => {
            parts_of(left, joined, parts);
            parts_of(right, joined, parts);
        }
        _ => parts.push(node),
    }
}

fn known<'n>(operand: &'n Operand, never: &BTreeSet<&StepId>) -> Option<&'n Value> {
    match operand {
        Operand::Literal(value) => Some(value),
        Operand::Reference(reference) => never.contains(&reference.step).then_some(&Value::Null),
    }
}

/// A single question that no possible value answers with yes.
fn alone(ground: &Ground<'_>, node: &Node) -> Option<bool> {
    contradict(ground, &[node]).then_some(false)
}

fn one_and_its_opposite(parts: &[&Node]) -> bool {
    let opposite = |node: &Node| match node {
        Node::Not(inner) => parts.contains(&inner.as_ref()),
        Node::Compare(left, Comparison::NotEqual, right) => {
            parts.contains(&&Node::Compare(left.clone(), Comparison::Equal, right.clone()))
        }
        _ => false,
    };
    parts.iter().any(|part| opposite(part))
}

/// What one part asks of one value.
struct Demand<'n> {
    of: &'n Reference,
    comparison: Comparison,
    with: &'n Value,
}

/// Whether no values can answer all parts with yes.
fn contradict(ground: &Ground<'_>, parts: &[&Node]) -> bool {
    if one_and_its_opposite(parts) {
        return true;
    }
    let demands: Vec<Demand<'_>> = parts.iter().filter_map(|part| demand(part)).collect();
    demands.iter().enumerate().any(|(at, first)| {
        // Each value once, with the first demand on it.
        let seen = demands[..at].iter().any(|earlier| earlier.of == first.of);
        let same: Vec<&Demand<'_>> = demands.iter().filter(|demand| demand.of == first.of).collect();
        !seen && impossible(ground, first.of, &same)
    })
}

fn demand(node: &Node) -> Option<Demand<'_>> {
    const YES: &Value = &Value::Bool(true);
    let make = |of, comparison, with| Some(Demand { of, comparison, with });
    match node {
        Node::Truth(Operand::Reference(of)) => make(of, Comparison::Equal, YES),
        Node::Exists(of) => make(of, Comparison::NotEqual, &Value::Null),
        Node::Compare(Operand::Reference(of), comparison, Operand::Literal(with)) => make(of, *comparison, with),
        Node::Compare(Operand::Literal(with), comparison, Operand::Reference(of)) => {
            make(of, turned(*comparison)?, with)
        }
        // Only these have an opposite that holds exactly when they do not: null is neither more nor less than anything.
        Node::Not(inner) => match inner.as_ref() {
            Node::Truth(Operand::Reference(of)) => make(of, Comparison::NotEqual, YES),
            Node::Exists(of) => make(of, Comparison::Equal, &Value::Null),
            other => match demand(other)? {
                Demand { of, comparison: Comparison::Equal, with } => make(of, Comparison::NotEqual, with),
                Demand { of, comparison: Comparison::NotEqual, with } => make(of, Comparison::Equal, with),
                _ => None,
            },
        },
        Node::And(..) | Node::Or(..) | Node::Truth(_) | Node::Compare(..) => None,
    }
}

fn turned(comparison: Comparison) -> Option<Comparison> {
    Some(match comparison {
        Comparison::Equal | Comparison::NotEqual => comparison,
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Greater => Comparison::Less,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::Contains => return None,
    })
}

fn impossible(ground: &Ground<'_>, of: &Reference, demands: &[&Demand<'_>]) -> bool {
    let meets = |value: &Value| demands.iter().all(|demand| demand.comparison.holds(value, demand.with));
    if let Some(demand) = demands.iter().find(|demand| demand.comparison == Comparison::Equal) {
        let listed = demand.with.is_null()
            || ground
                .choices(of)
                .is_none_or(|choices| choices.iter().any(|choice| Comparison::Equal.holds(choice, demand.with)));
        return !listed || !meets(demand.with);
    }
    if let Some(choices) = ground.choices(of) {
        // What is listed may still be missing.
        return !meets(&Value::Null) && !choices.iter().any(|choice| meets(choice));
    }
    let least = demands.iter().filter(|demand| matches!(demand.comparison, Comparison::Greater | Comparison::AtLeast));
    let most = demands.iter().filter(|demand| matches!(demand.comparison, Comparison::Less | Comparison::AtMost));
    let most: Vec<_> = most.collect();
    least.into_iter().any(|low| {
        most.iter().any(|high| {
            let both_included = low.comparison == Comparison::AtLeast && high.comparison == Comparison::AtMost;
            let possible = if both_included { Comparison::AtMost } else { Comparison::Less };
            !possible.holds(low.with, high.with)
        })
    })
}
