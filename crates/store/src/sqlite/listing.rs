//! Reading ledgers and the views of them; and deleting what a filter lets through.

use domain::event::{Recorded, Seq};
use domain::id::RunId;
use domain::intent::{IntentStatus, IntentView};
use domain::run::RunSummary;
use domain::store::{PendingWait, StoreError, Totals};
use rusqlite::{Connection, OptionalExtension, ToSql, params};

use super::columns::{Row, collect};
use super::fault::Failure;
use crate::decode::{self, recorded_columns, summary_columns, totals_columns};
use crate::filter::{Place, Values, run_condition};

/// The most events a ledger can have: what a place leaves for sequence numbers.
pub(super) const LONGEST: i64 = (1 << 24) - 1;

pub(super) fn events(connection: &Connection, run: RunId, after: Seq, limit: i64) -> Result<Vec<Recorded>, Failure> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        recorded_columns!(),
        " FROM run
          JOIN event ON event.place > (run.ordinal << 24 | ?2) AND event.place < run.ordinal + 1 << 24
          LEFT JOIN blob ON blob.hash = event.blob
          WHERE run.id = ?1
          ORDER BY event.place
          LIMIT ?3",
    ))?;
    let after = i64::try_from(after).unwrap_or(i64::MAX).min(LONGEST);
    collect(statement.query(params![run.bytes(), after, limit])?, |row| decode::recorded(row))
}

pub(super) fn entry(connection: &Connection, run: RunId, key: &str) -> Result<Option<Recorded>, Failure> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        recorded_columns!(),
        " FROM event
          LEFT JOIN blob ON blob.hash = event.blob
          WHERE event.run = (SELECT ordinal FROM run WHERE id = ?1) AND event.key = ?2",
    ))?;
    let mut rows = statement.query(params![run.bytes(), key])?;
    Ok(rows.next()?.map(|row| decode::recorded(Row::new(row))).transpose()?)
}

pub(super) fn last(connection: &Connection, run: RunId) -> Result<Seq, Failure> {
    let seq: Option<i64> = connection
        .prepare_cached("SELECT seq FROM run WHERE id = ?1")?
        .query_row([run.bytes()], |row| row.get(0))
        .optional()?;
    Ok(seq.ok_or(StoreError::NoSuchRun { run })? as Seq)
}

pub(super) fn run(connection: &Connection, run: RunId) -> Result<Option<RunSummary>, Failure> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        summary_columns!(),
        " FROM run JOIN words ON words.run = run.ordinal WHERE run.id = ?1",
    ))?;
    let mut rows = statement.query([run.bytes()])?;
    Ok(rows.next()?.map(|row| decode::summary(Row::new(row))).transpose()?)
}

pub(super) fn runs(
    connection: &Connection,
    filter: &Values,
    place: Place,
    limit: i64,
) -> Result<Vec<RunSummary>, Failure> {
    macro_rules! statement {
        ($session:literal) => {
            concat!(
                "SELECT ",
                summary_columns!(),
                " FROM run JOIN words ON words.run = run.ordinal WHERE ",
                run_condition!("instr", $session),
                " AND (run.created_at, run.id) < ($14, $15)
                  ORDER BY run.created_at DESC, run.id DESC
                  LIMIT $16",
            )
        };
    }
    let mut statement = connection.prepare_cached(match filter.session {
        Some(_) => statement!("run.session = $4"),
        None => statement!("$4 IS NULL"),
    })?;
    let run = place.run.bytes();
    let values = [&bound(filter)[..], &[&place.created_at, &run, &limit]].concat();
    collect(statement.query(&values[..])?, |row| decode::summary(row))
}

pub(super) fn totals(connection: &Connection, filter: &Values) -> Result<Totals, Failure> {
    macro_rules! statement {
        ($session:literal) => {
            concat!(
                "SELECT ",
                totals_columns!(),
                " FROM run JOIN words ON words.run = run.ordinal WHERE ",
                run_condition!("instr", $session),
            )
        };
    }
    let mut statement = connection.prepare_cached(match filter.session {
        Some(_) => statement!("run.session = $4"),
        None => statement!("$4 IS NULL"),
    })?;
    let mut rows = statement.query(&bound(filter)[..])?;
    let totals = rows.next()?.map(|row| decode::totals(Row::new(row))).transpose()?;
    Ok(totals.unwrap_or_default())
}

/// Deletes up to `limit` runs; what is theirs goes with them, except large bodies.
pub(super) fn clear(connection: &Connection, filter: &Values, limit: i64) -> Result<u64, Failure> {
    let values = [&bound(filter)[..], &[&limit]].concat();
    let cleared = connection
        .prepare_cached(concat!(
            "DELETE FROM run WHERE ordinal IN (
                 SELECT run.ordinal FROM run JOIN words ON words.run = run.ordinal WHERE ",
            run_condition!("instr", "($4 IS NULL OR run.session = $4)"),
            " AND run.ended = 1 LIMIT $14)",
        ))?
        .execute(&values[..])?;
    Ok(cleared as u64)
}

/// Deletes the large bodies that no event has any more.
pub(super) fn sweep(connection: &Connection) -> Result<(), Failure> {
    connection
        .prepare_cached("DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.blob = blob.hash)")?
        .execute([])?;
    Ok(())
}

pub(super) fn intents(
    connection: &Connection,
    run: Option<RunId>,
    status: Option<IntentStatus>,
    limit: i64,
) -> Result<Vec<IntentView>, Failure> {
    macro_rules! statement {
        ($condition:literal) => {
            concat!(
                "SELECT run.id, intent.intent, intent.status, intent.attempts, intent.settlement, intent.updated_at
                 FROM intent JOIN run ON run.ordinal = intent.run
                 WHERE ",
                $condition,
                " ORDER BY intent.declared_at DESC, intent.key DESC
                  LIMIT $3",
            )
        };
    }
    let mut statement = connection.prepare_cached(match (run, status) {
        (Some(_), _) => statement!("run.id = $1 AND ($2 IS NULL OR intent.status = $2)"),
        (None, Some(_)) => statement!("$1 IS NULL AND intent.status = $2"),
        (None, None) => statement!("$1 IS NULL AND $2 IS NULL"),
    })?;
    let run = run.as_ref().map(|run| run.bytes());
    let status = status.map(|status| status.word());
    collect(statement.query(params![run, status, limit])?, |row| decode::intent(row))
}

pub(super) fn waits(connection: &Connection, run: Option<RunId>, limit: i64) -> Result<Vec<PendingWait>, Failure> {
    macro_rules! statement {
        ($condition:literal) => {
            concat!(
                "SELECT run.id, promise.wait, promise.since
                 FROM promise JOIN run ON run.ordinal = promise.run
                 WHERE promise.wait IS NOT NULL AND promise.answer IS NULL AND promise.withdrawn = 0 AND ",
                $condition,
                " ORDER BY promise.since, promise.name
                  LIMIT $2",
            )
        };
    }
    let mut statement = connection.prepare_cached(match run {
        Some(_) => statement!("run.id = $1"),
        None => statement!("$1 IS NULL"),
    })?;
    let run = run.as_ref().map(|run| run.bytes());
    collect(statement.query(params![run, limit])?, |row| decode::wait(row))
}

fn bound(filter: &Values) -> [&dyn ToSql; 13] {
    [
        &filter.statuses,
        &filter.strategy,
        &filter.role,
        &filter.session,
        &filter.parent,
        &filter.since,
        &filter.until,
        &filter.min_quality,
        &filter.max_quality,
        &filter.replanned,
        &filter.in_doubt,
        &filter.text,
        &filter.user,
    ]
}
