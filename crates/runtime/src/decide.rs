//! Takes in what a person says to a proposal. Of several answers the first counts; what is recorded here was about the
//! very thing that was asked, in time, and can be carried out. Whoever advances the run looks at all of that again.

use domain::approval::{Approval, ApprovalId, ApprovalStatus, Decided, Ruling, Subject, Verdict};
use domain::event::{Entry, Event, Need, Recorded, Wait};
use domain::finding::{Code, Finding};
use domain::id::RunId;
use domain::store::{Signalled, Store, StoreError};
use jiff::Timestamp;
use serde_json::Value;

use crate::Runtime;
use crate::advance::request_of;
use crate::edit;
use crate::policy::Known;
use crate::record::answer_key;
use crate::verify;

/// Why a verdict was not taken.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// Correct the id.
    #[error("there is no approval `{0}`")]
    Unknown(ApprovalId),
    /// Look at what is asked now, and decide about that.
    #[error("`{}` is about something else: what would be carried out has the hash `{}`", .0.id, .0.hash)]
    Stale(Box<Approval>),
    /// Ask the run to begin again.
    #[error("`{}` has expired{}", .0.id, .0.expires_at.map(|at| format!(": it was to be decided until {at}")).unwrap_or_default())]
    Expired(Box<Approval>),
    /// See what was decided.
    #[error("`{}` was decided already{}", .0.id, decided_words(.0))]
    Already(Box<Approval>),
    /// Nothing is left to decide.
    #[error("`{}` is withdrawn: its run has ended", .0.id)]
    Withdrawn(Box<Approval>),
    /// Correct the change; it is still waited for.
    #[error("this cannot be carried out: {}", .findings.iter().map(|finding| finding.says.clone()).collect::<Vec<_>>().join("; "))]
    Unsound {
        /// What is asked.
        approval: Box<Approval>,
        /// What is wrong with the change.
        findings: Vec<Finding>,
    },
    /// Approve, edit or reject.
    #[error("there is no model that could take words into account: approve `{}`, edit it or reject it", .0.id)]
    Unheard(Box<Approval>),
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn decided_words(approval: &Approval) -> String {
    let Some(decided) = &approval.decided else { return String::new() };
    let verdict = Verdict::read(&decided.answer, approval.hash);
    let word = verdict.map(|verdict| format!(": {}", verdict.decision.word())).unwrap_or_default();
    let by = decided.by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
    format!("{word}{by} at {}", decided.at)
}

/// Files the answer to what a run waits for. The first answer counts. A yes or a no to a proposal is one to what was
/// proposed, and none once it has expired.
pub async fn answer(
    store: &dyn Store,
    run: RunId,
    name: &str,
    mut answer: Value,
    by: Option<String>,
) -> Result<Signalled, StoreError> {
    let now = Timestamp::now();
    let key = answer_key(name);
    let filed = |answer, by| {
        let event = Event::Answered { name: name.to_owned(), answer, by };
        store.signal(run, Entry { key: key.clone(), input: None, at: now, event })
    };
    let asked = store.entry(run, &format!("{name}/waiting")).await?.map(|recorded| recorded.entry.event);
    if let Some(Event::Waiting { wait: Wait { need: Need::Approval { hash, proposal: Some(_), .. }, until, .. } }) =
        asked
    {
        if until.is_some_and(|until| until <= now) {
            let late = filed(Value::Null, Some("expiry".into())).await?;
            return match (late, store.entry(run, &key).await?) {
                (Signalled::Recorded, Some(expired)) => Ok(Signalled::Late(Box::new(expired))),
                (signalled, _) => Ok(signalled),
            };
        }
        if let Some(verdict) = Verdict::read(&answer, hash) {
            answer = serde_json::to_value(verdict).unwrap_or(answer);
        }
    }
    filed(answer, by).await
}

impl Runtime {
    /// Takes a verdict. Nothing is recorded where it is an error; what is returned is durable and wakes the run.
    pub async fn decide(&self, id: ApprovalId, verdict: Verdict, by: Option<String>) -> Result<Approval, DecideError> {
        let now = Timestamp::now();
        let approval = self.store.approval(id, now).await?.ok_or(DecideError::Unknown(id))?;
        match approval.status {
            ApprovalStatus::Decided => return Err(DecideError::Already(Box::new(approval))),
            ApprovalStatus::Expired => return Err(DecideError::Expired(Box::new(approval))),
            ApprovalStatus::Withdrawn => return Err(DecideError::Withdrawn(Box::new(approval))),
            ApprovalStatus::Pending => {}
        }
        if verdict.hash != approval.hash {
            return Err(DecideError::Stale(Box::new(approval)));
        }
        self.check(&approval, &verdict).await?;
        let answer =
            serde_json::to_value(&verdict).map_err(|error| StoreError::Damaged { detail: error.to_string() })?;
        let event = Event::Answered { name: approval.name.clone(), answer: answer.clone(), by: by.clone() };
        let entry = Entry { key: answer_key(&approval.name), input: None, at: now, event };
        match self.store.signal(approval.run, entry).await? {
            Signalled::Recorded => {
                let decided = Some(Decided { answer, by, at: now });
                Ok(Approval { status: ApprovalStatus::Decided, decided, ..approval })
            }
            Signalled::Late(first) => Err(too_late(approval, &first)),
            Signalled::Ended(_) => {
                Err(DecideError::Withdrawn(Box::new(Approval { status: ApprovalStatus::Withdrawn, ..approval })))
            }
        }
    }

    /// Whether what a person wants can be done.
    async fn check(&self, approval: &Approval, verdict: &Verdict) -> Result<(), DecideError> {
        let findings = match (&verdict.decision, &approval.proposal.subject) {
            (Ruling::Approve | Ruling::Reject, _) | (Ruling::Respond { .. }, Subject::Call { .. }) => return Ok(()),
            (Ruling::Respond { .. }, Subject::Plan { .. }) if self.models.is_empty() => {
                return Err(DecideError::Unheard(Box::new(approval.clone())));
            }
            (Ruling::Respond { .. }, Subject::Plan { .. }) => return Ok(()),
            (Ruling::Edit { plan }, subject) => {
                let ledger = self.ledger(approval.run).await?;
                let budget = match request_of(&ledger) {
                    Some(request) => self.budget_for(&request),
                    None => self.settings.budget.clone(),
                };
                let given = self.measures(&budget);
                match subject {
                    Subject::Plan { agent, .. } => {
                        let given = verify::Given { configuration: agent.as_deref(), ..given };
                        edit::plan(plan, &given).map(drop)
                    }
                    Subject::Call { step, call } => match self.tools.tool(&call.tool) {
                        Some(tool) => edit::arguments(&given, &Known::default(), step.as_ref(), tool.spec(), plan),
                        None => Err(vec![Finding::new(
                            Code::UnknownTool,
                            None,
                            format!("there is no tool `{}`", call.tool),
                        )]),
                    },
                }
            }
        };
        findings.map_err(|findings| DecideError::Unsound { approval: Box::new(approval.clone()), findings })
    }
}

/// What somebody hears who was not the first.
fn too_late(approval: Approval, first: &Recorded) -> DecideError {
    let Event::Answered { answer, by, .. } = &first.entry.event else {
        return DecideError::Already(Box::new(approval));
    };
    if answer.is_null() {
        return DecideError::Expired(Box::new(Approval { status: ApprovalStatus::Expired, ..approval }));
    }
    let decided = Some(Decided { answer: answer.clone(), by: by.clone(), at: first.entry.at });
    DecideError::Already(Box::new(Approval { status: ApprovalStatus::Decided, decided, ..approval }))
}
