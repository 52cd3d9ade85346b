//! The seam to where tools keep what is theirs: timers, appointments, the state of a house.
//!
//! A record is changed by somebody who has read it: [`Shelf::keep`] refuses a version that is no longer the one on the
//! shelf. To do a write once, a tool keeps the key of the call within the record.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::store::StoreError;

/// A database that keeps records.
#[async_trait]
pub trait Shelf: Send + Sync {
    /// Puts a record in the place of the version that was read, 0 for none. Says whether that is what was there; if not,
    /// nothing was changed. On return it is durable.
    async fn keep(&self, shelf: &str, key: &str, value: &Value, replacing: u64) -> Result<bool, StoreError>;

    /// One record.
    async fn kept(&self, shelf: &str, key: &str) -> Result<Option<Kept>, StoreError>;

    /// All records of a shelf, by their keys.
    async fn shelf(&self, shelf: &str) -> Result<Vec<Kept>, StoreError>;

    /// Takes a record away if it is the version that was read. Says whether it was.
    async fn discard(&self, shelf: &str, key: &str, version: u64) -> Result<bool, StoreError>;
}

/// A record on a shelf.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Once on its shelf.
    pub key: String,
    /// Counted from 1, by every change.
    pub version: u64,
    /// What it says.
    pub value: Value,
}
