//! A question to a person as programs see it: what is asked and what was proved about it, on one level.

use domain::approval::{
    Approval, ApprovalId, ApprovalStatus, Decided, Estimate, Patch, Proposal, ProposedAgent, ProposedEffect, Risk,
    Subject,
};
use domain::finding::Finding;
use domain::hash::Hash;
use domain::id::{RunId, StepId, ToolName};
use domain::plan::PlanDraft;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::schema;

/// What a person is asked, and what they said. Its JSON is stable: fields are added, never changed.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ApprovalPage {
    /// Which.
    #[schema(schema_with = schema::approval_id)]
    pub id: ApprovalId,
    /// What it is about: `plan` or `call`.
    #[schema(schema_with = schema::approval_kind)]
    pub kind: &'static str,
    /// Where it stands.
    #[schema(schema_with = schema::approval_status)]
    pub status: ApprovalStatus,
    /// What is at stake.
    #[schema(schema_with = schema::risk)]
    pub risk: Risk,
    /// The run that asked.
    #[schema(schema_with = schema::run_id)]
    pub run_id: RunId,
    /// Of a plan: which version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_version: Option<u32>,
    /// Of a plan: the version that was agreed to before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_version: Option<u32>,
    /// What a decision is bound to.
    #[schema(schema_with = schema::hash)]
    pub hash: Hash,
    /// The question in one sentence.
    pub question: String,
    /// What it comes to, in a sentence or two.
    pub summary: String,
    /// Why a person is asked.
    pub why: String,
    /// The rule that asks for a person; absent where it is the program's own caution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Who would carry it out.
    #[schema(value_type = Vec<Object>)]
    pub agents: Vec<ProposedAgent>,
    /// Of a plan: the whole of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub plan: Option<Box<PlanDraft>>,
    /// Of a plan: what is different from `base_version`, as JSON Patch.
    #[schema(value_type = Vec<Object>)]
    pub diff: Vec<Patch>,
    /// Of a call: the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub tool: Option<ToolName>,
    /// Of a call: its arguments as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub arguments: Option<Value>,
    /// Of a call: the step it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub step: Option<StepId>,
    /// What it would do to the world, in plain words.
    #[schema(value_type = Vec<Object>)]
    pub effects: Vec<ProposedEffect>,
    /// What it is expected to take: dollars and seconds, each from and to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub estimate: Option<Estimate>,
    /// What was proved about it.
    #[schema(value_type = Vec<Object>)]
    pub findings: Vec<Finding>,
    /// When it was asked.
    #[schema(schema_with = schema::moment)]
    pub asked_at: Timestamp,
    /// When it stops being worth waiting for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    pub expires_at: Option<Timestamp>,
    /// What was said, once something was: `answer`, `by` and `at`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub decided: Option<Decided>,
}

impl From<Approval> for ApprovalPage {
    fn from(it: Approval) -> Self {
        let Proposal { subject, summary, why, rule, agents, effects, estimate, findings, risk } = it.proposal;
        let kind = subject.word();
        let (mut plan_version, mut base_version, mut plan, mut diff) = (None, None, None, Vec::new());
        let (mut tool, mut arguments, mut step) = (None, None, None);
        match subject {
            Subject::Plan { version, base, plan: whole, diff: patches, .. } => {
                (plan_version, base_version, plan, diff) = (Some(version), base, Some(whole), patches);
            }
            Subject::Call { step: of, call } => (tool, arguments, step) = (Some(call.tool), Some(call.arguments), of),
        }
        Self {
            id: it.id,
            kind,
            status: it.status,
            risk,
            run_id: it.run,
            plan_version,
            base_version,
            hash: it.hash,
            question: it.question,
            summary,
            why,
            rule,
            agents,
            plan,
            diff,
            tool,
            arguments,
            step,
            effects,
            estimate,
            findings,
            asked_at: it.asked_at,
            expires_at: it.expires_at,
            decided: it.decided,
        }
    }
}
