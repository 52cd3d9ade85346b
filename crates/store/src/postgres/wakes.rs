//! Who is to be advanced when, and by whom.

use domain::id::RunId;
use domain::store::{Parting, StoreError, Worker};
use jiff::Timestamp;
use sqlx::postgres::PgPool;

use super::columns::collect;
use super::fault::fault;
use crate::decode::{self, Columns};
use crate::instant::{moment, nanos};

pub(super) async fn due(pool: &PgPool, now: Timestamp, limit: i64) -> Result<Vec<RunId>, StoreError> {
    let rows = sqlx::query(
        "SELECT id
         FROM run
         WHERE wake <= $1 AND owner IS NULL
         ORDER BY wake
         LIMIT $2",
    )
    .bind(nanos(now))
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |mut row| decode::run_id(row.bytes()?))
}

pub(super) async fn next_due(pool: &PgPool, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
    let next: Option<i64> = sqlx::query_scalar("SELECT min(wake) FROM run WHERE wake > $1 AND owner IS NULL")
        .bind(nanos(now))
        .fetch_one(pool)
        .await
        .map_err(fault)?;
    next.map(moment).transpose()
}

pub(super) async fn beat(pool: &PgPool, worker: &Worker, now: Timestamp) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO worker (id, host, pid, started, beat)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO UPDATE
         SET beat = excluded.beat",
    )
    .bind(&worker.id)
    .bind(&worker.host)
    .bind(i64::from(worker.pid))
    .bind(worker.started as i64)
    .bind(nanos(now))
    .execute(pool)
    .await
    .map(drop)
    .map_err(fault)
}

pub(super) async fn workers(pool: &PgPool) -> Result<Vec<(Worker, Timestamp)>, StoreError> {
    let rows = sqlx::query("SELECT id, host, pid, started, beat FROM worker ORDER BY id").fetch_all(pool).await;
    collect(rows, |row| decode::worker(row))
}

pub(super) async fn part(pool: &PgPool, worker: &str, parting: Parting, now: Timestamp) -> Result<u64, StoreError> {
    let orphans = sqlx::query(
        "WITH buried AS (
             DELETE FROM worker WHERE id = $1
         )
         UPDATE run
         SET owner = NULL, wake = LEAST(wake, $2), barren = CASE WHEN $3 THEN 0 ELSE barren END
         WHERE owner = $1 AND NOT ended",
    )
    .bind(worker)
    .bind(nanos(now))
    .bind(parting == Parting::InOrder)
    .execute(pool)
    .await
    .map_err(fault)?;
    Ok(orphans.rows_affected())
}

/// A run that nobody owns has lost its wake if it waits for nothing that is still open. One that somebody unknown owns
/// was claimed for a reason.
pub(super) async fn reconcile(pool: &PgPool, now: Timestamp) -> Result<u64, StoreError> {
    let woken = sqlx::query(
        "UPDATE run
         SET owner = NULL, wake = $1
         WHERE NOT ended AND wake IS NULL AND (
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
    )
    .bind(nanos(now))
    .execute(pool)
    .await
    .map_err(fault)?;
    Ok(woken.rows_affected())
}
