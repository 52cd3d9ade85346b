//! Rows of traces that are to be written anew before they are shown: which they are, what they say, and writing it.

use domain::id::{RunId, TraceId};
use domain::library::Library;
use domain::store::StoreError;
use domain::trace::Source;
use sqlx::PgConnection;
use sqlx::postgres::PgPool;

use super::columns::{Row, collect};
use super::fault::fault;
use super::{Postgres, listing};
use crate::decode::{Columns, damaged, run_id};
use crate::piece::PartRow;
use crate::trace::{Anew, Outline};

/// How many rows are read at once.
const AT_ONCE: i64 = 64;

/// Raises the counter by so much, and returns the first of the new numbers. Its row stays locked until the end of the
/// transaction, so that numbers become visible in their order. Runs' rows and the library's counter are always locked
/// before this one, and rows of traces after it.
pub(super) async fn mark(connection: &mut PgConnection, traces: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("UPDATE trail SET mark = mark + $1 RETURNING mark - $1 + 1")
        .bind(traces)
        .fetch_one(connection)
        .await
}

/// The last number of the counter.
pub(super) async fn last_mark(pool: &PgPool) -> Result<i64, StoreError> {
    sqlx::query_scalar("SELECT mark FROM trail").fetch_one(pool).await.map_err(fault)
}

/// Gives a run that has ended a trace, unless nothing comes of it.
pub(super) async fn ended(connection: &mut PgConnection, ordinal: i64, run: RunId) -> Result<(), sqlx::Error> {
    let mark = mark(connection, 1).await?;
    sqlx::query(
        "INSERT INTO trace (id, source, run, standing, mark, stale, started_at)
         SELECT $2, 'own', run.ordinal, 'evidence', $3, TRUE, run.created_at
         FROM run JOIN words ON words.run = run.ordinal
         WHERE run.ordinal = $1 AND NOT words.rehearsal
         ON CONFLICT (run) DO UPDATE
         SET mark = excluded.mark, stale = TRUE",
    )
    .bind(ordinal)
    .bind(TraceId::of_run(run).as_str())
    .bind(mark)
    .execute(connection)
    .await
    .map(drop)
}

/// Lets a run's trace be written anew, now that somebody said how good it was.
pub(super) async fn rated(connection: &mut PgConnection, run: i64) -> Result<(), sqlx::Error> {
    let mark = mark(connection, 1).await?;
    sqlx::query("UPDATE trace SET mark = $2, stale = TRUE WHERE run = $1")
        .bind(run)
        .bind(mark)
        .execute(connection)
        .await
        .map(drop)
}

/// A stale row as it was found.
struct Stale {
    ordinal: i64,
    /// What is read later is at least as new as this: if the row has changed since, it stays stale.
    mark: i64,
    id: TraceId,
    source: Source,
    calls: i64,
    failures: i64,
    run: Option<RunId>,
}

fn stale(mut row: impl Columns) -> Result<Stale, StoreError> {
    Ok(Stale {
        ordinal: row.integer()?,
        mark: row.integer()?,
        id: row.text()?.try_into().map_err(damaged)?,
        source: row.text()?.into(),
        calls: row.integer()?,
        failures: row.integer()?,
        run: row.maybe_bytes()?.map(run_id).transpose()?,
    })
}

impl Postgres {
    /// Writes rows anew that are stale and were marked after one number and up to another.
    pub(super) async fn freshen(&self, mut after: i64, up_to: i64) -> Result<(), StoreError> {
        loop {
            let rows = sqlx::query(
                "SELECT trace.ordinal, trace.mark, trace.id, trace.source, trace.calls, trace.failures, run.id
                 FROM trace LEFT JOIN run ON run.ordinal = trace.run
                 WHERE trace.stale AND trace.mark > $1 AND trace.mark <= $2
                 ORDER BY trace.mark
                 LIMIT $3",
            )
            .bind(after)
            .bind(up_to)
            .bind(AT_ONCE)
            .fetch_all(&self.pool)
            .await;
            let found = collect(rows, |row| stale(row))?;
            let Some(last) = found.last() else { return Ok(()) };
            after = last.mark;
            for stale in found {
                let anew = Anew::of(self.outline(&stale).await)?;
                write(&self.pool, &stale, anew).await.map_err(fault)?;
            }
        }
    }

    async fn outline(&self, stale: &Stale) -> Result<Option<Outline>, StoreError> {
        if let Some(run) = stale.run {
            let ledger = listing::events(&self.pool, run, 0, i64::MAX).await?;
            return Ok(Outline::of_run(run, &ledger, self.rating(run).await?.as_ref()));
        }
        let started_at: Option<i64> = sqlx::query_scalar("SELECT min(at) FROM trace_part WHERE trace = $1")
            .bind(stale.ordinal)
            .fetch_one(&self.pool)
            .await
            .map_err(fault)?;
        let Some(started_at) = started_at else { return Ok(None) };
        let mut connection = self.pool.acquire().await.map_err(fault)?;
        let told = told(&mut connection, &[stale.ordinal], i64::MAX).await?;
        let told = told.into_iter().map(|(_, row)| row).collect();
        let outline = Outline::of_told(&stale.id, &stale.source, started_at, told)?;
        Ok(outline.map(|outline| Outline { calls: stale.calls, failures: stale.failures, ..outline }))
    }
}

/// The pieces of traces that say something about the whole, up to so many of each.
pub(super) async fn told(
    connection: &mut PgConnection,
    traces: &[i64],
    limit: i64,
) -> Result<Vec<(i64, PartRow)>, StoreError> {
    let rows = sqlx::query(
        "SELECT wanted.trace, told.key, told.at, told.kind, told.body
         FROM UNNEST($1::BIGINT[]) AS wanted (trace),
             LATERAL (
                 SELECT key, at, kind, body
                 FROM trace_part
                 WHERE trace_part.trace = wanted.trace AND kind = 'told'
                 LIMIT $2
             ) AS told",
    )
    .bind(traces)
    .bind(limit)
    .fetch_all(connection)
    .await;
    collect(rows, traced)
}

/// A piece with its trace, from the trace's ordinal and the piece's columns.
pub(super) fn traced(mut row: Row<'_>) -> Result<(i64, PartRow), StoreError> {
    Ok((row.integer()?, PartRow::read(row)?))
}

async fn write(pool: &PgPool, stale: &Stale, anew: Anew) -> Result<(), sqlx::Error> {
    let statement = match anew {
        Anew::Outline(outline) => sqlx::query(
            "UPDATE trace
             SET stale = FALSE, agent = $3, problem = $4, started_at = $5, ended_at = $6, success = $7, calls = $8,
                 failures = $9
             WHERE ordinal = $1 AND mark = $2",
        )
        .bind(stale.ordinal)
        .bind(stale.mark)
        .bind(outline.agent)
        .bind(outline.problem)
        .bind(outline.started_at)
        .bind(outline.ended_at)
        .bind(outline.success)
        .bind(outline.calls)
        .bind(outline.failures),
        Anew::AsItIs => sqlx::query("UPDATE trace SET stale = FALSE WHERE ordinal = $1 AND mark = $2")
            .bind(stale.ordinal)
            .bind(stale.mark),
        Anew::Nothing => {
            sqlx::query("DELETE FROM trace WHERE ordinal = $1 AND mark = $2").bind(stale.ordinal).bind(stale.mark)
        }
    };
    statement.execute(pool).await.map(drop)
}
