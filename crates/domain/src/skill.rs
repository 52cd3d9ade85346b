//! Skills: plans that worked, with what came from the request lifted out, so that the next such request needs no planner.
//!
//! A [`Template`] is one such plan. It becomes a [`Skill`] once it has worked often enough. Lifting, joining and filling
//! are done elsewhere; here stands what the results are.

mod lifted;
mod template;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::id::{ItemName, RunId, ToolName};

pub use lifted::{Form, Lifted, Source, TextPiece};
pub use template::{BadTemplate, Example, Parameter, ParameterKind, Piece, Reading, Template};

/// A plan that is carried out without a planner when a request fits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Skill {
    /// What it is called.
    pub name: ItemName,
    /// What it does and when it is used, in a sentence or two.
    pub description: String,
    /// Requests that fit, and the plan that they mean.
    pub template: Template,
    /// The declarations of its tools as they were when it worked.
    #[schemars(with = "BTreeMap<ToolName, String>")]
    pub pins: BTreeMap<ToolName, Hash>,
    /// What must be so before it is used, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guards: Vec<String>,
    /// The runs whose plans it was made from, oldest first.
    #[schemars(with = "Vec<String>")]
    pub runs: Vec<RunId>,
    /// How often its plan was carried out and worked.
    pub successes: u32,
    /// How often it did not.
    pub failures: u32,
}

/// One thing that must be so before a skill is used, and whether it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guard {
    /// What it looks at.
    pub on: Guarded,
    /// Whether it is so.
    pub held: bool,
    /// What is so or is not, in words.
    pub words: String,
}

/// What a guard looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Guarded {
    /// A tool is there.
    Tool,
    /// A tool says about itself what it said when the skill was made.
    Declaration,
    /// A value was taken from the request with confidence.
    Value,
    /// A call has the arguments that its tool takes.
    Arguments,
    /// What has become of it so far.
    Record,
}
