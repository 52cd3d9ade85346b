//! Who may come in: keys, of which only a hash is kept.
//!
//! A key is `aw_<id>_<secret>`. The id finds its record on the shelf `keys`; the secret is 32 random bytes, so its hash
//! cannot be turned back. A key that was revoked stays on the shelf, so that it is known whose it was.

use std::fmt::Write;

use domain::hash::Hash;
use domain::shelf::Shelf;
use domain::store::StoreError;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// Where keys are kept.
const SHELF: &str = "keys";
/// How often a change is tried that somebody else was faster with.
const TRIES: usize = 8;

/// What is kept of a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// What stands between `aw_` and the secret.
    pub id: String,
    /// What its owner calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it may be learnt from what it sends: see [`Standing`](domain::trace::Standing).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub evidence: bool,
    /// The hash of its secret.
    hash: Hash,
    /// When it was made.
    pub created_at: Timestamp,
    /// Since when it is not valid any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
}

/// Why there is no new key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// Try again: the machine has no random numbers.
    #[error("there are no random numbers to make a key of")]
    NoChance(#[source] getrandom::Error),
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a key that nothing is learnt from, and keeps its hash. The key itself is told this once.
pub async fn create(shelf: &dyn Shelf, name: Option<String>) -> Result<(String, Key), KeyError> {
    make(shelf, name, false).await
}

/// Makes a key whose traces count as evidence, and keeps its hash. The key itself is told this once.
pub async fn create_trusted(shelf: &dyn Shelf, name: Option<String>) -> Result<(String, Key), KeyError> {
    make(shelf, name, true).await
}

async fn make(shelf: &dyn Shelf, name: Option<String>, evidence: bool) -> Result<(String, Key), KeyError> {
    loop {
        let (id, secret) = (random::<6>()?, random::<32>()?);
        let hash = Hash::of(secret.as_bytes());
        let created_at = Timestamp::now();
        let key = Key { id: id.clone(), name: name.clone(), evidence, hash, created_at, revoked_at: None };
        // Two keys with one id are as good as impossible, and still not one key.
        if shelf.keep(SHELF, &id, &record(&key), 0).await? {
            return Ok((format!("aw_{id}_{secret}"), key));
        }
    }
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
    Ok((same && key.revoked_at.is_none()).then_some(key))
}

/// Whether a key that was valid still is.
pub(crate) async fn still_valid(shelf: &dyn Shelf, id: &str) -> Result<bool, StoreError> {
    match shelf.kept(SHELF, id).await? {
        Some(kept) => Ok(read(kept.value)?.revoked_at.is_none()),
        None => Ok(false),
    }
}

fn record(key: &Key) -> serde_json::Value {
    // Our own types always serialise.
    serde_json::to_value(key).unwrap_or_default()
}

fn read(value: serde_json::Value) -> Result<Key, StoreError> {
    serde_json::from_value(value).map_err(|error| StoreError::Damaged { detail: format!("a key: {error}") })
}

fn random<const BYTES: usize>() -> Result<String, KeyError> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(KeyError::NoChance)?;
    let mut text = String::with_capacity(2 * BYTES);
    for byte in bytes {
        // Writing to a string always works.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
