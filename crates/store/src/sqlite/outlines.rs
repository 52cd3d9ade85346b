//! Rows of traces that are to be written anew before they are shown: which they are, what they say, and writing it.

use domain::id::{RunId, TraceId};
use domain::store::StoreError;
use domain::trace::Source;
use rusqlite::{Connection, params};

use super::columns::collect;
use super::fault::Failure;
use super::{Sqlite, library, listing};
use crate::decode::{Columns, damaged, run_id};
use crate::piece::PartRow;
use crate::trace::{Anew, Outline};

/// How many rows are written anew in one transaction, so that others can write in between.
const AT_ONCE: i64 = 64;

/// Raises the counter by so much, and returns the first of the new numbers. There is one writer at a time, so numbers
/// become visible in their order.
pub(super) fn mark(connection: &Connection, traces: i64) -> Result<i64, Failure> {
    let mut statement = connection.prepare_cached("UPDATE trail SET mark = mark + ?1 RETURNING mark - ?1 + 1")?;
    Ok(statement.query_row([traces], |row| row.get(0))?)
}

/// The last number of the counter.
pub(super) fn last_mark(connection: &Connection) -> Result<i64, Failure> {
    Ok(connection.prepare_cached("SELECT mark FROM trail")?.query_row([], |row| row.get(0))?)
}

/// Gives a run that has ended a trace, unless nothing comes of it.
pub(super) fn ended(connection: &Connection, ordinal: i64, run: RunId) -> Result<(), Failure> {
    connection
        .prepare_cached(
            "INSERT INTO trace (id, source, run, standing, mark, stale, started_at)
             SELECT ?2, 'own', run.ordinal, 'evidence', ?3, 1, run.created_at
             FROM run JOIN words ON words.run = run.ordinal
             WHERE run.ordinal = ?1 AND words.rehearsal = 0
             ON CONFLICT (run) DO UPDATE
             SET mark = excluded.mark, stale = 1",
        )?
        .execute(params![ordinal, TraceId::of_run(run).as_str(), mark(connection, 1)?])?;
    Ok(())
}

/// Lets a run's trace be written anew, now that somebody said how good it was.
pub(super) fn rated(connection: &Connection, run: i64) -> Result<(), Failure> {
    connection
        .prepare_cached("UPDATE trace SET mark = ?2, stale = 1 WHERE run = ?1")?
        .execute(params![run, mark(connection, 1)?])?;
    Ok(())
}

/// A stale row, and what it is to say.
struct Stale {
    ordinal: i64,
    /// What was read is as old as this: if the row has changed since, it stays stale.
    mark: i64,
    anew: Anew,
}

impl Sqlite {
    /// Writes rows anew that are stale and were marked after one number and up to another.
    pub(super) async fn freshen(&self, mut after: i64, up_to: i64) -> Result<(), StoreError> {
        loop {
            let stale = self.readers.read(move |connection| read(connection, after, up_to)).await?;
            let Some(last) = stale.last() else { return Ok(()) };
            after = last.mark;
            self.writer.write(move |connection| stale.iter().try_for_each(|stale| write(connection, stale))).await?;
        }
    }
}

fn read(connection: &Connection, after: i64, up_to: i64) -> Result<Vec<Stale>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT trace.ordinal, trace.mark, trace.id, trace.source, trace.calls, trace.failures, run.id
         FROM trace LEFT JOIN run ON run.ordinal = trace.run
         WHERE trace.stale = 1 AND trace.mark > ?1 AND trace.mark <= ?2
         ORDER BY trace.mark
         LIMIT ?3",
    )?;
    let mut rows = statement.query([after, up_to, AT_ONCE])?;
    let mut stale = Vec::new();
    while let Some(row) = rows.next()? {
        let mut row = super::columns::Row::new(row);
        let (ordinal, mark) = (row.integer()?, row.integer()?);
        let (id, source) = (row.text()?.try_into().map_err(damaged)?, Source::from(row.text()?));
        let counted = (row.integer()?, row.integer()?);
        let found = match row.maybe_bytes()? {
            Some(run) => own(connection, run_id(run)?),
            None => others(connection, ordinal, &id, &source, counted),
        };
        stale.push(Stale { ordinal, mark, anew: Anew::of(found.map_err(StoreError::from))? });
    }
    Ok(stale)
}

fn own(connection: &Connection, run: RunId) -> Result<Option<Outline>, Failure> {
    let ledger = listing::events(connection, run, 0, i64::MAX)?;
    Ok(Outline::of_run(run, &ledger, library::rating(connection, run)?.as_ref()))
}

fn others(
    connection: &Connection,
    ordinal: i64,
    id: &TraceId,
    source: &Source,
    (calls, failures): (i64, i64),
) -> Result<Option<Outline>, Failure> {
    let started_at: Option<i64> = connection
        .prepare_cached("SELECT min(at) FROM trace_part WHERE trace = ?1")?
        .query_row([ordinal], |row| row.get(0))?;
    let Some(started_at) = started_at else { return Ok(None) };
    let outline = Outline::of_told(id, source, started_at, told(connection, ordinal, i64::MAX)?)?;
    Ok(outline.map(|outline| Outline { calls, failures, ..outline }))
}

/// The pieces of a trace that say something about the whole.
pub(super) fn told(connection: &Connection, trace: i64, limit: i64) -> Result<Vec<PartRow>, Failure> {
    let mut statement = connection
        .prepare_cached("SELECT key, at, kind, body FROM trace_part WHERE trace = ?1 AND kind = 'told' LIMIT ?2")?;
    collect(statement.query([trace, limit])?, |row| PartRow::read(row))
}

fn write(connection: &Connection, stale: &Stale) -> Result<(), Failure> {
    match &stale.anew {
        Anew::Outline(outline) => connection
            .prepare_cached(
                "UPDATE trace
                 SET stale = 0, agent = ?3, problem = ?4, started_at = ?5, ended_at = ?6, success = ?7, calls = ?8,
                     failures = ?9
                 WHERE ordinal = ?1 AND mark = ?2",
            )?
            .execute(params![
                stale.ordinal,
                stale.mark,
                outline.agent,
                outline.problem,
                outline.started_at,
                outline.ended_at,
                outline.success,
                outline.calls,
                outline.failures,
            ])?,
        Anew::AsItIs => connection
            .prepare_cached("UPDATE trace SET stale = 0 WHERE ordinal = ?1 AND mark = ?2")?
            .execute([stale.ordinal, stale.mark])?,
        Anew::Nothing => connection
            .prepare_cached("DELETE FROM trace WHERE ordinal = ?1 AND mark = ?2")?
            .execute([stale.ordinal, stale.mark])?,
    };
    Ok(())
}
