//! Traces as clients see them.

use std::collections::BTreeMap;

use domain::guideline::{LessonId, Trial};
use domain::id::TraceId;
use domain::symbol::Symbol;
use domain::trace::{Source, Standing, Step, Trace, TraceSummary, Untrusted, Verdict};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::schema;

/// A trace as listings show it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TraceRow {
    #[schema(schema_with = schema::trace_id)]
    id: TraceId,
    /// Where it comes from.
    #[schema(value_type = String)]
    source: Source,
    /// What kind of agent.
    #[schema(value_type = String)]
    agent: Symbol,
    /// What kind of problem.
    #[schema(value_type = String)]
    problem: Symbol,
    /// When it began.
    #[schema(schema_with = schema::moment)]
    started_at: Timestamp,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    ended_at: Option<Timestamp>,
    /// Whether it was a success; absent where nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
    /// How many tools were called.
    calls: u64,
    /// How many of these calls failed.
    failures: u64,
    /// Whether it may be learnt from: `evidence`, or only `watched`.
    standing: &'static str,
}

impl From<TraceSummary> for TraceRow {
    fn from(it: TraceSummary) -> Self {
        Self {
            id: it.id,
            source: it.source,
            agent: it.agent,
            problem: it.problem,
            started_at: it.started_at,
            ended_at: it.ended_at,
            success: it.success,
            calls: it.calls,
            failures: it.failures,
            standing: match it.standing {
                Standing::Evidence => "evidence",
                Standing::Watched => "watched",
            },
        }
    }
}

/// A trace, as far as it has arrived.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TracePage {
    #[schema(schema_with = schema::trace_id)]
    id: TraceId,
    /// Where it comes from.
    #[schema(value_type = String)]
    source: Source,
    /// What kind of agent.
    #[schema(value_type = String)]
    agent: Symbol,
    /// What kind of problem.
    #[schema(value_type = String)]
    problem: Symbol,
    /// The very problem, where several traces are attempts at one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    task: Option<Symbol>,
    /// The model or program that did it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    system: Option<Symbol>,
    /// For whom it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    user: Option<Symbol>,
    /// What was asked.
    #[serde(skip_serializing_if = "Untrusted::is_empty")]
    #[schema(value_type = String, required = false)]
    context: Untrusted<String>,
    /// When it began.
    #[schema(schema_with = schema::moment)]
    started_at: Timestamp,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    ended_at: Option<Timestamp>,
    /// What was done, in order: `kind` is `call`, `said`, `thought` or `model`.
    #[schema(value_type = Vec<Object>)]
    steps: Vec<Step>,
    /// How many steps in the middle were left out.
    left_out: u64,
    /// How it ended: `success`, `score`, `answer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    outcome: Option<Verdict>,
    /// What would have been right.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    ground_truth: Option<Untrusted<Value>>,
    /// Numbers besides.
    #[schema(value_type = BTreeMap<String, f64>)]
    metrics: BTreeMap<Symbol, f64>,
    /// The learnt points it was told.
    #[schema(value_type = Vec<String>)]
    lessons: Vec<LessonId>,
    /// The experiments it took part in.
    #[schema(value_type = Vec<Object>)]
    trials: Vec<Trial>,
}

impl From<Trace> for TracePage {
    fn from(it: Trace) -> Self {
        Self {
            id: it.id,
            source: it.source,
            agent: it.agent,
            problem: it.problem,
            task: it.task,
            system: it.system,
            user: it.user,
            context: it.context,
            started_at: it.started_at,
            ended_at: it.ended_at,
            steps: it.steps,
            left_out: it.left_out,
            outcome: it.outcome,
            ground_truth: it.ground_truth,
            metrics: it.metrics,
            lessons: it.lessons,
            trials: it.trials,
        }
    }
}
