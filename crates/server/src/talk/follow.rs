//! Waits for what comes of a run, and tells whoever waits that it is alive: as events, or as one JSON answer.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::response::{IntoResponse, Response};
use domain::event::Recorded;
use futures::stream::unfold;
use serde::Serialize;
use tokio::time::Instant;

use super::reply::{Reply, at_rest};
use super::turn::Turn;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;

/// How many events are read at once.
const PAGE: usize = 64;
/// The header that names the run.
pub(crate) const RUN: HeaderName = HeaderName::from_static("x-agentwright-run");
const ALIVE: Bytes = Bytes::from_static(b": alive\n\n");
/// White space before JSON is nothing.
const PATIENCE: Bytes = Bytes::from_static(b"\n");

/// Somebody who waits for a run.
pub(crate) struct Follow {
    app: App,
    caller: Caller,
    turn: Turn,
    quiet_until: Instant,
}

/// What happens next.
pub(crate) enum Next {
    Events(Vec<Recorded>),
    /// Nothing for a while.
    Quiet,
    Rests(Box<Reply>),
    /// It cannot be waited for any longer.
    Broken(ApiError),
}

/// How a protocol tells what happens, as the text of its frames.
pub(crate) trait Tells: Send + 'static {
    /// Before anything has happened.
    fn begins(&mut self) -> String;

    /// Something happened.
    fn happens(&mut self, event: &Recorded) -> String;

    /// The run has ended or waits for somebody.
    fn rests(&mut self, reply: Reply) -> String;

    /// It is not known what becomes of it.
    fn breaks(&mut self, why: ApiError) -> String;
}

impl Follow {
    pub(crate) fn new(app: &App, caller: &Caller, turn: Turn) -> Self {
        let quiet_until = Instant::now() + app.limits.heartbeat;
        Self { app: app.clone(), caller: caller.clone(), turn, quiet_until }
    }

    /// What happens next. Dropping it in between loses nothing.
    pub(crate) async fn next(&mut self) -> Next {
        tokio::select! {
            biased;
            () = self.app.closing.cancelled() => Next::Broken(ApiError::Closing),
            more = more(&self.app, &self.turn) => match more {
                Ok(next) => {
                    if let Next::Events(events) = &next {
                        self.turn.after = events.last().map_or(self.turn.after, |last| last.seq);
                    }
                    next
                }
                Err(error) => Next::Broken(error),
            },
            () = tokio::time::sleep_until(self.quiet_until) => {
                self.quiet_until = Instant::now() + self.app.limits.heartbeat;
                match self.caller.is_still_let_in(&self.app).await {
                    Ok(false) => Next::Broken(ApiError::NoKey),
                    // Whether it still is can be asked next time.
                    Ok(true) | Err(_) => Next::Quiet,
                }
            }
        }
    }

    /// What came of it, however long that takes.
    async fn rest(&mut self) -> Result<Reply, ApiError> {
        loop {
            match self.next().await {
                Next::Events(_) | Next::Quiet => {}
                Next::Rests(reply) => return reply.or_trouble(),
                Next::Broken(error) => return Err(error),
            }
        }
    }
}

/// More events, or what came of the run when there are none.
async fn more(app: &App, turn: &Turn) -> Result<Next, ApiError> {
    loop {
        if turn.words.is_none() {
            let events = app.store.events(turn.run, turn.after, PAGE).await?;
            if !events.is_empty() {
                return Ok(Next::Events(events));
            }
        }
        if let Some(reply) = at_rest(app, turn).await? {
            return Ok(Next::Rests(Box::new(reply)));
        }
        app.store.grown(turn.run, turn.after).await?;
    }
}

/// One JSON answer. Where it takes long, white space comes first, so that nobody on the way gives up.
pub(crate) async fn whole<T: Serialize>(
    mut follow: Follow,
    write: impl FnOnce(Result<Reply, ApiError>) -> Result<T, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let run = [(RUN, follow.turn.run.to_string())];
    let patience = follow.app.limits.request / 2;
    if let Ok(reply) = tokio::time::timeout(patience, follow.rest()).await {
        return Ok((run, axum::Json(write(reply)?)).into_response());
    }
    let beat = follow.app.limits.heartbeat;
    let body = Body::from_stream(unfold(Some((follow, write)), move |waiting| async move {
        let (mut follow, write) = waiting?;
        match tokio::time::timeout(beat, follow.rest()).await {
            Err(_) => Some((Ok::<_, Infallible>(PATIENCE), Some((follow, write)))),
            Ok(reply) => Some((Ok(last_word(write(reply))), None)),
        }
    }));
    Ok((run, [(CONTENT_TYPE, "application/json")], body).into_response())
}

fn last_word<T: Serialize>(written: Result<T, ApiError>) -> Bytes {
    // Our own types always serialise. It is too late for another status: the words say what is wrong.
    let json = match written {
        Ok(body) => serde_json::to_vec(&body),
        Err(error) => serde_json::to_vec(&error.in_a_stream()),
    };
    json.unwrap_or_default().into()
}

/// Events as they happen, in the words of a protocol.
pub(crate) fn streamed(follow: Follow, mut tells: impl Tells) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/event-stream".to_owned()),
        (CACHE_CONTROL, "no-store".to_owned()),
        (RUN, follow.turn.run.to_string()),
    ];
    let begun = VecDeque::from([Bytes::from(tells.begins())]);
    let body = Body::from_stream(unfold(Some((follow, tells, begun)), |state| async move {
        let (mut follow, mut tells, mut waiting) = state?;
        loop {
            if let Some(bytes) = waiting.pop_front() {
                return Some((Ok::<_, Infallible>(bytes), Some((follow, tells, waiting))));
            }
            let text = match follow.next().await {
                Next::Quiet => return Some((Ok(ALIVE), Some((follow, tells, waiting)))),
                Next::Events(events) => {
                    let told = events.iter().map(|event| tells.happens(event)).filter(|text| !text.is_empty());
                    waiting.extend(told.map(Bytes::from));
                    continue;
                }
                Next::Rests(reply) => match reply.or_trouble() {
                    Ok(reply) => tells.rests(reply),
                    Err(error) => tells.breaks(error),
                },
                Next::Broken(error) => tells.breaks(error),
            };
            return Some((Ok(text.into()), None));
        }
    }));
    (headers, body).into_response()
}

/// A frame of an event stream.
pub(crate) fn frame(data: &impl Serialize) -> String {
    // Our own types always serialise, and JSON has no line breaks.
    format!("data: {}\n\n", serde_json::to_string(data).unwrap_or_default())
}

/// A frame that says what kind of event it is.
pub(crate) fn named_frame(name: &str, data: &impl Serialize) -> String {
    format!("event: {name}\n{}", frame(data))
}
