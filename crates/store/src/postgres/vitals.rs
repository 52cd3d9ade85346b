//! What is open, counted by indexes that hold only what is open.

use domain::store::{StoreError, Vitals};
use jiff::Timestamp;
use sqlx::Row;
use sqlx::postgres::PgPool;

use super::fault::fault;
use crate::instant::nanos;

pub(super) async fn vitals(pool: &PgPool, now: Timestamp) -> Result<Vitals, StoreError> {
    let row = sqlx::query(
        "SELECT
             (SELECT count(*) FROM run WHERE NOT ended AND status = 'pending'),
             (SELECT count(*) FROM run WHERE NOT ended AND status = 'running'),
             (SELECT count(*) FROM run WHERE NOT ended AND status = 'waiting'),
             (SELECT count(*) FROM run WHERE wake <= $1 AND owner IS NULL),
             (SELECT count(*) FROM promise WHERE approval IS NOT NULL AND answer IS NULL AND NOT withdrawn),
             (SELECT count(*) FROM intent WHERE status = 'unknown' AND status <> 'done'),
             (SELECT count(*) FROM worker)",
    )
    .bind(nanos(now))
    .fetch_one(pool)
    .await
    .map_err(fault)?;
    let count = |column: usize| row.try_get::<i64, _>(column).map(|count| count as u64).map_err(fault);
    Ok(Vitals {
        pending: count(0)?,
        running: count(1)?,
        waiting: count(2)?,
        due: count(3)?,
        approvals: count(4)?,
        in_doubt: count(5)?,
        workers: count(6)?,
        ..Vitals::default()
    })
}
