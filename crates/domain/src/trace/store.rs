//! The seam to where traces are kept.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Step, Trace, Untrusted, Verdict};
use crate::event::Route;
use crate::guideline::{LessonId, Trial};
use crate::id::{ToolName, TraceId};
use crate::plan::Strategy;
use crate::store::{Cursor, StoreError};
use crate::symbol::Symbol;

/// A database that keeps traces: ours are views of ledgers, others' arrive in pieces.
#[async_trait]
pub trait Traces: Send + Sync {
    /// Keeps pieces of others' traces, in any order and however late. A piece that is there already under its key is
    /// replaced; the same piece again changes nothing. A trace belongs to the source that named it first, and names like
    /// those of runs to us: pieces from others are refused and counted. A trace that was only watched stays so. On return
    /// all of them are durable, in one transaction: whoever has very many sends them in batches.
    async fn receive(
        &self,
        source: &Source,
        standing: Standing,
        parts: Vec<Part>,
        at: Timestamp,
    ) -> Result<Received, StoreError>;

    /// One trace: of a run of ours that has ended, or put together from the pieces that have arrived.
    async fn trace(&self, id: &TraceId) -> Result<Option<Trace>, StoreError>;

    /// Where a trace comes from, if there is one.
    async fn source_of(&self, id: &TraceId) -> Result<Option<Source>, StoreError> {
        Ok(self.trace(id).await?.map(|trace| trace.source))
    }

    /// Traces that a filter lets through, those that began last first, from a cursor on.
    async fn traces(
        &self,
        filter: &TraceFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<TraceSummary>, Option<Cursor>), StoreError>;

    /// How many traces a filter lets through.
    async fn count_traces(&self, filter: &TraceFilter) -> Result<u64, StoreError>;

    /// Traces that are new or have changed since a mark, oldest change first, with the mark to go on from: runs that
    /// have ended or were rated anew, others' traces that grew, and those whose source was revoked. Nothing is ever
    /// missed; something may come twice.
    async fn changed_traces(&self, after: u64, limit: usize) -> Result<(Vec<TraceSummary>, u64), StoreError>;

    /// Lets a source count as evidence no longer, for what it sent and for what it will send. Says how many traces it had
    /// sent.
    async fn revoke_source(&self, source: &Source, at: Timestamp) -> Result<u64, StoreError>;

    /// How our runs' calls of tools went, by tool. Deleting runs changes nothing of it.
    async fn tool_records(&self) -> Result<Vec<ToolRecord>, StoreError>;

    /// How our runs went that have ended, by the way their requests went.
    async fn pathways(&self) -> Result<Vec<Pathway>, StoreError>;
}

/// How calls of a tool went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolRecord {
    /// Which.
    pub tool: ToolName,
    /// How often it was called.
    pub calls: u64,
    /// How many of these calls failed.
    pub failures: u64,
    /// Half of the calls took no longer, in milliseconds, to within a tenth.
    pub p50_ms: u64,
    /// Nineteen in twenty took no longer.
    pub p95_ms: u64,
}

/// How runs went whose requests went one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pathway {
    /// Which way.
    pub route: Route,
    /// How agents were made from the plan.
    pub strategy: Strategy,
    /// How many have ended with an outcome.
    pub runs: u64,
    /// How many of these went well; what a person said counts more than how a run ended.
    pub good: u64,
    /// What they cost, in dollars, together.
    pub usd: f64,
    /// How long they took, in seconds of work, together.
    pub seconds: f64,
}

/// Where a trace comes from: `own`, `key:` and a key's id, or `import:` and a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Source(Symbolic);

/// The part before the colon, and the part after it.
type Symbolic = (Symbol, Option<Symbol>);

impl Source {
    /// Runs of ours.
    pub fn own() -> Self {
        Self((Symbol::of("own"), None))
    }

    /// Whoever has a key.
    pub fn key(id: &str) -> Self {
        Self((Symbol::of("key"), Some(Symbol::of(id))))
    }

