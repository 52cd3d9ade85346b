//! `POST /v1/chat/completions`: a conversation in, its next message out, at once or as events.

mod answer;
mod body;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::hash::Hash;
use utoipa::ToSchema;

use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
use crate::idempotency::{self, Once};
use crate::openapi::Nothing;
use crate::site::Reached;
use crate::talk::follow::{Follow, streamed, whole};
use crate::talk::turn;

use answer::{Completion, Told};
use body::NewCompletion;

pub(crate) use body::{Said, Session, session};

/// One event of a stream, as its fields are named.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it says what the document says about what `frame` writes")]
pub(crate) struct Chunk {
    /// A `chat.completion.chunk` as JSON, or `[DONE]`.
    data: String,
}

/// `POST /v1/chat/completions`: the next message of a conversation.
#[utoipa::path(
    post, path = "/v1/chat/completions", tag = "openai", request_body = NewCompletion,
    params(Once, Session),
    responses(
        (status = 200, description = "the message, or events where `stream` is set", headers(("X-Agentwright-Run" = String, description = "the run")),
            content((Completion = "application/json"), (Chunk = "text/event-stream"))),
        (status = 404, body = Problem, description = "there is no such model"),
        (status = 409, body = Problem, description = "the `Idempotency-Key` was used with another body, or what is decided is not asked any more"),
        (status = 410, body = Problem, description = "it is too late to decide this"),
        (status = 429, body = Problem, description = "the model is busy, or the budget is used up"),
        (status = 502, body = Problem, description = "the model does not answer")
    )
)]
pub(crate) async fn complete(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(reached): Extension<Reached>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(new): Json<NewCompletion>,
) -> Result<Response, ApiError> {
    let key = idempotency::key(&headers)?;
    let once = key.map(|key| (key, Hash::of_json(&new)));
    let wants = new.wants()?;
    let talk = new.talk(&headers)?;
    let turn = turn::take(&app, &caller, talk, once, reached.base()).await?;
    let told = Told::new(turn.run, wants);
    let follow = Follow::new(&app, &caller, turn);
    match told.wants.stream {
        true => Ok(streamed(follow, told)),
        false => whole(follow, move |reply| Ok(told.whole(reply?))).await,
    }
}
