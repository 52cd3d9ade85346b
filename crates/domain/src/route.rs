//! Which way a request goes, and why: a decision with everything it rests on.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::ToolName;
use crate::symbol::Symbol;

/// What is to become of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Which way it goes.
    pub decision: Decision,
    /// Who answers; `other` where nobody does.
    pub role: String,
    /// How sure it is that this role is right, as a probability.
    pub confidence: f64,
    /// The things it wants, at least one.
    pub parts: Vec<Part>,
    /// What the decision rests on, weightiest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<Signal>,
    /// What is promised about this role's fast answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certified>,
    /// What a role needs to know about the person and the conversation: `place`, `conversation`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<String>,
}

impl Judgement {
    /// What kind of problem it is: the roles it concerns.
    pub fn problem(&self) -> Symbol {
        let roles: std::collections::BTreeSet<&str> = self.parts.iter().map(|part| part.role.as_str()).collect();
        match roles.is_empty() {
            true => Symbol::of(&self.role),
            false => Symbol::of(&roles.into_iter().collect::<Vec<_>>().join("/")),
        }
    }
}

/// Which way a request goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It is answered without a plan.
    Fast,
    /// Something has to be asked first; then it is answered without a plan.
    Ask,
    /// It wants several things, each of them clear: they are planned without a model.
    Compose,
    /// It is neither clear nor hopeless: whoever can tell decides, or it is planned.
    Unsure,
    /// It is planned.
    Plan,
}

impl Decision {
    /// The word for it in listings.
    pub fn word(self) -> &'static str {
        match self {
            Decision::Fast => "fast",
            Decision::Ask => "ask",
            Decision::Compose => "compose",
            Decision::Unsure => "unsure",
            Decision::Plan => "plan",
        }
    }
}

/// One thing that a request wants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// In which words.
    pub text: String,
    /// Who answers.
    pub role: String,
    /// How sure that is.
    pub confidence: f64,
    /// What is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<Act>,
    /// What has to be asked before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// Only if this holds, in the words of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The condition as one on the result of an earlier part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Only after the part before has ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub then: bool,
}

/// A call, or a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Act {
    /// The action of the role.
    pub action: String,
    /// How sure it is that this is meant, given the role.
    pub confidence: f64,
    /// The tool.
    pub tool: ToolName,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// How the result is told, where that is not up to the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// Something that a request does not say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Missing {
    /// Any of these parameters would do.
    pub parameters: Vec<String>,
    /// What the person is asked.
    pub question: String,
}

/// Something that speaks for a decision, or against it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    /// What.
    pub name: String,
    /// How much: a probability, or a number of things.
    pub value: f64,
    /// In words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub says: String,
}

/// A bound on wrong fast answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Certified {
    /// From this confidence on the bound holds; absent where there is none, and the role abstains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// At most this share of fast answers is wrong …
    pub alpha: f64,
    /// … except with this probability.
    pub delta: f64,
    /// On how many labelled requests this rests.
    pub samples: usize,
    /// Whether there was one that outcomes have refuted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// Why there is none, or why it was withdrawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// Somebody's word that a request went the wrong way. It is kept under the run that answered it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Correction {
    /// What was asked.
    pub text: String,
    /// Who answered, where a role did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Who should have: a role, or [`PLAN`](Correction::PLAN). Absent where nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// What was meant, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meant: Option<String>,
    /// Who said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Correction {
    /// The shelf they are kept on, by run.
    pub const SHELF: &str = "corrections";
    /// What stands for the planner where a role could stand.
    pub const PLAN: &str = "plan";
}
