//! `/v1/responses`: the same conversations as items, each response of which can be continued by its id.

mod body;
mod item;
mod stream;

use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use domain::chat::Message;
use domain::event::Event;
use domain::hash::Hash;
use domain::id::RunId;
use domain::request::Request;
use domain::store::StoreError;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Path, Query};
use crate::idempotency::{self, Once};
use crate::openai::chat::Session;
use crate::openapi::Nothing;
use crate::site::Reached;
use crate::talk::follow::{Follow, streamed, whole};
use crate::talk::messages;
use crate::talk::reply::at_rest;
use crate::talk::turn::{self, Turn};

use body::NewResponse;
use item::{Answer, Echo};
use stream::Told;

/// Where it is kept how responses were asked for.
const SHELF: &str = "responses";

/// One event of a stream, as its fields are named.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it says what the document says about what `named_frame` writes")]
pub(crate) struct ResponseEvent {
    /// The kind, as `response.output_text.delta`.
    event: String,
    /// The event as JSON, or `[DONE]`.
    data: String,
}

/// A response in a path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct OfResponse {
    /// Its id.
    #[param(pattern = "^resp_[0-9a-f]{32}$", example = "resp_019a8a3c5d2e7c5f9b1d6a3e4f708192")]
    response: String,
}

/// `POST /v1/responses`: answers an input, or continues an earlier response.
#[utoipa::path(
    post, path = "/v1/responses", tag = "openai", request_body = NewResponse,
    params(Once, Session),
    responses(
        (status = 200, description = "the response, or events where `stream` is set", headers(("X-Agentwright-Run" = String, description = "the run")),
            content((Answer = "application/json"), (ResponseEvent = "text/event-stream"))),
        (status = 404, body = Problem, description = "there is no such model, or no such response to continue"),
        (status = 409, body = Problem, description = "the `Idempotency-Key` was used with another body, the response to continue has not ended, \
            or what is decided is not asked any more"),
        (status = 410, body = Problem, description = "it is too late to decide this"),
        (status = 429, body = Problem, description = "the model is busy, or the budget is used up"),
        (status = 502, body = Problem, description = "the model does not answer")
    )
)]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Extension(reached): Extension<Reached>,
    headers: HeaderMap,
    _: Query<Nothing>,
    Json(new): Json<NewResponse>,
) -> Result<Response, ApiError> {
    let key = idempotency::key(&headers)?;
    let once = key.map(|key| (key, Hash::of_json(&new)));
    let (echo, stream) = (new.echo()?, new.stream());
    let before = match new.previous() {
        Some(id) => Some(continued(&app, id, &reached).await?),
        None => None,
    };
    let talk = new.talk(&headers, before)?;
    let turn = turn::take(&app, &caller, talk, once, reached.base()).await?;
    if echo.store {
        // Where it is kept already, the same was asked before.
        app.store.keep(SHELF, &turn.run.to_string(), &echo.written(), 0).await?;
    }
    let told = Told::new(turn.run, echo);
    let follow = Follow::new(&app, &caller, turn);
    match stream {
        true => Ok(streamed(follow, told)),
        false => whole(follow, move |reply| Ok(told.whole(reply?))).await,
    }
}

/// `GET /v1/responses/{response}`: a response as it stands.
#[utoipa::path(
    get, path = "/v1/responses/{response}", tag = "openai", params(OfResponse),
    responses((status = 200, body = Answer), (status = 404, body = Problem, description = "there is no such response"))
)]
pub(crate) async fn show(
    State(app): State<App>,
    Extension(reached): Extension<Reached>,
    Path(OfResponse { response }): Path<OfResponse>,
    _: Query<Nothing>,
) -> Result<axum::Json<Answer>, ApiError> {
    let run = run_of(&response)?;
    let request = request(&app, run, &response).await?;
    let echo = match app.store.kept(SHELF, &run.to_string()).await? {
        Some(kept) => Echo::read(kept.value),
        None => Echo::of(&request),
    };
    let turn = Turn::new(run, reached.base(), request.session.is_some());
    let told = Told::new(run, echo);
    Ok(axum::Json(match at_rest(&app, &turn).await? {
        Some(reply) => told.whole(reply),
        None => told.begun(),
    }))
}

/// What was said up to and with an earlier response.
pub(crate) struct Before {
    pub(crate) messages: Vec<Message>,
    pub(crate) session: Option<domain::id::SessionId>,
}

async fn continued(app: &App, id: &str, reached: &Reached) -> Result<Before, ApiError> {
    let unknown = |_| ApiError::not_found(format!("there is no response `{}`", messages::clean(id)));
    let run = run_of(id).map_err(unknown)?;
    let request = request(app, run, id).await?;
    // What is to be heeded is said anew with each response.
    let kept = app.store.kept(SHELF, &run.to_string()).await?.map(|kept| Echo::read(kept.value));
    let heeded = kept.and_then(|echo| echo.instructions());
    let earlier = request.earlier.into_iter().filter(|message| match message {
        Message::System { text } => Some(text) != heeded.as_ref(),
        _ => true,
    });
    let mut said: Vec<Message> = earlier.collect();
    said.push(Message::User { text: request.text.as_str().to_owned() });
    said.extend(request.wishes.lent.map(|lent| lent.since).unwrap_or_default());
    let turn = Turn::new(run, reached.base(), request.session.is_some());
    let reply = at_rest(app, &turn).await?;
    let reply = reply.ok_or_else(|| ApiError::conflict("not_ended", format!("`{id}` has not ended yet")))?;
    said.push(Message::Assistant { text: reply.text, calls: reply.calls });
    Ok(Before { messages: said, session: request.session })
}

/// The run that a response is of.
fn run_of(id: &str) -> Result<RunId, ApiError> {
    let digits =
        id.strip_prefix("resp_").filter(|digits| digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
    let run = digits.and_then(|digits| format!("run_{digits}").parse().ok());
    run.ok_or_else(|| ApiError::invalid("response", "response ids look like `resp_` and 32 hexadecimal digits"))
}

async fn request(app: &App, run: RunId, id: &str) -> Result<Request, ApiError> {
    match app.store.entry(run, "received").await {
        Ok(Some(recorded)) => match recorded.entry.event {
            Event::Received { request, .. } => Ok(*request),
            _ => Err(StoreError::Damaged { detail: format!("{run} does not begin with its request") }.into()),
        },
        Ok(None) | Err(StoreError::NoSuchRun { .. }) => {
            Err(ApiError::not_found(format!("there is no response `{id}`")))
        }
        Err(error) => Err(error.into()),
    }
}

/// The fields of an object.
fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
