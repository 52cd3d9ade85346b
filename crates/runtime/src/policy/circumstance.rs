//! What a rule asks about a call or a plan, and what is known when it is asked. What is not known yet fits no rule.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use domain::condition::{Condition, Node, Operand};
use domain::plan::Strategy;
use domain::reference::{Reference, is_template};
use domain::tool::{Effect, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What can be asked about a call.
pub const SUBJECTS: [&str; 12] = [
    "tool",
    "domain",
    "effect",
    "external",
    "reversible",
    "arguments",
    "role",
    "confidence",
    "cost",
    "strategy",
    "agents",
    "new_agents",
];

/// Of these, what can be asked about a plan as a whole.
const OF_PLANS: [&str; 5] = ["confidence", "cost", "strategy", "agents", "new_agents"];

/// A condition on a call: `effect == 'write' && arguments.to != 'me@example.org'`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Circumstance {
    text: String,
    condition: Condition,
}

/// Why a text is no condition on a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCircumstance {
    /// Write it as conditions are written.
    #[error("`{0}` is not a condition; write `effect == 'write'` or `external && arguments.count > 3`")]
    Form(String),
    /// Correct the name, or ask about something else.
    #[error("`{name}` is unknown; the nearest is `{nearest}`, and known are `{list}`", list = SUBJECTS.join("`, `"))]
    Unknown {
        /// What was asked about.
        name: String,
        /// The subject that looks most like it.
        nearest: &'static str,
    },
}

/// What is known about a run while its plan is carried out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// The agent that calls, or the role that answers.
    pub role: Option<String>,
    /// How sure everybody is of the plan.
    pub confidence: Option<f64>,
    /// Dollars: what the run has used or is expected to use, whichever is more.
    pub cost: Option<f64>,
    /// How agents are made from the plan.
    pub strategy: Option<Strategy>,
    /// How many agents carry it out.
    pub agents: Option<usize>,
    /// How many of them are made for it.
    pub new_agents: Option<usize>,
}

/// What is known about the arguments of a call.
#[derive(Debug, Clone, Copy)]
pub enum Arguments<'a> {
    /// Nothing: an agent will choose them.
    Open,
    /// What the plan says, with references that are still to be filled.
    Planned(&'a Value),
    /// All of it.
    Given(&'a Value),
}

impl Circumstance {
    /// Whether it is about a plan as a whole, and not about single calls.
    pub(super) fn is_about_plans(&self) -> bool {
        let subjects = self.condition.steps();
        !subjects.is_empty() && subjects.iter().all(|subject| OF_PLANS.contains(&subject.as_str()))
    }

    /// Whether it holds; nothing where that is not known.
    pub(super) fn holds(
        &self,
        tool: Option<&ToolSpec>,
        arguments: Option<Arguments<'_>>,
        known: &Known,
    ) -> Option<bool> {
        holds(self.condition.root(), &|reference| look_up(reference, tool, arguments, known))
    }
}

impl FromStr for Circumstance {
    type Err = BadCircumstance;

    fn from_str(text: &str) -> Result<Self, BadCircumstance> {
        let condition: Condition = as_references(text).parse().map_err(|_| BadCircumstance::Form(text.to_owned()))?;
        match condition.steps().into_iter().find(|subject| !SUBJECTS.contains(&subject.as_str())) {
            Some(unknown) => {
                Err(BadCircumstance::Unknown { nearest: nearest(unknown.as_str()), name: unknown.to_string() })
            }
            None => Ok(Self { text: text.to_owned(), condition }),
        }
    }
}

impl TryFrom<String> for Circumstance {
    type Error = BadCircumstance;

    fn try_from(text: String) -> Result<Self, BadCircumstance> {
        text.parse()
    }
}

impl From<Circumstance> for String {
    fn from(circumstance: Circumstance) -> String {
        circumstance.text
    }
}

impl fmt::Display for Circumstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn nearest(name: &str) -> &'static str {
    let likeness = |subject: &&str| (strsim::normalized_damerau_levenshtein(name, subject) * 1e6) as u64;
    SUBJECTS.into_iter().max_by_key(likeness).unwrap_or_default()
}

type LookUp<'l, 'v> = dyn Fn(&Reference) -> Option<Cow<'v, Value>> + 'l;

