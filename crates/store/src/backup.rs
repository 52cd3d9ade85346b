//! Backups of a database in a file: made while it is used, and brought back when nobody uses it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use domain::store::StoreError;
use rusqlite::{Connection, ErrorCode};

use crate::sqlite::copy::{self, Progress, beside};

/// How long somebody who uses the database may take to leave it.
const PATIENCE: Duration = Duration::from_secs(2);

/// What was copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// Where it is now.
    pub file: PathBuf,
    /// How many bytes it has.
    pub bytes: u64,
    /// How many runs it holds.
    pub runs: u64,
}

/// What was brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The database as it is now.
    pub copied: Copied,
    /// What was there before, if there was anything.
    pub before: Option<PathBuf>,
}

/// Why a backup was not made, or not brought back. The database is as it was.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Choose another name, or say that it may be replaced.
    #[error("`{}` is there already", file.display())]
    Exists {
        /// Which file.
        file: PathBuf,
    },
    /// Check the name.
    #[error("there is no file `{}`", file.display())]
    Missing {
        /// Which file.
        file: PathBuf,
    },
    /// Choose another file: this one is not a backup that can be used.
    #[error("`{}` cannot be used as a database", file.display())]
    Unusable {
        /// Which file.
        file: PathBuf,
        /// What is wrong with it.
        #[source]
        why: StoreError,
    },
    /// Stop whoever uses the database.
    #[error("`{}` is being used by another process", file.display())]
    InUse {
        /// Which database.
        file: PathBuf,
    },
    /// Check the folder and the room on the disk.
    #[error("`{}` cannot be written", file.display())]
    Unwritable {
        /// Which file.
        file: PathBuf,
        /// What was seen.
        #[source]
        source: io::Error,
    },
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Copies a database into another file while it may be used; on return the copy is whole and on disk. Blocks.
///
/// Everything that was durable when this began is in it.
pub fn back_up(database: &Path, to: &Path, replace: bool, progress: Progress<'_>) -> Result<Copied, BackupError> {
    if !database.exists() {
        return Err(BackupError::Missing { file: database.to_owned() });
    }
    let same = || Some(to.canonicalize().ok()? == database.canonicalize().ok()?);
    if to.exists() && (!replace || same() == Some(true)) {
        return Err(BackupError::Exists { file: to.to_owned() });
    }
    let from = open_beside_others(database)?;
    copy::into_file(&from, to, progress)?;
    copied(to)
}

/// Replaces a database by a backup, after looking whether it is one, and keeps what was there beside it. Blocks.
pub fn restore(backup: &Path, database: &Path, stamp: &str, progress: Progress<'_>) -> Result<Restored, BackupError> {
    if !backup.is_file() {
        return Err(BackupError::Missing { file: backup.to_owned() });
    }
    let unusable = |why| BackupError::Unusable { file: backup.to_owned(), why };
    let from = copy::look(backup).map_err(unusable)?;
    copy::check(&from).map_err(unusable)?;
    let aside = beside(database, &format!(".before-restore-{stamp}"));
    let before = match database.exists() {
        true => Some(aside),
        false => None,
    };
    match (&before, alone(database)) {
        (None, Ok(mut fresh)) => copy::pages(&from, &mut fresh, progress)?,
        (Some(aside), Ok(mut own)) => {
            copy::into_file(&own, aside, &mut |_, _| {}).or_else(|_| set_copy_aside(database, aside))?;
            copy::pages(&from, &mut own, progress)?;
        }
        // What is there is no database at all: it is kept as it is.
        (Some(aside), Err(BackupError::Store(StoreError::Damaged { .. }))) => {
            move_aside(database, aside)?;
            copy::pages(&from, &mut alone(database)?, progress)?;
        }
        (_, Err(error)) => return Err(error),
    }
    Ok(Restored { copied: copied(database)?, before })
}

fn copied(file: &Path) -> Result<Copied, BackupError> {
    let bytes = std::fs::metadata(file).map(|about| about.len()).unwrap_or_default();
    Ok(Copied { file: file.to_owned(), bytes, runs: copy::runs(&copy::look(file)?)? })
}

/// A connection that reads while others write.
fn open_beside_others(database: &Path) -> Result<Connection, BackupError> {
    let connection = crate::sqlite::reader(database)?;
    copy::check_version(&connection)?;
    Ok(connection)
}

/// A connection that has the database for itself for as long as it lives. Nobody else can have it open.
fn alone(database: &Path) -> Result<Connection, BackupError> {
    let meaning = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => BackupError::InUse { file: database.to_owned() },
        _ => BackupError::Store(crate::sqlite::fault(error)),
    };
    let connection = Connection::open(database).map_err(meaning)?;
    connection.busy_timeout(PATIENCE).map_err(meaning)?;
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(meaning)?;
    // Leaving the log of writes is possible only for the last who uses it.
    connection.pragma_update(None, "journal_mode", "DELETE").map_err(meaning)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(meaning)?;
    connection.execute_batch("BEGIN EXCLUSIVE; COMMIT").map_err(meaning)?;
    Ok(connection)
}

/// Keeps a database that cannot be read page by page, byte by byte.
fn set_copy_aside(database: &Path, aside: &Path) -> Result<(), BackupError> {
    let copied = std::fs::copy(database, aside);
    copied.map(drop).map_err(|source| BackupError::Unwritable { file: aside.to_owned(), source })
}

fn move_aside(database: &Path, aside: &Path) -> Result<(), BackupError> {
    for more in ["", "-wal", "-shm"] {
        let (from, to) = (beside(database, more), beside(aside, more));
        if from.exists() {
            std::fs::rename(&from, &to).map_err(|source| BackupError::Unwritable { file: to.clone(), source })?;
        }
    }
    Ok(())
}
