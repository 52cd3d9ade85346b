//! `Idempotency-Key`: a request that is sent again is the same request. Kept on a shelf for a day; the first wins.

use axum::http::HeaderMap;
use domain::hash::Hash;
use domain::id::RunId;
use domain::shelf::Shelf;
use domain::store::StoreError;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::IntoParams;

use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::{people, schema, session};

const SHELF: &str = "idempotency";
const HEADER: &str = "Idempotency-Key";
/// The longest key, in characters.
const LONGEST: usize = 200;
/// How long a key is remembered.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(24);

/// The headers of a request that may be sent twice.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "it says what the document says about a header that `key` reads")]
pub(crate) struct Once {
    /// The same key with the same body is the same request, for a day.
    #[param(rename = "Idempotency-Key", schema_with = schema::idempotency_key, required = false)]
    key: Option<String>,
}

/// What a key was used for first.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Used {
    /// What came of it: the name of a run, or of something else that is only made once.
    #[serde(rename = "run")]
    pub(crate) made: String,
    body: Hash,
    /// When that was.
    pub(crate) at: Timestamp,
}

/// The key of a request, if it has one.
pub(crate) fn key(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let mut given = headers.get_all(HEADER).iter();
    let key = match (given.next(), given.next()) {
        (None, _) => return Ok(None),
        (Some(key), None) => key.to_str().unwrap_or_default(),
        (Some(_), Some(_)) => return Err(ApiError::invalid(HEADER, "there must be one `Idempotency-Key`")),
    };
    if !(1..=LONGEST).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let words = format!("`Idempotency-Key` must be 1 to {LONGEST} visible ASCII characters");
        return Err(ApiError::invalid(HEADER, words));
    }
    Ok(Some(key))
}

/// The run that a key stands for: a new one, or the one it stood for before. Whoever gets it takes the request in, which
/// changes nothing where that was done before.
pub(crate) async fn run_for(app: &App, caller: &Caller, key: &str, body: Hash) -> Result<RunId, ApiError> {
    let (used, _) = used(app, caller, key, RunId::fresh().to_string(), body).await?;
    used.made.parse().map_err(|error| damaged(&error).into())
}

/// Whether a key was used for the same thing before; now it is.
pub(crate) async fn is_again(app: &App, caller: &Caller, key: &str, run: RunId, body: Hash) -> Result<bool, ApiError> {
    used(app, caller, key, run.to_string(), body).await.map(|(_, again)| again)
}

/// What a key was used for first, and whether that was before.
pub(crate) async fn used(
    app: &App,
    caller: &Caller,
    key: &str,
    made: String,
    body: Hash,
) -> Result<(Used, bool), ApiError> {
    let place = place(caller, key);
    let used = Used { made, body, at: Timestamp::now() };
    let record = serde_json::to_value(&used).unwrap_or_default();
    if app.store.keep(SHELF, &place, &record, 0).await? {
        return Ok((used, false));
    }
    let kept = app.store.kept(SHELF, &place).await?;
    let first = kept.map(|kept| read(kept.value)).transpose()?;
    // Forgotten between the two looks: then it is not known any more.
    let first = first.ok_or_else(|| StoreError::Unavailable("the key was just forgotten".into()))?;
    if first.body == body { Ok((first, true)) } else { Err(ApiError::KeyReused) }
}

/// Where a key is kept: keys of two callers are two keys, and what people write in them is not kept.
pub(crate) fn place(caller: &Caller, key: &str) -> String {
    Hash::of(format!("{} {key}", caller.id).as_bytes()).to_string()
}

/// Forgets the keys that are older than a day, and sessions and invitations that are over. Says how many.
pub async fn forget_old(shelf: &dyn Shelf, now: Timestamp) -> Result<usize, StoreError> {
    let runs = forget(shelf, SHELF, now, |value| read(value).ok().map(|used| used.at)).await?;
    let calls = crate::stages::forget_old(shelf, now).await?;
    let signed_in = session::forget_old(shelf, now).await? + people::forget_old(shelf, now).await?;
    Ok(runs + calls + signed_in)
}

/// Forgets what was first used more than a day ago, going by what is kept of it.
pub(crate) async fn forget(
    shelf: &dyn Shelf,
    name: &str,
    now: Timestamp,
    used_at: impl Fn(Value) -> Option<Timestamp> + Send,
) -> Result<usize, StoreError> {
    let mut forgotten = 0;
    for kept in shelf.shelf(name).await? {
        let is_old = used_at(kept.value).is_some_and(|at| now.duration_since(at) > REMEMBERED);
        if is_old && shelf.discard(name, &kept.key, kept.version).await? {
            forgotten += 1;
        }
    }
    Ok(forgotten)
}

fn read(value: Value) -> Result<Used, StoreError> {
    serde_json::from_value(value).map_err(|error| damaged(&error))
}

fn damaged(error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Damaged { detail: format!("an idempotency key: {error}") }
}
