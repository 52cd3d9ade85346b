//! A run's ledger as a stream: what happened so far, then what happens.

use std::collections::VecDeque;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::event::Seq;
use futures::stream::unfold;
use serde::Deserialize;
use tokio::time::Instant;
use utoipa::{IntoParams, ToSchema};

use super::summary;
use crate::app::App;
use crate::caller::Caller;
use crate::error::{ApiError, NothingMore, Problem};
use crate::extract::{Path, Query};
use crate::metrics::Streaming;
use crate::schema::{self, OfRun};
use crate::tail::{Follower, Frame};

const LAST_EVENT_ID: &str = "Last-Event-ID";
/// How soon a client that was cut off comes back, in milliseconds.
const RETRY: Bytes = Bytes::from_static(b"retry: 1000\n\n");
const ALIVE: Bytes = Bytes::from_static(b": alive\n\n");
const END: Bytes = Bytes::from_static(b": the run has ended\n\n");
const CLOSING: Bytes = Bytes::from_static(b": the server is stopping; come back with Last-Event-ID\n\n");
const REVOKED: Bytes = Bytes::from_static(b": the key or the session is not valid any more\n\n");
const AWAY: Bytes = Bytes::from_static(b": the database is not available; come back with Last-Event-ID\n\n");

/// Where a stream begins.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// Only events after this one; `Last-Event-ID` wins.
    #[param(schema_with = schema::seq, required = false)]
    after: Option<Seq>,
}

/// One event of a stream, as its fields are named.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it says what the document says about what `Frame` writes")]
struct Told {
    /// The place in the ledger.
    #[schema(pattern = "^[1-9][0-9]*$")]
    id: String,
    /// The kind, as `received` or `finished`.
    event: String,
    /// The event as it is on record, as JSON: `{"seq", "key", "at", "kind", "data"}`, and `approval` where it asks a person
    /// to decide.
    data: String,
}

/// The headers of somebody who comes back.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it says what the document says about a header that `last_seen` reads")]
struct Seen {
    /// The last event that was seen.
    #[param(rename = "Last-Event-ID", schema_with = schema::seq, required = false)]
    last: Option<Seq>,
}

/// `GET /v1/runs/{run}/events`: what happened so far, then what happens, from `after` on.
///
/// Server-sent events: `id` is the place in the ledger, `event` the kind, `data` the event as JSON. The stream ends after
/// `finished`.
#[utoipa::path(
    get, path = "/v1/runs/{run}/events", tag = "runs",
    params(OfRun, From, Seen),
    responses(
        (status = 200, body = Told, content_type = "text/event-stream", description = "one event after the other"),
        (status = 204, description = "the run has ended and there is nothing more to come"),
        (status = 404, body = Problem, description = "there is no such run")
    )
)]
pub(crate) async fn events(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(OfRun { run }): Path<OfRun>,
    Query(From { after }): Query<From>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if after.is_some_and(|after| i64::try_from(after).is_err()) {
        return Err(ApiError::invalid("after", "`after` must be the number of an event"));
    }
    let (after, param) = match last_seen(&headers)? {
        Some(seen) => (seen, LAST_EVENT_ID),
        None => (after.unwrap_or(0), "after"),
    };
    let summary = summary(&app, run).await?;
    if after > summary.events {
        let words = format!("{run} has {} events; there is nothing after {after}", summary.events);
        return Err(ApiError::invalid(param, words));
    }
    if summary.status.is_final() && after == summary.events {
        return Ok(NothingMore.into_response());
    }
    let follower = app.tails.follow(run, summary.events, after);
    let quiet_until = Instant::now() + app.limits.heartbeat;
    let _open = app.metrics.streaming();
    let stream = Stream { app, caller, follower, waiting: [Next::Words(RETRY)].into(), quiet_until, _open };
    let body = Body::from_stream(unfold(Some(stream), |stream| async {
        let mut stream = stream?;
        let (bytes, end) = stream.next().await;
        Some((Ok::<_, std::convert::Infallible>(bytes), (!end).then_some(stream)))
    }));
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
    Ok((headers, body).into_response())
}

/// One client's stream.
struct Stream {
    app: App,
    caller: Caller,
    follower: Follower,
    /// What is to be sent next.
    waiting: VecDeque<Next>,
    /// When it must say that it is alive.
    quiet_until: Instant,
    /// Counted for as long as it is there.
    _open: Streaming,
}

enum Next {
    Frame(Frame),
    Words(Bytes),
    End(Bytes),
}

impl Stream {
    /// What is sent next, and whether it is the last.
    async fn next(&mut self) -> (Bytes, bool) {
        loop {
            match self.waiting.pop_front() {
                Some(Next::End(words)) => return (words, true),
                Some(Next::Words(words)) => return (words, false),
                Some(Next::Frame(frame)) => {
                    self.quiet_until = Instant::now() + self.beat();
                    if frame.last {
                        self.waiting = [Next::End(END)].into();
                    }
                    return (frame.bytes, false);
                }
                None => self.wait().await,
            }
        }
    }

    async fn wait(&mut self) {
        let next = tokio::select! {
            biased;
            () = self.app.closing.cancelled() => vec![Next::End(CLOSING)],
            frames = self.follower.next() => match frames {
                Ok(frames) => frames.into_iter().map(Next::Frame).collect(),
                Err(error) => {
                    tracing::warn!(%error, "a stream broke off");
                    vec![Next::End(AWAY)]
                }
            },
            () = tokio::time::sleep_until(self.quiet_until) => {
                self.quiet_until = Instant::now() + self.beat();
                match self.caller.is_still_let_in(&self.app).await {
                    Ok(false) => vec![Next::End(REVOKED)],
                    // Whether it still is can be asked next time.
                    Ok(true) | Err(_) => vec![Next::Words(ALIVE)],
                }
            }
        };
        self.waiting.extend(next);
    }

    fn beat(&self) -> Duration {
        self.app.limits.heartbeat
    }
}

fn last_seen(headers: &HeaderMap) -> Result<Option<Seq>, ApiError> {
    let Some(said) = headers.get(LAST_EVENT_ID) else { return Ok(None) };
    let words = || ApiError::invalid(LAST_EVENT_ID, "`Last-Event-ID` must be the number of an event");
    let text = said.to_str().map_err(|_| words())?;
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse().map(Some).map_err(|_| words()),
        false => Err(words()),
    }
}
