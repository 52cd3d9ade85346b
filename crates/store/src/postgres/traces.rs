//! Traces: ours are views of ledgers, others' are put together from their pieces.

use async_trait::async_trait;
use domain::id::TraceId;
use domain::library::Library;
use domain::store::{Cursor, StoreError};
use domain::trace::{
    Part, Pathway, Received, Source, Standing, ToolRecord, Trace, TraceFilter, TraceSummary, Traces, of_run,
};
use jiff::Timestamp;
use sqlx::postgres::{PgArguments, PgPool, Postgres as Database};
use sqlx::query::Query;

use super::columns::collect;
use super::fault::fault;
use super::{Postgres, listing, outlines, pieces, records};
use crate::filter::whole;
use crate::instant::nanos;
use crate::piece::{PartRow, arrived};
use crate::trace::{
    Changes, HALF, TracePlace, TraceRow, TraceValues, put_together, read_parts, trace_columns, trace_condition,
    trace_page, trace_row,
};

#[async_trait]
impl Traces for Postgres {
    async fn receive(
        &self,
        source: &Source,
        standing: Standing,
        parts: Vec<Part>,
        _at: Timestamp,
    ) -> Result<Received, StoreError> {
        let (arrived, received) = arrived(source, parts);
        let mut transaction = self.pool.begin().await.map_err(fault)?;
        let received = pieces::receive(&mut transaction, source, standing, &arrived, received).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(received)
    }

    async fn trace(&self, id: &TraceId) -> Result<Option<Trace>, StoreError> {
        if let Some(run) = id.run() {
            let ledger = listing::events(&self.pool, run, 0, i64::MAX).await?;
            return Ok(of_run(run, &ledger, self.rating(run).await?.as_ref()));
        }
        let known: Option<(i64, String)> = sqlx::query_as("SELECT ordinal, source FROM trace WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(&self.pool)
            .await
            .map_err(fault)?;
        let Some((ordinal, source)) = known else { return Ok(None) };
        let steps: i64 = sqlx::query_scalar("SELECT count(*) FROM trace_part WHERE trace = $1 AND kind <> 'told'")
            .bind(ordinal)
            .fetch_one(&self.pool)
            .await
            .map_err(fault)?;
        let rows = sqlx::query(read_parts!("$1", "$2")).bind(ordinal).bind(HALF).fetch_all(&self.pool).await;
        let parts = collect(rows, |row| PartRow::read(row)?.part(id))?;
        Ok(put_together(id, &source.into(), parts, steps))
    }

    async fn source_of(&self, id: &TraceId) -> Result<Option<Source>, StoreError> {
        let source: Option<String> = sqlx::query_scalar("SELECT source FROM trace WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(&self.pool)
            .await
            .map_err(fault)?;
        Ok(source.map(Source::from))
    }

    async fn traces(
        &self,
        filter: &TraceFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<TraceSummary>, Option<Cursor>), StoreError> {
        let place = TracePlace::of(cursor)?;
        self.freshen_all().await?;
        let rows = list(&self.pool, TraceValues::of(filter), place, whole(limit.saturating_add(1))).await?;
        Ok(trace_page(rows, limit))
    }

    async fn count_traces(&self, filter: &TraceFilter) -> Result<u64, StoreError> {
        self.freshen_all().await?;
        let rows = bound(
            concat!(
                "SELECT count(*) FROM trace WHERE ",
                trace_condition!("($1 IS NULL OR trace.agent = $1)", "($3 IS NULL OR trace.source = $3)"),
            ),
            TraceValues::of(filter),
        );
        let counted = collect(rows.fetch_all(&self.pool).await, |mut row| crate::decode::Columns::integer(&mut row))?;
        Ok(counted.into_iter().sum::<i64>() as u64)
    }

    async fn changed_traces(&self, after: u64, limit: usize) -> Result<(Vec<TraceSummary>, u64), StoreError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let mut changes = Changes::of(changed(&self.pool, after, whole(limit)).await?);
        // A row that is changed again while we look gets a higher mark: the first ones are fresh in the end.
        while let Some(up_to) = changes.stale_up_to {
            self.freshen(after, up_to).await?;
            changes = Changes::of(changed(&self.pool, after, whole(limit)).await?).or_first();
        }
        Ok((changes.summaries, changes.mark.unwrap_or(after) as u64))
    }

    async fn revoke_source(&self, source: &Source, at: Timestamp) -> Result<u64, StoreError> {
        let mut transaction = self.pool.begin().await.map_err(fault)?;
        let sent = pieces::revoke(&mut transaction, source, nanos(at)).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(sent)
    }

    async fn tool_records(&self) -> Result<Vec<ToolRecord>, StoreError> {
        records::tool_records(&self.pool).await
    }

    async fn pathways(&self) -> Result<Vec<Pathway>, StoreError> {
        records::pathways(&self.pool).await
    }
}

impl Postgres {
    /// Writes all rows anew that are stale now.
    async fn freshen_all(&self) -> Result<(), StoreError> {
        self.freshen(0, outlines::last_mark(&self.pool).await?).await
    }
}

async fn list(pool: &PgPool, filter: TraceValues, place: TracePlace, limit: i64) -> Result<Vec<TraceRow>, StoreError> {
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
    let statement = match (&filter.agent, &filter.source) {
        (Some(_), Some(_)) => statement!("trace.agent = $1", "trace.source = $3"),
        (Some(_), None) => statement!("trace.agent = $1", "$3 IS NULL"),
        (None, Some(_)) => statement!("$1 IS NULL", "trace.source = $3"),
        (None, None) => statement!("$1 IS NULL", "$3 IS NULL"),
    };
    let query = bound(statement, filter).bind(place.started_at).bind(place.ordinal).bind(limit);
    collect(query.fetch_all(pool).await, |row| trace_row(row))
}

fn bound(statement: &'static str, filter: TraceValues) -> Query<'static, Database, PgArguments> {
    sqlx::query(statement)
        .bind(filter.agent)
        .bind(filter.problem)
        .bind(filter.source)
        .bind(filter.success)
        .bind(filter.ended)
        .bind(filter.since)
        .bind(filter.until)
}

async fn changed(pool: &PgPool, after: i64, limit: i64) -> Result<Vec<TraceRow>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        trace_columns!(),
        " FROM trace WHERE trace.mark > $1 ORDER BY trace.mark LIMIT $2",
    ))
    .bind(after)
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |row| trace_row(row))
}
