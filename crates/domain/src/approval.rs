//! What a person is asked to agree to, and what they can say: approve, edit, reject or respond.
//!
//! A proposal stands in the ledger before anybody hears of it, and its [`hash`](Proposal::hash) binds what would be
//! carried out. An answer that names another hash is an answer to something else. The first answer counts.

mod store;

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::AgentConfiguration;
use crate::event::{is_no, is_yes};
use crate::finding::Finding;
use crate::hash::Hash;
use crate::id::{BadName, ItemName, RunId, StepId, ToolName};
use crate::library::Decision;
use crate::plan::{Call, PlanDraft};

pub use store::{Approval, ApprovalFilter, ApprovalStatus, Approvals, Decided};

/// One question to a person: always the same for the same question of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ApprovalId([u8; 16]);

impl ApprovalId {
    /// The id of what a run waits for under a name.
    pub fn of(run: RunId, name: &str) -> Self {
        let digest = Hash::of_written(&(run, name));
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest.bytes()[..16]);
        Self(bytes)
    }

    /// The sixteen bytes a database keeps.
    pub fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for ApprovalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("apr_")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ApprovalId {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let digits = text.strip_prefix("apr_").unwrap_or(text);
        match u128::from_str_radix(digits, 16) {
            Ok(number) if digits.len() == 32 => Ok(Self(number.to_be_bytes())),
            _ => Err(BadName {
                name: text.to_owned(),
                kind: "approval id",
                rule: "approval ids look like `apr_` and 32 hexadecimal digits",
            }),
        }
    }
}

impl Serialize for ApprovalId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ApprovalId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Everything a person should see before they decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// What would be carried out.
    pub subject: Subject,
    /// What it comes to, in a sentence or two.
    pub summary: String,
    /// Why a person is asked.
    pub why: String,
    /// The rule that asks for a person; absent where it is the program's own caution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Who would carry it out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<ProposedAgent>,
    /// What it would do to the world, in plain words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<ProposedEffect>,
    /// What it is expected to take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// What was proved about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What is at stake: the inbox shows the gravest first.
    pub risk: Risk,
}

/// What would be carried out: the bytes that an approval is bound to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Subject {
    /// A plan, each step with its agent's prompt and tools.
    Plan {
        /// Which version.
        version: u32,
        /// The version a person agreed to before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        base: Option<u32>,
        /// The plan.
        plan: Box<PlanDraft>,
        /// The one agent that has the whole plan, where one does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<Box<AgentConfiguration>>,
        /// What is different from that version.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        diff: Vec<Patch>,
    },
    /// One call of a tool, with its arguments as they are.
    Call {
        /// The step it belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<StepId>,
        /// The tool and its arguments.
        call: Call,
    },
}

impl Subject {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Subject::Plan { .. } => "plan",
            Subject::Call { .. } => "call",
        }
    }
}

impl Proposal {
    /// The address of what would be carried out.
    pub fn hash(&self) -> Hash {
        match &self.subject {
            Subject::Plan { plan, agent: None, .. } => Hash::of_json(plan),
            Subject::Plan { plan, agent: Some(agent), .. } => Hash::of_json(&(plan, agent)),
            Subject::Call { step, call } => Hash::of_json(&(step, call)),
        }
    }
}

/// An operation that makes one plan out of another, as JSON Patch writes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Patch {
    /// `add`, `remove` or `replace`.
    pub op: String,
    /// Where, for example `/steps/2/tools`.
    pub path: String,
    /// What stands there afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// An agent as a proposal shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedAgent {
    /// Its name in the library, or the step's where it has none.
    pub id: String,
    /// The step it carries out.
    pub step: StepId,
    /// What it is for.
    pub description: String,
    /// What it is told.
    pub prompt: String,
    /// All it can reach.
    pub tools: Vec<ToolName>,
    /// How it came to be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Why it was chosen, in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// The agent in the library it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<ItemName>,
}

/// Something that would be done to the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedEffect {
    /// The step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<StepId>,
    /// With which tool.
    pub tool: ToolName,
    /// What it does, in plain words.
    pub words: String,
    /// Whether it can be taken back.
    pub reversible: bool,
    /// Whether it reaches beyond this machine.
    pub external: bool,
}

/// Ranges of what something is expected to take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// Dollars, from and to.
    pub usd: [f64; 2],
    /// Seconds of work, from and to.
    pub seconds: [f64; 2],
}

/// What is at stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Nothing is changed.
    Low,
    /// Something is changed that can be changed back, or data leaves.
    Medium,
    /// Something happens that cannot be taken back.
    High,
}

impl Risk {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Risk::Low => "low",
            Risk::Medium => "medium",
            Risk::High => "high",
        }
    }
}

/// What a person says to a proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What they want.
    #[serde(flatten)]
    pub decision: Ruling,
    /// The hash of what they saw.
    pub hash: Hash,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What a person wants done about a proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Ruling {
    /// Do it.
    Approve,
    /// Do this instead: a whole plan, or the arguments of a call.
    Edit {
        /// What.
        #[serde(alias = "arguments")]
        plan: Value,
    },
    /// Don't.
    Reject,
    /// Neither yet: take this into account and propose again.
    Respond {
        /// What they say.
        message: String,
    },
}

impl Ruling {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Ruling::Approve => "approve",
            Ruling::Edit { .. } => "edit",
            Ruling::Reject => "reject",
            Ruling::Respond { .. } => "respond",
        }
    }
}

impl Verdict {
    /// What an answer says about something with this hash: a whole verdict, or just a yes or a no to what was asked.
    pub fn read(answer: &Value, asked: Hash) -> Option<Self> {
        let plainly = |decision| Some(Self { decision, hash: asked, reason: None });
        match answer {
            answer if is_yes(answer) => plainly(Ruling::Approve),
            answer if is_no(answer) => plainly(Ruling::Reject),
            Value::Object(_) => serde_json::from_value(answer.clone()).ok(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_approval_id_survives_being_written_and_read() {
        let id = ApprovalId::of(RunId::fresh(), "plan/1/approval");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert!("apr_12".parse::<ApprovalId>().is_err() && "apr_é".parse::<ApprovalId>().is_err());
    }

    #[test]
    fn a_verdict_says_what_is_wanted_and_of_what() {
        let hash = Hash::of(b"x");
        let edit = json!({"decision": "edit", "hash": hash, "plan": {"steps": []}, "reason": "shorter"});
        let verdict = Verdict::read(&edit, Hash::of(b"y")).expect("a verdict");
        assert_eq!((verdict.decision.word(), verdict.hash, verdict.reason.as_deref()), ("edit", hash, Some("shorter")));
        assert_eq!(Verdict::read(&json!("yes"), hash).map(|verdict| verdict.decision), Some(Ruling::Approve));
        assert_eq!(Verdict::read(&json!(false), hash).map(|verdict| verdict.decision), Some(Ruling::Reject));
        for nothing in [json!("perhaps"), json!({"decision": "approve"}), json!({"decision": "maybe", "hash": hash})] {
            assert_eq!(Verdict::read(&nothing, hash), None, "{nothing}");
        }
    }
}
