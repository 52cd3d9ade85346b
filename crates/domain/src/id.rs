//! Names of things: one type per kind of name, so that a step can never be passed for a run.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A name that does not have the form its kind of name must have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is not a {kind}: {rule}")]
pub struct BadName {
    /// What was given.
    pub name: String,
    /// What it should have been.
    pub kind: &'static str,
    /// The rule it breaks.
    pub rule: &'static str,
}

/// One request and everything that comes of it; sorts by the time it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(Uuid);

impl RunId {
    /// A name nobody has used before. Made by the first component that sees a request.
    pub fn fresh() -> Self {
        Self(Uuid::now_v7())
    }

    /// The run that a given intent starts: always the same one, however often the intent is sent.
    pub fn of_intent(key: &str) -> Self {
        let digest = crate::hash::Hash::of(key.as_bytes());
        let mut bytes = [0u8; 16];
        bytes.copy_from_slice(&digest.bytes()[..16]);
        Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
    }

    /// The sixteen bytes a database keeps.
    pub fn bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }

    /// The run a database's sixteen bytes name.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "run_{}", self.0.simple())
    }
}

impl FromStr for RunId {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let bare = text.strip_prefix("run_").unwrap_or(text);
        Uuid::parse_str(bare).map(Self).map_err(|_| BadName {
            name: text.to_owned(),
            kind: "run id",
            rule: "run ids look like `run_` and 32 hexadecimal digits",
        })
    }
}

impl Serialize for RunId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RunId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

macro_rules! name {
    ($(#[$doc:meta])* $type:ident, $kind:literal, $rule:literal, $holds:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $type(std::sync::Arc<str>);

        impl $type {
            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $type {
            type Error = BadName;

            fn try_from(name: String) -> Result<Self, BadName> {
                let holds: fn(&str) -> bool = $holds;
                if holds(&name) {
                    Ok(Self(name.into()))
                } else {
                    Err(BadName { name, kind: $kind, rule: $rule })
                }
            }
        }

        impl FromStr for $type {
            type Err = BadName;

            fn from_str(name: &str) -> Result<Self, BadName> {
                name.to_owned().try_into()
            }
        }

        impl From<$type> for String {
            fn from(name: $type) -> String {
                name.0.as_ref().to_owned()
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name!(
    /// One step of a plan.
    StepId,
    "step id",
    "step ids are 1 to 64 letters, digits, `_` or `-`",
    |name| (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
);

name!(
    /// A tool, as `domain.tool`.
    ToolName,
    "tool name",
    "tool names look like `domain.tool`, in letters, digits, `_` or `-`",
    |name| name.len() <= 64
        && name.split_once('.').is_some_and(|(domain, tool)| is_word(domain) && is_word(tool))
);

name!(
    /// A conversation that several requests belong to.
    SessionId,
    "session id",
    "session ids are 1 to 64 letters, digits, `_` or `-`",
    |name| name.len() <= 64 && is_word(name)
);

name!(
    /// Something in the library: an agent, a cohort, a plan or a skill.
    ItemName,
    "name in the library",
    "such names are 1 to 48 small letters, digits or `-`, beginning with a letter",
    |name| (1..=48).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
);

name!(
    /// What an agent did about one problem.
    TraceId,
    "trace id",
    "trace ids are 1 to 128 letters, digits, `_`, `-`, `.` or `:`",
    |name| (1..=128).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.:".contains(&b))
);

impl TraceId {
    /// The trace of a run of ours.
    pub fn of_run(run: RunId) -> Self {
        Self(run.to_string().into())
    }

    /// The run of ours it is the trace of, if it is.
    pub fn run(&self) -> Option<RunId> {
        self.0.starts_with("run_").then(|| self.0.parse().ok()).flatten()
    }
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

impl ToolName {
    /// What stands before the dot.
    pub fn domain(&self) -> &str {
        self.0.split_once('.').map_or("", |(domain, _)| domain)
    }

    /// What stands after the dot.
    pub fn short(&self) -> &str {
        self.0.split_once('.').map_or("", |(_, short)| short)
    }

    /// The name as model providers accept it: they allow no dots.
    pub fn wire(&self) -> String {
        self.0.replace('.', "__")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_id_survives_being_written_and_read() {
        let run = RunId::fresh();
        assert_eq!(run.to_string().parse(), Ok(run));
        assert_eq!(run.to_string().trim_start_matches("run_").parse(), Ok(run));
        assert_eq!(RunId::from_bytes(*run.bytes()), run);
    }

    #[test]
    fn an_intent_always_starts_the_same_run() {
        assert_eq!(RunId::of_intent("a"), RunId::of_intent("a"));
        assert_ne!(RunId::of_intent("a"), RunId::of_intent("b"));
    }

    #[test]
    fn a_tool_is_named_by_domain_and_tool() {
        let tool: ToolName = "weather.current".parse().expect("valid");
        assert_eq!((tool.domain(), tool.short(), tool.wire().as_str()), ("weather", "current", "weather__current"));
        for wrong in ["", "weather", ".x", "x.", "a.b.c", "a b.c"] {
            assert!(wrong.parse::<ToolName>().is_err(), "{wrong}");
        }
    }
}
