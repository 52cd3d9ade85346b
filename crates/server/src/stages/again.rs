//! `Idempotency-Key` for stages: what was answered once is answered again, and kept once. Remembered for a day.
//!
//! The key is taken when there is an answer, together with the answer, and not before: a caller who hangs up and tries
//! again is never told to wait for work that nobody does any more. Of two who ask at once with one key both may ask a
//! model, and the first answer is the answer of both.

use domain::hash::Hash;
use domain::shelf::Shelf;
use domain::stage::{RequestRow, StageFilter, StageRecord};
use domain::store::StoreError;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::idempotency;

const SHELF: &str = "idempotency-stages";
/// How long keeping an answer can take; whoever takes longer has died over it.
const KEEPING: SignedDuration = SignedDuration::from_secs(10);

/// One key of one caller, with what it is used for.
pub(super) struct Again {
    place: String,
    body: Hash,
}

/// What a key was used for first.
#[derive(Debug, Serialize, Deserialize)]
struct Used {
    body: Hash,
    /// Its attempt is 0 until it is kept.
    record: StageRecord,
    row: RequestRow,
}

impl Again {
    pub(super) fn new(caller: &Caller, key: &str, body: Hash) -> Self {
        Self { place: idempotency::place(caller, key), body }
    }

    /// What this key was answered with before.
    pub(super) async fn known(&self, app: &App) -> Result<Option<(StageRecord, RequestRow)>, ApiError> {
        let Some(kept) = app.store.kept(SHELF, &self.place).await? else { return Ok(None) };
        let version = kept.version;
        let used = read(kept.value)?;
        if used.body != self.body {
            return Err(ApiError::KeyReused);
        }
        self.settled(app, used, version).await.map(Some)
    }

    /// Keeps an answer, unless this key has one: then that one counts.
    pub(super) async fn file_once(
        &self,
        app: &App,
        record: StageRecord,
        row: RequestRow,
    ) -> Result<(StageRecord, RequestRow), ApiError> {
        let used = Used { body: self.body, record, row };
        if app.store.keep(SHELF, &self.place, &value(&used), 0).await? {
            return self.filed(app, used, 1).await;
        }
        // Forgotten between the two looks: then it is not known any more.
        let known = self.known(app).await?;
        known.ok_or_else(|| StoreError::Unavailable("the key was just forgotten".into()).into())
    }

    /// A use whose answer is kept: it was, or whoever was about to keep it died and it is done now.
    async fn settled(&self, app: &App, used: Used, version: u64) -> Result<(StageRecord, RequestRow), ApiError> {
        if used.record.attempt > 0 {
            return Ok((used.record, used.row));
        }
        let at = used.record.at;
        let this = StageFilter {
            request: Some(used.record.request.clone()),
            since: Some(at),
            until: Some(at),
            ..StageFilter::default()
        };
        let (found, _) = app.store.stage_history(used.record.stage, &this, None, 1).await?;
        match found.into_iter().next() {
            Some(record) => Ok((record, used.row)),
            None if Timestamp::now().duration_since(at) > KEEPING => self.filed(app, used, version).await,
            None => Err(ApiError::conflict("under_way", "this is being answered already: ask again in a moment")),
        }
    }

    async fn filed(&self, app: &App, mut used: Used, version: u64) -> Result<(StageRecord, RequestRow), ApiError> {
        used.record.attempt = app.store.file(&used.record, &used.row).await?;
        app.store.keep(SHELF, &self.place, &value(&used), version).await?;
        Ok((used.record, used.row))
    }
}

/// Forgets the keys that are older than a day. Says how many.
pub(crate) async fn forget_old(shelf: &dyn Shelf, now: Timestamp) -> Result<usize, StoreError> {
    idempotency::forget(shelf, SHELF, now, |value| read(value).ok().map(|used| used.record.at)).await
}

fn value(used: &Used) -> serde_json::Value {
    // Our own types always serialise.
    serde_json::to_value(used).unwrap_or_default()
}

fn read(value: serde_json::Value) -> Result<Used, StoreError> {
    serde_json::from_value(value)
        .map_err(|error| StoreError::Damaged { detail: format!("an idempotency key: {error}") })
}
