//! What can be asked about tasks and done to them, but for following them.

use domain::id::{RunId, SessionId};
use domain::request::Wishes;
use domain::run::{RunStatus, RunSummary};
use domain::store::{Cursor, RunFilter};
use serde::Deserialize;
use serde_json::{Value, json};

use super::dialect::{Dialect, State};
use super::message::{Decision, Meant, Sent};
use super::rpc::Fault;
use super::task::{Shown, Task};
use crate::app::App;
use crate::approvals::decide;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::mcp::{run, watch};
use crate::runs::{acts, summary};

/// How many tasks a page has when nobody says.
const USUAL: u64 = 50;

/// A task.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Which {
    pub(super) id: String,
    history_length: Option<u64>,
}

impl Which {
    pub(super) fn run(&self) -> Result<RunId, Fault> {
        self.id.parse().map_err(|_| Fault::NoSuchTask(self.id.clone()))
    }
}

/// Which tasks.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Filter {
    #[serde(default)]
    context_id: String,
    #[serde(default)]
    status: String,
    page_size: Option<u64>,
    #[serde(default)]
    page_token: String,
    history_length: Option<u64>,
    #[serde(default)]
    include_artifacts: bool,
}

/// A message begins a task or answers one; the task is told once it rests, or at once.
pub(super) async fn send(app: &App, caller: &Caller, dialect: Dialect, sent: Sent) -> Result<Value, Fault> {
    let (waits, history) = (sent.configuration.waits(), sent.configuration.history_length);
    let run = take(app, caller, sent).await?;
    let summary = if waits { settled(app, run, Until::Rest).await? } else { summary(app, run).await? };
    let task = Task::of(app, summary).await?;
    Ok(dialect.answered(task.written(dialect, Shown { history, ..Shown::ALL })))
}

pub(super) async fn get(app: &App, dialect: Dialect, which: Which) -> Result<Value, Fault> {
    let task = Task::of(app, summary(app, which.run()?).await?).await?;
    Ok(task.written(dialect, Shown { history: which.history_length, ..Shown::ALL }))
}

pub(super) async fn cancel(app: &App, caller: &Caller, dialect: Dialect, which: Which) -> Result<Value, Fault> {
    let run = which.run()?;
    match acts::stop(app, caller, run, Some("another agent cancelled it".to_owned())).await {
        Err(ApiError::Conflict { message, .. }) => return Err(Fault::NotCancelable(message)),
        stopped => stopped?,
    }
    let task = Task::of(app, settled(app, run, Until::End).await?).await?;
    Ok(task.written(dialect, Shown::ALL))
}

pub(super) async fn list(app: &App, dialect: Dialect, which: Filter) -> Result<Value, Fault> {
    let size = which.page_size.unwrap_or(USUAL);
    if !(1..=100).contains(&size) {
        return Err(ApiError::invalid("pageSize", format!("`pageSize` is {size}; it can be 1 to 100")).into());
    }
    let wrong = |error: &dyn std::fmt::Display| ApiError::invalid("contextId", error.to_string());
    let session = match which.context_id.as_str() {
        "" => None,
        context => Some(context.parse::<SessionId>().map_err(|error| wrong(&error))?),
    };
    let filter = RunFilter { session, status: statuses(&which.status)?, ..RunFilter::default() };
    let cursor = Some(which.page_token).filter(|token| !token.is_empty()).map(Cursor);
    let page = app.store.runs(&filter, cursor.as_ref(), usize::try_from(size).unwrap_or(usize::MAX)).await?;
    let total = app.store.count(&filter).await?;
    let shown = Shown { history: which.history_length, artifacts: which.include_artifacts };
    let mut tasks = Vec::new();
    for summary in page.runs {
        tasks.push(Task::of(app, summary).await?.written(dialect, shown));
    }
    let next = page.next.map(|Cursor(next)| next).unwrap_or_default();
    Ok(json!({"tasks": tasks, "nextPageToken": next, "pageSize": size, "totalSize": total}))
}

/// In which states runs are whose tasks are in one.
fn statuses(word: &str) -> Result<Vec<RunStatus>, Fault> {
    if matches!(word, "" | "TASK_STATE_UNSPECIFIED") {
        return Ok(Vec::new());
    }
    let unknown = || ApiError::invalid("status", format!("there is no task in `{word}`"));
    Ok(vec![match State::from_word(word).ok_or_else(unknown)? {
        State::Submitted => RunStatus::Pending,
        State::Working => RunStatus::Running,
        State::InputRequired => RunStatus::Waiting,
        State::Completed => RunStatus::Completed,
        State::Failed | State::Rejected => RunStatus::Failed,
        State::Canceled => RunStatus::Cancelled,
    }])
}

/// Takes a message in: on return what it says is on record.
pub(super) async fn take(app: &App, caller: &Caller, sent: Sent) -> Result<RunId, Fault> {
    match sent.meant()? {
        Meant::Begin(words, context) => {
            let context = context.map_or_else(fresh_context, Ok)?;
            Ok(run::begin(app, words, Some(context), Wishes::default()).await?)
        }
        Meant::Answer(run, words) => {
            still_going(app, run).await?;
            acts::give(app, caller, run, None, words.into()).await?;
            Ok(run)
        }
        Meant::Decide(run, decision) => {
            still_going(app, run).await?;
            let Decision { approval, decide } = *decision;
            let decided = match caller.grant.allows(Area::Approvals, Role::Approver) {
                Ok(()) => decide::put(app, caller, approval, decide, None).await,
                Err(missing) => Err(missing.into()),
            };
            audit::went(app, caller, "A2A SendMessage", On("approval", approval.to_string()), &decided).await;
            decided?;
            Ok(run)
        }
    }
}

async fn still_going(app: &App, run: RunId) -> Result<(), Fault> {
    match summary(app, run).await?.status {
        status if status.is_final() => Err(Fault::NotPossible(format!("{run} is {} already", status.word()))),
        _ => Ok(()),
    }
}

fn fresh_context() -> Result<SessionId, ApiError> {
    let name = format!("a2a_{}", uuid::Uuid::now_v7().simple());
    name.parse().map_err(|error: domain::id::BadName| ApiError::Broken(error.into()))
}

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// That it has ended, or somebody has to say something.
    Rest,
    /// That it has ended.
    End,
}

/// The run once it has come that far, or as it stands when an answer is due.
async fn settled(app: &App, run: RunId, until: Until) -> Result<RunSummary, ApiError> {
    let coming = async {
        loop {
            let summary = summary(app, run).await?;
            let there = match until {
                Until::Rest => watch::rests(app, &summary).await?,
                Until::End => summary.status.is_final(),
            };
            if there {
                return Ok::<_, ApiError>(summary);
            }
            app.store.grown(run, summary.events).await?;
        }
    };
    tokio::select! {
        biased;
        there = coming => there,
        () = tokio::time::sleep(app.limits.request * 3 / 4) => summary(app, run).await,
        () = app.closing.cancelled() => summary(app, run).await,
    }
}
