//! What is kept because it worked, and can be found and used again: agents, cohorts, plans and skills.
//!
//! An item is a name with versions. A version is its content: the same content kept twice is one version, and ledgers
//! refer to it by its hash. What became of the runs that used an item counts for and against it.

mod choice;
mod store;

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::id::{ItemName, RunId, StepId, ToolName};
use crate::plan::{PlanDraft, Strategy};
use crate::skill::{Skill, Template};

pub use choice::{Choice, Considered, Decision, Member, Shortlist, ToolNote};
pub use store::{ItemFilter, ItemSummary, Library, News, Rating, Record, Use};

/// What kind of thing can be found and used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// One who carries out a step: a prompt and its tools.
    Agent,
    /// A team of agents with the plan they carried out.
    Cohort,
    /// A plan that worked, with what it takes from the request lifted out.
    Plan,
    /// A plan that worked often enough to be carried out without a planner.
    Skill,
    /// Something that can be called.
    Tool,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Self::Agent, Self::Cohort, Self::Plan, Self::Skill, Self::Tool];

    /// The word for it in listings and in the database.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Agent => "agent",
            Kind::Cohort => "cohort",
            Kind::Plan => "plan",
            Kind::Skill => "skill",
            Kind::Tool => "tool",
        }
    }

    /// The kind a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Something to be kept: a version that the store has not counted yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// What it is called.
    pub name: ItemName,
    /// What it is for, in a sentence: what it is found by.
    pub description: String,
    /// Words it is found by besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// What it is.
    pub body: Body,
    /// Where it comes from.
    #[serde(default)]
    pub lineage: Lineage,
    /// It is not offered before this moment, unless somebody says that it is good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_from: Option<Timestamp>,
}

impl Draft {
    /// The address of what it is and says; where it comes from does not count.
    pub fn hash(&self) -> Hash {
        Hash::of_json(&(&self.name, &self.description, &self.keywords, &self.body))
    }
}

/// A version of something that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Counted from 1 within kind and name, by the store.
    pub version: u32,
    /// [`Draft::hash`].
    pub hash: Hash,
    /// What it is.
    #[serde(flatten)]
    pub draft: Draft,
    /// When it was kept.
    pub at: Timestamp,
}

impl Item {
    /// What kind of thing it is.
    pub fn kind(&self) -> Kind {
        self.draft.body.kind()
    }
}

/// What an item is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Body {
    /// An agent.
    Agent(AgentBody),
    /// A team.
    Cohort(Box<CohortBody>),
    /// A plan.
    Plan(Box<PlanBody>),
    /// A skill.
    Skill(Box<Skill>),
}

impl Body {
    /// What kind of thing it is.
    pub fn kind(&self) -> Kind {
        match self {
            Body::Agent(_) => Kind::Agent,
            Body::Cohort(_) => Kind::Cohort,
            Body::Plan(_) => Kind::Plan,
            Body::Skill(_) => Kind::Skill,
        }
    }
}

/// What makes an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentBody {
    /// What it is told.
    pub prompt: String,
    /// All it can reach.
    pub tools: Vec<ToolName>,
    /// How many turns it has; the configured number when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
}

/// A team and the plan it carried out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CohortBody {
    /// What was asked of it.
    pub request: String,
    /// How its agents worked together.
    pub strategy: Strategy,
    /// The plan, each step with its agent.
    pub plan: PlanDraft,
    /// The same, with what came from the request lifted out, where that could be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<Template>,
    /// The declarations of its tools as they were.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pins: BTreeMap<ToolName, Hash>,
    /// The agents, by the steps they carried out.
    pub members: Vec<Seat>,
}

/// A plan that worked, with what came from the requests lifted out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanBody {
    /// Requests that fit, and the plan that they mean.
    pub template: Template,
    /// The declarations of its tools as they were when it worked last.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pins: BTreeMap<ToolName, Hash>,
    /// The runs it worked in, oldest first.
    pub runs: Vec<RunId>,
}

/// Who carried out a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// The step.
    pub step: StepId,
    /// The agent.
    pub agent: ItemName,
    /// Its version.
    pub hash: Hash,
}

/// Where a version comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lineage {
    /// The run that made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The item and version it was made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<(ItemName, Hash)>,
    /// The person who made it or changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}
