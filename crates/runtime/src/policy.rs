//! The one function that decides what may be done. No I/O, no clock, no model: the same question always gets the same
//! answer, at the call and again when the intent is carried out.

use domain::id::ToolName;
use domain::tool::{Effect, ToolSpec};

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
    },
    /// Don't.
    Deny {
        /// Why.
        reason: String,
    },
}

/// A rule about what needs a person. The first that fits decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Which tools, with `*` for anything: `calendar.*`.
    pub tool: String,
    /// Only calls with this effect: `read`, `egress` or `write`.
    pub effect: Option<String>,
    /// What is done about them.
    pub action: Action,
}

impl Rule {
    /// Whether it is about particular tools, and not about all of them.
    pub(crate) fn names_its_tools(&self) -> bool {
        self.tool.contains(|c| c != '*')
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

/// Decides about one call: `allowed` is what the plan froze before the first tool ran, `tainted` names the arguments that
/// say whom or what the call reaches and whose values come from the results of tools.
pub fn decide(rules: &[Rule], allowed: &[ToolName], tool: &ToolSpec, tainted: &[String]) -> Decision {
    if !allowed.contains(&tool.name) {
        return Decision::Deny { reason: "it is not among the tools of this plan".into() };
    }
    match rule_for(rules, tool) {
        Some(rule) if rule.action == Action::Deny => {
            Decision::Deny { reason: format!("the rule for `{}` forbids it", rule.tool) }
        }
        Some(rule) if rule.action == Action::Ask => {
            Decision::Ask { reason: format!("the rule for `{}` wants a person to agree", rule.tool) }
        }
        // What may be sent anywhere is for a rule that names the tool to say, not for one that lets everything pass.
        rule if !tainted.is_empty() && !rule.is_some_and(Rule::names_its_tools) => Decision::Ask {
            reason: format!("what it reaches (`{}`) is decided by the results of tools", tainted.join("`, `")),
        },
        _ => match tool.effect {
            Effect::Read | Effect::Egress => Decision::Allow,
            Effect::Write { .. } => Decision::Intent,
        },
    }
}

/// The rule that decides about a tool, where one does.
pub(crate) fn rule_for<'r>(rules: &'r [Rule], tool: &ToolSpec) -> Option<&'r Rule> {
    rules.iter().find(|rule| {
        glob(&rule.tool, tool.name.as_str()) && rule.effect.as_deref().is_none_or(|effect| effect == tool.effect.word())
    })
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
mod tests {
    use super::*;
    use domain::tool::Repeat;

    fn tool(name: &str, effect: Effect) -> ToolSpec {
        ToolSpec {
            name: name.parse().expect("name"),
            description: String::new(),
            parameters: serde_json::json!({"type": "object"}),
            returns: None,
            effect,
            timeout: None,
        }
    }

    fn write() -> Effect {
        Effect::Write { reversible: true, repeat: Repeat::Never, external: false, targets: vec![] }
    }

    #[test]
    fn reads_are_called_and_writes_become_intents() {
        let (look, add) = (tool("calendar.list", Effect::Read), tool("calendar.add", write()));
        let allowed = [look.name.clone(), add.name.clone()];
        assert_eq!(decide(&[], &allowed, &look, &[]), Decision::Allow);
        assert_eq!(decide(&[], &allowed, &add, &[]), Decision::Intent);
    }

    #[test]
    fn nothing_outside_the_plan_is_reachable() {
        let add = tool("calendar.add", write());
        assert!(matches!(decide(&[], &[], &add, &[]), Decision::Deny { .. }));
        let everything = Rule { tool: "*".into(), effect: None, action: Action::Allow };
        assert!(matches!(decide(&[everything], &[], &add, &[]), Decision::Deny { .. }));
    }

    #[test]
    fn the_first_rule_that_fits_decides() {
        let (look, add) = (tool("calendar.list", Effect::Read), tool("calendar.add", write()));
        let allowed = [look.name.clone(), add.name.clone()];
        let rules = [
            Rule { tool: "calendar.*".into(), effect: Some("write".into()), action: Action::Ask },
            Rule { tool: "*".into(), effect: None, action: Action::Deny },
        ];
        assert!(matches!(decide(&rules, &allowed, &add, &[]), Decision::Ask { .. }));
        assert!(matches!(decide(&rules, &allowed, &look, &[]), Decision::Deny { .. }));
    }

    #[test]
    fn a_target_that_tools_decide_asks_a_person_unless_a_rule_names_the_tool() {
        let add = tool("calendar.add", write());
        let allowed = [add.name.clone()];
        let tainted = ["to".to_owned()];
        assert!(matches!(decide(&[], &allowed, &add, &tainted), Decision::Ask { .. }));
        let allow = |tool: &str| [Rule { tool: tool.into(), effect: None, action: Action::Allow }];
        assert!(matches!(decide(&allow("*"), &allowed, &add, &tainted), Decision::Ask { .. }));
        assert_eq!(decide(&allow("calendar.*"), &allowed, &add, &tainted), Decision::Intent);
    }

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name, fits) in [
            ("calendar.*", "calendar.add", true),
            ("*.add", "calendar.add", true),
            ("*", "a.b", true),
            ("c*r.*d", "calendar.add", true),
            ("calendar", "calendar.add", false),
            ("calendar.*x", "calendar.add", false),
        ] {
            assert_eq!(glob(pattern, name), fits, "{pattern} {name}");
        }
    }
}
