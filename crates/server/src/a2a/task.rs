//! A run as a task: where it stands, what it asks, and its answer.

use domain::event::Seq;
use domain::run::{FailureKind, RunStatus, RunSummary};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::dialect::{Dialect, State};
use crate::app::App;
use crate::error::ApiError;
use crate::mcp::standing::{SettledBy, Standing};

/// A run as other agents see it.
pub(super) struct Task {
    /// The run.
    pub(super) id: String,
    /// The conversation it belongs to.
    pub(super) context: String,
    pub(super) state: State,
    standing: Standing,
    updated_at: Timestamp,
}

/// How much of a task is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// How many messages; all where nobody says.
    pub(super) history: Option<u64>,
    /// Whether the answer is told as well.
    pub(super) artifacts: bool,
}

impl Shown {
    pub(super) const ALL: Shown = Shown { history: None, artifacts: true };
}

impl Task {
    pub(super) async fn of(app: &App, summary: RunSummary) -> Result<Self, ApiError> {
        let (id, updated_at) = (summary.run.to_string(), summary.updated_at);
        // A run that nobody gave a context is one of its own.
        let context = summary.session.as_ref().map_or_else(|| id.clone(), |session| session.as_str().to_owned());
        let standing = Standing::of(app, summary).await?;
        let asks = standing.waits_for.iter().any(|wanted| wanted.settled_by != SettledBy::Time);
        let state = match standing.status {
            RunStatus::Pending => State::Submitted,
            RunStatus::Waiting if asks => State::InputRequired,
            RunStatus::Running | RunStatus::Waiting => State::Working,
            RunStatus::Completed => State::Completed,
            RunStatus::Failed if standing.failure == Some(FailureKind::Rejected) => State::Rejected,
            RunStatus::Failed => State::Failed,
            RunStatus::Cancelled => State::Canceled,
        };
        Ok(Self { id, context, state, standing, updated_at })
    }

    /// The whole task.
    pub(super) fn written(&self, dialect: Dialect, shown: Shown) -> Value {
        let mut task = Map::new();
        task.insert("id".to_owned(), json!(self.id));
        task.insert("contextId".to_owned(), json!(self.context));
        task.insert("status".to_owned(), self.status(dialect, self.state, None));
        if shown.artifacts {
            task.insert("artifacts".to_owned(), json!(self.artifact(dialect).into_iter().collect::<Vec<_>>()));
        }
        if shown.history != Some(0) {
            let asked = dialect.message(
                &format!("{}-request", self.id),
                false,
                self.names(),
                vec![dialect.text(&self.standing.text)],
            );
            task.insert("history".to_owned(), json!([asked]));
        }
        dialect.kind("task", Value::Object(task))
    }

    /// Where it stands or stood; `news` is what had just happened then.
    pub(super) fn status(&self, dialect: Dialect, state: State, news: Option<(&str, Seq)>) -> Value {
        let mut status = Map::new();
        status.insert("state".to_owned(), json!(dialect.state(state)));
        status.insert("timestamp".to_owned(), json!(moment(self.updated_at)));
        let (name, parts) = match news {
            Some((words, seq)) => (seq.to_string(), vec![dialect.text(words)]),
            None => ("status".to_owned(), self.parts(dialect)),
        };
        if !parts.is_empty() {
            let message = dialect.message(&format!("{}-{name}", self.id), true, self.names(), parts);
            status.insert("message".to_owned(), message);
        }
        Value::Object(status)
    }

    /// What there is to say about where it stands.
    fn parts(&self, dialect: Dialect) -> Vec<Value> {
        match self.state {
            State::InputRequired => {
                let words: Vec<String> = self.standing.waits_for.iter().map(|wanted| wanted.in_full()).collect();
                // Our own types always serialise.
                let asked = serde_json::to_value(&self.standing.waits_for).unwrap_or_default();
                vec![dialect.text(&words.join("\n\n")), dialect.data(json!({ "waits_for": asked }))]
            }
            State::Failed | State::Canceled | State::Rejected => vec![dialect.text(&self.standing.words())],
            State::Submitted | State::Working | State::Completed => Vec::new(),
        }
    }

    /// The answer, once there is one.
    pub(super) fn artifact(&self, dialect: Dialect) -> Option<Value> {
        let answer = self.standing.answer.as_ref()?;
        let id = format!("{}-answer", self.id);
        Some(json!({"artifactId": id, "name": "answer", "parts": [dialect.text(answer)]}))
    }

    pub(super) fn names(&self) -> (&str, &str) {
        (&self.id, &self.context)
    }
}

/// With milliseconds, as the protocol has it.
fn moment(at: Timestamp) -> String {
    format!("{at:.3}")
}
