//! What an assistant can be asked for: a role answers one kind of request. Roles are files; adding one needs no code.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::chat::Tier;
use crate::id::ToolName;
use crate::name::NameKind;

/// The role of requests that no role answers: they are planned.
pub const OTHER: &str = "other";

/// One kind of request, and who answers it with what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// What it is called in listings and ledgers.
    pub name: String,
    /// What it is for, in a sentence that people and models read.
    pub when_to_use: String,
    /// How able a model answers, where one is needed.
    #[serde(default = "weak")]
    pub llm_type: Tier,
    /// Whether it may answer without a plan.
    #[serde(default = "yes")]
    pub fast_reply: bool,
    /// Breaks ties: of two roles that fit alike the one with the higher number answers.
    #[serde(default)]
    pub priority: i32,
    /// Whether it is there at all: a role of yours that says no retires the shipped one of its name.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// All that its agent can reach.
    #[serde(default)]
    pub tools: Vec<ToolName>,
    /// Requests it answers, as people put them.
    #[serde(default)]
    pub examples: Vec<String>,
    /// What its agent is told.
    #[serde(default)]
    pub prompt: String,
    /// Values that several of its actions take from a request.
    #[serde(default)]
    pub parameters: BTreeMap<String, Parameter>,
    /// What it can do without a model.
    #[serde(default, rename = "action")]
    pub actions: Vec<RoleAction>,
    /// Whether it comes with the program, which was trained for it: its examples teach nothing new.
    #[serde(skip)]
    pub shipped: bool,
}

/// Something a role does without a model: one call, or one reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleAction {
    /// What it is called within its role.
    pub name: String,
    /// Sentences that mean it: `(set|start) [a] timer`, `remember that {text}`. Values that parameters find are left out.
    #[serde(default)]
    pub patterns: Vec<String>,
    /// Further requests that mean it.
    #[serde(default)]
    pub examples: Vec<String>,
    /// Which tool is called.
    #[serde(default)]
    pub tool: Option<ToolName>,
    /// Arguments that are always the same.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Arguments that are taken from the request.
    #[serde(default)]
    pub parameters: BTreeMap<String, Parameter>,
    /// Of each of these groups one parameter must be known.
    #[serde(default)]
    pub need: Vec<Vec<String>>,
    /// What is asked when something of `need` is missing.
    #[serde(default)]
    pub ask: Option<String>,
    /// Replies without a tool, one of which is given; with a tool, how its result is told.
    #[serde(default)]
    pub answer: Vec<String>,
    /// What words of a condition mean for the result: `"it rains" = "${step.rain} == true"`.
    #[serde(default)]
    pub conditions: BTreeMap<String, String>,
    /// What words that point back mean in its result: `there = "${step.hits[0].title}"`.
    #[serde(default)]
    pub gives: BTreeMap<String, String>,
    /// Understood by a grammar that is built in, instead of patterns.
    #[serde(default)]
    pub grammar: Option<Grammar>,
}

/// What patterns cannot say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grammar {
    /// Commands to a house and questions about it.
    Home,
    /// Sums, units and dates.
    Reckoning,
}

/// A value that is taken from a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Parameter {
    /// What kind of value it is.
    pub kind: ParameterKind,
    /// For a thing with a name, which kind of thing.
    #[schemars(with = "Option<String>")]
    pub of: Option<NameKind>,
    /// Whether there is nothing to do without it.
    pub required: bool,
    /// What is asked when it is missing.
    pub ask: Option<String>,
}

/// Kinds of values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// Words that a pattern names: `{title}`.
    #[default]
    Words,
    /// The whole request.
    Request,
    /// How long.
    Duration,
    /// When, to the minute.
    Moment,
    /// A day.
    Date,
    /// The beginning of a stretch of time, or of a day.
    From,
    /// The end of a stretch of time, or of a day.
    To,
    /// How often.
    Recurrence,
    /// A number.
    Number,
    /// A percentage.
    Percent,
    /// Somewhere.
    Place,
    /// Something with a name, by its name.
    Thing,
    /// Words in quotation marks, or after "called".
    Quoted,
    /// What an earlier part of the request found: "there", "it".
    Reference,
}

fn yes() -> bool {
    true
}

fn weak() -> Tier {
    Tier::Weak
}
