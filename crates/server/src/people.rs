//! People who sign in: their accounts, and the links with which they come for the first time.
//!
//! An account has a name, a role and, once its owner has chosen one, the hash of a password. Until then, and where it was
//! forgotten, they come in with an invitation: a random token of which only the hash is kept, good for once and a day.

pub(crate) mod url;

use domain::shelf::Shelf;
use domain::store::StoreError;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::Role;
use crate::secret::{self, NoChance};
use crate::session;

const SHELF: &str = "people";
const INVITATIONS: &str = "invitations";
/// How often a change is tried that somebody else was faster with.
const TRIES: usize = 8;
/// How long an invitation is good for.
const INVITED_FOR: SignedDuration = SignedDuration::from_hours(24);
/// The longest name.
const LONGEST: usize = 64;

/// Somebody who can sign in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// What they are called, in ledgers too.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// The hash of their password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    password: Option<String>,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When they were last here, to a few minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_seen_at: Option<Timestamp>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Invitation {
    person: String,
    expires_at: Timestamp,
    /// It was made for whoever comes first, and is good for nothing once somebody has come.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    first: bool,
}

/// Why an account is not as it is wanted.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    /// Choose another name.
    #[error("`{0}` is not a name: names are 1 to {LONGEST} letters, digits, `.`, `_` and `-`, a letter or digit first")]
    BadName(String),
    /// Choose another name, or invite them anew.
    #[error("there is somebody called `{0}` already")]
    Taken(String),
    /// Check the name.
    #[error("there is nobody called `{0}`")]
    Unknown(String),
    /// Make somebody else an admin first.
    #[error("`{0}` is the last admin")]
    LastAdmin(String),
    /// See there.
    #[error(transparent)]
    NoChance(#[from] NoChance),
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Account {
    fn new(name: &str, role: Role) -> Self {
        Self { name: name.to_owned(), role, password: None, created_at: Timestamp::now(), last_seen_at: None }
    }

    /// Whether they have chosen a password.
    pub fn has_password(&self) -> bool {
        self.password.is_some()
    }

    pub(crate) fn password(&self) -> Option<String> {
        self.password.clone()
    }
}

/// Makes an account, and the token with which its owner comes for the first time.
pub async fn add(shelf: &dyn Shelf, name: &str, role: Role) -> Result<(Account, String), PeopleError> {
    if !is_name(name) {
        return Err(PeopleError::BadName(name.to_owned()));
    }
    let account = Account::new(name, role);
    if !shelf.keep(SHELF, &place(name), &record(&account), 0).await? {
        return Err(PeopleError::Taken(name.to_owned()));
    }
    let token = write_invitation(shelf, name, false).await?;
    Ok((account, token))
}

/// Everybody, by name.
pub async fn list(shelf: &dyn Shelf) -> Result<Vec<Account>, StoreError> {
    shelf.shelf(SHELF).await?.into_iter().map(|kept| read(kept.value)).collect()
}

/// Another token with which somebody can come in and choose a password. Earlier ones are good for nothing any more.
pub async fn invite(shelf: &dyn Shelf, name: &str) -> Result<(Account, String), PeopleError> {
    let account = find(shelf, name).await?.ok_or_else(|| PeopleError::Unknown(name.to_owned()))?;
    uninvite(shelf, &account.name).await?;
    let token = write_invitation(shelf, &account.name, false).await?;
    Ok((account, token))
}

/// A token for whoever comes first, as long as nobody has a password: they are an admin of this name.
pub async fn welcome(shelf: &dyn Shelf, name: &str) -> Result<Option<String>, PeopleError> {
    let known = list(shelf).await?;
    if known.iter().any(Account::has_password) {
        return Ok(None);
    }
    discard_invitations(shelf, |invitation| invitation.first).await?;
    let mut names = [name, "admin"].into_iter().filter(|name| is_name(name));
    // Whoever has the name without being an admin keeps what they are.
    let free = |name: &&str| known.iter().all(|it| place(&it.name) != place(name) || it.role == Role::Admin);
    let name = names.find(free).ok_or_else(|| PeopleError::Taken(name.to_owned()))?;
    let account = Account::new(name, Role::Admin);
    shelf.keep(SHELF, &place(name), &record(&account), 0).await?;
    write_invitation(shelf, name, true).await.map(Some)
}

/// Takes an account away, and ends what its owner has signed in with.
pub async fn remove(shelf: &dyn Shelf, name: &str) -> Result<Account, PeopleError> {
    for _ in 0..TRIES {
        let kept = shelf.kept(SHELF, &place(name)).await?;
        let kept = kept.ok_or_else(|| PeopleError::Unknown(name.to_owned()))?;
        let account = read(kept.value)?;
        let admins = list(shelf).await?.iter().filter(|other| other.role == Role::Admin).count();
        if account.role == Role::Admin && admins < 2 {
            return Err(PeopleError::LastAdmin(account.name));
        }
        if shelf.discard(SHELF, &place(name), kept.version).await? {
            uninvite(shelf, &account.name).await?;
            session::end_all(shelf, &account.name, None).await?;
            return Ok(account);
        }
    }
    Err(busy().into())
}

/// Somebody by their name, however it is written.
pub(crate) async fn find(shelf: &dyn Shelf, name: &str) -> Result<Option<Account>, StoreError> {
    if !is_name(name) {
        return Ok(None);
    }
    shelf.kept(SHELF, &place(name)).await?.map(|kept| read(kept.value)).transpose()
}

/// Whose token this is. It is good for nothing afterwards.
pub(crate) async fn redeem(shelf: &dyn Shelf, token: &str, now: Timestamp) -> Result<Option<Account>, StoreError> {
    let place = secret::place(token);
    let Some(kept) = shelf.kept(INVITATIONS, &place).await? else { return Ok(None) };
    // Of two who come with one token, one is let in.
    if !shelf.discard(INVITATIONS, &place, kept.version).await? {
        return Ok(None);
    }
    let invitation = invitation(kept.value)?;
    let late = invitation.first && list(shelf).await?.iter().any(Account::has_password);
    if late || invitation.expires_at <= now { Ok(None) } else { find(shelf, &invitation.person).await }
}

/// Keeps the hash of a password that somebody has chosen. Links that lead to it are good for nothing any more.
pub(crate) async fn set_password(shelf: &dyn Shelf, name: &str, hash: String) -> Result<(), PeopleError> {
    change(shelf, name, |account| account.password = Some(hash.clone())).await?;
    uninvite(shelf, name).await?;
    Ok(())
}

/// Notes that somebody is here.
pub(crate) async fn seen(shelf: &dyn Shelf, name: &str, now: Timestamp) -> Result<(), PeopleError> {
    change(shelf, name, |account| account.last_seen_at = Some(now)).await
}

/// Throws invitations away that are good for nothing any more. Says how many.
pub(crate) async fn forget_old(shelf: &dyn Shelf, now: Timestamp) -> Result<usize, StoreError> {
    discard_invitations(shelf, |invitation| invitation.expires_at <= now).await
}

async fn change(shelf: &dyn Shelf, name: &str, mut change: impl FnMut(&mut Account) + Send) -> Result<(), PeopleError> {
    for _ in 0..TRIES {
        let kept = shelf.kept(SHELF, &place(name)).await?;
        let kept = kept.ok_or_else(|| PeopleError::Unknown(name.to_owned()))?;
        let mut account = read(kept.value)?;
        change(&mut account);
        if shelf.keep(SHELF, &place(name), &record(&account), kept.version).await? {
            return Ok(());
        }
    }
    Err(busy().into())
}

async fn write_invitation(shelf: &dyn Shelf, name: &str, first: bool) -> Result<String, PeopleError> {
    let token = secret::random::<32>()?;
    let invitation = Invitation { person: name.to_owned(), expires_at: Timestamp::now() + INVITED_FOR, first };
    shelf.keep(INVITATIONS, &secret::place(&token), &record(&invitation), 0).await?;
    Ok(token)
}

async fn uninvite(shelf: &dyn Shelf, name: &str) -> Result<usize, StoreError> {
    discard_invitations(shelf, |invitation| invitation.person == name).await
}

async fn discard_invitations(
    shelf: &dyn Shelf,
    which: impl Fn(&Invitation) -> bool + Send,
) -> Result<usize, StoreError> {
    let mut gone = 0;
    for kept in shelf.shelf(INVITATIONS).await? {
        if which(&invitation(kept.value)?) && shelf.discard(INVITATIONS, &kept.key, kept.version).await? {
            gone += 1;
        }
    }
    Ok(gone)
}

/// Where an account is kept: `Jane` and `jane` are one person.
fn place(name: &str) -> String {
    name.to_ascii_lowercase()
}

fn is_name(name: &str) -> bool {
    let first = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
    let rest = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    first && name.len() <= LONGEST && name.bytes().all(rest)
}

fn record<T: Serialize>(it: &T) -> Value {
    // Our own types always serialise.
    serde_json::to_value(it).unwrap_or_default()
}

fn read(value: Value) -> Result<Account, StoreError> {
    serde_json::from_value(value).map_err(|error| StoreError::Damaged { detail: format!("an account: {error}") })
}

fn invitation(value: Value) -> Result<Invitation, StoreError> {
    serde_json::from_value(value).map_err(|error| StoreError::Damaged { detail: format!("an invitation: {error}") })
}

fn busy() -> StoreError {
    StoreError::Unavailable("the account is being changed by somebody else".into())
}
