//! Who is to be advanced when, and by whom.

use domain::id::RunId;
use domain::store::{Parting, StoreError, Worker};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::columns::collect;
use super::fault::Failure;
use crate::decode::{self, Columns};
use crate::instant::{moment, nanos};

pub(super) fn due(connection: &Connection, now: Timestamp, limit: i64) -> Result<Vec<RunId>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT id
         FROM run
         WHERE wake <= ?1 AND owner IS NULL
         ORDER BY wake
         LIMIT ?2",
    )?;
    collect(statement.query(params![nanos(now), limit])?, |mut row| decode::run_id(row.bytes()?))
}

pub(super) fn next_due(connection: &Connection, now: Timestamp) -> Result<Option<Timestamp>, Failure> {
    let next: Option<i64> = connection
        .prepare_cached("SELECT min(wake) FROM run WHERE wake > ?1 AND owner IS NULL")?
        .query_row([nanos(now)], |row| row.get(0))?;
    Ok(next.map(moment).transpose()?)
}

pub(super) fn beat(connection: &Connection, worker: &Worker, now: Timestamp) -> Result<(), Failure> {
    connection
        .prepare_cached(
            "INSERT INTO worker (id, host, pid, started, beat)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (id) DO UPDATE
             SET beat = excluded.beat",
        )?
        .execute(params![worker.id, worker.host, worker.pid, worker.started as i64, nanos(now)])?;
    Ok(())
}

pub(super) fn workers(connection: &Connection) -> Result<Vec<(Worker, Timestamp)>, Failure> {
    let mut statement = connection.prepare_cached("SELECT id, host, pid, started, beat FROM worker ORDER BY id")?;
    collect(statement.query([])?, |row| -> Result<_, StoreError> { decode::worker(row) })
}

pub(super) fn part(connection: &Connection, worker: &str, parting: Parting, now: Timestamp) -> Result<u64, Failure> {
    connection.prepare_cached("DELETE FROM worker WHERE id = ?1")?.execute([worker])?;
    let orphans = connection
        .prepare_cached(
            "UPDATE run
             SET owner = NULL, wake = min(coalesce(wake, ?2), ?2), barren = CASE WHEN ?3 THEN 0 ELSE barren END
             WHERE owner = ?1 AND ended = 0",
        )?
        .execute(params![worker, nanos(now), parting == Parting::InOrder])?;
    Ok(orphans as u64)
}

/// A run that nobody owns has lost its wake if it waits for nothing that is still open. One that somebody unknown owns
/// was claimed for a reason.
pub(super) fn reconcile(connection: &Connection, now: Timestamp) -> Result<u64, Failure> {
    let woken = connection
        .prepare_cached(
            "UPDATE run
             SET owner = NULL, wake = ?1
             WHERE ended = 0 AND wake IS NULL AND (
                 owner IS NOT NULL AND owner NOT IN (SELECT id FROM worker)
                 OR owner IS NULL AND (
                     status <> 'waiting'
                     OR NOT EXISTS (
                         SELECT 1
                         FROM promise
                         WHERE promise.run = run.ordinal AND promise.wait IS NOT NULL AND promise.answer IS NULL
                     )
                 )
             )",
        )?
        .execute([nanos(now)])?;
    Ok(woken as u64)
}
