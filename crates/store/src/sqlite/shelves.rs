//! Records that tools keep.

use domain::shelf::Kept;
use rusqlite::{Connection, params};

use super::columns::collect;
use super::fault::Failure;
use crate::decode;

pub(super) fn keep(
    connection: &Connection,
    shelf: &str,
    key: &str,
    value: &str,
    replacing: u64,
) -> Result<bool, Failure> {
    let changed = match replacing {
        0 => connection
            .prepare_cached(
                "INSERT INTO kept (shelf, key, version, value)
                 VALUES (?1, ?2, 1, ?3)
                 ON CONFLICT (shelf, key) DO NOTHING",
            )?
            .execute(params![shelf, key, value])?,
        version => connection
            .prepare_cached(
                "UPDATE kept SET value = ?3, version = version + 1 WHERE shelf = ?1 AND key = ?2 AND version = ?4",
            )?
            .execute(params![shelf, key, value, version as i64])?,
    };
    Ok(changed == 1)
}

pub(super) fn kept(connection: &Connection, shelf: &str, key: &str) -> Result<Option<Kept>, Failure> {
    let mut statement =
        connection.prepare_cached("SELECT key, version, value FROM kept WHERE shelf = ?1 AND key = ?2")?;
    let found = collect(statement.query(params![shelf, key])?, |row| decode::kept(row))?;
    Ok(found.into_iter().next())
}

pub(super) fn shelf(connection: &Connection, shelf: &str) -> Result<Vec<Kept>, Failure> {
    let mut statement =
        connection.prepare_cached("SELECT key, version, value FROM kept WHERE shelf = ?1 ORDER BY key")?;
    collect(statement.query([shelf])?, |row| decode::kept(row))
}

pub(super) fn discard(connection: &Connection, shelf: &str, key: &str, version: u64) -> Result<bool, Failure> {
    let gone = connection
        .prepare_cached("DELETE FROM kept WHERE shelf = ?1 AND key = ?2 AND version = ?3")?
        .execute(params![shelf, key, version as i64])?;
    Ok(gone == 1)
}
