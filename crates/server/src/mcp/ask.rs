//! Asking people through the client: what a run waits for becomes a form, where the client can show one.
//!
//! Clients of 2026-07-28 get the form as an answer and call again with what was filled in; those of before are asked while
//! they wait. Only what the caller may settle is asked, and a form that nobody fills in settles nothing.

use domain::approval::{ApprovalId, Ruling, Verdict};
use domain::hash::Hash;
use domain::id::RunId;
use domain::run::RunStatus;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests,
    InputRequiredResult, ProtocolVersion,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::desk::Desk;
use super::standing::{SettledBy, Standing, Wanted};
use crate::access::{Area, Role};
use crate::approvals::decide;
use crate::error::ApiError;
use crate::runs::acts;

/// Under which name the form goes to the client and comes back.
const FORM: &str = "answer";

/// What comes next for whoever waits for a run.
pub(super) enum Next {
    /// They are told how it stands.
    Tell,
    /// Somebody at their side is asked; they call again.
    AskFirst(InputRequiredResult),
    /// Somebody was asked and has answered: the run goes on.
    GoOn,
}

/// A run that an earlier call began.
pub(super) struct TakenUp {
    pub(super) run: RunId,
    /// Whether people there answered when they were asked.
    pub(super) answered: bool,
}

/// What was asked, as the client keeps it for us. It opens nothing that its holder may not open anyway.
#[derive(Debug, Serialize, Deserialize)]
struct Open {
    run: RunId,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    approval: Option<(ApprovalId, String)>,
}

/// The run that an earlier call began, with what was answered meanwhile put on record.
pub(super) async fn taken_up(desk: &Desk) -> Result<Option<TakenUp>, ApiError> {
    let Some(state) = &desk.state else { return Ok(None) };
    let unknown = || ApiError::invalid("requestState", "`requestState` is not one of ours");
    let open: Open = serde_json::from_str(state).map_err(|_| unknown())?;
    let filled = desk.responses.get(FORM).and_then(|it| serde_json::from_value::<ElicitResult>(it.clone()).ok());
    let answered = match filled {
        Some(filled) => settle(desk, &open, filled).await?,
        None => false,
    };
    Ok(Some(TakenUp { run: open.run, answered }))
}

/// What comes next for a run that stands so.
pub(super) async fn next(desk: &Desk, standing: &Standing) -> Result<Next, ApiError> {
    let (app, ct) = (&desk.app, &desk.context.ct);
    let wanted = standing.waits_for.iter().find(|wanted| may_settle(desk, wanted));
    let (Some(wanted), RunStatus::Waiting, true) = (wanted, standing.status, can_show_forms(desk)) else {
        return Ok(Next::Tell);
    };
    if ct.is_cancelled() || app.closing.is_cancelled() {
        return Ok(Next::Tell);
    }
    let approval = wanted.approval.as_ref().map(|asked| (asked.id, asked.hash.clone()));
    let open = Open { run: standing.run, name: wanted.name.clone(), approval };
    let Some(form) = form(wanted) else { return Ok(Next::Tell) };
    if is_stateless(desk) {
        let asked = InputRequest::Elicitation(ElicitRequest::new(form));
        // Our own types always serialise.
        let state = serde_json::to_string(&open).unwrap_or_default();
        return Ok(Next::AskFirst(InputRequiredResult::new(
            Some(InputRequests::from([(FORM.into(), asked)])),
            Some(state),
        )));
    }
    let filled = tokio::select! {
        biased;
        () = app.closing.cancelled() => return Ok(Next::Tell),
        () = ct.cancelled() => return Ok(Next::GoOn),
        filled = desk.context.peer.create_elicitation(form) => filled,
    };
    match filled {
        Ok(filled) => Ok(if settle(desk, &open, filled).await? { Next::GoOn } else { Next::Tell }),
        // A client that cannot show it after all is told what waits.
        Err(_) => Ok(Next::Tell),
    }
}

fn can_show_forms(desk: &Desk) -> bool {
    let elicitation = desk.context.client_capabilities().and_then(|can| can.elicitation);
    // Those who say nothing more mean forms.
    elicitation.is_some_and(|it| it.form.is_some() || it.url.is_none())
}

fn is_stateless(desk: &Desk) -> bool {
    // Versions are dates, which are in order as text.
    desk.context.protocol_version().is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

fn may_settle(desk: &Desk, wanted: &Wanted) -> bool {
    match wanted.settled_by {
        SettledBy::Approve => desk.caller.grant.allows(Area::Approvals, Role::Approver).is_ok(),
        SettledBy::Answer => true,
        SettledBy::Time => false,
    }
}

fn form(wanted: &Wanted) -> Option<ElicitRequestParams> {
    let schema = match wanted.settled_by {
        SettledBy::Approve => json!({
            "type": "object",
            "properties": {
                "decision": {"type": "string", "title": "Decision", "enum": ["approve", "reject"]},
                "reason": {"type": "string", "title": "Reason", "description": "It stands in the ledger."},
            },
            "required": ["decision"],
        }),
        SettledBy::Answer | SettledBy::Time => json!({
            "type": "object",
            "properties": {"answer": {"type": "string", "title": "Answer"}},
            "required": ["answer"],
        }),
    };
    let requested_schema = serde_json::from_value(schema).ok()?;
    Some(ElicitRequestParams::FormElicitationParams { meta: None, message: wanted.in_full(), requested_schema })
}

/// Puts on record what was filled in; says whether anything was.
async fn settle(desk: &Desk, open: &Open, filled: ElicitResult) -> Result<bool, ApiError> {
    let ElicitResult { action: ElicitationAction::Accept, content: Some(content), .. } = filled else {
        return Ok(false);
    };
    let said = |name: &str| content.get(name).and_then(Value::as_str).map(str::to_owned);
    let (app, caller) = (&desk.app, &desk.caller);
    let settled = match &open.approval {
        Some((id, hash)) => {
            caller.grant.allows(Area::Approvals, Role::Approver)?;
            let decision = match said("decision").as_deref() {
                Some("approve") => Ruling::Approve,
                Some("reject") => Ruling::Reject,
                _ => return Ok(false),
            };
            let hash: Hash = hash.parse().map_err(|_| ApiError::invalid("hash", "it is not a hash"))?;
            let verdict = Verdict { decision, hash, reason: said("reason").filter(|reason| !reason.is_empty()) };
            decide::settle(app, caller, *id, verdict, false).await.map(drop)
        }
        None => match said("answer") {
            Some(answer) => acts::give(app, caller, open.run, Some(open.name.clone()), answer).await,
            None => return Ok(false),
        },
    };
    match settled {
        // Somebody else was faster: the run goes on all the same.
        Ok(()) | Err(ApiError::Undecidable { .. } | ApiError::Conflict { .. }) => Ok(true),
        Err(error) => Err(error),
    }
}
