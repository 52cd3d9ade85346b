//! How a run stands, for whoever asked for it: its answer, or what it waits for and how to give it that.

use domain::approval::{ApprovalId, Risk};
use domain::event::Need;
use domain::id::RunId;
use domain::run::{FailureKind, RunStatus, RunSummary};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::approvals::{self, ApprovalPage};
use crate::error::ApiError;

/// How many things that a run waits for are told.
const MOST: usize = 100;

/// How a run stands.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Standing {
    /// The run; `get_run`, `cancel` and `answer` take it.
    #[schemars(with = "String")]
    pub(crate) run: RunId,
    pub(crate) status: RunStatus,
    /// What was asked.
    pub(crate) text: String,
    /// The answer, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<String>,
    /// Why it failed or was cancelled, if it did or was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<FailureKind>,
    /// What it needs before it goes on.
    pub(crate) waits_for: Vec<Wanted>,
    /// What models have cost so far, in dollars.
    pub(crate) cost_usd: f64,
    /// When it was asked for.
    #[schemars(with = "String")]
    pub(crate) created_at: Timestamp,
}

/// What a run needs.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Wanted {
    /// Under which name it is asked; `answer` takes it.
    pub(crate) name: String,
    /// What is asked, or when it goes on by itself.
    pub(crate) question: String,
    /// Which tool settles it: `approve`, `answer`, or nothing but time.
    pub(crate) settled_by: SettledBy,
    /// What is proposed, where somebody has to approve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) approval: Option<Asked>,
}

/// What settles something a run waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SettledBy {
    /// A decision about a proposal.
    Approve,
    /// An answer in words, or a yes or no.
    Answer,
    /// A moment that comes.
    Time,
}

/// What is proposed, in short.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Asked {
    /// Which approval; `approve` takes it.
    #[schemars(with = "String")]
    pub(crate) id: ApprovalId,
    /// What a decision is bound to; `approve` takes it.
    pub(crate) hash: String,
    /// What it is about: `plan` or `call`.
    pub(crate) kind: String,
    /// What is at stake: `low`, `medium` or `high`.
    pub(crate) risk: String,
    /// What it comes to.
    pub(crate) summary: String,
    /// Why a person is asked.
    pub(crate) why: String,
    /// What it would do to the world, one sentence each.
    pub(crate) effects: Vec<String>,
    /// When it is too late.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) expires_at: Option<Timestamp>,
}

impl From<&ApprovalPage> for Asked {
    fn from(page: &ApprovalPage) -> Self {
        let risk: Risk = page.risk;
        Self {
            id: page.id,
            hash: page.hash.to_string(),
            kind: page.kind.to_owned(),
            risk: risk.word().to_owned(),
            summary: page.summary.clone(),
            why: page.why.clone(),
            effects: page.effects.iter().map(|effect| effect.words.clone()).collect(),
            expires_at: page.expires_at,
        }
    }
}

impl Standing {
    /// How a run stands now.
    pub(crate) async fn of(app: &App, summary: RunSummary) -> Result<Self, ApiError> {
        let waits_for = if summary.status == RunStatus::Waiting { wanted(app, summary.run).await? } else { Vec::new() };
        Ok(Self {
            run: summary.run,
            status: summary.status,
            text: summary.text,
            answer: summary.answer,
            error: summary.error,
            failure: summary.failure,
            waits_for,
            cost_usd: summary.spent.usage.cost.as_dollars(),
            created_at: summary.created_at,
        })
    }

    /// In words: the answer and nothing else where there is one.
    pub(crate) fn words(&self) -> String {
        let run = self.run;
        match self.status {
            RunStatus::Completed => self.answer.clone().unwrap_or_default(),
            RunStatus::Failed => {
                let why = self.error.as_deref().unwrap_or("nobody knows why");
                let found = self.answer.as_ref().map(|answer| format!("\nBefore that it found out: {answer}"));
                format!("{run} failed: {why}{}", found.unwrap_or_default())
            }
            RunStatus::Cancelled => match &self.error {
                Some(why) => format!("{run} was cancelled: {why}"),
                None => format!("{run} was cancelled"),
            },
            RunStatus::Waiting if !self.waits_for.is_empty() => {
                let questions: Vec<String> = self.waits_for.iter().map(Wanted::words).collect();
                format!("{run} waits:\n{}", questions.join("\n"))
            }
            RunStatus::Waiting | RunStatus::Pending | RunStatus::Running => {
                format!("{run} is not done yet; `get_run` says how it stands")
            }
        }
    }
}

impl Wanted {
    /// All that somebody should read before they answer.
    pub(crate) fn in_full(&self) -> String {
        let question = &self.question;
        match &self.approval {
            Some(Asked { summary, why, effects, .. }) => {
                let effects: String = effects.iter().map(|effect| format!("\n- {effect}")).collect();
                format!("{question}\n{summary}{effects}\n{why}")
            }
            None => question.clone(),
        }
    }

    fn words(&self) -> String {
        let Self { name, question, .. } = self;
        match &self.approval {
            Some(Asked { id, hash, summary, effects, .. }) => {
                let effects: String = effects.iter().map(|effect| format!("\n  - {effect}")).collect();
                format!("- {question}\n  {summary}{effects}\n  `approve` it with approval `{id}` and hash `{hash}`")
            }
            None if self.settled_by == SettledBy::Time => format!("- {question}"),
            None => format!("- {question} (`answer` it as `{name}`)"),
        }
    }
}

async fn wanted(app: &App, run: RunId) -> Result<Vec<Wanted>, ApiError> {
    let pending = approvals::pending(app, run).await?;
    let waits = app.store.waits(Some(run), MOST).await?;
    let wanted = |wait: domain::event::Wait| {
        let id = ApprovalId::of(run, &wait.name);
        let approval = pending.iter().find(|page| page.id == id).map(Asked::from);
        let (question, settled_by) = match wait.need {
            Need::Approval { question, .. } if approval.is_some() => (question, SettledBy::Approve),
            Need::Approval { question, .. } | Need::Answer { question } | Need::Budget { question } => {
                (question, SettledBy::Answer)
            }
            Need::Time { at } => (format!("it goes on by itself at {at}"), SettledBy::Time),
        };
        Wanted { name: wait.name, question, settled_by, approval }
    };
    Ok(waits.into_iter().map(|it| wanted(it.wait)).collect())
}
