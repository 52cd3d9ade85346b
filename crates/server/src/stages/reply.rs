//! What a stage answered, as clients read it.

use std::collections::BTreeMap;

use domain::assessment::Assessment;
use domain::confidence::{Advice, Confidence};
use domain::critique::{Critique, Issue, Scores, Severity, Verdict};
use domain::finding::Finding;
use domain::plan::PlanDraft;
use domain::run::RunStatus;
use domain::score::Score;
use domain::stage::{PlanAnswer, RequestRow, Stage, StageAnswer, StageRecord};
use domain::thought::Thought;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::shape;
use crate::schema;

/// What a stage answered. Each can be given to the next one as it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reply {
    request_id: String,
    #[schema(schema_with = shape::agent)]
    agent_name: &'static str,
    #[schema(schema_with = schema::moment)]
    timestamp: Timestamp,
    request_context: RequestContext,
    /// How often this agent has answered this request. Every answer is kept.
    #[schema(minimum = 1)]
    attempt: u32,
    #[serde(flatten)]
    answer: Particulars,
}

/// A request as far as it is known.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestContext {
    request_id: String,
    #[schema(schema_with = schema::moment)]
    created_at: Timestamp,
    /// Who has worked on it, each once.
    agent_chain: Vec<String>,
    #[schema(schema_with = schema::status)]
    status: RunStatus,
    /// What was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_query: Option<String>,
}

/// What is particular to an agent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum Particulars {
    Thought(Thoughts),
    Plan(Planned),
    Critique(Criticised),
    Confidence(Sure),
    Assessment(Assessed),
}

/// What `thought-agent` answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Thoughts {
    reasoning: String,
    approaches: Vec<String>,
    constraints: Vec<String>,
    assumptions: Vec<String>,
    uncertainties: Vec<String>,
    recommended_tools: Vec<String>,
    #[schema(schema_with = shape::score_or_null)]
    confidence: Option<Score>,
}

/// What `planner-agent` and `replan-agent` answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Planned {
    /// A plan as everywhere: it can be sent to `POST /v1/runs` as it is.
    #[schema(value_type = Object)]
    plan: PlanDraft,
    #[schema(minimum = 0)]
    version: u32,
    #[schema(schema_with = shape::score_or_null)]
    confidence: Option<Score>,
    rationale: String,
    #[schema(value_type = Vec<Object>)]
    alternatives: Vec<PlanDraft>,
    /// What was proved about it.
    #[schema(value_type = Vec<Object>)]
    findings: Vec<Finding>,
}

/// What `critic-agent` answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Criticised {
    /// `correctness`, `completeness`, `feasibility`, `efficiency` and `safety`.
    #[schema(value_type = BTreeMap<String, f64>)]
    scores: Scores,
    #[schema(schema_with = shape::score)]
    overall: Score,
    /// `approve`, `revise` or `reject`.
    #[schema(value_type = String)]
    verdict: Verdict,
    issues: Vec<Wrong>,
    strengths: Vec<String>,
    follow_up_questions: Vec<String>,
    summary: String,
}

/// Something that is wrong with a plan.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Wrong {
    /// `low`, `medium`, `high` or `critical`.
    #[schema(value_type = String)]
    severity: Severity,
    category: String,
    description: String,
    suggestion: String,
    affected_steps: Vec<String>,
}

/// What `confidence-scorer` answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Sure {
    #[schema(schema_with = shape::score)]
    overall: Score,
    #[schema(schema_with = shape::score)]
    reported: Score,
    #[schema(minimum = 0)]
    variance: f64,
    drivers: Vec<String>,
    #[schema(value_type = Vec<Object>)]
    scores: Vec<domain::confidence::Named>,
    /// `execute`, `review`, `rethink` or `escalate`.
    #[schema(value_type = String)]
    advice: Advice,
}

