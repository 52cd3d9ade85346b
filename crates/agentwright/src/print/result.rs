//! What came of a run: what `run`, `compare` and the last line of `stream-json` say.

use domain::budget::Spent;
use domain::event::Wait;
use domain::id::{RunId, ToolName};
use domain::plan::{Plan, Strategy};
use domain::run::{Ending, FailureKind, RunStatus};
use domain::view::{IntentCounts, RunView};
use serde::Serialize;

/// What came of a run. Its JSON is stable: fields are added, never changed.
#[derive(Debug, Clone, Serialize)]
pub struct RunResult {
    /// Which run.
    pub run: RunId,
    /// Where it stands.
    pub status: RunStatus,
    /// The answer; of a failed run, what was found out before.
    pub answer: Option<String>,
    /// Why there is none.
    pub error: Option<String>,
    /// What kind of failure it was.
    pub failure: Option<FailureKind>,
    /// How agents were made from the plan.
    pub strategy: Option<Strategy>,
    /// The newest plan.
    pub plan: Option<Plan>,
    /// How many versions of the plan there were.
    pub plan_versions: usize,
    /// Who worked on it, in the order of first appearance.
    pub chain: Vec<String>,
    /// The tools that agents were given.
    pub tools_selected: Vec<ToolName>,
    /// The tools that were really called.
    pub tools_used: Vec<ToolName>,
    /// How many turns agents took.
    pub iterations: u32,
    /// How many intents there were, and how they ended.
    pub intents: IntentCounts,
    /// What it waits for.
    pub waits: Vec<Wait>,
    /// What it used.
    pub spent: Spent,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl RunResult {
    /// Puts together what a run's view says.
    pub fn of(run: RunId, view: &RunView, seconds: f64) -> Self {
        let (answer, error, failure) = match &view.ending {
            None => (None, None, None),
            Some(Ending::Completed { answer }) => (Some(answer.clone()), None, None),
            Some(Ending::Failed { reason, error, answer }) => (answer.clone(), Some(error.clone()), Some(*reason)),
            Some(Ending::Cancelled { reason }) => (None, reason.clone(), None),
        };
        Self {
            run,
            status: view.status.unwrap_or(RunStatus::Pending),
            answer,
            error,
            failure,
            strategy: view.strategy,
            plan: view.plans.last().map(|(plan, _)| plan.clone()),
            plan_versions: view.plans.len(),
            chain: view.chain.clone(),
            tools_selected: view.tools_selected.clone(),
            tools_used: view.tools_used.clone(),
            iterations: view.iterations,
            intents: view.intents,
            waits: view.waits.clone(),
            spent: view.spent,
            seconds: (seconds * 1000.0).round() / 1000.0,
        }
    }
}

/// The last line of `stream-json`: the result among the events.
#[derive(Debug, Serialize)]
pub struct LastLine<'r> {
    kind: &'static str,
    data: &'r RunResult,
}

impl<'r> LastLine<'r> {
    /// The line for a result.
    pub fn of(result: &'r RunResult) -> Self {
        Self { kind: "result", data: result }
    }
}
