//! How calls of tools went, and how runs did.

use domain::store::StoreError;
use domain::trace::{Pathway, ToolRecord};
use sqlx::PgConnection;
use sqlx::postgres::PgPool;

use super::columns::collect;
use crate::record::{self, Call, records};

/// Counts calls, in one order, so that two who count the same ones never wait for each other.
pub(super) async fn count(connection: &mut PgConnection, calls: Vec<Call>) -> Result<(), sqlx::Error> {
    if calls.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "INSERT INTO tool_record (tool, failed, bucket, calls)
         SELECT call.tool, call.failed, call.bucket, count(*)
         FROM UNNEST($1::TEXT[], $2::BOOLEAN[], $3::BIGINT[]) AS call (tool, failed, bucket)
         GROUP BY call.tool, call.failed, call.bucket
         ORDER BY call.tool COLLATE \"C\", call.failed, call.bucket
         ON CONFLICT (tool, failed, bucket) DO UPDATE
         SET calls = tool_record.calls + excluded.calls",
    )
    .bind(calls.iter().map(|call| call.tool.as_str()).collect::<Vec<_>>())
    .bind(calls.iter().map(|call| call.failed).collect::<Vec<_>>())
    .bind(calls.iter().map(|call| call.bucket).collect::<Vec<_>>())
    .execute(connection)
    .await
    .map(drop)
}

pub(super) async fn tool_records(pool: &PgPool) -> Result<Vec<ToolRecord>, StoreError> {
    let rows = sqlx::query("SELECT tool, failed, bucket, calls FROM tool_record").fetch_all(pool).await;
    records(collect(rows, |row| record::counted(row))?)
}

pub(super) async fn pathways(pool: &PgPool) -> Result<Vec<Pathway>, StoreError> {
    // Runs that nothing came of have no trace.
    let rows = sqlx::query(
        "SELECT run.route, run.strategy, count(*),
             count(*) FILTER (WHERE coalesce(rating.good, run.status = 'completed')),
             CAST(sum(run.cost) AS BIGINT), CAST(sum(coalesce(run.worked_ms, 0)) AS BIGINT)
         FROM trace
         JOIN run ON run.ordinal = trace.run
         LEFT JOIN rating ON rating.run = run.ordinal
         WHERE run.route IS NOT NULL AND run.strategy IS NOT NULL
             AND (run.status IN ('completed', 'failed') OR rating.good IS NOT NULL)
         GROUP BY run.route, run.strategy
         ORDER BY run.route COLLATE \"C\", run.strategy COLLATE \"C\"",
    )
    .fetch_all(pool)
    .await;
    collect(rows, |row| record::pathway(row))
}
