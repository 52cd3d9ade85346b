//! Who may come in: keys, of which only a hash is kept.
//!
//! A key is `aw_<id>_<secret>`. The id finds its record on the shelf `keys`; the secret is 32 random bytes, so its hash
//! cannot be turned back. A key that was revoked stays on the shelf, so that it is known whose it was.

pub(crate) mod url;

use domain::hash::Hash;
use domain::shelf::Shelf;
use domain::store::StoreError;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use crate::access::{Grant, Role};
use crate::secret::{NoChance, random};

/// Where keys are kept.
const SHELF: &str = "keys";
/// How often a change is tried that somebody else was faster with.
const TRIES: usize = 8;
/// How exactly it is known when a key was last used: writing it down each time would cost more than it is worth.
const USED_WITHIN: SignedDuration = SignedDuration::from_mins(10);

/// What is kept of a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// What stands between `aw_` and the secret.
    pub id: String,
    /// What its owner calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it opens. Keys that were made before there were roles open everything.
    #[serde(default = "everything")]
    pub grant: Grant,
    /// Whether it may be learnt from what it sends: see [`Standing`](domain::trace::Standing).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub evidence: bool,
    /// The hash of its secret.
    hash: Hash,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Since when it is not valid any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to ten minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
}

/// Why there is no new key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// See there.
    #[error(transparent)]
    NoChance(#[from] NoChance),
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A key to be made.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What to call it.
    pub name: Option<String>,
    /// What it is to open.
    pub grant: Grant,
    /// Whether the traces that are sent with it count as evidence.
    pub evidence: bool,
    /// When it is to end by itself.
    pub expires_at: Option<Timestamp>,
}

impl Wanted {
    /// A key with a role everywhere, from which nothing is learnt and which does not end by itself.
    pub fn new(role: Role) -> Self {
        Self { name: None, grant: Grant::everywhere(role), evidence: false, expires_at: None }
    }
}

impl Key {
    /// Whether it is worth noting that it is used now.
    pub(crate) fn is_news(&self, now: Timestamp) -> bool {
        self.last_used_at.is_none_or(|last| now.duration_since(last) > USED_WITHIN)
    }

    /// Whether it opens anything at a moment.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// Makes a key and keeps its hash. The key itself is told this once.
pub async fn create(shelf: &dyn Shelf, wanted: Wanted) -> Result<(String, Key), KeyError> {
    let Wanted { name, grant, evidence, expires_at } = wanted;
    let created_at = Timestamp::now();
    let secret = random::<32>()?;
    let hash = Hash::of(secret.as_bytes());
    let id = random::<6>()?;
    let (revoked_at, last_used_at) = (None, None);
    let mut key = Key { id, name, grant, evidence, hash, created_at, expires_at, revoked_at, last_used_at };
    // Two keys with one id are as good as impossible, and still not one key.
    while !shelf.keep(SHELF, &key.id, &record(&key), 0).await? {
        key.id = random::<6>()?;
    }
    Ok((format!("aw_{}_{secret}", key.id), key))
}

/// All keys, oldest first.
pub async fn list(shelf: &dyn Shelf) -> Result<Vec<Key>, StoreError> {
    let kept = shelf.shelf(SHELF).await?;
    let mut keys = kept.into_iter().map(|kept| read(kept.value)).collect::<Result<Vec<Key>, _>>()?;
    keys.sort_by_key(|key| key.created_at);
    Ok(keys)
}

/// Ends a key's validity, at once and everywhere. None if there is no such key.
pub async fn revoke(shelf: &dyn Shelf, id: &str) -> Result<Option<Key>, StoreError> {
    for _ in 0..TRIES {
        let Some(kept) = shelf.kept(SHELF, id).await? else { return Ok(None) };
        let mut key = read(kept.value)?;
        if key.revoked_at.is_some() {
            return Ok(Some(key));
        }
        key.revoked_at = Some(Timestamp::now());
        if shelf.keep(SHELF, id, &record(&key), kept.version).await? {
            return Ok(Some(key));
        }
    }
    Err(StoreError::Unavailable("the key is being changed by somebody else".into()))
}

/// The key that somebody shows, if it is valid now.
pub async fn check(shelf: &dyn Shelf, shown: &str) -> Result<Option<Key>, StoreError> {
    let Some((id, secret)) = shown.strip_prefix("aw_").and_then(|rest| rest.split_once('_')) else { return Ok(None) };
    let Some(kept) = shelf.kept(SHELF, id).await? else { return Ok(None) };
    let key = read(kept.value)?;
    let same: bool = Hash::of(secret.as_bytes()).bytes().ct_eq(key.hash.bytes()).into();
    Ok((same && key.is_valid(Timestamp::now())).then_some(key))
}

/// Notes that a key is used.
pub(crate) async fn used(shelf: &dyn Shelf, id: &str, now: Timestamp) -> Result<(), StoreError> {
    let Some(kept) = shelf.kept(SHELF, id).await? else { return Ok(()) };
    let key = Key { last_used_at: Some(now), ..read(kept.value)? };
    // Whoever was faster noted the same, or ended the key.
    shelf.keep(SHELF, id, &record(&key), kept.version).await.map(drop)
}

/// Whether a key that was valid still is.
pub(crate) async fn still_valid(shelf: &dyn Shelf, id: &str) -> Result<bool, StoreError> {
    match shelf.kept(SHELF, id).await? {
        Some(kept) => Ok(read(kept.value)?.is_valid(Timestamp::now())),
        None => Ok(false),
    }
}

fn everything() -> Grant {
    Grant::everywhere(Role::Admin)
}

fn record(key: &Key) -> serde_json::Value {
    // Our own types always serialise.
    serde_json::to_value(key).unwrap_or_default()
}

fn read(value: serde_json::Value) -> Result<Key, StoreError> {
    serde_json::from_value(value).map_err(|error| StoreError::Damaged { detail: format!("a key: {error}") })
}
