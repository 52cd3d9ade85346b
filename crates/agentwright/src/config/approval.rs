//! Rules about what needs a person: read and checked here, applied where calls are decided.

use std::fmt;

use runtime::Propose;
use runtime::policy::Circumstance;
use serde::{Deserialize, Serialize};

use super::values::Period;

/// `[approval]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Approval {
    /// Which plans are put before a person, besides those that a rule is about.
    pub plans: Propose,
    /// How long a person is waited for.
    pub expires: Period,
    /// The first rule that fits decides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule: Vec<Rule>,
}

impl Default for Approval {
    fn default() -> Self {
        Self { plans: Propose::default(), expires: Period::seconds(7 * 24 * 60 * 60), rule: Vec::new() }
    }
}

/// `[[approval.rule]]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The tools it is about.
    #[serde(default)]
    pub tool: ToolPattern,
    /// Holds for the calls it is about; for all of them when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Circumstance>,
    /// What happens.
    pub action: Verdict,
}

/// What a rule says about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is made.
    Allow,
    /// A person decides.
    Ask,
    /// It is not made.
    Deny,
}

/// Tool names with `*` for any characters, as in `calendar.*`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ToolPattern(String);

impl ToolPattern {
    /// Whether a tool is meant.
    pub fn fits(&self, tool: &str) -> bool {
        let mut parts = self.0.split('*');
        let Some(mut rest) = parts.next().and_then(|start| tool.strip_prefix(start)) else { return false };
        let Some(end) = parts.next_back() else { return rest.is_empty() };
        for part in parts {
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        rest.ends_with(end)
    }
}

impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Default for ToolPattern {
    fn default() -> Self {
        Self("*".to_owned())
    }
}

impl TryFrom<String> for ToolPattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "_-.*".contains(c);
        if !text.is_empty() && text.chars().all(allowed) && (text.contains('.') || text.contains('*')) {
            Ok(Self(text))
        } else {
            Err(format!("`{text}` is not a pattern for tools; write `calendar.add`, `calendar.*` or `*`"))
        }
    }
}

impl From<ToolPattern> for String {
    fn from(pattern: ToolPattern) -> String {
        pattern.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        let fits = |pattern: &str, tool: &str| ToolPattern::try_from(pattern.to_owned()).expect("valid").fits(tool);
        assert!(
            fits("calendar.*", "calendar.add") && fits("*", "a.b") && fits("a.b", "a.b") && fits("*.add*", "x.add_all")
        );
        assert!(!fits("calendar.*", "mail.send") && !fits("a.b", "a.bc") && !fits("*.add", "x.adder"));
        assert!(ToolPattern::try_from("calendar".to_owned()).is_err());
    }
}
