//! What came of a run, as its ledger tells it: an answer, calls for whoever asked, or what a person has to say first.

use domain::approval::{ApprovalId, ProposedEffect, Risk};
use domain::chat::{ModelError, Stop, ToolCall, Usage};
use domain::event::{Event, Need, Route, Wait};
use domain::hash::Hash;
use domain::id::RunId;
use domain::run::{FailureKind, RunStatus, RunSummary};
use domain::store::StoreError;
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::turn::{Turn, questions, url};
use crate::app::App;
use crate::approvals::{self, ApprovalPage};
use crate::error::ApiError;
use crate::schema;

/// What is told of a run that has ended or waits for somebody.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) text: String,
    /// What whoever asked is to call.
    pub(crate) calls: Vec<ToolCall>,
    /// Why it ends here.
    pub(crate) stop: Stop,
    /// What was used since they asked.
    pub(crate) usage: Usage,
    /// When the run began.
    pub(crate) created_at: Timestamp,
    pub(crate) about: About,
    /// Why no model answered, where only a model could.
    trouble: Option<ApiError>,
}

/// What stands behind an answer, for programs that know us.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct About {
    #[schema(schema_with = schema::run_id)]
    pub(crate) run: RunId,
    #[schema(schema_with = schema::status)]
    pub(crate) status: RunStatus,
    /// Which way the request went.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub(crate) route: Option<Route>,
    /// What the run has cost so far, in dollars.
    pub(crate) cost: f64,
    /// Why it failed or was cancelled, if it did or was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::failure, required = false)]
    pub(crate) failure: Option<FailureKind>,
    /// What a person has to decide before it goes on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) approvals: Vec<Asked>,
    /// What it wants to know before it goes on: the next message of the conversation is the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<Question>,
}

/// What a person has to decide.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Asked {
    #[schema(schema_with = schema::approval_id)]
    pub(crate) id: ApprovalId,
    #[schema(schema_with = schema::approval_kind)]
    pub(crate) kind: &'static str,
    pub(crate) summary: String,
    /// Why a person is asked.
    pub(crate) why: String,
    #[schema(schema_with = schema::risk)]
    pub(crate) risk: Risk,
    /// What a decision is bound to.
    #[schema(schema_with = schema::hash)]
    pub(crate) hash: Hash,
    /// What it would do to the world.
    #[schema(value_type = Vec<Object>)]
    pub(crate) effects: Vec<ProposedEffect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    pub(crate) expires_at: Option<Timestamp>,
    /// Where a person decides it.
    pub(crate) url: String,
}

/// What a run wants to know.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Question {
    /// What the answer is filed under.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Reply {
    /// This, unless only a model could have answered and none did.
    pub(crate) fn or_trouble(mut self) -> Result<Self, ApiError> {
        match self.trouble.take() {
            Some(trouble) => Err(trouble),
            None => Ok(self),
        }
    }
}

/// What is told of a run once it rests; nothing while it goes on.
pub(crate) async fn at_rest(app: &App, turn: &Turn) -> Result<Option<Reply>, ApiError> {
    let summary = app.store.run(turn.run).await?.ok_or(StoreError::NoSuchRun { run: turn.run })?;
    let waits = match summary.status {
        RunStatus::Waiting => questions(app, turn.run).await?,
        status if status.is_final() => Vec::new(),
        _ => return Ok(None),
    };
    // A run that waits for a moment goes on by itself.
    if summary.status == RunStatus::Waiting && waits.is_empty() {
        return Ok(None);
    }
    let pending = match summary.status {
        RunStatus::Waiting => approvals::pending(app, turn.run).await?,
        _ => Vec::new(),
    };
    let route = match app.store.entry(turn.run, "routed").await?.map(|it| it.entry.event) {
        Some(Event::Routed { route, .. }) => Some(route),
        _ => None,
    };
    let direct = match (route, app.store.entry(turn.run, runtime::DIRECT).await?.map(|it| it.entry.event)) {
        (Some(Route::Direct), Some(Event::ModelCalled { reply, .. })) => Some(Result::from(reply)),
        (Some(Route::Direct), _) => Some(Err(ModelError::NoModel)),
        _ => None,
    };
    Ok(Some(told(turn, summary, route, direct, &waits, pending)))
}

