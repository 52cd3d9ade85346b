//! What somebody says becomes a run; or, where one waits for them, its answer or a decision about it.

use domain::approval::{ApprovalId, Ruling, Verdict};
use domain::chat::{Message, Usage};
use domain::event::{Need, Seq, Wait, is_no, is_yes};
use domain::hash::Hash;
use domain::id::RunId;
use domain::run::RunStatus;
use domain::store::{RunFilter, StoreError};
use jiff::Timestamp;
use serde_json::Value;

use super::Talk;
use super::reply::at_rest;
use crate::access::{Area, Role};
use crate::app::App;
use crate::approvals::decide::settle;
use crate::approvals::{self, ApprovalPage};
use crate::caller::Caller;
use crate::error::ApiError;
use crate::idempotency;

/// How many questions of one run are looked at.
const MOST: usize = 100;

/// A run that somebody waits for.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) run: RunId,
    /// What they have heard of it already.
    pub(crate) after: Seq,
    /// What it had used by then.
    pub(crate) before: Usage,
    /// What they are told at once, before what the run asks.
    pub(crate) words: Option<String>,
    /// Where people reach this server.
    pub(crate) origin: String,
    /// Whether the conversation has a name by which the run is found again.
    pub(crate) named: bool,
}

impl Turn {
    /// A run from its beginning.
    pub(crate) fn new(run: RunId, origin: String, named: bool) -> Self {
        Self { run, after: 0, before: Usage::default(), words: None, origin, named }
    }
}

/// A request that may be sent twice: its key, and what it says.
pub(crate) type Once<'k> = Option<(&'k str, Hash)>;

/// What is done about a run that waits.
enum Act {
    /// Its question is answered.
    Answer { name: String },
    /// What it proposes is decided.
    Decide { approval: ApprovalId, verdict: Verdict },
    /// Whoever speaks is told why nothing is done.
    Tell(String),
}

/// Takes in what somebody says.
pub(crate) async fn take(
    app: &App,
    caller: &Caller,
    talk: Talk,
    once: Once<'_>,
    origin: String,
) -> Result<Turn, ApiError> {
    let calls_go_on = talk.lent.as_ref().is_some_and(|lent| !lent.since.is_empty());
    let waiting = if calls_go_on { None } else { waiting(app, &talk, &origin).await? };
    let mut meant = None;
    if let Some(run) = waiting {
        meant = act(app, caller, talk.text.as_str(), run, &origin).await?.map(|act| (run, act));
    }
    let run = meant.as_ref().map_or_else(RunId::fresh, |(run, _)| *run);
    let mut turn = Turn::new(run, origin, talk.session.is_some());
    if let Some((key, body)) = once {
        let (used, again) = idempotency::used(app, caller, key, run.to_string(), body).await?;
        turn.run = used.made.parse().map_err(|_| StoreError::NoSuchRun { run })?;
        if again && app.store.run(turn.run).await?.is_some() {
            return Ok(turn);
        }
    }
    match meant {
        Some((_, act)) => carry_out(app, caller, &talk, turn, act).await,
        None => {
            app.runtime.accept_as(turn.run, talk.request(app)).await?;
            app.dispatch.nudge(turn.run).await;
            Ok(turn)
        }
    }
}

