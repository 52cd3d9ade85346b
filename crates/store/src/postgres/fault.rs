//! What PostgreSQL's errors mean.

use domain::store::StoreError;

use crate::decode::damaged;

/// What a caller can do about an error of the database.
pub(super) fn fault(error: sqlx::Error) -> StoreError {
    let code = error.as_database_error().and_then(|error| error.code()).unwrap_or_default().into_owned();
    match (code.as_str(), &error) {
        ("53100", _) => StoreError::Full,
        // `data_corrupted` and `index_corrupted`.
        ("XX001" | "XX002", _) => damaged(error),
        (_, sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_)) => damaged(error),
        _ => StoreError::Unavailable(Box::new(error)),
    }
}

/// Whether an error says that an event's key is there already.
pub(super) fn is_twice(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.constraint() == Some("event_key"))
}
