//! What was said about runs before they acted, and what became of it.

use std::collections::BTreeMap;

use domain::forecast::Hindsight;
use domain::score::Score;
use rusqlite::{Connection, OptionalExtension, params};

use super::columns::collect;
use super::fault::Failure;
use crate::batch::json;
use crate::decode::{self, hindsight_columns, value};

/// Adds scores to those that were reported; those of the same name are replaced.
pub(super) fn report(connection: &Connection, run: i64, scores: &BTreeMap<String, Score>) -> Result<usize, Failure> {
    let before: Option<Option<String>> = connection
        .prepare_cached("SELECT reported FROM outlook WHERE run = ?1")?
        .query_row([run], |row| row.get(0))
        .optional()?;
    let mut reported: BTreeMap<String, Score> = match before.flatten() {
        Some(before) => value(&before)?,
        None => BTreeMap::new(),
    };
    reported.extend(scores.clone());
    let written = connection
        .prepare_cached(
            "INSERT INTO outlook (run, created_at, reported)
             SELECT ordinal, created_at, ?2 FROM run WHERE ordinal = ?1
             ON CONFLICT (run) DO UPDATE
             SET reported = excluded.reported",
        )?
        .execute(params![run, json(&reported)])?;
    Ok(written)
}

/// Replaces what is expected.
pub(super) fn foresee(connection: &Connection, run: i64, forecast: &str) -> Result<usize, Failure> {
    let written = connection
        .prepare_cached(
            "INSERT INTO outlook (run, created_at, forecast)
             SELECT ordinal, created_at, ?2 FROM run WHERE ordinal = ?1
             ON CONFLICT (run) DO UPDATE
             SET forecast = excluded.forecast",
        )?
        .execute(params![run, forecast])?;
    Ok(written)
}

pub(super) fn hindsight(connection: &Connection, limit: i64) -> Result<Vec<Hindsight>, Failure> {
    // Joined in this order, so that runs that nothing was said about are not looked at.
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        hindsight_columns!(),
        " FROM outlook CROSS JOIN run ON run.ordinal = outlook.run
          LEFT JOIN rating ON rating.run = run.ordinal
          WHERE run.status IN ('completed', 'failed') AND run.worked_ms IS NOT NULL
          ORDER BY outlook.created_at DESC, outlook.run DESC
          LIMIT ?1",
    ))?;
    collect(statement.query([limit])?, |row| decode::hindsight(row))
}
