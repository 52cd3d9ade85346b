//! Versions of what an agent is told.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Point;
use crate::hash::Hash;
use crate::id::BadName;
use crate::symbol::Symbol;

/// What one kind of agent is told, from some moment on. Never changed, never deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Who.
    pub agent: Symbol,
    /// Which.
    pub version: Semver,
    /// The hash of its points.
    pub hash: Hash,
    /// What it says.
    pub points: Vec<Point>,
    /// The one it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Semver>,
    /// Why it was made, in a sentence.
    pub because: String,
    /// Who made it.
    pub by: Author,
    /// When.
    pub at: Timestamp,
}

impl Version {
    /// The version made from this one with other points, numbered after the newest there is. What only gains is a minor
    /// version, what loses a point a major one, what says the same in other words a patch.
    pub fn next(
        &self,
        newest: Semver,
        points: Vec<Point>,
        because: impl Into<String>,
        by: Author,
        at: Timestamp,
    ) -> Self {
        let kept = self.points.iter().filter(|point| points.contains(point)).count();
        let Semver { major, minor, patch } = newest;
        let version = match (kept == self.points.len(), points.len() == self.points.len()) {
            (true, _) => Semver { major, minor: minor + 1, patch: 0 },
            (false, true) => Semver { major, minor, patch: patch + 1 },
            (false, false) => Semver { major: major + 1, minor: 0, patch: 0 },
        };
        Self::made(self.agent.clone(), version, Some(self.version), points, because, by, at)
    }

    /// The first version there is for an agent.
    pub fn first(agent: Symbol, points: Vec<Point>, because: impl Into<String>, by: Author, at: Timestamp) -> Self {
        Self::made(agent, Semver { major: 1, minor: 0, patch: 0 }, None, points, because, by, at)
    }

    fn made(
        agent: Symbol,
        version: Semver,
        parent: Option<Semver>,
        points: Vec<Point>,
        because: impl Into<String>,
        by: Author,
        at: Timestamp,
    ) -> Self {
        Self { agent, version, hash: Hash::of_json(&points), points, parent, because: because.into(), by, at }
    }
}

/// Who made a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// A learning cycle, by its number.
    Cycle(u64),
    /// Somebody.
    Person(Option<String>),
    /// A file.
    File(String),
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Author::Cycle(number) => write!(f, "cycle {number}"),
            Author::Person(Some(name)) => f.write_str(name),
            Author::Person(None) => f.write_str("somebody"),
            Author::File(path) => f.write_str(path),
        }
    }
}

/// A version's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Semver {
    /// Raised when a point goes.
    pub major: u32,
    /// Raised when a point comes.
    pub minor: u32,
    /// Raised when points are said in other words.
    pub patch: u32,
}

impl fmt::Display for Semver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Semver {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let bad = || BadName { name: text.to_owned(), kind: "version", rule: "versions look like `1.2.3`" };
        let numbers: Option<Vec<u32>> =
            text.strip_prefix('v').unwrap_or(text).split('.').map(|part| part.parse().ok()).collect();
        match numbers.as_deref() {
            Some([major, minor, patch]) => Ok(Self { major: *major, minor: *minor, patch: *patch }),
            _ => Err(bad()),
        }
    }
}

impl TryFrom<String> for Semver {
    type Error = BadName;

    fn try_from(text: String) -> Result<Self, BadName> {
        text.parse()
    }
}

impl From<Semver> for String {
    fn from(version: Semver) -> String {
        version.to_string()
    }
}
