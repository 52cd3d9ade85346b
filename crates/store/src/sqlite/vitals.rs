//! What is open, counted by indexes that hold only what is open.

use domain::store::Vitals;
use jiff::Timestamp;
use rusqlite::Connection;

use super::fault::Failure;
use crate::instant::nanos;

pub(super) fn vitals(connection: &Connection, now: Timestamp) -> Result<Vitals, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT
             (SELECT count(*) FROM run WHERE ended = 0 AND status = 'pending'),
             (SELECT count(*) FROM run WHERE ended = 0 AND status = 'running'),
             (SELECT count(*) FROM run WHERE ended = 0 AND status = 'waiting'),
             (SELECT count(*) FROM run WHERE wake <= ?1 AND owner IS NULL),
             (SELECT count(*) FROM promise WHERE approval IS NOT NULL AND answer IS NULL AND withdrawn = 0),
             (SELECT count(*) FROM intent WHERE status = 'unknown' AND status <> 'done'),
             (SELECT count(*) FROM worker)",
    )?;
    let counted = statement.query_row([nanos(now)], |row| {
        let count = |column: usize| row.get::<_, i64>(column).map(|count| count as u64);
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
    })?;
    Ok(counted)
}