    /// A file.
    pub fn import(name: &str) -> Self {
        Self((Symbol::of("import"), Some(Symbol::of(name))))
    }

    /// Whether it is ours.
    pub fn is_own(&self) -> bool {
        *self == Self::own()
    }
}

impl From<String> for Source {
    fn from(text: String) -> Self {
        match text.split_once(':') {
            Some((kind, name)) => Self((Symbol::of(kind), Some(Symbol::of(name)))),
            None => Self((Symbol::of(&text), None)),
        }
    }
}

impl From<Source> for String {
    fn from(source: Source) -> String {
        source.to_string()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            (kind, Some(name)) => write!(f, "{kind}:{name}"),
            (kind, None) => kind.fmt(f),
        }
    }
}

/// What a trace is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It can be looked at and learnt from.
    Evidence,
    /// It can only be looked at.
    Watched,
}

impl Standing {
    /// The word databases use.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Evidence => "evidence",
            Standing::Watched => "watched",
        }
    }

    /// The standing a word means.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Evidence, Self::Watched].into_iter().find(|standing| standing.word() == word)
    }
}

/// A piece of a trace as it arrived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The trace it belongs to.
    pub trace: TraceId,
    /// What it is called within its trace: a span's id, for example.
    pub key: String,
    /// When it happened, by its sender's clock: pieces are put in this order.
    pub at: Timestamp,
    /// What it says.
    pub piece: Piece,
}

/// What a piece says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "piece", rename_all = "snake_case")]
pub enum Piece {
    /// What the whole trace is about; what one does not say another may. The outermost wins: the one with the least depth,
    /// and of these the first.
    About {
        /// How deep its span lies: 0 for one without a parent.
        #[serde(default)]
        depth: u32,
        /// What kind of agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<Symbol>,
        /// What kind of problem.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<Symbol>,
        /// The very problem.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task: Option<Symbol>,
        /// The model or program.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        system: Option<Symbol>,
        /// For whom.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<Symbol>,
        /// What was asked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        context: Option<Untrusted<String>>,
        /// The learnt points it was told.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lessons: Vec<LessonId>,
        /// The experiments it took part in.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        trials: Vec<Trial>,
    },
    /// Something that was done.
    Did {
        /// What.
        step: Step,
    },
    /// The trace ended.
    End {
        /// How deep its span lies.
        #[serde(default)]
        depth: u32,
        /// How, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outcome: Option<Verdict>,
        /// What would have been right.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ground_truth: Option<Untrusted<Value>>,
        /// Numbers besides.
        #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
        metrics: std::collections::BTreeMap<Symbol, f64>,
    },
    /// It was said later how good it was: the last word counts, whatever was said at the end.
    Label {
        /// How.
        outcome: Verdict,
    },
}

/// What became of pieces that arrived.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// New ones.
    pub added: u64,
    /// Ones that say something else than before.
    pub changed: u64,
    /// Ones that were there already.
    pub known: u64,
    /// Ones of traces that are somebody else's, or a run's.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub refused: u64,
}

/// Which traces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TraceFilter {
    /// Only of this kind of agent.
    pub agent: Option<Symbol>,
    /// Only of this kind of problem.
    pub problem: Option<Symbol>,
    /// Only from here.
    pub source: Option<Source>,
    /// Only successes, or only failures.
    pub success: Option<bool>,
    /// Only those that have ended, or only those that have not.
    pub ended: Option<bool>,
    /// Only those that began then or later.
    pub since: Option<Timestamp>,
    /// Only those that began before.
    pub until: Option<Timestamp>,
}

/// A trace as listings show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceSummary {
    /// Its name.
    pub id: TraceId,
    /// Where it comes from.
    pub source: Source,
    /// What kind of agent.
    pub agent: Symbol,
    /// What kind of problem.
    pub problem: Symbol,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// Whether it was a success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// How many tools were called.
    pub calls: u64,
    /// How many of these calls failed.
    pub failures: u64,
    /// What it is good for, now.
    pub standing: Standing,
}
