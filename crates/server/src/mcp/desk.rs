//! What a tool has before it when it is called: the runtime, who calls, and a line back to them.

use std::time::Duration;

use axum::http::request::Parts;
use rmcp::RoleServer;
use rmcp::model::{InputResponses, ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;

use crate::app::App;
use crate::guard::Caller;

/// The longest that anybody waits for a run in one call.
pub(super) const LONGEST: u64 = 600;

/// What a tool has before it.
pub(super) struct Desk {
    pub(super) app: App,
    pub(super) caller: Caller,
    pub(super) context: RequestContext<RoleServer>,
    /// What an earlier call of this tool left with the client, to go on from.
    pub(super) state: Option<String>,
    /// What people there answered to what that call asked.
    pub(super) responses: InputResponses,
}

/// Who is at the other end.
#[derive(Clone)]
pub(super) enum Line {
    /// Each request says for itself.
    Http,
    /// Whoever started this process.
    Local(Box<(App, Caller)>),
}

impl Line {
    /// The runtime and the caller of a request.
    pub(super) fn of(&self, context: &RequestContext<RoleServer>) -> Option<(App, Caller)> {
        match self {
            Line::Local(here) => Some((**here).clone()),
            Line::Http => {
                let parts = context.extensions.get::<Parts>()?;
                Some((parts.extensions.get::<App>()?.clone(), parts.extensions.get::<Caller>()?.clone()))
            }
        }
    }
}

impl Desk {
    fn is_over_http(&self) -> bool {
        self.context.extensions.get::<Parts>().is_some()
    }

    /// Under which token the caller wants to hear how it goes.
    pub(super) fn progress_token(&self) -> Option<ProgressToken> {
        self.context.meta.get_progress_token()
    }

    /// How long somebody is kept waiting who wants to wait so long.
    ///
    /// An answer over HTTP must have begun within the time that every answer has; with progress it begins at once.
    pub(super) fn patience(&self, seconds: u64) -> Duration {
        let wanted = Duration::from_secs(seconds.min(LONGEST));
        match self.is_over_http() && self.progress_token().is_none() {
            true => wanted.min(self.app.limits.request * 3 / 4),
            false => wanted,
        }
    }

    /// Tells the caller how it goes, if they want to hear it.
    pub(super) async fn tell(&self, progress: u64, message: String) {
        let Some(token) = self.progress_token() else { return };
        let told = ProgressNotificationParam::new(token, progress as f64).with_message(message);
        // Somebody who does not listen any more is not waited for.
        let _ = self.context.peer.notify_progress(told).await;
    }
}
