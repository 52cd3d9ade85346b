//! Who makes a request: whoever shows a key, or somebody who has signed in.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use axum::http::header::{AUTHORIZATION, COOKIE, HeaderName};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use domain::store::StoreError;
use domain::trace::{Source, Standing};
use jiff::Timestamp;

use crate::access::{Grant, Needs, Role};
use crate::app::App;
use crate::error::ApiError;
use crate::keys::Key;
use crate::session::Going;
use crate::{keys, limit, secret, session};

/// The cookie that holds the secret of a session.
pub(crate) const SESSION_COOKIE: &str = "aw_session";
/// What requests must have that come with the cookie and change something.
const CSRF: HeaderName = HeaderName::from_static("x-csrf-token");

/// Who makes a request.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// The id of their key, or what stands for them where there is none.
    pub(crate) id: Arc<str>,
    name: Option<Arc<str>>,
    /// What they may do.
    pub(crate) grant: Grant,
    /// What traces are good for that they send.
    pub(crate) standing: Standing,
    /// How they came in.
    pub(crate) came: Came,
}

/// How somebody came in.
#[derive(Debug, Clone)]
pub(crate) enum Came {
    /// With a key.
    Key,
    /// By starting this process, without asking it.
    Here,
    /// By signing in.
    SignedIn(Arc<Going>),
}

impl Caller {
    /// Whoever started this process: they could do anything without asking it.
    pub(crate) fn local(name: Option<&str>) -> Self {
        let (grant, name) = (Grant::everywhere(Role::Admin), name.map(Arc::from));
        Self { id: "local".into(), name, grant, standing: Standing::Evidence, came: Came::Here }
    }

    /// Where traces come from that they send.
    pub(crate) fn source(&self) -> Source {
        Source::key(&self.id)
    }

    /// Whether they may do something that takes this.
    pub(crate) fn may(&self, needs: Needs) -> Result<(), ApiError> {
        match (needs, &self.came) {
            (Needs::Nothing, _) | (Needs::Person, Came::SignedIn(_)) => Ok(()),
            (Needs::Person, Came::Key | Came::Here) => Err(ApiError::NoSession),
            (Needs::Somebody(area, role), _) => Ok(self.grant.allows(area, role)?),
        }
    }

    /// Whether what they came in with still opens the door.
    pub(crate) async fn is_still_let_in(&self, app: &App) -> Result<bool, StoreError> {
        match &self.came {
            Came::Here => Ok(true),
            Came::Key => keys::still_valid(app.store.as_ref(), &self.id).await,
            Came::SignedIn(going) => session::still_valid(app.store.as_ref(), &going.place).await,
        }
    }
}

impl fmt::Display for Caller {
    /// What the ledger calls them: by their name or that of their key, or by its id where it has none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.as_ref().unwrap_or(&self.id))
    }
}

/// Who makes a request. Where there is a key, the key counts.
pub(crate) async fn identify(app: &App, request: &Parts, from: Option<IpAddr>) -> Result<Caller, ApiError> {
    let headers = &request.headers;
    if let Some(authorization) = headers.get(AUTHORIZATION) {
        let shown = bearer(authorization).ok_or(ApiError::NoKey)?;
        let Some(key) = keys::check(app.store.as_ref(), shown).await? else {
            app.failures.take(&format!("key {}", limit::address(from)))?;
            return Err(ApiError::NoKey);
        };
        note_use(app, &key);
        let standing = if key.evidence { Standing::Evidence } else { Standing::Watched };
        let (id, name) = (key.id.into(), key.name.map(Arc::from));
        return Ok(Caller { id, name, grant: key.grant, standing, came: Came::Key });
    }
    let Some(secret) = session_cookie(headers) else { return Err(ApiError::NoKey) };
    let going = session::find(app.store.as_ref(), secret, Timestamp::now()).await?.ok_or(ApiError::NoSession)?;
    let token = headers.get(CSRF).and_then(|token| token.to_str().ok()).unwrap_or_default();
    // Browsers send cookies whoever made them ask; the token only our own page knows.
    if !request.method.is_safe() && !secret::same(token, &going.csrf) {
        return Err(ApiError::WrongCsrf);
    }
    let name = &going.account.name;
    Ok(Caller {
        // Ids of keys have no dots.
        id: format!("person.{name}").into(),
        name: Some(name.as_str().into()),
        grant: Grant::everywhere(going.account.role),
        standing: Standing::Watched,
        came: Came::SignedIn(Arc::new(going)),
    })
}

/// Notes that a key is used, without having anybody wait for that.
fn note_use(app: &App, key: &Key) {
    let now = Timestamp::now();
    if !key.is_news(now) {
        return;
    }
    let (store, id) = (Arc::clone(&app.store), key.id.clone());
    app.finishing.spawn(async move {
        if let Err(error) = keys::used(store.as_ref(), &id, now).await {
            tracing::debug!(%error, "when a key was last used could not be noted");
        }
    });
}

/// The secret of a session that a browser shows. Two of them are none.
pub(crate) fn session_cookie(headers: &HeaderMap) -> Option<&str> {
    let said = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let pairs = said.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut values = pairs.filter(|(name, _)| *name == SESSION_COOKIE).map(|(_, value)| value);
    match (values.next(), values.next()) {
        (Some(only), None) if !only.is_empty() => Some(only),
        _ => None,
    }
}

fn bearer(authorization: &HeaderValue) -> Option<&str> {
    let (scheme, key) = authorization.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(key.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_among_others_and_two_are_none() {
        let found = |cookies: &'static str| {
            let headers = HeaderMap::from_iter([(COOKIE, HeaderValue::from_static(cookies))]);
            session_cookie(&headers).map(str::to_owned)
        };
        assert_eq!(found("a=b; aw_session=s; c=d").as_deref(), Some("s"));
        assert_eq!(found("aw_session=").as_deref(), None);
        assert_eq!(found("xaw_session=s").as_deref(), None);
        assert_eq!(found("aw_session=s; aw_session=t").as_deref(), None);
    }
}
