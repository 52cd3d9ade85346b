//! Decisions to use again what is there, to change it, or to make something new, with what they rest on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AgentBody, Body, Draft, Kind, Lineage};
use crate::hash::Hash;
use crate::id::{ItemName, StepId, ToolName};
use crate::score::Score;

/// What was done about a need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Something that is there is used as it is.
    Reuse,
    /// Something that is there is changed a little.
    Adapt,
    /// Something new is made.
    Create,
}

impl Decision {
    /// The word for it in listings and in the database.
    pub fn word(self) -> &'static str {
        match self {
            Decision::Reuse => "reuse",
            Decision::Adapt => "adapt",
            Decision::Create => "create",
        }
    }
}

/// A decision and what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// What was done.
    pub decision: Decision,
    /// What kind of thing was needed.
    pub kind: Kind,
    /// What is used, or what it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<(ItemName, Hash)>,
    /// How well it fits; 0 where nothing was found.
    pub score: Score,
    /// Why, in a sentence.
    pub why: String,
    /// What else was there, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub considered: Vec<Considered>,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Considered {
    /// What kind of thing.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// How well it fits.
    pub score: Score,
    /// What speaks for it.
    pub why: String,
}

/// The tools that a planner got to see, out of many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shortlist {
    /// Which, best first.
    pub tools: Vec<ToolName>,
    /// How many there are.
    pub of: usize,
    /// About how many tokens of listing were left out of each prompt.
    pub tokens_saved: u64,
}

/// What calling a tool was like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolNote {
    /// Which.
    pub tool: ToolName,
    /// In a few words.
    pub words: String,
}

/// An agent that carries out a step of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// The step.
    pub step: StepId,
    /// What the step is for.
    pub goal: String,
    /// What it is called.
    pub name: ItemName,
    /// What it is for.
    pub description: String,
    /// Words it is found by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// What it is.
    pub agent: AgentBody,
    /// Why this one.
    pub choice: Choice,
    /// What was wrong with the first draft of its prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criticised: Vec<String>,
    /// The person who changed it before it was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

impl Member {
    /// What is kept of it.
    pub fn draft(&self) -> Draft {
        let from = self.choice.item.clone().filter(|_| self.choice.decision == Decision::Adapt);
        let lineage = Lineage { from, by: self.by.clone(), ..Lineage::default() };
        Draft {
            name: self.name.clone(),
            description: self.description.clone(),
            keywords: self.keywords.clone(),
            body: Body::Agent(self.agent.clone()),
            lineage,
            offered_from: None,
        }
    }
}
