//! A change of a guideline that is tried out.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LessonId;
use crate::id::TraceId;
use crate::symbol::Symbol;

/// Which experiment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ExperimentId(pub Symbol);

impl std::fmt::Display for ExperimentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A lesson that is told to some and not to others, to see what it does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// Which.
    pub id: ExperimentId,
    /// Who is told.
    pub agent: Symbol,
    /// About which kind of problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Symbol>,
    /// What is tried.
    pub lesson: LessonId,
    /// Whether it is told to some who were not told before, or kept from some who were.
    pub direction: Direction,
    /// How many of those it concerns get what is tried, from 0 to 1.
    pub share: f64,
    /// How often a useless lesson like this one may be promoted: what this experiment was given of the whole.
    pub alpha: f64,
    /// How much it must help, in success rate.
    pub minimum: f64,
    /// Where it stands.
    pub status: ExperimentStatus,
    /// Why, in a sentence.
    pub because: String,
    /// What came of it so far.
    pub tally: Tally,
    /// How strongly the outcomes speak for it: at 1/α it is promoted.
    pub evidence_for: f64,
    /// How strongly they speak against it: at 1/α it is rolled back.
    pub evidence_against: f64,
    /// What it does, so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
}

impl Experiment {
    /// Whether the outcomes speak for it as strongly as they must.
    pub fn is_proven(&self) -> bool {
        self.evidence_for * self.alpha >= 1.0
    }
}

/// Whether something is added or left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The candidate arm is told it.
    Add,
    /// The candidate arm is not told it any more.
    Remove,
}

/// Where an experiment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExperimentStatus {
    /// What is on record is looked at; nobody gets anything else than before.
    Shadow,
    /// Some do.
    Canary,
    /// It helps: all do.
    Promoted,
    /// It harms, or does not help enough: nobody does.
    RolledBack,
    /// Somebody pressed the button.
    Stopped,
}

impl ExperimentStatus {
    /// All of them.
    pub const ALL: [ExperimentStatus; 5] =
        [Self::Shadow, Self::Canary, Self::Promoted, Self::RolledBack, Self::Stopped];

    /// The word people and databases use.
    pub fn word(self) -> &'static str {
        match self {
            ExperimentStatus::Shadow => "shadow",
            ExperimentStatus::Canary => "canary",
            ExperimentStatus::Promoted => "promoted",
            ExperimentStatus::RolledBack => "rolled_back",
            ExperimentStatus::Stopped => "stopped",
        }
    }

    /// The status a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }

    /// Whether more is to come.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Shadow | Self::Canary)
    }
}

/// What somebody gets in an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// What all got before.
    Control,
    /// What is tried.
    Candidate,
}

/// A part that a run takes in an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Trial {
    /// In which.
    pub experiment: ExperimentId,
    /// What it gets.
    pub arm: Arm,
}

/// What came of one part in an experiment, in the order in which outcomes became known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// In which.
    pub experiment: ExperimentId,
    /// The trace.
    pub trace: TraceId,
    /// What it got.
    pub arm: Arm,
    /// Whether it was a success.
    pub success: bool,
}

/// How many there were, and how many of them succeeded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// Those who got what all got before.
    pub control: u64,
    /// Successes among them.
    pub control_successes: u64,
    /// Those who got what is tried.
    pub candidate: u64,
    /// Successes among them.
    pub candidate_successes: u64,
}

/// By how much a success rate changes, and where that probably lies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Effect {
    /// The best guess.
    pub estimate: f64,
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
    /// How many runs it rests on.
    pub runs: u64,
}
