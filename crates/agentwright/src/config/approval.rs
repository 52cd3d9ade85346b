//! Rules about what needs a person: read and checked here, applied where calls are decided.

use std::fmt;
use std::str::FromStr;

use domain::condition::Condition;
use serde::{Deserialize, Serialize};

/// `[approval]`
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Approval {
    /// The first rule that fits decides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule: Vec<Rule>,
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

/// A condition on a call: `effect == 'write' && arguments.to != 'me@example.org'`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Circumstance {
    text: String,
    condition: Condition,
}

/// What can be asked about a call.
const SUBJECTS: [&str; 7] = ["tool", "domain", "effect", "external", "reversible", "role", "arguments"];

impl Circumstance {
    /// The condition, in which each subject is a step of that name.
    pub fn condition(&self) -> &Condition {
        &self.condition
    }

    /// The effect it is about, where that is all it is about: `effect == 'write'`.
    pub fn effect(&self) -> Option<&str> {
        let right = self.text.trim().strip_prefix("effect")?.trim_start().strip_prefix("==")?.trim();
        let quoted = |quote| right.strip_prefix(quote).and_then(|rest: &str| rest.strip_suffix(quote));
        quoted('\'').or_else(|| quoted('"')).filter(|word| ["read", "egress", "write"].contains(word))
    }
}

impl FromStr for Circumstance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let condition: Condition = as_references(text).parse().map_err(|_| {
            format!("`{text}` is not a condition; write `effect == 'write'` or `external && arguments.count > 3`")
        })?;
        match condition.steps().into_iter().find(|step| !SUBJECTS.contains(&step.as_str())) {
            Some(unknown) => Err(format!("`{unknown}` is unknown; known are `{}`", SUBJECTS.join("`, `"))),
            None => Ok(Self { text: text.to_owned(), condition }),
        }
    }
}

impl TryFrom<String> for Circumstance {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
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

    #[test]
    fn a_star_stands_for_any_characters() {
        let fits = |pattern: &str, tool: &str| ToolPattern::try_from(pattern.to_owned()).expect("valid").fits(tool);
        assert!(
            fits("calendar.*", "calendar.add") && fits("*", "a.b") && fits("a.b", "a.b") && fits("*.add*", "x.add_all")
        );
        assert!(!fits("calendar.*", "mail.send") && !fits("a.b", "a.bc") && !fits("*.add", "x.adder"));
        assert!(ToolPattern::try_from("calendar".to_owned()).is_err());
    }

    #[test]
    fn a_rule_asks_about_the_call() {
        for fine in
            ["effect == 'write'", "external && arguments.count > 3", "not reversible", "arguments.to != \"a b\""]
        {
            assert!(fine.parse::<Circumstance>().is_ok(), "{fine}");
        }
        assert_eq!(
            "efect == 'write'".parse::<Circumstance>().expect_err("unknown"),
            "`efect` is unknown; known are `tool`, `domain`, `effect`, `external`, `reversible`, `role`, `arguments`"
        );
        let effect = |text: &str| text.parse::<Circumstance>().expect("valid").effect().map(str::to_owned);
        assert_eq!(
            [effect("effect=='write'"), effect("effect == \"read\" ")],
            [Some("write".into()), Some("read".into())]
        );
        assert_eq!([effect("effect == 'wirte'"), effect("effect == 'write' && external")], [None, None]);
        for wrong in ["", "effect ==", "effect = 'write'"] {
            assert!(wrong.parse::<Circumstance>().is_err(), "{wrong}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<Circumstance>();
        }
    }
}
