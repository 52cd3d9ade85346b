//! The calendar on its shelf: reading all of it, and changing one appointment at a time without losing what others do.

use std::path::PathBuf;
use std::sync::Arc;

use domain::shelf::Shelf;
use domain::tool::{ToolError, ToolSpec};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde_json::{Value, json};

use super::event::Record;
use crate::declare::from_store;
use crate::errors;

const SHELF: &str = "calendar";
/// How often a change is tried again that somebody else came before.
const TRIES: usize = 20;
/// How long what was cancelled is remembered.
const MOURNED: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Where appointments are kept, and whose they are.
pub(super) struct Book {
    pub(super) shelf: Arc<dyn Shelf>,
    pub(super) home: TimeZone,
    pub(super) files: Option<PathBuf>,
    /// Whether a server is to hear of every change.
    pub(super) served: bool,
}

impl Book {
    pub(super) fn now(&self, now: Timestamp) -> Zoned {
        now.to_zoned(self.home.clone())
    }

    /// Everything, cancelled ones included. What cannot be read is left where it is.
    pub(super) async fn records(&self, spec: &ToolSpec) -> Result<Vec<Record>, ToolError> {
        let kept = self.shelf.shelf(SHELF).await.map_err(|error| from_store(spec, &error))?;
        let records = kept.into_iter().filter_map(|kept| match serde_json::from_value(kept.value) {
            Ok(record) => Some(record),
            Err(error) => {
                tracing::warn!(key = kept.key, %error, "an appointment on the shelf cannot be read");
                None
            }
        });
        Ok(records.collect())
    }

    /// One appointment, cancelled or not.
    pub(super) async fn record(&self, spec: &ToolSpec, id: &str) -> Result<Option<Record>, ToolError> {
        let kept = self.shelf.kept(SHELF, id).await.map_err(|error| from_store(spec, &error))?;
        Ok(kept.and_then(|kept| serde_json::from_value(kept.value).ok()))
    }

    /// Changes one appointment, or makes it. `change` sees it as it is now and says what it is to be, if that is
    /// anything else; so does this.
    pub(super) async fn change(
        &self,
        spec: &ToolSpec,
        id: &str,
        mut change: impl FnMut(Option<Record>) -> Option<Record> + Send,
    ) -> Result<bool, ToolError> {
        for _ in 0..TRIES {
            let kept = self.shelf.kept(SHELF, id).await.map_err(|error| from_store(spec, &error))?;
            let version = kept.as_ref().map_or(0, |kept| kept.version);
            let record = kept.and_then(|kept| serde_json::from_value(kept.value).ok());
            let Some(record) = change(record) else { return Ok(false) };
            let kept = self.shelf.keep(SHELF, id, &json!(record), version).await;
            if kept.map_err(|error| from_store(spec, &error))? {
                return Ok(true);
            }
        }
        Err(errors::unavailable(spec, "the calendar is being changed by others all the time"))
    }

    /// Forgets what was cancelled long ago and what the server knows to be gone.
    pub(super) async fn tidy(&self, spec: &ToolSpec, now: Timestamp) -> Result<(), ToolError> {
        let kept = self.shelf.shelf(SHELF).await.map_err(|error| from_store(spec, &error))?;
        for kept in kept {
            let Ok(record) = serde_json::from_value::<Record>(kept.value) else { continue };
            let old = record.gone.is_some_and(|gone| now.duration_since(gone) > MOURNED);
            let owed = record.unsent && record.remote.is_some();
            if old && !owed {
                let gone = self.shelf.discard(SHELF, &kept.key, kept.version).await;
                gone.map_err(|error| from_store(spec, &error))?;
            }
        }
        Ok(())
    }

    /// Adds to a result that the server has yet to hear of it.
    pub(super) fn unsent(&self, mut result: Value) -> Value {
        if self.served {
            result["synchronised"] = json!(false);
        }
        result
    }
}

/// What a call was answered that has been carried out before.
pub(super) fn answered(records: &[Record], key: &str) -> Option<Value> {
    records.iter().find_map(|record| record.answered(key)).cloned()
}
