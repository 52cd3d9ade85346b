//! Connections: how they are set up, and the schema they find.

use std::path::Path;
use std::time::{Duration, Instant};

use domain::store::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::copy;
use super::fault::fault;
use crate::backup::BackupError;

/// How long a connection waits for another process to finish its transaction.
const BUSY: Duration = Duration::from_secs(10);
/// All statements of this crate fit.
const STATEMENTS: usize = 192;

/// Append-only: the schema's version is how many of these a database has been through.
const MIGRATIONS: [&str; 6] = [
    include_str!("../../migrations/sqlite/0001_ledger.sql"),
    include_str!("../../migrations/sqlite/0002_shelves.sql"),
    include_str!("../../migrations/sqlite/0003_stages.sql"),
    include_str!("../../migrations/sqlite/0004_library.sql"),
    include_str!("../../migrations/sqlite/0005_learning.sql"),
    include_str!("../../migrations/sqlite/0006_audit.sql"),
];

/// The newest schema there is.
pub(super) const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Opens the one connection that writes, and brings the schema up to date.
pub(super) fn writer(path: &Path) -> Result<Connection, StoreError> {
    // Looked at before it is opened, which would make a log.
    let without_log = copy::is_without_log(path);
    let connection = Connection::open(path).map_err(fault)?;
    set_up(&connection).map_err(fault)?;
    // Before anything else, because all else would change a database that is not ours to change: even to close it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(fault)?;
    let found = check_version(&connection)?;
    if without_log && found == 0 {
        return Err(half_a_copy(path));
    }
    keep_old(path, &connection, found)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map_err(fault)?;
    use_wal(&connection)?;
    connection
        .execute_batch(
            "PRAGMA synchronous = FULL;
             PRAGMA foreign_keys = ON;
             PRAGMA temp_store = MEMORY;
             PRAGMA wal_autocheckpoint = 4000;
             PRAGMA journal_size_limit = 67108864;
             PRAGMA cache_size = -4096;",
        )
        .map_err(fault)?;
    migrate(&connection)?;
    Ok(connection)
}

/// [`reader`] for those outside.
pub(crate) fn reader_of(path: &Path) -> Result<Connection, StoreError> {
    reader(path).map_err(fault)
}

/// Opens a connection that cannot write.
pub(super) fn reader(path: &Path) -> Result<Connection, rusqlite::Error> {
    // Not opened read-only: reading the WAL of a database without writers needs its shared memory to be made.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    set_up(&connection)?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -1024;")?;
    Ok(connection)
}

fn set_up(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Plans do not depend on the values that are bound, so that a statement is prepared once and not for every value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// The schema that a database has.
pub(super) fn version(connection: &Connection) -> Result<i64, StoreError> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fault)
}

fn check_version(connection: &Connection) -> Result<usize, StoreError> {
    let found = version(connection)?;
    if (0..=KNOWN).contains(&found) { Ok(found as usize) } else { Err(StoreError::Newer { found, known: KNOWN }) }
}

/// A database that holds nothing and has no log of writes, although it is used with one, was copied without it.
fn half_a_copy(path: &Path) -> StoreError {
    let detail = format!(
        "it holds nothing, and `{}` is not there; was it copied while it was used? `agentwright backup` makes whole copies",
        copy::beside(path, "-wal").display()
    );
    StoreError::Damaged { detail }
}

/// Keeps a database as it was before its schema changes.
fn keep_old(path: &Path, connection: &Connection, found: usize) -> Result<(), StoreError> {
    if found == 0 || found == MIGRATIONS.len() {
        return Ok(());
    }
    let name = |more: &str| copy::beside(path, &format!(".schema-{found}{more}.backup"));
    let numbered = (2..).map(|number| name(&format!("-{number}")));
    let file = std::iter::once(name("")).chain(numbered).find(|file| !file.exists()).unwrap_or_else(|| name(""));
    copy::into_file(connection, &file, &mut |_, _| {}).map_err(|error| match error {
        BackupError::Store(error) => error,
        BackupError::Unwritable { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => StoreError::Full,
        other => StoreError::Unavailable(other.into()),
    })
}

/// Changing the journal needs the file for oneself and does not wait for it, unlike everything else.
#[expect(clippy::disallowed_methods, reason = "databases are opened on a thread where blocking is allowed")]
fn use_wal(connection: &Connection) -> Result<(), StoreError> {
    let patience = Instant::now() + BUSY;
    loop {
        match connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && Instant::now() < patience => {
                std::thread::sleep(Duration::from_millis(10));
            }
            other => return other.map(drop).map_err(fault),
        }
    }
}

fn migrate(connection: &Connection) -> Result<(), StoreError> {
    if check_version(connection)? == MIGRATIONS.len() {
        return Ok(());
    }
    connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
    let migrated = migrate_within(connection);
    let end = if migrated.is_ok() { "COMMIT" } else { "ROLLBACK" };
    migrated.and(connection.execute_batch(end).map_err(fault))
}

fn migrate_within(connection: &Connection) -> Result<(), StoreError> {
    // Read again: another process may have been faster.
    for migration in &MIGRATIONS[check_version(connection)?..] {
        connection.execute_batch(migration).map_err(fault)?;
    }
    connection.pragma_update(None, "user_version", MIGRATIONS.len() as i64).map_err(fault)
}
