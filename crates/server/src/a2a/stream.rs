//! A task as it goes: first how it stands, then what happens, then its answer and how it ended.

use std::collections::VecDeque;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::event::{Event, Recorded, Seq};
use domain::id::RunId;
use futures::stream::unfold;
use serde_json::{Value, json};

use super::dialect::{Dialect, State};
use super::message::Sent;
use super::rpc::Fault;
use super::task::{Shown, Task};
use super::tasks::{self, Which};
use crate::app::App;
use crate::error::ApiError;
use crate::guard::Caller;
use crate::mcp::watch;
use crate::runs::summary;

/// How many events are read at once.
const PAGE: usize = 100;
const ALIVE: Bytes = Bytes::from_static(b": alive\n\n");

/// A message begins a task or answers one, and everything is told until it rests.
pub(super) async fn send(app: App, caller: Caller, dialect: Dialect, id: Value, sent: Sent) -> Result<Response, Fault> {
    let run = tasks::take(&app, &caller, sent).await?;
    Stream::new(app, caller, dialect, id, run, Until::Rest).await.map(Stream::answer)
}

/// Everything that still happens to a task, until it has ended.
pub(super) async fn subscribe(
    app: App,
    caller: Caller,
    dialect: Dialect,
    id: Value,
    which: Which,
) -> Result<Response, Fault> {
    let stream = Stream::new(app, caller, dialect, id, which.run()?, Until::End).await?;
    if stream.told.is_final() {
        return Err(Fault::NotPossible(format!("{} has ended; ask for it", which.id)));
    }
    Ok(stream.answer())
}

/// Where a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// When the task waits for somebody.
    Rest,
    /// When it has ended.
    End,
}

struct Stream {
    app: App,
    caller: Caller,
    dialect: Dialect,
    id: Value,
    run: RunId,
    until: Until,
    seen: Seq,
    /// What they were told last about where it stands.
    told: State,
    waiting: VecDeque<Value>,
    over: bool,
}

impl Stream {
    async fn new(
        app: App,
        caller: Caller,
        dialect: Dialect,
        id: Value,
        run: RunId,
        until: Until,
    ) -> Result<Self, Fault> {
        let summary = summary(&app, run).await?;
        let (seen, rests) = (summary.events, watch::rests(&app, &summary).await?);
        let task = Task::of(&app, summary).await?;
        let first = dialect.streamed("task", "task", task.written(dialect, Shown::ALL), false);
        let over = task.state.is_final() || (rests && until == Until::Rest);
        Ok(Self { app, caller, dialect, id, run, until, seen, told: task.state, waiting: [first].into(), over })
    }

    fn answer(self) -> Response {
        let body = Body::from_stream(unfold(Some(self), |stream| async {
            let mut stream = stream?;
            let bytes = stream.next().await?;
            Some((Ok::<_, std::convert::Infallible>(bytes), Some(stream)))
        }));
        ([(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")], body).into_response()
    }

    /// What is sent next; nothing once it is over.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(result) = self.waiting.pop_front() {
                let said = json!({"jsonrpc": "2.0", "id": self.id, "result": result});
                return Some(format!("data: {said}\n\n").into());
            }
            if self.over {
                return None;
            }
            let closing = self.app.closing.clone();
            let heartbeat = self.app.limits.heartbeat;
            tokio::select! {
                biased;
                () = closing.cancelled() => return None,
                news = self.news() => {
                    if let Err(error) = news {
                        self.over = true;
                        let said = Fault::Api(error).written(&self.id);
                        return Some(format!("event: error\ndata: {said}\n\n").into());
                    }
                }
                () = tokio::time::sleep(heartbeat) => {
                    // Whether it still is can be asked next time.
                    if let Ok(false) = self.caller.is_still_let_in(&self.app).await {
                        return None;
                    }
                    return Some(ALIVE);
                }
            }
        }
    }

    /// Waits until something has happened, and puts it where it is sent from.
    async fn news(&mut self) -> Result<(), ApiError> {
        self.app.store.grown(self.run, self.seen).await?;
        let events = self.app.store.events(self.run, self.seen, PAGE).await?;
        let summary = summary(&self.app, self.run).await?;
        let all = events.last().is_none_or(|last| last.seq >= summary.events);
        let rests = all && watch::rests(&self.app, &summary).await?;
        let task = Task::of(&self.app, summary).await?;
        for Recorded { seq, entry } in &events {
            self.seen = *seq;
            // How it ended is told with the answer.
            let ends = matches!(entry.event, Event::Finished { .. });
            if let Some(words) = watch::words(&entry.event).filter(|_| !ends) {
                self.tell_status(&task, State::Working, Some((&words, *seq)), false);
            }
        }
        if rests {
            self.rest(&task);
        }
        Ok(())
    }

    fn rest(&mut self, task: &Task) {
        let last = task.state.is_final() || self.until == Until::Rest;
        if let Some(artifact) = task.artifact(self.dialect).filter(|_| task.state.is_final()) {
            let (id, context) = task.names();
            let update = json!({"taskId": id, "contextId": context, "artifact": artifact, "lastChunk": true});
            self.waiting.push_back(self.dialect.streamed("artifactUpdate", "artifact-update", update, false));
        }
        if last || self.told != task.state {
            self.tell_status(task, task.state, None, last);
        }
        self.over = last;
    }

    fn tell_status(&mut self, task: &Task, state: State, news: Option<(&str, Seq)>, last: bool) {
        let (id, context) = task.names();
        let status = task.status(self.dialect, state, news);
        let update = json!({"taskId": id, "contextId": context, "status": status});
        self.waiting.push_back(self.dialect.streamed("statusUpdate", "status-update", update, last));
        self.told = state;
    }
}
