//! A trace without anything anybody wrote.

use serde::{Deserialize, Serialize};

use super::{CallEnd, Source, Speaker};
use crate::guideline::{LessonId, Trial};
use crate::id::TraceId;
use crate::score::Score;
use crate::symbol::Symbol;

/// What may be learnt from: symbols, numbers and words out of lists of ours. There is no place in it for a sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sketch {
    /// The trace it is of.
    pub trace: TraceId,
    /// Where that comes from.
    pub source: Source,
    /// What kind of agent it was.
    pub agent: Symbol,
    /// What kind of problem it had.
    pub problem: Symbol,
    /// The very problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Symbol>,
    /// The model or program that did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<Symbol>,
    /// For whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Symbol>,
    /// Whether it was a success; absent where that is not known.
    pub success: Option<bool>,
    /// What was done, in order.
    pub moves: Vec<Move>,
    /// Seconds from beginning to end, where both make sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
    /// The learnt points it was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<LessonId>,
    /// The experiments it took part in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<Trial>,
}

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Move {
    /// A tool was called.
    Call {
        /// Which.
        tool: Symbol,
        /// By whom.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Symbol>,
        /// The names of its arguments, sorted.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keys: Vec<Symbol>,
        /// What is noticed about arguments and answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cues: Vec<Cue>,
        /// How it ended.
        ended: CallEnd,
        /// How long the answer was.
        #[serde(default)]
        length: u32,
        /// How long it took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        millis: Option<u64>,
    },
    /// Somebody said something.
    Said {
        /// Who.
        who: Speaker,
        /// Which one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Symbol>,
        /// How long it was.
        length: u32,
        /// What is noticed about it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cues: Vec<Cue>,
    },
    /// The agent thought.
    Thought {
        /// What kind of thinking.
        what: Symbol,
        /// How long it was.
        length: u32,
        /// How sure it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<Score>,
        /// What is noticed about it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cues: Vec<Cue>,
    },
    /// A model was asked.
    Model {
        /// Tokens read and written.
        tokens: u64,
        /// How it ended.
        ended: CallEnd,
    },
}

/// What is noticed about a text or a call: words of ours, never theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cue {
    /// It asks something.
    Asks,
    /// It is sorry.
    Sorry,
    /// It refuses.
    Refuses,
    /// It thanks.
    Thanks,
    /// It says yes.
    Yes,
    /// It says no.
    No,
    /// An argument was never seen before in the trace: it is made up.
    MadeUp,
    /// The very call was made before.
    Again,
    /// The answer is empty.
    Empty,
}
