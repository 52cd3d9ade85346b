//! `POST /agui`: runs as AG-UI's clients watch them, an event for what happens. What a person has to say first is an
//! interrupt, and the next run of the thread resumes with their answers.

mod input;
mod project;

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use utoipa::ToSchema;

use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
use crate::openapi::Nothing;
use crate::site::Reached;
use crate::talk::follow::{Follow, streamed};
use crate::talk::turn;

use input::NewAgentRun;
use project::Projected;

/// One event of a stream, as its fields are named.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it says what the document says about what `frame` writes")]
pub(crate) struct AgentEvent {
    /// An event of AG-UI 1.0 as JSON.
    data: String,
}

/// `POST /agui`: carries a thread on, and tells what happens as events of AG-UI 1.0.
#[utoipa::path(
    post, path = "/agui", tag = "agui", request_body = NewAgentRun,
    responses(
        (status = 200, body = AgentEvent, content_type = "text/event-stream", description = "one event after the other",
            headers(("X-Agentwright-Run" = String, description = "the run"))),
        (status = 404, body = Problem, description = "what is resumed was never asked, or there is no such model"),
        (status = 409, body = Problem, description = "what is resumed was answered already, or is not asked any more"),
        (status = 410, body = Problem, description = "it is too late to decide this")
    )
)]
pub(crate) async fn run(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(reached): Extension<Reached>,
    _: Query<Nothing>,
    Json(new): Json<NewAgentRun>,
) -> Result<Response, ApiError> {
    let (projected, origin) = (Projected::new(&new), reached.base());
    let turn = match new.resumes() {
        true => input::resumed(&app, &caller, new, origin).await?,
        false => turn::take(&app, &caller, new.talk()?, None, origin).await?,
    };
    Ok(streamed(Follow::new(&app, &caller, turn), projected))
}
