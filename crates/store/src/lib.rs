//! Ledgers in a database: SQLite for one machine, PostgreSQL for several, and the checks that both pass.

use std::sync::Arc;

use domain::store::{Store, StoreError};

mod answer;
mod asked;
mod backup;
mod batch;
pub mod conformance;
mod decode;
mod filter;
mod growth;
mod instant;
mod item;
mod learnt;
mod piece;
mod postgres;
mod record;
mod sqlite;
mod told;
mod trace;
mod words;

pub use backup::{BackupError, Copied, Restored, back_up, restore};

/// Opens the database that an address names and brings its schema up to date: `postgres://…`, `sqlite:PATH`, or the
/// path of an SQLite file, which is made if it is not there.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, StoreError> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        Ok(Arc::new(postgres::Postgres::open(url).await?))
    } else {
        let path = url.strip_prefix("sqlite:").unwrap_or(url);
        Ok(Arc::new(sqlite::Sqlite::open(path.into()).await?))
    }
}