/// The run that waits for what is said now: the newest of the conversation, or the one whose question was said last.
async fn waiting(app: &App, talk: &Talk, origin: &str) -> Result<Option<RunId>, ApiError> {
    if let Some(session) = &talk.session {
        let filter =
            RunFilter { session: Some(session.clone()), status: vec![RunStatus::Waiting], ..RunFilter::default() };
        return Ok(app.store.runs(&filter, None, 1).await?.runs.first().map(|run| run.run));
    }
    let said = talk.earlier.iter().rev().find_map(|message| match message {
        Message::Assistant { text, .. } => Some(text.as_str()),
        Message::System { .. } | Message::User { .. } | Message::Tool { .. } => None,
    });
    let said = said.unwrap_or_default();
    for word in said.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        let run = match (word.strip_prefix("run_"), word.parse::<ApprovalId>()) {
            (Some(_), _) => word.parse().ok(),
            (None, Ok(id)) if word.starts_with("apr_") => {
                app.store.approval(id, Timestamp::now()).await?.map(|asked| asked.run)
            }
            _ => None,
        };
        let Some(run) = run else { continue };
        // Whoever wrote the message: only what was asked in our very words can be answered.
        let turn = Turn::new(run, origin.to_owned(), false);
        let asks = app.store.run(run).await?.is_some_and(|it| it.status == RunStatus::Waiting);
        if asks && at_rest(app, &turn).await?.is_some_and(|reply| said.contains(reply.text.trim())) {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

/// What a run asks people.
pub(crate) async fn questions(app: &App, run: RunId) -> Result<Vec<Wait>, ApiError> {
    let waits = app.store.waits(Some(run), MOST).await?;
    Ok(waits.into_iter().map(|it| it.wait).filter(|wait| wait.need.question().is_some()).collect())
}

/// What some words do about a run that waits; nothing where they are about something else.
async fn act(app: &App, caller: &Caller, text: &str, run: RunId, origin: &str) -> Result<Option<Act>, ApiError> {
    let asked = questions(app, run).await?;
    if let Some(wait) = asked.iter().find(|wait| !matches!(wait.need, Need::Approval { .. })) {
        let understood = wait.need.understands(&Value::from(text));
        return Ok(Some(match understood {
            true => Act::Answer { name: wait.name.clone() },
            false => Act::Tell("Please say yes or no.".into()),
        }));
    }
    let pending = approvals::pending(app, run).await?;
    let (ruling, which) = match decision(text) {
        _ if pending.is_empty() => return Ok(None),
        Said::Something => return Ok(None),
        Said::Perhaps => return Ok(Some(Act::Tell("To decide this, say exactly `approve` or `reject`.".into()))),
        Said::Decision(ruling, which) => (ruling, which),
    };
    let chosen: Vec<&ApprovalPage> = pending.iter().filter(|it| which.is_none_or(|which| which == it.id)).collect();
    Ok(match chosen.as_slice() {
        [] => None,
        [only] => Some(match caller.grant.allows(Area::Approvals, Role::Approver) {
            Ok(()) => {
                Act::Decide { approval: only.id, verdict: Verdict { decision: ruling, hash: only.hash, reason: None } }
            }
            Err(missing) => {
                let url = url(origin, only.id);
                Act::Tell(format!("This was not decided: {missing}. Somebody else can decide it at {url}."))
            }
        }),
        several => {
            let ids: Vec<String> = several.iter().map(|it| format!("`{} {}`", ruling.word(), it.id)).collect();
            Some(Act::Tell(format!("Several things are asked. Say which one you mean: {}.", ids.join(" or "))))
        }
    })
}

async fn carry_out(app: &App, caller: &Caller, talk: &Talk, turn: Turn, act: Act) -> Result<Turn, ApiError> {
    let summary = app.store.run(turn.run).await?.ok_or(StoreError::NoSuchRun { run: turn.run })?;
    let turn = Turn { after: summary.events, before: summary.spent.usage, ..turn };
    match act {
        Act::Tell(words) => return Ok(Turn { words: Some(words), ..turn }),
        Act::Decide { approval, verdict } => {
            settle(app, caller, approval, verdict, false).await?;
        }
        Act::Answer { name } => {
            let answer = Value::from(talk.text.as_str());
            // Where somebody else was faster, or it has ended meanwhile, it is told how it went on.
            app.runtime.answer(turn.run, &name, answer, Some(caller.to_string())).await?;
            app.dispatch.nudge(turn.run).await;
        }
    }
    Ok(turn)
}

/// Where a person sees what is asked.
pub(crate) fn url(origin: &str, approval: ApprovalId) -> String {
    format!("{origin}/approvals/{approval}")
}

#[derive(Debug, PartialEq)]
enum Said {
    /// A decision, and about what, where that is said.
    Decision(Ruling, Option<ApprovalId>),
    /// Something like a yes or a no.
    Perhaps,
    /// Something else.
    Something,
}

/// What words mean to somebody who waits for a decision.
fn decision(text: &str) -> Said {
    let text = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    let (word, which) = match text.split_once(' ') {
        Some((word, which)) => (word, Some(which.trim().trim_matches('`').parse::<ApprovalId>())),
        None => (text.as_str(), None),
    };
    let ruling = match word.trim_matches('`') {
        "approve" => Ruling::Approve,
        "reject" => Ruling::Reject,
        _ if is_yes(&Value::from(text.as_str())) || is_no(&Value::from(text.as_str())) => return Said::Perhaps,
        _ => return Said::Something,
    };
    match which {
        None => Said::Decision(ruling, None),
        Some(Ok(id)) => Said::Decision(ruling, Some(id)),
        Some(Err(_)) => Said::Perhaps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_themselves_decide() {
        let id = ApprovalId::of(RunId::fresh(), "plan/1/approval");
        let cases = [
            ("approve", Said::Decision(Ruling::Approve, None)),
            (" Reject. ", Said::Decision(Ruling::Reject, None)),
            (&format!("approve {id}"), Said::Decision(Ruling::Approve, Some(id))),
            ("`reject`", Said::Decision(Ruling::Reject, None)),
            ("yes", Said::Perhaps),
            ("approve the other one", Said::Perhaps),
            ("What is the weather?", Said::Something),
        ];
        for (text, meant) in cases {
            assert_eq!(decision(text), meant, "{text}");
        }
    }
}