fn holds<'v>(node: &Node, look_up: &LookUp<'_, 'v>) -> Option<bool> {
    let value = |operand: &Operand| match operand {
        Operand::Reference(reference) => look_up(reference).map(Cow::into_owned),
        Operand::Literal(value) => Some(value.clone()),
    };
    match node {
        Node::And(left, right) => match (holds(left, look_up), holds(right, look_up)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Node::Or(left, right) => match (holds(left, look_up), holds(right, look_up)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        Node::Not(inner) => holds(inner, look_up).map(|held| !held),
        Node::Exists(reference) => look_up(reference).map(|found| !found.is_null()),
        Node::Truth(operand) => value(operand).map(|value| value == Value::Bool(true)),
        Node::Compare(left, comparison, right) => Some(comparison.holds(&value(left)?, &value(right)?)),
    }
}

/// What a rule refers to; `null` for an argument that is not there, nothing for what is not known.
fn look_up<'v>(
    reference: &Reference,
    tool: Option<&ToolSpec>,
    arguments: Option<Arguments<'v>>,
    known: &Known,
) -> Option<Cow<'v, Value>> {
    let subject = match reference.step.as_str() {
        "arguments" => return argument(reference, arguments?),
        "tool" => Value::from(tool?.name.as_str()),
        "domain" => Value::from(tool?.name.domain()),
        "effect" => Value::from(tool?.effect.word()),
        "external" => Value::from(reaches_out(&tool?.effect)),
        "reversible" => Value::from(!matches!(tool?.effect, Effect::Write { reversible: false, .. })),
        "role" => Value::from(known.role.as_deref()?),
        "confidence" => Value::from(known.confidence?),
        "cost" => Value::from(known.cost?),
        "strategy" => Value::from(known.strategy?.word()),
        "agents" => Value::from(known.agents?),
        "new_agents" => Value::from(known.new_agents?),
        _ => return None,
    };
    Some(Cow::Owned(reference.find(&subject).cloned().unwrap_or_default()))
}

/// Whether something leaves this machine.
pub(crate) fn reaches_out(effect: &Effect) -> bool {
    matches!(effect, Effect::Egress | Effect::Write { external: true, .. })
}

fn argument<'v>(reference: &Reference, arguments: Arguments<'v>) -> Option<Cow<'v, Value>> {
    let nothing = Cow::Owned(Value::Null);
    match arguments {
        Arguments::Open => None,
        Arguments::Given(arguments) => Some(reference.find(arguments).map_or(nothing, Cow::Borrowed)),
        Arguments::Planned(arguments) => match reference.find(arguments) {
            Some(found) => Some(Cow::Borrowed(found)).filter(|_| !is_open(found)),
            // What is not there may come with a reference that stands above it.
            None => Some(nothing).filter(|_| !is_open(arguments)),
        },
    }
}

/// Whether any of it is still to be filled.
fn is_open(value: &Value) -> bool {
    match value {
        Value::String(text) => is_template(text),
        Value::Array(items) => items.iter().any(is_open),
        Value::Object(fields) => fields.values().any(is_open),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Puts the names of subjects, which stand bare in rules, into the `${…}` that conditions want.
fn as_references(text: &str) -> String {
    const WORDS: [&str; 8] = ["and", "or", "not", "exists", "contains", "true", "false", "null"];
    let mut written = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            c if c.is_ascii_alphabetic() => {
                rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_-.[]".contains(c)).unwrap_or(rest.len())
            }
            // Numbers such as `1e3` are no names.
            c if c.is_ascii_digit() => {
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len())
            }
            c => c.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        if first.is_ascii_alphabetic() && !WORDS.contains(&word) {
            written.push_str(&format!("${{{word}}}"));
        } else {
            written.push_str(word);
        }
        rest = after;
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(text: &str, arguments: Arguments<'_>, known: &Known) -> Option<bool> {
        text.parse::<Circumstance>().expect("a condition").holds(None, Some(arguments), known)
    }

    #[test]
    fn a_rule_asks_about_the_call() {
        for fine in [
            "effect == 'write'",
            "external && arguments.count > 3",
            "not reversible",
            "arguments.to != \"a b\"",
            "confidence < 0.6 && new_agents > 2",
        ] {
            assert!(fine.parse::<Circumstance>().is_ok(), "{fine}");
        }
        let unknown = BadCircumstance::Unknown { name: "efect".into(), nearest: "effect" };
        assert_eq!("efect == 'write'".parse::<Circumstance>(), Err(unknown));
        for wrong in ["", "effect ==", "effect = 'write'"] {
            assert!(wrong.parse::<Circumstance>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_not_known_is_neither_so_nor_not() {
        let known = Known { cost: Some(0.2), ..Known::default() };
        let planned = json!({"to": "${find.address}", "count": 3});
        let at_planning = |text: &str| asked(text, Arguments::Planned(&planned), &known);
        assert_eq!(at_planning("arguments.count > 2"), Some(true));
        assert_eq!(at_planning("arguments.to == 'me'"), None);
        assert_eq!(at_planning("not arguments.to == 'me'"), None);
        assert_eq!(at_planning("arguments.to == 'me' && arguments.count > 5"), Some(false));
        assert_eq!(at_planning("arguments.to == 'me' || cost > 0.1"), Some(true));
        assert_eq!(at_planning("confidence < 0.5"), None);
        assert_eq!(asked("arguments.count > 2", Arguments::Open, &known), None);
    }

    #[test]
    fn arguments_that_are_given_are_known_whatever_they_look_like() {
        let given = json!({"to": "${find.address}"});
        let known = Known::default();
        assert_eq!(asked("arguments.to != 'me'", Arguments::Given(&given), &known), Some(true));
        assert_eq!(asked("not exists arguments.cc", Arguments::Given(&given), &known), Some(true));
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<Circumstance>();
        }
    }
}
