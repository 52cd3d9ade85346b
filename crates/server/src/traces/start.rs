//! A trace begins.

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use domain::guideline::{ExperimentId, LessonId, Trial};
use domain::id::TraceId;
use domain::symbol::Symbol;
use domain::trace::{Piece, Untrusted};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Created, Problem};
use crate::extract::{Json, Query};
use crate::idempotency;
use crate::openapi::Nothing;
use crate::otlp::named;
use crate::schema::{self, Line};

/// What a trace is about.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTrace {
    /// What it is to be called; a new name when absent. The same again says anew what it is about.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::trace_id, required = false)]
    id: Option<TraceId>,
    /// What kind of agent it is: what guidelines are addressed to.
    #[schema(schema_with = schema::line)]
    agent: Line,
    /// What kind of problem it has.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    problem: Option<Line>,
    /// The very problem, where several traces are attempts at one.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    task: Option<Line>,
    /// The model or program that does it.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    system: Option<Line>,
    /// For whom it is done.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(schema_with = schema::line, required = false)]
    user: Option<Line>,
    /// What was asked.
    #[serde(default, deserialize_with = "schema::present")]
    #[schema(nullable = false)]
    context: Option<String>,
    /// The learnt points it was told.
    #[serde(default)]
    #[schema(schema_with = schema::lines, required = false)]
    lessons: Vec<Line>,
    /// The experiments it takes part in.
    #[serde(default)]
    trials: Vec<Part>,
    /// When it began; now when absent.
    #[serde(default, deserialize_with = "schema::perhaps_moment", skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    started_at: Option<Timestamp>,
}

/// A part in an experiment.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PartInExperiment)]
struct Part {
    /// In which.
    #[schema(schema_with = schema::line)]
    experiment: Line,
    /// What it gets.
    arm: Arm,
}

/// What somebody gets in an experiment.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Arm {
    Control,
    Candidate,
}

/// A trace that has begun.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Begun {
    /// What to send everything else to.
    #[schema(schema_with = schema::trace_id)]
    id: TraceId,
}

/// `POST /v1/traces`: begins a trace. It is durable when its id is answered.
#[utoipa::path(
    post, path = "/v1/traces", tag = "traces", params(idempotency::Once), request_body = NewTrace,
    responses(
        (status = 201, body = Begun, headers(("Location" = String, description = "where the trace is found"))),
        (status = 409, body = Problem, description = "the id is somebody else's, or the `Idempotency-Key` was used with another body")
    )
)]
pub(crate) async fn start(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(new): Json<NewTrace>,
) -> Result<Created<Begun>, ApiError> {
    let once = super::once(&app, &caller, &headers, &("start", &new)).await?;
    let id = match &new.id {
        // Runs of ours are called so.
        Some(id) if id.as_str().starts_with("run_") => return Err(super::taken(id)),
        Some(id) => id.clone(),
        None => format!("trc_{}", once.name).parse().map_err(|error| ApiError::Broken(Box::new(error)))?,
    };
    let at = new.started_at.unwrap_or(once.at);
    super::keep(&app, &caller, super::part(&id, "about".into(), at, new.about())).await?;
    Ok(Created { location: format!("/v1/traces/{id}"), body: Begun { id } })
}

impl NewTrace {
    fn about(self) -> Piece {
        let symbol = |line: &Line| named(line.as_str());
        let trials = self.trials.into_iter().map(|part| Trial {
            experiment: ExperimentId(Symbol::of(part.experiment.as_str())),
            arm: match part.arm {
                Arm::Control => domain::guideline::Arm::Control,
                Arm::Candidate => domain::guideline::Arm::Candidate,
            },
        });
        Piece::About {
            depth: 0,
            agent: Some(symbol(&self.agent)),
            problem: self.problem.as_ref().map(symbol),
            task: self.task.as_ref().map(symbol),
            system: self.system.as_ref().map(symbol),
            user: self.user.as_ref().map(symbol),
            context: self.context.map(|text| Untrusted::text(&text)),
            lessons: self.lessons.iter().map(|line| LessonId(Symbol::of(line.as_str()))).collect(),
            trials: trials.collect(),
        }
    }
}
