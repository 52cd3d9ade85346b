//! The stages of reasoning as others see them: each can be called alone, and every answer is kept, numbered.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::assessment::Assessment;
use crate::chat::Tier;
use crate::confidence::Confidence;
use crate::critique::Critique;
use crate::plan::PlanDraft;
use crate::run::RunStatus;
use crate::score::Score;
use crate::store::{Cursor, StoreError};
use crate::thought::Thought;

/// A stage of reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Thinks about the request.
    Thinker,
    /// Plans it.
    Planner,
    /// Criticises the plan.
    Critic,
    /// Weighs how sure all of them are.
    Scorer,
    /// Judges the reasoning.
    MetaAgent,
    /// Plans again, with what was wrong.
    Replanner,
}

impl Stage {
    /// All of them, in the order in which they work.
    pub const ALL: [Stage; 6] =
        [Self::Thinker, Self::Planner, Self::Critic, Self::Scorer, Self::MetaAgent, Self::Replanner];

    /// The name in URLs and in agent chains.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Thinker => "thought-agent",
            Stage::Planner => "planner-agent",
            Stage::Critic => "critic-agent",
            Stage::Scorer => "confidence-scorer",
            Stage::MetaAgent => "meta-agent",
            Stage::Replanner => "replan-agent",
        }
    }

    /// The component whose model and settings it uses.
    pub const fn component(self) -> &'static str {
        match self {
            Stage::Thinker => "thinker",
            Stage::Planner => "planner",
            Stage::Critic => "critic",
            Stage::Scorer => "scorer",
            Stage::MetaAgent => "meta_agent",
            Stage::Replanner => "replanner",
        }
    }

    /// How able a model it asks unless somebody chooses; nothing for the one that only calculates.
    pub const fn tier(self) -> Option<Tier> {
        match self {
            Stage::Thinker => Some(Tier::Default),
            Stage::Planner | Stage::Critic | Stage::MetaAgent | Stage::Replanner => Some(Tier::Strong),
            Stage::Scorer => None,
        }
    }

    /// The stage with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// What a stage answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "stage", content = "answer", rename_all = "snake_case")]
pub enum StageAnswer {
    /// A thought.
    Thought(Thought),
    /// A plan.
    Plan(PlanAnswer),
    /// A critique.
    Critique(Critique),
    /// A confidence.
    Confidence(Confidence),
    /// An assessment.
    Assessment(Assessment),
}

impl StageAnswer {
    /// How good the stage finds what it judged, or how sure it is; absent where it does not say.
    pub fn quality(&self) -> Option<Score> {
        match self {
            StageAnswer::Thought(thought) => thought.confidence,
            StageAnswer::Plan(plan) => plan.confidence,
            StageAnswer::Critique(critique) => Some(critique.overall),
            StageAnswer::Confidence(confidence) => Some(confidence.overall),
            StageAnswer::Assessment(assessment) => Some(assessment.quality),
        }
    }

    /// Whether it asks for another plan. Only an assessment does.
    pub fn should_replan(&self) -> bool {
        matches!(self, StageAnswer::Assessment(assessment) if assessment.should_replan)
    }

    /// Whether it asks for more thought. Only an assessment does.
    pub fn should_deepen(&self) -> bool {
        matches!(self, StageAnswer::Assessment(assessment) if assessment.should_deepen)
    }
}

/// A plan with what its planner says about it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanAnswer {
    /// Which version it is.
    pub version: u32,
    /// The steps.
    pub plan: PlanDraft,
    /// How sure the planner is of it.
    pub confidence: Option<Score>,
    /// Why it is so.
    pub rationale: String,
    /// Other plans.
    pub alternatives: Vec<PlanDraft>,
    /// What the verifier found.
    pub findings: Vec<crate::finding::Finding>,
}

/// An answer of a stage, as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageRecord {
    /// The request: a run, or a name that a caller of single stages chose.
    pub request: String,
    /// Which stage.
    pub stage: Stage,
    /// Counted from 1 within request and stage; the store counts.
    pub attempt: u32,
    /// When.
    pub at: Timestamp,
    /// What it answered.
    pub answer: StageAnswer,
}

/// Which answers. Bounds that nothing can lie between, or that are no numbers, let nothing through.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StageFilter {
    /// Only of this request.
    pub request: Option<String>,
    /// Only with at least this quality.
    pub min_quality: Option<f64>,
    /// Only with at most this quality.
    pub max_quality: Option<f64>,
    /// Only if it asks for another plan, or only if not.
    pub should_replan: Option<bool>,
    /// Only if it asks for more thought, or only if not.
    pub should_deepen: Option<bool>,
    /// Only made at or after this moment.
    pub since: Option<Timestamp>,
    /// Only made before or at this moment.
    pub until: Option<Timestamp>,
}

/// A request as the callers of stages know it: a run, or what a caller of single stages told about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestRow {
    /// Which.
    pub request: String,
    /// When it was first heard of.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Where it stands.
    pub status: RunStatus,
    /// Who has worked on it, in the order of first appearance.
    pub chain: Vec<String>,
    /// What was asked, where that is known.
    pub query: Option<String>,
}

/// A database that keeps the answers of stages.
#[async_trait]
pub trait Stages: Send + Sync {
    /// Keeps an answer that was not given within a run, and what its caller says about the request: the earliest
    /// `created_at` and the latest `updated_at` count, the status replaces the one before, the query too if there is one,
    /// and the chain is added to what is known of it, without repetitions. About a run that is there nobody has to be
    /// told: only the answer is kept. Says which attempt it is, whatever the record says. On return it is durable.
    async fn file(&self, record: &StageRecord, request: &RequestRow) -> Result<u32, StoreError>;

    /// The latest answer of a stage to a request.
    async fn filed(&self, request: &str, stage: Stage) -> Result<Option<StageRecord>, StoreError>;

    /// Answers of a stage that a filter lets through, newest first, from a cursor on.
    async fn stage_history(
        &self,
        stage: Stage,
        filter: &StageFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<StageRecord>, Option<Cursor>), StoreError>;

    /// Deletes answers of a stage that a filter lets through. Says how many. Ledgers stay as they are.
    async fn clear_stage(&self, stage: Stage, filter: &StageFilter) -> Result<u64, StoreError>;

    /// One request: a run, or one that a caller of single stages told about.
    async fn request(&self, request: &str) -> Result<Option<RequestRow>, StoreError>;

    /// Requests of both kinds, newest first, from a cursor on.
    async fn requests(
        &self,
        status: Option<RunStatus>,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<RequestRow>, Option<Cursor>), StoreError>;
}
