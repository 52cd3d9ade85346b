//! What SQLite's errors mean, and whom they concern: one command, or everyone in its transaction.

use std::sync::Arc;

use domain::store::StoreError;
use rusqlite::ErrorCode;

use crate::decode::damaged;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(super) enum Failure {
    /// The command is refused; what it wrote must be taken back, the others in its transaction are not concerned.
    Refused(StoreError),
    /// The database failed, and with it the whole transaction.
    Broken(Arc<rusqlite::Error>),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::Refused(error)
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            // What was given or read is at fault, not the database.
            None | Some(ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch | ErrorCode::TooBig) => {
                Failure::Refused(fault(error))
            }
            Some(_) => Failure::Broken(Arc::new(error)),
        }
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(error) => error,
            Failure::Broken(error) => meaning(error),
        }
    }
}

/// What a caller can do about an error of the database.
pub(super) fn meaning(error: Arc<rusqlite::Error>) -> StoreError {
    match &*error {
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::Utf8Error(..) => damaged(error),
        other => match other.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => damaged(error),
            _ => StoreError::Unavailable(Box::new(error)),
        },
    }
}

/// The same for a caller who is alone.
pub(crate) fn fault(error: rusqlite::Error) -> StoreError {
    meaning(Arc::new(error))
}

/// Whether a value is there that may be there only once.
pub(super) fn is_twice(error: &rusqlite::Error) -> bool {
    // `UNIQUE constraint failed`; a key that stands for a row's place is reported apart.
    const TWICE: [i32; 2] = [rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE, rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY];
    matches!(error, rusqlite::Error::SqliteFailure(error, _) if TWICE.contains(&error.extended_code))
}
