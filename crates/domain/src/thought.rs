//! What is thought about a request before it is planned: how much it takes, and which ways there are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::score::Score;

/// How much stands between a request and its plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Orchestration {
    /// The plan is made and proved.
    Simple,
    /// It is thought about first and judged afterwards, and may go back once.
    Standard,
    /// It goes back as often as the judgement asks for and the configuration allows.
    Adaptive,
}

impl Orchestration {
    /// All of them.
    pub const ALL: [Orchestration; 3] = [Self::Simple, Self::Standard, Self::Adaptive];

    /// The word for it in configuration and listings.
    pub fn word(self) -> &'static str {
        match self {
            Orchestration::Simple => "simple",
            Orchestration::Standard => "standard",
            Orchestration::Adaptive => "adaptive",
        }
    }

    /// What a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|orchestration| orchestration.word() == word)
    }
}

/// How much a request takes, and how that was told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Complexity {
    /// From a single obvious act to many that hang together.
    pub score: Score,
    /// How often it is thought over: 1 to 3.
    pub passes: u32,
    /// What follows from it.
    pub orchestration: Orchestration,
    /// Who told.
    pub strategy: Teller,
    /// What it was told by, weightiest first.
    pub signals: Vec<Weight>,
    /// The same in a sentence.
    pub explanation: String,
}

/// Who tells how much a request takes, in the order in which they are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Teller {
    /// Whoever asked has fixed it.
    Forced,
    /// What the request means, by its likeness to requests whose shape is known.
    Semantic,
    /// The words and the form of the request.
    Lexical,
    /// A small model.
    Model,
}

/// Something that speaks for or against a request being complex.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Weight {
    /// What was seen.
    pub signal: String,
    /// How strongly it was seen.
    pub value: f64,
    /// How much of the score it is; negative where it speaks against.
    pub weight: f64,
}

/// What a thinker makes of a request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Thought {
    /// How it sees the matter.
    pub reasoning: String,
    /// Ways to go about it, best first.
    pub approaches: Vec<String>,
    /// What must hold whatever is done.
    pub constraints: Vec<String>,
    /// What is taken for granted.
    pub assumptions: Vec<String>,
    /// What is not known.
    pub uncertainties: Vec<String>,
    /// Tools that look useful, by name.
    #[serde(alias = "recommendedTools")]
    pub recommended_tools: Vec<String>,
    /// How sure it is that this leads to what was asked for; absent where nothing says.
    pub confidence: Option<Score>,
}
