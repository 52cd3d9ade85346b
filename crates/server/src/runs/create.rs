//! Asking for something: a request becomes a run.

use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use domain::budget::Budget;
use domain::hash::Hash;
use domain::id::{RunId, SessionId};
use domain::money::Usd;
use domain::plan::Strategy;
use domain::request::{Request, Wishes};
use domain::run::{RunStatus, RunSummary};
use domain::thought::Orchestration;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{Run, location, summary};
use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Created, Problem};
use crate::extract::{Json, Query};
use crate::idempotency::{self, Once};
use crate::openapi::Nothing;
use crate::schema::{self, Line, Words};

/// The most dollars that can be named.
const MOST_DOLLARS: f64 = 1_000_000.0;

/// A request and how it is to be carried out.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRun {
    #[schema(schema_with = schema::words)]
    text: Words,
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::session, required = false)]
    session: Option<SessionId>,
    /// Who asks; the server's own person when absent.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    user: Option<Line>,
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::zone, required = false)]
    zone: Option<Zone>,
    /// Where they are, in words; the server's own place when absent.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    place: Option<Line>,
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::strategy, required = false)]
    strategy: Option<Strategy>,
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::orchestration, required = false)]
    orchestration: Option<Orchestration>,
    /// What models may cost, in dollars; the configured budget when absent.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(value_type = f64, minimum = 0, maximum = 1_000_000, required = false, nullable = false)]
    max_cost_usd: Option<Dollars>,
    /// A plan to be carried out as it is: no planner is asked.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(value_type = Object, required = false, nullable = false)]
    plan: Option<Map<String, Value>>,
    /// Stop after planning.
    #[serde(default)]
    plan_only: bool,
    /// Record what would be written to the world, but write nothing.
    #[serde(default)]
    dry: bool,
    /// Undo and repair steps whose result fails their check.
    #[serde(default)]
    validate: bool,
    /// Answer only once the run ends or waits for somebody, or after so many seconds.
    #[serde(default, deserialize_with = "schema::whole")]
    #[schema(value_type = u64, minimum = 0, maximum = 30, default = 0)]
    wait: Seconds,
}

/// A time zone that there is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Zone(String);

impl TryFrom<String> for Zone {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match TimeZone::get(&name) {
            Ok(zone) if zone.iana_name() == Some(name.as_str()) => Ok(Self(name)),
            _ => Err(format!("there is no time zone `{name}`; they are named like `Europe/Oslo`")),
        }
    }
}

impl From<Zone> for String {
    fn from(zone: Zone) -> String {
        zone.0
    }
}

/// An amount of money that somebody can mean.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
struct Dollars(f64);

impl TryFrom<f64> for Dollars {
    type Error = String;

    fn try_from(dollars: f64) -> Result<Self, String> {
        let holds = (0.0..=MOST_DOLLARS).contains(&dollars);
        if holds { Ok(Self(dollars)) } else { Err(format!("it must be between 0 and {MOST_DOLLARS}")) }
    }
}

impl From<Dollars> for f64 {
    fn from(dollars: Dollars) -> f64 {
        dollars.0
    }
}

/// How long somebody can wait for an answer.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
struct Seconds(u64);

impl TryFrom<u64> for Seconds {
    type Error = String;

    fn try_from(seconds: u64) -> Result<Self, String> {
        if seconds <= 30 { Ok(Self(seconds)) } else { Err("it can be 0 to 30 seconds".into()) }
    }
}

impl From<Seconds> for u64 {
    fn from(seconds: Seconds) -> u64 {
        seconds.0
    }
}

/// `POST /v1/runs`: asks for something. The run is durable when its id is answered.
#[utoipa::path(
    post, path = "/v1/runs", tag = "runs", request_body = NewRun,
    params(Once),
    responses(
        (status = 201, body = Run, headers(("Location" = String, description = "where the run is found"))),
        (status = 409, body = Problem, description = "the `Idempotency-Key` was used with another body")
    )
)]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(new): Json<NewRun>,
) -> Result<Created<Run>, ApiError> {
    let wait = Duration::from_secs(new.wait.0);
    let run = match idempotency::key(&headers)? {
        Some(key) => idempotency::run_for(&app, &caller, key, Hash::of_json(&new)).await?,
        None => RunId::fresh(),
    };
    app.runtime.accept_as(run, new.request(&app)).await?;
    app.dispatch.nudge(run).await;
    Ok(Created { location: location(run), body: settled(&app, run, wait).await?.into() })
}

/// The run once it ends or waits, or as it stands when patience ends.
async fn settled(app: &App, run: RunId, patience: Duration) -> Result<RunSummary, ApiError> {
    let rests = |it: &RunSummary| it.status.is_final() || it.status == RunStatus::Waiting;
    let resting = async {
        loop {
            let summary = summary(app, run).await?;
            if rests(&summary) {
                return Ok::<_, ApiError>(summary);
            }
            app.store.grown(run, summary.events).await?;
        }
    };
    tokio::select! {
        biased;
        rested = resting, if !patience.is_zero() => rested,
        () = tokio::time::sleep(patience) => summary(app, run).await,
        () = app.closing.cancelled() => summary(app, run).await,
    }
}

impl NewRun {
    fn request(self, app: &App) -> Request {
        let configured = &app.runtime.settings.budget;
        let budget =
            self.max_cost_usd.map(|Dollars(cost)| Budget { usd: Some(Usd::dollars(cost)), ..configured.clone() });
        Request {
            text: self.text.0,
            at: Timestamp::now(),
            zone: self.zone.map(String::from).or_else(|| TimeZone::system().iana_name().map(str::to_owned)),
            place: self.place.map(String::from).or_else(|| app.person.place.clone()),
            session: self.session,
            user: self.user.map(String::from).or_else(|| app.person.name.clone()),
            earlier: Vec::new(),
            wishes: Wishes {
                strategy: self.strategy,
                orchestration: self.orchestration,
                budget,
                plan: self.plan.map(Value::Object),
                plan_only: self.plan_only,
                validate: self.validate,
                dry: self.dry,
                ..Wishes::default()
            },
        }
    }
}