/// What `meta-agent` answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Assessed {
    #[schema(schema_with = shape::score)]
    reasoning_quality: Score,
    should_replan: bool,
    should_deepen_reasoning: bool,
    recommended_actions: Vec<String>,
    assessment: String,
    #[schema(value_type = BTreeMap<String, f64>)]
    breakdown: BTreeMap<String, Score>,
}

/// A kept answer with what is known of its request.
pub(crate) fn reply(record: StageRecord, row: Option<RequestRow>) -> Reply {
    let row = row.unwrap_or_else(|| RequestRow {
        request: record.request.clone(),
        created_at: record.at,
        updated_at: record.at,
        status: RunStatus::Running,
        chain: Vec::new(),
        query: None,
    });
    Reply {
        agent_name: record.stage.name(),
        timestamp: record.at,
        request_context: context_of(row, Some(record.stage)),
        attempt: record.attempt,
        answer: record.answer.into(),
        request_id: record.request,
    }
}

/// A request as it is told, with a stage at the end of its chain unless it is in it.
pub(crate) fn context_of(mut row: RequestRow, stage: Option<Stage>) -> RequestContext {
    row.chain = in_order(row.chain, stage.map(|stage| stage.name().to_owned()));
    RequestContext {
        request_id: row.request,
        created_at: row.created_at,
        agent_chain: row.chain,
        status: row.status,
        user_query: row.query,
    }
}

/// A chain with more names at its end, each once.
pub(super) fn in_order(chain: Vec<String>, more: impl IntoIterator<Item = String>) -> Vec<String> {
    chain.into_iter().chain(more).fold(Vec::new(), |mut chain, name| {
        if !chain.contains(&name) {
            chain.push(name);
        }
        chain
    })
}

impl From<StageAnswer> for Particulars {
    fn from(answer: StageAnswer) -> Self {
        match answer {
            StageAnswer::Thought(it) => Particulars::Thought(it.into()),
            StageAnswer::Plan(it) => Particulars::Plan(it.into()),
            StageAnswer::Critique(it) => Particulars::Critique(it.into()),
            StageAnswer::Confidence(it) => Particulars::Confidence(it.into()),
            StageAnswer::Assessment(it) => Particulars::Assessment(it.into()),
        }
    }
}

impl From<Thought> for Thoughts {
    fn from(it: Thought) -> Self {
        let Thought { reasoning, approaches, constraints, assumptions, uncertainties, recommended_tools, confidence } =
            it;
        Self { reasoning, approaches, constraints, assumptions, uncertainties, recommended_tools, confidence }
    }
}

impl From<PlanAnswer> for Planned {
    fn from(it: PlanAnswer) -> Self {
        let PlanAnswer { version, plan, confidence, rationale, alternatives, findings } = it;
        Self { plan, version, confidence, rationale, alternatives, findings }
    }
}

impl From<Critique> for Criticised {
    fn from(it: Critique) -> Self {
        let Critique { scores, overall, verdict, issues, strengths, follow_up_questions, summary } = it;
        let issues = issues.into_iter().map(Wrong::from).collect();
        Self { scores, overall, verdict, issues, strengths, follow_up_questions, summary }
    }
}

impl From<Issue> for Wrong {
    fn from(it: Issue) -> Self {
        let Issue { severity, category, description, suggestion, affected_steps } = it;
        Self { severity, category, description, suggestion, affected_steps }
    }
}

impl From<Confidence> for Sure {
    fn from(it: Confidence) -> Self {
        let Confidence { scores, reported, overall, variance, drivers, advice } = it;
        Self { overall, reported, variance, drivers, scores, advice }
    }
}

impl From<Assessment> for Assessed {
    fn from(it: Assessment) -> Self {
        Self {
            reasoning_quality: it.quality,
            should_replan: it.should_replan,
            should_deepen_reasoning: it.should_deepen,
            recommended_actions: it.recommended_actions,
            assessment: it.assessment,
            breakdown: it.breakdown,
        }
    }
}
