//! Sessions of people who have signed in: kept here, so that ending one ends it everywhere and at once.
//!
//! A browser holds a random secret in a cookie that no script can read; here lies the hash of it. The token against forged
//! requests is another hash of the same secret: whoever cannot read our answers does not know it, and whoever knows it
//! does not know the cookie.

pub(crate) mod url;

use domain::hash::Hash;
use domain::shelf::{Kept, Shelf};
use domain::store::StoreError;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::ApiError;
use crate::people::{self, Account};
use crate::secret;

const SHELF: &str = "sessions";
/// How long a session lasts on which nothing happens.
const IDLE: SignedDuration = SignedDuration::from_hours(12);
/// How long a session lasts.
const LONGEST: SignedDuration = SignedDuration::from_hours(14 * 24);
/// How exactly it is known when something last happened.
const SEEN_WITHIN: SignedDuration = SignedDuration::from_mins(5);

/// What somebody signed in with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SignedIn {
    /// A link that was theirs for once.
    Token,
    /// Their password.
    Password,
}

/// What is kept of a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Session {
    person: String,
    by: SignedIn,
    created_at: Timestamp,
    seen_at: Timestamp,
}

/// A session that is going on.
#[derive(Debug, Clone)]
pub(crate) struct Going {
    /// Where it is kept.
    pub(crate) place: String,
    /// Whose it is.
    pub(crate) account: Account,
    /// How it began.
    pub(crate) by: SignedIn,
    /// What requests that change something must come with.
    pub(crate) csrf: String,
}

impl Session {
    fn is_valid(&self, account: &Account, now: Timestamp) -> bool {
        let young = now.duration_since(self.created_at) < LONGEST && now.duration_since(self.seen_at) < IDLE;
        // Somebody else of this name has nothing to do with it.
        young && self.created_at >= account.created_at
    }
}

/// Begins a session. What the browser is to keep is told this once.
pub(crate) async fn begin(shelf: &dyn Shelf, account: Account, by: SignedIn) -> Result<(String, Going), ApiError> {
    let secret = secret::random::<32>()?;
    let now = Timestamp::now();
    let session = Session { person: account.name.clone(), by, created_at: now, seen_at: now };
    shelf.keep(SHELF, &secret::place(&secret), &record(&session), 0).await?;
    let going = going(&secret, account, by);
    Ok((secret, going))
}

/// The session that a browser shows the secret of, if it is still going on.
pub(crate) async fn find(shelf: &dyn Shelf, secret: &str, now: Timestamp) -> Result<Option<Going>, StoreError> {
    let place = secret::place(secret);
    let Some((kept, session, account)) = look(shelf, &place, now).await? else { return Ok(None) };
    if now.duration_since(session.seen_at) > SEEN_WITHIN {
        let by = session.by;
        let session = Session { seen_at: now, ..session };
        // Whoever was faster has noted the same.
        if shelf.keep(SHELF, &place, &record(&session), kept.version).await.unwrap_or(false)
            && let Err(error) = people::seen(shelf, &account.name, now).await
        {
            tracing::debug!(%error, "when somebody was last seen could not be noted");
        }
        return Ok(Some(going(secret, account, by)));
    }
    Ok(Some(going(secret, account, session.by)))
}

/// Whether a session that was going on still is.
pub(crate) async fn still_valid(shelf: &dyn Shelf, place: &str) -> Result<bool, StoreError> {
    Ok(look(shelf, place, Timestamp::now()).await?.is_some())
}

/// From now on it counts as one that began with a password: whoever wants another must know this one.
pub(crate) async fn now_with_password(shelf: &dyn Shelf, place: &str) -> Result<(), StoreError> {
    while let Some(kept) = shelf.kept(SHELF, place).await? {
        let session = Session { by: SignedIn::Password, ..read(kept.value)? };
        if shelf.keep(SHELF, place, &record(&session), kept.version).await? {
            break;
        }
    }
    Ok(())
}

/// Ends a session.
pub(crate) async fn end(shelf: &dyn Shelf, place: &str) -> Result<(), StoreError> {
    // It changes when it is used, so that another look may be needed.
    while let Some(kept) = shelf.kept(SHELF, place).await? {
        if shelf.discard(SHELF, place, kept.version).await? {
            break;
        }
    }
    Ok(())
}

/// Ends all sessions of somebody, but one perhaps.
pub(crate) async fn end_all(shelf: &dyn Shelf, person: &str, but: Option<&str>) -> Result<(), StoreError> {
    for kept in shelf.shelf(SHELF).await? {
        if read(kept.value)?.person == person && but != Some(kept.key.as_str()) {
            end(shelf, &kept.key).await?;
        }
    }
    Ok(())
}

/// Throws sessions away that have ended by themselves. Says how many.
pub(crate) async fn forget_old(shelf: &dyn Shelf, now: Timestamp) -> Result<usize, StoreError> {
    let mut gone = 0;
    for kept in shelf.shelf(SHELF).await? {
        let going = look(shelf, &kept.key, now).await?.is_some();
        if !going && shelf.discard(SHELF, &kept.key, kept.version).await? {
            gone += 1;
        }
    }
    Ok(gone)
}

async fn look(shelf: &dyn Shelf, place: &str, now: Timestamp) -> Result<Option<(Kept, Session, Account)>, StoreError> {
    let Some(kept) = shelf.kept(SHELF, place).await? else { return Ok(None) };
    let session = read(kept.value.clone())?;
    let account = people::find(shelf, &session.person).await?;
    Ok(account.filter(|account| session.is_valid(account, now)).map(|account| (kept, session, account)))
}

fn going(secret: &str, account: Account, by: SignedIn) -> Going {
    let csrf = Hash::of(format!("csrf {secret}").as_bytes()).digits(32);
    Going { place: secret::place(secret), account, by, csrf }
}

fn record(session: &Session) -> Value {
    // Our own types always serialise.
    serde_json::to_value(session).unwrap_or_default()
}

fn read(value: Value) -> Result<Session, StoreError> {
    serde_json::from_value(value).map_err(|error| StoreError::Damaged { detail: format!("a session: {error}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_by_itself() {
        let at = |hours: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours);
        let account = |created: i64| -> Account {
            serde_json::from_value(serde_json::json!({"name": "ada", "role": "admin", "created_at": at(created)}))
                .expect("an account")
        };
        let session =
            |seen: i64| Session { person: "ada".into(), by: SignedIn::Password, created_at: at(10), seen_at: at(seen) };
        assert!(session(10).is_valid(&account(0), at(21)));
        assert!(!session(10).is_valid(&account(0), at(22)), "nothing happened for half a day");
        assert!(session(340).is_valid(&account(0), at(345)));
        assert!(!session(340).is_valid(&account(0), at(346)), "two weeks are over");
        assert!(!session(10).is_valid(&account(11), at(12)), "somebody else of this name");
    }
}
