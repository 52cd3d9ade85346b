//! `/metrics`: figures about this process and what it does, for Prometheus.
//!
//! What happens is counted as it happens, by atomics; what is open is looked up when somebody asks.

mod figures;
mod page;
mod process;
mod text;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::event::{Entry, Event, Need, Outcome, Route};
use domain::id::{RunId, ToolName};
use domain::intent::Settlement;
use domain::tool::ToolError;
use jiff::Timestamp;
use runtime::Watch;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::Query;
use crate::openapi::Nothing;
use figures::{Counter, Durations, Family};

/// How many runs are remembered between their first event and their last. When there are more, all are forgotten, and
/// their route is not known when they end.
const OPEN: usize = 10_000;

/// What has happened in this process.
#[derive(Debug)]
pub struct Metrics {
    begun: Instant,
    accepted: Counter,
    /// By how they ended and which way they went.
    ended: Family<[&'static str; 2], Counter>,
    took: Family<&'static str, Durations>,
    models: Family<String, Model>,
    tools: Family<String, Tool>,
    intents: Family<&'static str, Counter>,
    approvals: Counter,
    requests: Family<Asked, Durations>,
    streams: AtomicI64,
    open: Mutex<HashMap<RunId, Begun>>,
}

/// What is known about a run that is under way.
#[derive(Debug, Default)]
struct Begun {
    at: Option<Timestamp>,
    route: Option<Route>,
}

/// What a model was asked.
#[derive(Debug, Default)]
struct Model {
    calls: Counter,
    failed: Counter,
    input: Counter,
    output: Counter,
    micros: Counter,
    took: Durations,
}

/// How calls of a tool went.
#[derive(Debug, Default)]
struct Tool {
    calls: Counter,
    failed: Counter,
    took: Durations,
}

/// A kind of HTTP request: by method, by the path it was declared with, and by the status of its answer.
type Asked = (String, String, u16);

impl Default for Metrics {
    fn default() -> Self {
        Self {
            begun: Instant::now(),
            accepted: Counter::default(),
            ended: Family::default(),
            took: Family::default(),
            models: Family::default(),
            tools: Family::default(),
            intents: Family::default(),
            approvals: Counter::default(),
            requests: Family::default(),
            streams: AtomicI64::default(),
            open: Mutex::default(),
        }
    }
}

/// A stream of events that somebody reads, until it is dropped.
pub(crate) struct Streaming(Arc<Metrics>);

impl Drop for Streaming {
    fn drop(&mut self) {
        self.0.streams.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// A request was answered.
    pub(crate) fn answered(&self, method: &str, path: &str, status: u16, took: Duration) {
        let asked = (method.to_owned(), path.to_owned(), status);
        self.requests.of(&asked, || ("OTHER".to_owned(), "other".to_owned(), status)).add(took);
    }

    /// A stream of events begins.
    pub(crate) fn streaming(self: &Arc<Self>) -> Streaming {
        self.streams.fetch_add(1, Ordering::Relaxed);
        Streaming(Arc::clone(self))
    }

    fn take(&self, run: RunId, entry: &Entry) {
        match &entry.event {
            Event::Received { .. } => {
                self.accepted.add(1);
                self.begun(run, |begun| begun.at = Some(entry.at));
            }
            Event::Routed { route, .. } => self.begun(run, |begun| begun.route = Some(*route)),
            Event::ModelCalled { model, reply, millis, .. } => {
                let model = self.models.of(model.as_str(), other);
                model.calls.add(1);
                model.took.add(Duration::from_millis(*millis));
                match reply {
                    Outcome::Ok(reply) => {
                        model.input.add(reply.usage.input_tokens);
                        model.output.add(reply.usage.output_tokens);
                        model.micros.add((reply.usage.cost.as_dollars() * 1e6).round() as u64);
                    }
                    Outcome::Err(_) => model.failed.add(1),
                }
            }
            Event::ToolCalled { tool, result, millis, .. } => {
                let tool = self.tools.of(tool.as_str(), other);
                tool.calls.add(1);
                tool.failed.add(u64::from(matches!(result, Outcome::Err(_))));
                tool.took.add(Duration::from_millis(*millis));
            }
            Event::IntentDeclared { intent } => self.tools.of(intent.tool.as_str(), other).calls.add(1),
            Event::IntentSettled { settlement, .. } => self.settled(settlement),
            Event::Waiting { wait } if matches!(wait.need, Need::Approval { .. }) => self.approvals.add(1),
            Event::Finished { ending, .. } => {
                let begun = self.open().remove(&run).unwrap_or_default();
                let route = begun.route.map_or("unknown", Route::word);
                self.ended.of(&[ending.status().word(), route], || ["other", "other"]).add(1);
                let took = begun.at.and_then(|at| entry.at.duration_since(at).try_into().ok());
                if let Some(took) = took {
                    self.took.of(&route, || "other").add(took);
                }
            }
            _ => {}
        }
    }

    fn settled(&self, settlement: &Settlement) {
        if let Settlement::Failed { error } = settlement
            && let Some(tool) = concerned(error)
        {
            self.tools.of(tool.as_str(), other).failed.add(1);
        }
        self.intents.of(&settlement.status().word(), || "other").add(1);
    }

    fn begun(&self, run: RunId, change: impl FnOnce(&mut Begun)) {
        let mut open = self.open();
        // Those that wait may have been taken up elsewhere and never end here.
        if open.len() >= OPEN {
            open.clear();
        }
        change(open.entry(run).or_default());
    }

    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<RunId, Begun>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tool that an error is about.
fn concerned(error: &ToolError) -> Option<&ToolName> {
    match error {
        ToolError::BadArguments { tool, .. }
        | ToolError::Unavailable { tool, .. }
        | ToolError::Failed { tool, .. }
        | ToolError::TimedOut { tool, .. }
        | ToolError::InDoubt { tool, .. }
        | ToolError::Denied { tool, .. } => Some(tool),
        ToolError::Unknown { .. } | ToolError::OverBudget { .. } => None,
    }
}

fn other() -> String {
    "other".to_owned()
}

impl Watch for Metrics {
    fn recorded(&self, run: RunId, entries: &[Entry]) {
        entries.iter().for_each(|entry| self.take(run, entry));
    }

    fn rested(&self, run: RunId) {
        // Whoever waits does not take long: somebody else does.
        if let Some(begun) = self.open().get_mut(&run) {
            begun.at = None;
        }
    }
}

/// `GET /metrics`: figures about the server and what it does, as Prometheus reads them.
#[utoipa::path(
    get, path = "/metrics", tag = "operations",
    responses((status = 200, body = String, content_type = "text/plain", description = "figures"))
)]
pub(crate) async fn show(State(app): State<App>, _: Query<Nothing>) -> Result<Response, ApiError> {
    let vitals = app.store.vitals(Timestamp::now()).await?;
    let (guidelines, experiments) = (app.store.guidelines().await?, app.store.experiments(true).await?);
    let points = guidelines.iter().map(|version| version.points.len()).sum();
    let seen = page::Seen { vitals, points, experiments: experiments.len() };
    Ok(([(CONTENT_TYPE, text::TYPE)], page::written(&app.metrics, &seen)).into_response())
}
