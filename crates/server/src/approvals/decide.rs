//! Deciding: the one place where what a person says over HTTP becomes a verdict.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use domain::approval::{Approval, ApprovalId, Ruling, Subject, Verdict};
use domain::hash::Hash;
use jiff::Timestamp;
use runtime::DecideError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{ApprovalPage, OfApproval, unknown};
use crate::app::App;
use crate::audit;
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path, Query};
use crate::idempotency::{self, Once};
use crate::openapi::Nothing;
use crate::schema::{self, Line, Words};

/// What a person says to a proposal.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decide {
    /// What is wanted.
    #[schema(schema_with = schema::decision)]
    decision: Wanted,
    /// The `hash` of what the person saw.
    #[serde(deserialize_with = "schema::written_as_we_do")]
    #[schema(schema_with = schema::hash)]
    hash: Hash,
    /// With `edit`, of a plan: the whole plan as it is to be carried out.
    #[serde(default, deserialize_with = "schema::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false, nullable = false)]
    plan: Option<Map<String, Value>>,
    /// With `edit`, of a call: all of its arguments as they are to be.
    #[serde(default, deserialize_with = "schema::present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false, nullable = false)]
    arguments: Option<Map<String, Value>>,
    /// With `respond`: what is to be taken into account before it is proposed again.
    #[serde(default, deserialize_with = "schema::present", skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::words, required = false)]
    message: Option<Words>,
    /// Why, in a few words; it stands in the ledger.
    #[serde(default, deserialize_with = "schema::present", skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::line, required = false)]
    reason: Option<Line>,
}

/// The four verbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Wanted {
    Approve,
    Edit,
    Reject,
    Respond,
}

/// `POST /v1/approvals/{approval}/decide`: approve, edit, reject or respond. The first decision counts.
#[utoipa::path(
    post, path = "/v1/approvals/{approval}/decide", tag = "approvals", params(OfApproval, Once), request_body = Decide,
    responses(
        (status = 200, body = ApprovalPage, description = "the decision is on record and the run goes on"),
        (status = 404, body = Problem, description = "nobody was asked this"),
        (status = 409, body = Problem, description = "the hash is that of another proposal, or it was decided or withdrawn: \
            `approval` is how it stands"),
        (status = 410, body = Problem, description = "it is too late; `approval` is how it stands")
    )
)]
pub(crate) async fn decide(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfApproval { approval }): Path<OfApproval>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(said): Json<Decide>,
) -> Result<axum::Json<ApprovalPage>, ApiError> {
    put(&app, &caller, approval, said, idempotency::key(&headers)?).await.map(axum::Json)
}

/// Puts what somebody says on record, if it is about what is asked.
pub(crate) async fn put(
    app: &App,
    caller: &Caller,
    approval: ApprovalId,
    said: Decide,
    key: Option<&str>,
) -> Result<ApprovalPage, ApiError> {
    let asked = app.store.approval(approval, Timestamp::now()).await?.ok_or_else(|| unknown(approval))?;
    let verdict = said.verdict(&asked)?;
    let again = match key {
        Some(key) => idempotency::is_again(app, caller, key, asked.run, Hash::of_json(&(approval, &verdict))).await?,
        None => false,
    };
    settle(app, caller, approval, verdict, again).await
}

/// Puts a verdict on record and has the run go on. Somebody who says it again because they did not hear us is told what
/// they have said.
pub(crate) async fn settle(
    app: &App,
    caller: &Caller,
    approval: ApprovalId,
    verdict: Verdict,
    again: bool,
) -> Result<ApprovalPage, ApiError> {
    let by = caller.to_string();
    let word = verdict.decision.word();
    let decided = match app.runtime.decide(approval, verdict, Some(by.clone())).await {
        Err(DecideError::Already(before)) if again && was_said(&before, word, &by) => *before,
        decided => {
            let decided = decided?;
            audit::decided(app, caller, approval, word).await;
            decided
        }
    };
    app.dispatch.nudge(decided.run).await;
    Ok(decided.into())
}

fn was_said(approval: &Approval, word: &str, by: &str) -> bool {
    let decided = approval.decided.as_ref();
    decided.is_some_and(|it| it.by.as_deref() == Some(by) && it.answer["decision"] == word)
}

impl Decide {
    /// What is meant, if everything that belongs to it is there and nothing else.
    fn verdict(self, asked: &Approval) -> Result<Verdict, ApiError> {
        let (body, other) = match asked.proposal.subject {
            Subject::Plan { .. } => ("plan", "arguments"),
            Subject::Call { .. } => ("arguments", "plan"),
        };
        let mut given = vec![
            ("plan", self.plan.map(Value::Object)),
            ("arguments", self.arguments.map(Value::Object)),
            ("message", self.message.map(|words| Value::String(words.into()))),
        ];
        let mut take = |name: &str| {
            let at = given.iter_mut().find(|(other, value)| *other == name && value.is_some());
            at.and_then(|(_, value)| value.take())
        };
        let missing = |name: &str, what: &str| ApiError::invalid(name, format!("`{name}` is missing: {what}"));
        let decision = match self.decision {
            Wanted::Approve => Ruling::Approve,
            Wanted::Reject => Ruling::Reject,
            Wanted::Edit => {
                let what = take(body).ok_or_else(|| missing(body, "it is what is to be done instead"))?;
                Ruling::Edit { plan: what }
            }
            Wanted::Respond => match take("message") {
                Some(Value::String(message)) => Ruling::Respond { message },
                _ => return Err(missing("message", "it is what is to be taken into account")),
            },
        };
        if let Some((name, _)) = given.into_iter().find(|(_, value)| value.is_some()) {
            let words = match name {
                name if name == other => format!("`{name}` does not belong to a {}", asked.proposal.subject.word()),
                name => format!("`{name}` does not belong to `{}`", decision.word()),
            };
            return Err(ApiError::invalid(name, words));
        }
        Ok(Verdict { decision, hash: self.hash, reason: self.reason.map(String::from) })
    }
}
