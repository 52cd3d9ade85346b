//! `get_run`, `list_runs`, `cancel` and `answer`: what became of requests, and what can be done about them.

use domain::id::RunId;
use domain::run::RunStatus;
use domain::store::RunFilter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::{Offered, Reply, Touch};
use super::desk::Desk;
use super::standing::Standing;
use crate::access::{Area, Role};
use crate::error::ApiError;
use crate::runs::{acts, summary};
use crate::schema::{self, Line, Words};

/// A run.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    /// The run, as `run_…`.
    #[schemars(with = "String")]
    run: RunId,
}

async fn stands(desk: &Desk, run: RunId) -> Result<Reply<Standing>, ApiError> {
    let summary = summary(&desk.app, run).await?;
    Ok(Reply::Answer(Standing::of(&desk.app, summary).await?))
}

/// `get_run`
pub(super) struct Get;

impl Offered for Get {
    const NAME: &'static str = "get_run";
    const WORDS: &'static str = "Says how a run stands: its answer, why it failed, or what it waits for.";
    const NEEDS: (Area, Role) = (Area::Runs, Role::Viewer);
    const TOUCH: Touch = Touch::Looks;
    type Arguments = Which;
    type Answer = Standing;

    async fn call(desk: Desk, Which { run }: Which) -> Result<Reply<Standing>, ApiError> {
        stands(&desk, run).await
    }

    fn words(standing: &Standing) -> String {
        standing.words()
    }
}

/// `list_runs`
pub(super) struct List;

/// Which runs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    /// Only runs that stand so.
    status: Option<RunStatus>,
    /// At most so many; 20 when absent.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u16>,
}

/// Runs, newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Runs {
    runs: Vec<Standing>,
    /// How many there are in all.
    total: u64,
}

impl Offered for List {
    const NAME: &'static str = "list_runs";
    const WORDS: &'static str = "Lists runs, newest first, with how each stands.";
    const NEEDS: (Area, Role) = (Area::Runs, Role::Viewer);
    const TOUCH: Touch = Touch::Looks;
    type Arguments = Filter;
    type Answer = Runs;

    async fn call(desk: Desk, Filter { status, limit }: Filter) -> Result<Reply<Runs>, ApiError> {
        let limit = schema::page_length(limit)?;
        let filter = RunFilter { status: status.into_iter().collect(), ..RunFilter::default() };
        let page = desk.app.store.runs(&filter, None, limit).await?;
        let total = desk.app.store.count(&filter).await?;
        let mut runs = Vec::new();
        for summary in page.runs {
            runs.push(Standing::of(&desk.app, summary).await?);
        }
        Ok(Reply::Answer(Runs { runs, total }))
    }
}

/// `cancel`
pub(super) struct Cancel;

/// A run that is to stop.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ToCancel {
    /// The run, as `run_…`.
    #[schemars(with = "String")]
    run: RunId,
    /// Why, in a few words; it stands in the ledger.
    #[schemars(with = "Option<String>")]
    reason: Option<Line>,
}

impl Offered for Cancel {
    const NAME: &'static str = "cancel";
    const WORDS: &'static str = "Asks a run to stop. What it has done already stays done.";
    const NEEDS: (Area, Role) = (Area::Runs, Role::Runner);
    const TOUCH: Touch = Touch::Settles;
    type Arguments = ToCancel;
    type Answer = Standing;

    async fn call(desk: Desk, ToCancel { run, reason }: ToCancel) -> Result<Reply<Standing>, ApiError> {
        acts::stop(&desk.app, &desk.caller, run, reason.map(String::from)).await?;
        stands(&desk, run).await
    }

    fn words(standing: &Standing) -> String {
        match standing.status {
            RunStatus::Cancelled => standing.words(),
            _ => format!("{} was asked to stop", standing.run),
        }
    }
}

/// `answer`
pub(super) struct Answer;

/// An answer to what a run asks.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ToAnswer {
    /// The run, as `run_…`.
    #[schemars(with = "String")]
    run: RunId,
    /// The answer: words, or `yes` or `no`.
    #[schemars(with = "String")]
    answer: Words,
    /// Which question, by its name; may be left out where one thing is asked.
    #[schemars(with = "Option<String>")]
    name: Option<Line>,
}

impl Offered for Answer {
    const NAME: &'static str = "answer";
    const WORDS: &'static str = "Answers what a run asks a person, so that it goes on. Proposals are decided with \
        `approve`.";
    const NEEDS: (Area, Role) = (Area::Runs, Role::Runner);
    const TOUCH: Touch = Touch::Settles;
    type Arguments = ToAnswer;
    type Answer = Standing;

    async fn call(desk: Desk, ToAnswer { run, answer, name }: ToAnswer) -> Result<Reply<Standing>, ApiError> {
        acts::give(&desk.app, &desk.caller, run, name.map(String::from), answer.into()).await?;
        stands(&desk, run).await
    }

    fn words(standing: &Standing) -> String {
        format!("the answer is on record and {} goes on; `get_run` says how it stands", standing.run)
    }
}
