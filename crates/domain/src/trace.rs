//! What an agent did, ours or somebody else's: its calls, its thoughts, and how it ended.
//!
//! A trace holds what people, models and tools wrote, as [`Untrusted`]. Nothing is learnt from that: what may be learnt from
//! is a [`Sketch`], which has no place for a sentence.

mod assemble;
mod own;
mod sketch;
mod store;
mod untrusted;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::guideline::{LessonId, Trial};
use crate::id::TraceId;
use crate::score::Score;
use crate::symbol::Symbol;

pub use assemble::assemble;
pub use own::{agent_of, of_run};
pub use sketch::{Cue, Deed, Means, Move, Sketch};
pub use store::{Part, Pathway, Piece, Received, Source, Standing, ToolRecord, TraceFilter, TraceSummary, Traces};
pub use untrusted::Untrusted;

/// How many steps of a trace are kept: the first and the last of a longer one.
pub const MOST_STEPS: usize = 10_000;
/// How many bytes are kept of a text in a trace.
pub const MOST_TEXT: usize = 4_096;

/// What one agent did about one problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Its name: a run's id for our own.
    pub id: TraceId,
    /// Where it comes from.
    pub source: Source,
    /// What kind of agent it was: what guidelines are addressed to.
    pub agent: Symbol,
    /// What kind of problem it had.
    pub problem: Symbol,
    /// The very problem, where several traces are attempts at one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Symbol>,
    /// The model or program that did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<Symbol>,
    /// For whom it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Symbol>,
    /// What was asked.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub context: Untrusted<String>,
    /// When it began; the earliest time known where that was not said.
    pub started_at: Timestamp,
    /// When it ended; absent while it goes on, or where nobody ever said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// What was done, in order.
    pub steps: Vec<Step>,
    /// How many steps in the middle were left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
    /// How it ended, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Verdict>,
    /// What would have been right, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground_truth: Option<Untrusted<Value>>,
    /// Numbers besides: tokens, dollars, scores.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<Symbol, f64>,
    /// The learnt points it was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<LessonId>,
    /// The experiments it took part in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// How a trace ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether it was a success.
    pub success: bool,
    /// How good it was, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Untrusted<String>>,
}

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Step {
    /// A tool was called.
    Call {
        /// Which.
        tool: Symbol,
        /// By whom, where there are several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Symbol>,
        /// With what.
        #[serde(default, skip_serializing_if = "Untrusted::is_null")]
        arguments: Untrusted<Value>,
        /// What it answered, cut.
        #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
        response: Untrusted<String>,
        /// How long the answer was, in characters.
        #[serde(default)]
        length: u32,
        /// How it ended.
        ended: CallEnd,
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Timestamp>,
        /// How long it took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        millis: Option<u64>,
    },
    /// Somebody said something.
    Said {
        /// Who.
        who: Speaker,
        /// Which one, where there are several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Symbol>,
        /// What, cut.
        #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
        text: Untrusted<String>,
        /// How long it was, in characters.
        length: u32,
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Timestamp>,
    },
    /// The agent thought, planned, or judged itself.
    Thought {
        /// What kind of thinking it was: `thought`, `plan`, `critique`, `replan`, …
        what: Symbol,
        /// Who.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Symbol>,
        /// What, cut.
        #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
        text: Untrusted<String>,
        /// How long it was, in characters.
        length: u32,
        /// How sure it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<Score>,
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Timestamp>,
    },
    /// A model was asked.
    Model {
        /// Which.
        model: Symbol,
        /// What it read, in tokens.
        #[serde(default)]
        tokens_in: u64,
        /// What it wrote, in tokens.
        #[serde(default)]
        tokens_out: u64,
        /// How it ended.
        ended: CallEnd,
        /// When.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Timestamp>,
        /// How long it took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        millis: Option<u64>,
    },
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// Whoever wants something.
    User,
    /// The agent.
    Agent,
    /// Another agent or program.
    Other,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// It brought what it should.
    Done,
    /// It did not, and this is why.
    Failed(Trouble),
    /// Nobody said.
    Unknown,
}

/// Why a call brings nothing: all that is learnt of what an error says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trouble {
    /// There is no such thing.
    NotFound,
    /// It was asked for wrongly.
    BadArguments,
    /// It is not allowed.
    Denied,
    /// It took too long.
    TimedOut,
    /// It cannot be reached.
    Unavailable,
    /// It was asked too often.
    Busy,
    /// Anything else.
    Other,
}

impl Trouble {
    /// The trouble an error's words or type name speak of.
    pub fn of(words: &str) -> Self {
        let words = words.to_lowercase();
        let any = |signs: &[&str]| signs.iter().any(|sign| words.contains(sign));
        if any(&["timeout", "timed out", "deadline"]) {
            Self::TimedOut
        } else if any(&["rate limit", "rate_limit", "too many requests", "429"]) {
            Self::Busy
        } else if any(&["not found", "notfound", "no such", "does not exist", "unknown", "404"]) {
            Self::NotFound
        } else if any(&["denied", "forbidden", "unauthor", "not allowed", "permission", "401", "403"]) {
            Self::Denied
        } else if any(&["invalid", "argument", "missing", "required", "validation", "type error", "typeerror", "400"]) {
            Self::BadArguments
        } else if any(&["unavailable", "connection", "unreachable", "refused", "502", "503"]) {
            Self::Unavailable
        } else {
            Self::Other
        }
    }
}
