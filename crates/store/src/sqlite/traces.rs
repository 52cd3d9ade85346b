//! Traces: ours are views of ledgers, others' are put together from their pieces.

use async_trait::async_trait;
use domain::id::TraceId;
use domain::store::{Cursor, StoreError};
use domain::trace::{
    Part, Pathway, Received, Source, Standing, ToolRecord, Trace, TraceFilter, TraceSummary, Traces, of_run,
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, ToSql, params};

use super::columns::collect;
use super::fault::Failure;
use super::{Sqlite, library, listing, outlines, pieces, records};
use crate::filter::whole;
use crate::instant::nanos;
use crate::piece::{PartRow, arrived};
use crate::trace::{
    Changes, HALF, TracePlace, TraceRow, TraceValues, put_together, read_parts, trace_columns, trace_condition,
    trace_page, trace_row,
};

#[async_trait]
impl Traces for Sqlite {
    async fn receive(
        &self,
        source: &Source,
        standing: Standing,
        parts: Vec<Part>,
        _at: Timestamp,
    ) -> Result<Received, StoreError> {
        let (source, (arrived, received)) = (source.clone(), arrived(source, parts));
        self.writer.write(move |connection| pieces::receive(connection, &source, standing, &arrived, received)).await
    }

    async fn trace(&self, id: &TraceId) -> Result<Option<Trace>, StoreError> {
        let id = id.clone();
        self.readers.read(move |connection| one(connection, &id)).await
    }

    async fn source_of(&self, id: &TraceId) -> Result<Option<Source>, StoreError> {
        let id = id.clone();
        self.readers.read(move |connection| source_of(connection, &id)).await
    }

    async fn traces(
        &self,
        filter: &TraceFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<TraceSummary>, Option<Cursor>), StoreError> {
        let (values, place, one_more) =
            (TraceValues::of(filter), TracePlace::of(cursor)?, whole(limit.saturating_add(1)));
        self.freshen_all().await?;
        let rows = self.readers.read(move |connection| list(connection, &values, place, one_more)).await?;
        Ok(trace_page(rows, limit))
    }

    async fn count_traces(&self, filter: &TraceFilter) -> Result<u64, StoreError> {
        let values = TraceValues::of(filter);
        self.freshen_all().await?;
        self.readers.read(move |connection| count(connection, &values)).await
    }

    async fn changed_traces(&self, after: u64, limit: usize) -> Result<(Vec<TraceSummary>, u64), StoreError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let rows = self.readers.read(move |connection| changed(connection, after, whole(limit))).await?;
        let mut changes = Changes::of(rows);
        // A row that is changed again while we look gets a higher mark: the first ones are fresh in the end.
        while let Some(up_to) = changes.stale_up_to {
            self.freshen(after, up_to).await?;
            let rows = self.readers.read(move |connection| changed(connection, after, whole(limit))).await?;
            changes = Changes::of(rows).or_first();
        }
        Ok((changes.summaries, changes.mark.unwrap_or(after) as u64))
    }

    async fn revoke_source(&self, source: &Source, at: Timestamp) -> Result<u64, StoreError> {
        let source = source.clone();
        self.writer.write(move |connection| pieces::revoke(connection, &source, nanos(at))).await
    }

    async fn tool_records(&self) -> Result<Vec<ToolRecord>, StoreError> {
        self.readers.read(records::tool_records).await
    }

    async fn pathways(&self) -> Result<Vec<Pathway>, StoreError> {
        self.readers.read(records::pathways).await
    }
}

impl Sqlite {
    /// Writes all rows anew that are stale now.
    async fn freshen_all(&self) -> Result<(), StoreError> {
        let up_to = self.readers.read(outlines::last_mark).await?;
        self.freshen(0, up_to).await
    }
}

fn one(connection: &Connection, id: &TraceId) -> Result<Option<Trace>, Failure> {
    if let Some(run) = id.run() {
        let ledger = listing::events(connection, run, 0, i64::MAX)?;
        return Ok(of_run(run, &ledger, library::rating(connection, run)?.as_ref()));
    }
    let known: Option<(i64, String)> = connection
        .prepare_cached("SELECT ordinal, source FROM trace WHERE id = ?1")?
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((ordinal, source)) = known else { return Ok(None) };
    let steps: i64 = connection
        .prepare_cached("SELECT count(*) FROM trace_part WHERE trace = ?1 AND kind <> 'told'")?
        .query_row([ordinal], |row| row.get(0))?;
    let mut statement = connection.prepare_cached(read_parts!("?1", "?2"))?;
    let parts = collect(statement.query([ordinal, HALF])?, |row| PartRow::read(row)?.part(id))?;
    Ok(put_together(id, &source.into(), parts, steps))
}

fn source_of(connection: &Connection, id: &TraceId) -> Result<Option<Source>, Failure> {
    let mut statement = connection.prepare_cached("SELECT source FROM trace WHERE id = ?1")?;
    let source = statement.query_row([id.as_str()], |row| row.get::<_, String>(0)).optional()?;
    Ok(source.map(Source::from))
}

fn list(
    connection: &Connection,
    filter: &TraceValues,
    place: TracePlace,
    limit: i64,
) -> Result<Vec<TraceRow>, Failure> {
    macro_rules! statement {
        ($agent:literal, $source:literal) => {
            concat!(
                "SELECT ",
                trace_columns!(),
                " FROM trace WHERE ",
                trace_condition!($agent, $source),
                " AND (trace.started_at, trace.ordinal) < ($8, $9)
                  ORDER BY trace.started_at DESC, trace.ordinal DESC
                  LIMIT $10",
            )
        };
    }
    let mut statement = connection.prepare_cached(match (&filter.agent, &filter.source) {
        (Some(_), Some(_)) => statement!("trace.agent = $1", "trace.source = $3"),
        (Some(_), None) => statement!("trace.agent = $1", "$3 IS NULL"),
        (None, Some(_)) => statement!("$1 IS NULL", "trace.source = $3"),
        (None, None) => statement!("$1 IS NULL", "$3 IS NULL"),
    })?;
    let values = [&bound(filter)[..], &[&place.started_at, &place.ordinal, &limit]].concat();
    collect(statement.query(&values[..])?, |row| trace_row(row))
}

fn count(connection: &Connection, filter: &TraceValues) -> Result<u64, Failure> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT count(*) FROM trace WHERE ",
        trace_condition!("($1 IS NULL OR trace.agent = $1)", "($3 IS NULL OR trace.source = $3)"),
    ))?;
    let counted: i64 = statement.query_row(&bound(filter)[..], |row| row.get(0))?;
    Ok(counted as u64)
}

fn bound(filter: &TraceValues) -> [&dyn ToSql; 7] {
    [&filter.agent, &filter.problem, &filter.source, &filter.success, &filter.ended, &filter.since, &filter.until]
}

fn changed(connection: &Connection, after: i64, limit: i64) -> Result<Vec<TraceRow>, Failure> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        trace_columns!(),
        " FROM trace WHERE trace.mark > ?1 ORDER BY trace.mark LIMIT ?2",
    ))?;
    collect(statement.query(params![after, limit])?, |row| trace_row(row))
}