fn told(
    turn: &Turn,
    summary: RunSummary,
    route: Option<Route>,
    direct: Option<Result<domain::chat::Reply, ModelError>>,
    waits: &[Wait],
    pending: Vec<ApprovalPage>,
) -> Reply {
    let asked: Vec<Asked> = pending.into_iter().map(|page| Asked::of(page, &turn.origin)).collect();
    let question = waits.iter().find(|wait| !matches!(wait.need, Need::Approval { .. }));
    let question =
        question.and_then(|wait| Some(Question { name: wait.name.clone(), text: wait.need.question()?.to_owned() }));
    let mut reply = Reply {
        text: words(turn, &summary, &asked, question.as_ref()),
        calls: Vec::new(),
        stop: Stop::End,
        usage: since(summary.spent.usage, turn.before),
        created_at: summary.created_at,
        trouble: None,
        about: About {
            run: summary.run,
            status: summary.status,
            route,
            cost: summary.spent.usage.cost.as_dollars(),
            error: summary.error,
            failure: summary.failure,
            approvals: asked,
            question,
        },
    };
    match direct {
        Some(Ok(said)) if summary.status == RunStatus::Completed => {
            (reply.text, reply.calls, reply.stop) = (said.text, said.calls, said.stop);
        }
        Some(Err(error)) if summary.failure == Some(FailureKind::Model) => {
            reply.trouble = Some(ApiError::Model(error));
        }
        Some(_) if summary.failure == Some(FailureKind::Budget) => {
            let detail = reply.about.error.clone().unwrap_or_default();
            reply.trouble = Some(ApiError::Model(ModelError::OverBudget { model: "the model".into(), detail }));
        }
        _ => {}
    }
    reply
}

impl Asked {
    fn of(page: ApprovalPage, origin: &str) -> Self {
        Self {
            id: page.id,
            kind: page.kind,
            summary: page.summary,
            why: page.why,
            risk: page.risk,
            hash: page.hash,
            effects: page.effects,
            expires_at: page.expires_at,
            url: url(origin, page.id),
        }
    }
}

/// What a person reads.
fn words(turn: &Turn, summary: &RunSummary, asked: &[Asked], question: Option<&Question>) -> String {
    let usual = usual_words(turn, summary, asked, question);
    match &turn.words {
        Some(words) => format!("{words}\n\n{usual}"),
        None => usual,
    }
}

fn usual_words(turn: &Turn, summary: &RunSummary, asked: &[Asked], question: Option<&Question>) -> String {
    let error = summary.error.as_deref().unwrap_or("nobody said why");
    match (summary.status, &summary.answer) {
        (RunStatus::Waiting, _) => match question {
            // By the link it is known what an answer is about, where the conversation has no name.
            Some(question) if !turn.named => {
                format!("{}\n\n(Asked by {}/runs/{}.)", question.text, turn.origin, turn.run)
            }
            Some(question) => question.text.clone(),
            None => asked.iter().map(proposal).collect::<Vec<_>>().join("\n\n"),
        },
        (RunStatus::Failed, Some(answer)) => format!("{answer}\n\nNot everything could be done: {error}."),
        (RunStatus::Failed, None) => format!("This could not be done: {error}."),
        (RunStatus::Cancelled, _) => match &summary.error {
            Some(why) => format!("This was cancelled: {why}."),
            None => "This was cancelled.".to_owned(),
        },
        (_, answer) => answer.clone().unwrap_or_default(),
    }
}

/// What is proposed, and how it is decided.
fn proposal(asked: &Asked) -> String {
    let lasting = asked.effects.iter().filter(|effect| !effect.reversible || !asked.summary.contains(&effect.words));
    let lines: String = lasting.map(effect).collect();
    let summary = asked.summary.trim_end_matches('.');
    format!(
        "Before I go on, somebody has to agree to this: {summary}.\n{lines}\nDecide it at {}, or say `approve` or `reject`.",
        asked.url
    )
}

fn effect(effect: &ProposedEffect) -> String {
    let lasting = if effect.reversible { "" } else { ", which cannot be taken back" };
    format!("\n- `{}` {}{lasting}\n", effect.tool, effect.words)
}

fn since(now: Usage, before: Usage) -> Usage {
    Usage {
        input_tokens: now.input_tokens.saturating_sub(before.input_tokens),
        output_tokens: now.output_tokens.saturating_sub(before.output_tokens),
        cost: now.cost.saturating_sub(before.cost),
    }
}
