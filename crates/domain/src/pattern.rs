//! What separates traces that succeed from those that fail.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::TraceId;
use crate::symbol::Symbol;
use crate::trace::{Source, Trouble};

/// The kinds of things that are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Calls in an order that goes well, or does not.
    Sequence,
    /// Where it goes wrong, and what came before.
    Failure,
    /// What a tool is worth.
    Tool,
    /// How it was thought.
    Thinking,
    /// How long, how much, how often.
    Performance,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 5] = [Self::Sequence, Self::Failure, Self::Tool, Self::Thinking, Self::Performance];

    /// The word people use.
    pub fn word(self) -> &'static str {
        match self {
            Family::Sequence => "sequence",
            Family::Failure => "failure",
            Family::Tool => "tool",
            Family::Thinking => "thinking",
            Family::Performance => "performance",
        }
    }
}

/// Something that is so of a trace, or is not: made of symbols and of words of ours, and counted once for each trace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "mark", rename_all = "snake_case")]
pub enum Mark {
    /// These tools are called one right after the other; a tool that repeats itself counts as one call.
    Sequence {
        /// In this order.
        tools: Vec<Symbol>,
    },
    /// The last calls are these.
    Ends {
        /// In this order.
        tools: Vec<Symbol>,
    },
    /// A tool is called at all.
    Calls {
        /// Which.
        tool: Symbol,
    },
    /// A call fails.
    Fails {
        /// Of which tool.
        tool: Symbol,
        /// Why.
        trouble: Trouble,
        /// Which call came right before it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<Symbol>,
    },
    /// Something is so that has a name of ours, about a tool or about the whole trace.
    Trait {
        /// The family it belongs to.
        family: Family,
        /// What is so.
        name: Symbol,
        /// Of which tool.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<Symbol>,
    },
}

impl Mark {
    /// The family it belongs to.
    pub fn family(&self) -> Family {
        match self {
            Mark::Sequence { .. } | Mark::Ends { .. } => Family::Sequence,
            Mark::Calls { .. } => Family::Tool,
            Mark::Fails { .. } => Family::Failure,
            Mark::Trait { family, .. } => *family,
        }
    }

    /// The tools it speaks of.
    pub fn tools(&self) -> Vec<&Symbol> {
        match self {
            Mark::Sequence { tools } | Mark::Ends { tools } => tools.iter().collect(),
            Mark::Calls { tool } => vec![tool],
            Mark::Fails { tool, after, .. } => after.iter().chain([tool]).collect(),
            Mark::Trait { tool, .. } => tool.iter().collect(),
        }
    }
}

/// A mark that traces which succeed bear more or less often than those that fail, by more than chance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pattern {
    /// The same for the same mark, agent and problem.
    pub id: Symbol,
    /// What is so.
    pub mark: Mark,
    /// Of which kind of agent; absent where it holds for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Symbol>,
    /// For which kind of problem; absent where it holds for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Symbol>,
    /// What it rests on.
    pub evidence: Evidence,
    /// What it comes to, in a sentence of ours.
    pub words: String,
    /// What follows from it, in a sentence of ours; empty where nothing does that an agent could do.
    pub advice: String,
}

/// What a pattern rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Traces with the mark that succeeded.
    pub with_success: u64,
    /// Traces with the mark that failed.
    pub with_failure: u64,
    /// Traces without it that succeeded, among those it is compared with.
    pub without_success: u64,
    /// Traces without it that failed.
    pub without_failure: u64,
    /// By how much the mark changes the chance of success, within kinds of agents and problems: from −1 to 1.
    pub effect: f64,
    /// Where that probably lies, nineteen times in twenty.
    pub interval: (f64, f64),
    /// How sure it is that there is an effect in this direction: the end of the interval that is nearer to nothing, as a
    /// share of what an effect can be. Documented in `docs/learning.md`.
    pub confidence: f64,
    /// The chance of so much by accident.
    pub p: f64,
    /// The same after all that was looked at: the share of patterns up to here that are expected to be chance.
    pub q: f64,
    /// How many users it comes from, where users are known.
    pub users: u64,
    /// From where, and how many traces with the mark.
    pub sources: BTreeMap<Source, u64>,
    /// Traces to look at: with the mark and a success, with the mark and a failure.
    pub examples: (Vec<TraceId>, Vec<TraceId>),
}

impl Evidence {
    /// How many traces bear the mark.
    pub fn support(&self) -> u64 {
        self.with_success + self.with_failure
    }

    /// Whether the mark goes with success.
    pub fn helps(&self) -> bool {
        self.effect > 0.0
    }
}
