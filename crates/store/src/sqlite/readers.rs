//! The connections that read. A few are kept; those who come when all are busy wait for one.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use domain::store::StoreError;
use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::connect;
use super::fault::Failure;

/// How many read at once.
const READERS: usize = 8;

/// Connections that read.
#[derive(Clone)]
pub(super) struct Readers {
    path: Arc<PathBuf>,
    idle: Arc<Mutex<Vec<Connection>>>,
    free: Arc<Semaphore>,
}

impl Readers {
    /// Readers of one file; opened when they are needed.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path: Arc::new(path), idle: Arc::default(), free: Arc::new(Semaphore::new(READERS)) }
    }

    /// Reads on a thread where reading may block.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self.free.clone().acquire_owned().await.map_err(|gone| StoreError::Unavailable(gone.into()))?;
        let readers = self.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let connection = match readers.take() {
                Some(connection) => connection,
                None => connect::reader(&readers.path)?,
            };
            let outcome = work(&connection);
            // A connection that saw the database fail is not trusted again.
            if !matches!(outcome, Err(Failure::Broken(_))) {
                readers.put(connection);
            }
            drop(permit);
            outcome
        });
        reading.await.map_err(|gone| StoreError::Unavailable(gone.into()))?.map_err(StoreError::from)
    }

    fn take(&self) -> Option<Connection> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn put(&self, connection: Connection) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
}
