//! How calls of tools went, and how runs did.

use domain::trace::{Pathway, ToolRecord};
use rusqlite::{Connection, OptionalExtension, params};

use super::columns::collect;
use super::fault::Failure;
use crate::batch::Sent;
use crate::record::{self, Call, records};

/// Counts calls.
pub(super) fn count(connection: &Connection, calls: &[Call]) -> Result<(), Failure> {
    for call in calls {
        connection
            .prepare_cached(
                "INSERT INTO tool_record (tool, failed, bucket, calls)
                 VALUES (?1, ?2, ?3, 1)
                 ON CONFLICT (tool, failed, bucket) DO UPDATE
                 SET calls = calls + 1",
            )?
            .execute(params![call.tool, call.failed, call.bucket])?;
    }
    Ok(())
}

/// Counts the call that an intent was, which is about to be settled, if it was sent.
pub(super) fn settle(connection: &Connection, run: i64, key: &str, sent: Sent, at: i64) -> Result<(), Failure> {
    let sending: Option<(String, i64)> = connection
        .prepare_cached("SELECT intent, updated_at FROM intent WHERE run = ?1 AND key = ?2 AND status = 'sending'")?
        .query_row(params![run, key], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((intent, since)) = sending else { return Ok(()) };
    count(connection, &[Call::of_write(&intent, sent, since, at)?])
}

pub(super) fn tool_records(connection: &Connection) -> Result<Vec<ToolRecord>, Failure> {
    let mut statement = connection.prepare_cached("SELECT tool, failed, bucket, calls FROM tool_record")?;
    let counted = collect(statement.query([])?, |row| record::counted(row))?;
    Ok(records(counted)?)
}

pub(super) fn pathways(connection: &Connection) -> Result<Vec<Pathway>, Failure> {
    // Runs that nothing came of have no trace.
    let mut statement = connection.prepare_cached(
        "SELECT run.route, run.strategy, count(*), sum(coalesce(rating.good, run.status = 'completed')), sum(run.cost),
             sum(coalesce(run.worked_ms, 0))
         FROM trace
         JOIN run ON run.ordinal = trace.run
         LEFT JOIN rating ON rating.run = run.ordinal
         WHERE run.route IS NOT NULL AND run.strategy IS NOT NULL
             AND (run.status IN ('completed', 'failed') OR rating.good IS NOT NULL)
         GROUP BY run.route, run.strategy
         ORDER BY run.route, run.strategy",
    )?;
    collect(statement.query([])?, |row| record::pathway(row))
}
