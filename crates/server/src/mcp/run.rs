//! `run` and `plan`: a request in words becomes a run, and whoever asked waits for it.

use std::time::Duration;

use domain::id::{RunId, SessionId};
use domain::plan::Strategy;
use domain::request::{Request, Wishes};
use domain::run::{RunStatus, RunSummary};
use domain::view::fold;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ask::{self, Next};
use super::catalogue::{Offered, Reply, Touch};
use super::desk::Desk;
use super::standing::Standing;
use super::watch::{Watched, watch};
use crate::access::{Area, Role};
use crate::app::App;
use crate::error::ApiError;
use crate::schema::Words;

/// How long somebody waits who does not say how long.
const USUAL: u64 = 30;

/// `run`
pub(super) struct Ask;

/// A request.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// What is to be done or found out, in plain words.
    #[schemars(with = "String")]
    text: Words,
    /// The conversation it belongs to: letters, digits, `_` and `-`. Later requests of one can refer to earlier ones.
    #[schemars(with = "Option<String>")]
    session: Option<SessionId>,
    /// How agents are made from a plan; chosen for you when absent.
    strategy: Option<Strategy>,
    /// How long to wait for the answer, in seconds; 30 when absent. The run goes on afterwards.
    #[schemars(range(max = 600))]
    wait_seconds: Option<u64>,
    /// Record what would be written to the world, but write nothing.
    #[serde(default)]
    dry: bool,
}

impl Offered for Ask {
    const NAME: &'static str = "run";
    const WORDS: &'static str = "Does or finds out something, asked for in plain words, and answers with the result, or \
        with what a person has to approve or answer first.";
    const NEEDS: (Area, Role) = (Area::Runs, Role::Runner);
    const TOUCH: Touch = Touch::Acts;
    type Arguments = Asked;
    type Answer = Standing;

    async fn call(desk: Desk, asked: Asked) -> Result<Reply<Standing>, ApiError> {
        let patience = desk.patience(asked.wait_seconds.unwrap_or(USUAL));
        let wishes = Wishes { strategy: asked.strategy, dry: asked.dry, ..Wishes::default() };
        let (run, may_ask) = match ask::taken_up(&desk).await? {
            Some(earlier) => (earlier.run, earlier.answered),
            None => (begin(&desk.app, asked.text, asked.session, wishes).await?, true),
        };
        loop {
            let summary = waited(&desk, run, patience).await?;
            let standing = Standing::of(&desk.app, summary).await?;
            // Whoever does not want to answer is not asked again.
            let next = if may_ask { ask::next(&desk, &standing).await? } else { Next::Tell };
            match next {
                Next::Tell => return Ok(Reply::Answer(standing)),
                Next::AskFirst(questions) => return Ok(Reply::AskFirst(questions)),
                Next::GoOn => {}
            }
        }
    }

    fn words(standing: &Standing) -> String {
        standing.words()
    }

    fn went_wrong(standing: &Standing) -> bool {
        standing.status == RunStatus::Failed
    }
}

/// `plan`
pub(super) struct Plan;

/// A request that is only to be planned.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ToPlan {
    /// What is to be planned, in plain words.
    #[schemars(with = "String")]
    text: Words,
    /// How agents are made from a plan; chosen for you when absent.
    strategy: Option<Strategy>,
    /// How long to wait for the plan, in seconds; 30 when absent.
    #[schemars(range(max = 600))]
    wait_seconds: Option<u64>,
}

/// A plan that nobody carries out.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Planned {
    standing: Standing,
    /// The plan: its goal, its steps and its answer; absent where there is none yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Value>,
}

impl Offered for Plan {
    const NAME: &'static str = "plan";
    const WORDS: &'static str = "Plans a request and carries nothing out: answers with the steps, the tools and who would \
        do them.";
    const NEEDS: (Area, Role) = (Area::Runs, Role::Runner);
    const TOUCH: Touch = Touch::Acts;
    type Arguments = ToPlan;
    type Answer = Planned;

    async fn call(desk: Desk, asked: ToPlan) -> Result<Reply<Planned>, ApiError> {
        let patience = desk.patience(asked.wait_seconds.unwrap_or(USUAL));
        let wishes = Wishes { strategy: asked.strategy, plan_only: true, ..Wishes::default() };
        let run = begin(&desk.app, asked.text, None, wishes).await?;
        let summary = waited(&desk, run, patience).await?;
        let view = fold(&desk.app.runtime.ledger(run).await?);
        // Our own types always serialise.
        let plan = view.plans.last().and_then(|(plan, _)| serde_json::to_value(plan).ok());
        Ok(Reply::Answer(Planned { standing: Standing::of(&desk.app, summary).await?, plan }))
    }

    fn went_wrong(planned: &Planned) -> bool {
        planned.standing.status == RunStatus::Failed
    }
}

/// Takes a request in; on return it is durable and somebody is about to begin.
pub(crate) async fn begin(
    app: &App,
    text: Words,
    session: Option<SessionId>,
    wishes: Wishes,
) -> Result<RunId, ApiError> {
    let request = Request {
        text: text.0,
        at: Timestamp::now(),
        zone: TimeZone::system().iana_name().map(str::to_owned),
        place: app.person.place.clone(),
        session,
        user: app.person.name.clone(),
        earlier: Vec::new(),
        wishes,
    };
    let run = RunId::fresh();
    app.runtime.accept_as(run, request).await?;
    app.dispatch.nudge(run).await;
    Ok(run)
}

/// The run once it rests or patience ends. A caller who does not want the answer any more does not want the run either.
async fn waited(desk: &Desk, run: RunId, patience: Duration) -> Result<RunSummary, ApiError> {
    match watch(desk, run, patience).await? {
        Watched::Stands(summary) => Ok(*summary),
        Watched::Abandoned => {
            desk.app.runtime.cancel(run, Some("the MCP client cancelled it".to_owned())).await?;
            desk.app.dispatch.nudge(run).await;
            crate::runs::summary(&desk.app, run).await
        }
    }
}
