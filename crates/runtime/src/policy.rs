//! The one function that decides what may be done. No I/O, no clock, no model: the same question always gets the same
//! answer, at the call and again when the intent is carried out.

mod circumstance;

use std::fmt;

use domain::id::ToolName;
use domain::tool::{Effect, ToolSpec};

pub(crate) use circumstance::reaches_out;
pub use circumstance::{Arguments, BadCircumstance, Circumstance, Known, SUBJECTS};

/// What may be done about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Call it.
    Allow,
    /// Declare it, record it, send it once, settle it.
    Intent,
    /// Ask a person first; then as an intent, or as a call.
    Ask {
        /// Why.
        reason: String,
        /// The rule that says so; absent where it is our own caution.
        rule: Option<String>,
    },
    /// Don't.
    Deny {
        /// Why.
        reason: String,
    },
}

/// A rule about what needs a person. The first that fits decides.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Which tools, with `*` for anything: `calendar.*`.
    pub tool: String,
    /// Only where this holds.
    pub when: Option<Circumstance>,
    /// What is done about them.
    pub action: Action,
}

impl Rule {
    /// Whether it is about particular tools, and not about all of them.
    pub(crate) fn names_its_tools(&self) -> bool {
        self.tool.contains(|c| c != '*')
    }

    /// Whether it is about plans as a whole: `confidence < 0.6`.
    fn is_about_plans(&self) -> bool {
        !self.names_its_tools() && self.when.as_ref().is_some_and(Circumstance::is_about_plans)
    }

    /// Whether it is about this call; nothing where that is not known.
    fn fits(&self, case: &Case<'_>) -> Option<bool> {
        if !glob(&self.tool, case.tool.name.as_str()) {
            return Some(false);
        }
        // A person who agreed to the plan has said what this rule asks for.
        if case.agreed && self.action == Action::Ask && self.is_about_plans() {
            return Some(false);
        }
        self.when.as_ref().map_or(Some(true), |when| when.holds(Some(case.tool), Some(case.arguments), case.known))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.when {
            None => write!(f, "the rule for `{}`", self.tool),
            Some(when) => write!(f, "the rule for `{}` when `{when}`", self.tool),
        }
    }
}

/// What a rule says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Go ahead.
    Allow,
    /// Ask a person.
    Ask,
    /// Never.
    Deny,
}

/// A call that is to be decided on.
#[derive(Debug, Clone, Copy)]
pub struct Case<'c> {
    /// What it calls.
    pub tool: &'c ToolSpec,
    /// With what.
    pub arguments: Arguments<'c>,
    /// The arguments that say whom or what the call reaches and whose values come from the results of tools.
    pub tainted: &'c [String],
    /// What is known about the run.
    pub known: &'c Known,
    /// Whether a person agreed to the plan it belongs to.
    pub agreed: bool,
}

/// Decides about one call: `allowed` is what the plan froze before the first tool ran.
pub fn decide(rules: &[Rule], allowed: &[ToolName], case: &Case<'_>) -> Decision {
    // What is not known when the call is made never will be.
    judged(rules.iter().find(|rule| rule.fits(case) == Some(true)), allowed, case)
}

/// What will be decided about a call that is only planned; nothing where that depends on what is not known yet.
pub fn foresee(rules: &[Rule], allowed: &[ToolName], case: &Case<'_>) -> Option<Decision> {
    let certain = certain_rule(rules, case)?;
    Some(judged(certain, allowed, case))
}

/// The rule that will decide about a call, where one will; nothing where that is not known yet.
pub(crate) fn certain_rule<'r>(rules: &'r [Rule], case: &Case<'_>) -> Option<Option<&'r Rule>> {
    for rule in rules {
        match rule.fits(case) {
            Some(true) => return Some(Some(rule)),
            Some(false) => {}
            None => return None,
        }
    }
    Some(None)
}

/// The rule that decides about a plan as a whole, where one does.
pub fn rule_for_plan<'r>(rules: &'r [Rule], known: &Known) -> Option<&'r Rule> {
    let fits = |rule: &&Rule| rule.when.as_ref().is_some_and(|when| when.holds(None, None, known) == Some(true));
    rules.iter().filter(|rule| rule.is_about_plans()).find(fits)
}

fn judged(rule: Option<&Rule>, allowed: &[ToolName], case: &Case<'_>) -> Decision {
    if !allowed.contains(&case.tool.name) {
        return Decision::Deny { reason: "it is not among the tools of this plan".into() };
    }
    match rule {
        Some(rule) if rule.action == Action::Deny => Decision::Deny { reason: format!("{rule} forbids it") },
        Some(rule) if rule.action == Action::Ask => {
            Decision::Ask { reason: format!("{rule} wants a person to agree"), rule: Some(rule.to_string()) }
        }
        // What may be sent anywhere is for a rule that names the tool to say, not for one that lets everything pass.
        rule if !case.tainted.is_empty() && !rule.is_some_and(Rule::names_its_tools) => Decision::Ask {
            reason: format!("what it reaches (`{}`) is decided by the results of tools", case.tainted.join("`, `")),
            rule: None,
        },
        _ => match case.tool.effect {
            Effect::Read | Effect::Egress => Decision::Allow,
            Effect::Write { .. } => Decision::Intent,
        },
    }
}

/// Whether a name fits a pattern in which each `*` stands for anything.
fn glob(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|tail| {
            (0..=tail.len()).filter(|at| tail.is_char_boundary(*at)).any(|at| glob(rest, &tail[at..]))
        }),
    }
}

#[cfg(test)]
mod tests;
