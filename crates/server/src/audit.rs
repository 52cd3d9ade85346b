//! Which requests stand in the audit trail, and what is said about them.
//!
//! Runs and traces have ledgers of their own; here stands who decided, who changed how things are done, and who came in.

pub(crate) mod url;

use std::collections::BTreeMap;

use axum::extract::Request;
use axum::http::Method;
use domain::approval::ApprovalId;
use domain::audit::{Entry, Outcome, Via};
use domain::id::RunId;
use jiff::Timestamp;

use crate::access::{Needs, Role};
use crate::app::App;
use crate::caller::{Caller, Came};

/// What those who ask may do that somebody may want to know of afterwards.
const ASKED: &[&str] = &["/v1/runs/{run}/cancel", "/v1/runs/{run}/rate"];
/// What can be done in other ways too, and is noted where it is done.
const NOTED_THERE: &[&str] = &["/v1/runs/{run}/cancel", "/v1/approvals/{approval}/decide", "/v1/runs/{run}/plan"];

/// Something that an answer is about and its path does not name.
#[derive(Debug, Clone)]
pub(crate) struct On(pub(crate) &'static str, pub(crate) String);

/// What is to be said about a request.
#[derive(Debug, Clone)]
pub(crate) struct About {
    what: String,
    on: BTreeMap<String, String>,
    noted_there: bool,
}

/// Whether a request at a declared path stands in the trail.
pub(crate) fn is_kept(path: &str, method: &Method, needs: Needs) -> bool {
    let changes = match needs {
        Needs::Nothing => false,
        Needs::Person => true,
        Needs::Somebody(_, role) => role >= Role::Approver || ASKED.contains(&path),
    };
    changes && !method.is_safe()
}

impl About {
    /// What a request is about, at the path it was declared with.
    pub(crate) fn of(path: &str, request: &Request) -> Self {
        let declared = path.split('/').zip(request.uri().path().split('/'));
        let ids = declared.filter_map(|(name, value)| {
            let name = name.strip_prefix('{')?.strip_suffix('}')?;
            Some((name.to_owned(), value.to_owned()))
        });
        let noted_there = NOTED_THERE.contains(&path);
        Self { what: format!("{} {path}", request.method()), on: ids.collect(), noted_there }
    }

    /// Notes how it went.
    pub(crate) async fn went(mut self, app: &App, caller: &Caller, outcome: Outcome, on: Option<On>) {
        if self.noted_there && outcome == Outcome::Done {
            return;
        }
        self.on.extend(on.map(|On(name, value)| (name.to_owned(), value)));
        by(app, caller, self.what, self.on, outcome).await;
    }
}

/// Notes what somebody decided, however they said it.
pub(crate) async fn decided(app: &App, caller: &Caller, approval: ApprovalId, decision: &str) {
    let on = [("approval", approval.to_string()), ("decision", decision.to_owned())];
    let on = on.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    by(app, caller, "POST /v1/approvals/{approval}/decide".to_owned(), on, Outcome::Done).await;
}

/// Notes who had a run stop, however they said it.
pub(crate) async fn stopped(app: &App, caller: &Caller, run: RunId) {
    let on = BTreeMap::from([("run".to_owned(), run.to_string())]);
    by(app, caller, "POST /v1/runs/{run}/cancel".to_owned(), on, Outcome::Done).await;
}

async fn by(app: &App, caller: &Caller, what: String, on: BTreeMap<String, String>, outcome: Outcome) {
    let via = match caller.came {
        Came::Here => Via::Cli,
        Came::Key => Via::Key,
        Came::SignedIn(_) => Via::Session,
    };
    note(app, Entry { at: Timestamp::now(), who: caller.to_string(), via, what, on, outcome }).await;
}

/// Notes that somebody signed in, or that somebody who said they were them did not.
pub(crate) async fn signed_in(app: &App, who: Option<&str>, outcome: Outcome) {
    let who = who.unwrap_or("somebody unknown").to_owned();
    let (at, what, on) = (Timestamp::now(), "POST /v1/session".to_owned(), BTreeMap::new());
    note(app, Entry { at, who, via: Via::Session, what, on, outcome }).await;
}

async fn note(app: &App, entry: Entry) {
    // It has happened already: what can be done is to say loudly that the trail does not know.
    if let Err(error) = app.store.note(&entry).await {
        tracing::error!(%error, who = entry.who, what = entry.what, "the audit trail could not be added to");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Area;

    #[test]
    fn what_decides_and_what_changes_is_kept_and_what_asks_is_not() {
        let kept = |path: &str, method: Method, role| is_kept(path, &method, Needs::Somebody(Area::Runs, role));
        assert!(kept("/v1/approvals/{approval}/decide", Method::POST, Role::Approver));
        assert!(kept("/v1/keys", Method::POST, Role::Admin));
        assert!(kept("/v1/runs/{run}/cancel", Method::POST, Role::Runner));
        assert!(!kept("/v1/runs", Method::POST, Role::Runner));
        assert!(!kept("/v1/keys", Method::GET, Role::Admin));
    }

    #[test]
    fn ids_are_read_off_the_path() {
        let request = Request::builder().method("DELETE").uri("/v1/people/ada").body(axum::body::Body::empty());
        let about = About::of("/v1/people/{name}", &request.expect("a request"));
        assert_eq!(about.what, "DELETE /v1/people/{name}");
        assert_eq!(about.on, BTreeMap::from([("name".to_owned(), "ada".to_owned())]));
    }
}
