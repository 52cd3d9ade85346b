//! Connections: how they are set up, and the schema they find.

use std::path::Path;
use std::time::{Duration, Instant};

use domain::store::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::fault::fault;

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

/// Opens the one connection that writes, and brings the schema up to date.
pub(super) fn writer(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path).map_err(fault)?;
    set_up(&connection).map_err(fault)?;
    // Before anything else, because all else would change a database that is not ours to change.
    check_version(&connection)?;
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

fn check_version(connection: &Connection) -> Result<usize, StoreError> {
    let known = MIGRATIONS.len() as i64;
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fault)?;
    if (0..=known).contains(&found) { Ok(found as usize) } else { Err(StoreError::Newer { found, known }) }
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
