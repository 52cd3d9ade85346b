//! Conversations as other programs have them: what is said becomes a run, or an answer to one that waits, and what comes of
//! it is told back. Each protocol reads its own messages into a [`Talk`] and writes a [`Reply`] in its own words.

pub(crate) mod follow;
pub(crate) mod messages;
pub(crate) mod progress;
pub(crate) mod reply;
pub(crate) mod turn;

use domain::chat::Message;
use domain::hash::Hash;
use domain::id::SessionId;
use domain::request::{Asked, Lent, Request, Text, Wishes};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::app::App;
use crate::error::ApiError;
use crate::schema::Line;

/// What somebody says, and what was said before.
#[derive(Debug)]
pub(crate) struct Talk {
    /// The request.
    pub(crate) text: Text,
    /// What was said before it, as its sender tells it.
    pub(crate) earlier: Vec<Message>,
    /// The conversation, where it has a name.
    pub(crate) session: Option<SessionId>,
    /// Who says it.
    pub(crate) user: Option<String>,
    /// Whether a planner is asked.
    pub(crate) planner: Option<Asked>,
    /// What its sender can call themselves.
    pub(crate) lent: Option<Lent>,
}

impl Talk {
    fn request(self, app: &App) -> Request {
        Request {
            text: self.text,
            at: Timestamp::now(),
            zone: TimeZone::system().iana_name().map(str::to_owned),
            place: app.person.place.clone(),
            session: self.session,
            user: self.user.or_else(|| app.person.name.clone()),
            earlier: self.earlier,
            wishes: Wishes { planner: self.planner, lent: self.lent.map(Box::new), ..Wishes::default() },
        }
    }
}

/// The conversation of a name that others chose: the name itself where it is one of ours, or one made from it.
pub(crate) fn session(name: &str) -> Option<SessionId> {
    let hash = Hash::of(name.as_bytes()).to_string();
    let made = format!("talk-{}", hash.trim_start_matches("sha256:").get(..32).unwrap_or_default());
    name.parse().or_else(|_| made.parse()).ok()
}

/// Who somebody is, in a line; nobody where nothing is said.
pub(crate) fn user(name: Option<String>) -> Result<Option<String>, ApiError> {
    let name = name.filter(|name| !name.trim().is_empty());
    let line = name.map(Line::try_from).transpose().map_err(|why| ApiError::invalid("user", why))?;
    Ok(line.map(String::from))
}
