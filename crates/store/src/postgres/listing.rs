//! Reading ledgers and the views of them; and deleting what a filter lets through.

use domain::event::{Recorded, Seq};
use domain::id::RunId;
use domain::intent::{IntentStatus, IntentView};
use domain::run::RunSummary;
use domain::store::{PendingWait, StoreError, Totals};
use sqlx::postgres::{PgArguments, PgPool, Postgres};
use sqlx::{Executor, query::Query};

use super::append::BLOBS;
use super::columns::{Row, collect};
use super::fault::fault;
use crate::decode::{self, recorded_columns, summary_columns, totals_columns};
use crate::filter::{Place, Values, run_condition};

pub(super) async fn events(pool: &PgPool, run: RunId, after: Seq, limit: i64) -> Result<Vec<Recorded>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        recorded_columns!(),
        " FROM event
          LEFT JOIN blob ON blob.hash = event.blob
          WHERE event.run = (SELECT ordinal FROM run WHERE id = $1) AND event.seq > $2
          ORDER BY event.seq
          LIMIT $3",
    ))
    .bind(&run.bytes()[..])
    .bind(i64::try_from(after).unwrap_or(i64::MAX))
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |row| decode::recorded(row))
}

pub(super) async fn entry(
    executor: impl Executor<'_, Database = Postgres>,
    run: RunId,
    key: &str,
) -> Result<Option<Recorded>, StoreError> {
    let row = sqlx::query(concat!(
        "SELECT ",
        recorded_columns!(),
        " FROM event
          LEFT JOIN blob ON blob.hash = event.blob
          WHERE event.run = (SELECT ordinal FROM run WHERE id = $1) AND event.key = $2",
    ))
    .bind(&run.bytes()[..])
    .bind(key)
    .fetch_optional(executor)
    .await;
    row.map_err(fault)?.map(|row| decode::recorded(Row::new(&row))).transpose()
}

pub(super) async fn last(pool: &PgPool, run: RunId) -> Result<Seq, StoreError> {
    let seq: Option<i64> = sqlx::query_scalar("SELECT seq FROM run WHERE id = $1")
        .bind(&run.bytes()[..])
        .fetch_optional(pool)
        .await
        .map_err(fault)?;
    Ok(seq.ok_or(StoreError::NoSuchRun { run })? as Seq)
}

pub(super) async fn run(pool: &PgPool, run: RunId) -> Result<Option<RunSummary>, StoreError> {
    let row = sqlx::query(concat!(
        "SELECT ",
        summary_columns!(),
        " FROM run JOIN words ON words.run = run.ordinal WHERE run.id = $1",
    ))
    .bind(&run.bytes()[..])
    .fetch_optional(pool)
    .await;
    row.map_err(fault)?.map(|row| decode::summary(Row::new(&row))).transpose()
}

pub(super) async fn runs(
    pool: &PgPool,
    filter: Values,
    place: Place,
    limit: i64,
) -> Result<Vec<RunSummary>, StoreError> {
    macro_rules! statement {
        ($session:literal) => {
            concat!(
                "SELECT ",
                summary_columns!(),
                " FROM run JOIN words ON words.run = run.ordinal WHERE ",
                run_condition!("strpos", $session),
                " AND (run.created_at, run.id) < ($14, $15)
                  ORDER BY run.created_at DESC, run.id DESC
                  LIMIT $16",
            )
        };
    }
    let statement = match filter.session {
        Some(_) => statement!("run.session = $4"),
        None => statement!("$4 IS NULL"),
    };
    let rows = bind(sqlx::query(statement), filter)
        .bind(place.created_at)
        .bind(place.run.bytes().to_vec())
        .bind(limit)
        .fetch_all(pool)
        .await;
    collect(rows, |row| decode::summary(row))
}

pub(super) async fn totals(pool: &PgPool, filter: Values) -> Result<Totals, StoreError> {
    macro_rules! statement {
        ($session:literal) => {
            concat!(
                "SELECT ",
                totals_columns!(),
                " FROM run JOIN words ON words.run = run.ordinal WHERE ",
                run_condition!("strpos", $session),
            )
        };
    }
    let statement = match filter.session {
        Some(_) => statement!("run.session = $4"),
        None => statement!("$4 IS NULL"),
    };
    let row = bind(sqlx::query(statement), filter).fetch_one(pool).await.map_err(fault)?;
    decode::totals(Row::new(&row))
}

/// Deletes up to `limit` runs; what is theirs goes with them, except large bodies.
pub(super) async fn clear(pool: &PgPool, filter: Values, limit: i64) -> Result<u64, StoreError> {
    let statement = sqlx::query(concat!(
        "DELETE FROM run WHERE ordinal IN (
             SELECT run.ordinal FROM run JOIN words ON words.run = run.ordinal WHERE ",
        run_condition!("strpos", "($4 IS NULL OR run.session = $4)"),
        " AND run.ended LIMIT $14)",
    ));
    let cleared = bind(statement, filter).bind(limit).execute(pool).await.map_err(fault)?;
    Ok(cleared.rows_affected())
}

/// Deletes the large bodies that no event has any more, while nobody writes any.
pub(super) async fn sweep(pool: &PgPool) -> Result<(), StoreError> {
    let mut transaction = pool.begin().await.map_err(fault)?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(BLOBS).execute(&mut *transaction).await.map_err(fault)?;
    sqlx::query("DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM event WHERE event.blob = blob.hash)")
        .execute(&mut *transaction)
        .await
        .map_err(fault)?;
    transaction.commit().await.map_err(fault)
}

pub(super) async fn intents(
    pool: &PgPool,
    run: Option<RunId>,
    status: Option<IntentStatus>,
    limit: i64,
) -> Result<Vec<IntentView>, StoreError> {
    let rows = sqlx::query(
        "SELECT run.id, intent.intent, intent.status, intent.attempts, intent.settlement, intent.updated_at
         FROM intent JOIN run ON run.ordinal = intent.run
         WHERE ($1 IS NULL OR run.id = $1) AND ($2 IS NULL OR intent.status = $2)
         ORDER BY intent.declared_at DESC, intent.key DESC
         LIMIT $3",
    )
    .bind(run.as_ref().map(|run| &run.bytes()[..]))
    .bind(status.map(|status| status.word()))
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |row| decode::intent(row))
}

pub(super) async fn waits(pool: &PgPool, run: Option<RunId>, limit: i64) -> Result<Vec<PendingWait>, StoreError> {
    let rows = sqlx::query(
        "SELECT run.id, promise.wait, promise.since
         FROM promise JOIN run ON run.ordinal = promise.run
         WHERE promise.wait IS NOT NULL AND promise.answer IS NULL AND NOT promise.withdrawn AND ($1 IS NULL OR run.id = $1)
         ORDER BY promise.since, promise.name
         LIMIT $2",
    )
    .bind(run.as_ref().map(|run| &run.bytes()[..]))
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |row| decode::wait(row))
}

fn bind(query: Query<'_, Postgres, PgArguments>, filter: Values) -> Query<'_, Postgres, PgArguments> {
    query
        .bind(filter.statuses)
        .bind(filter.strategy)
        .bind(filter.role)
        .bind(filter.session)
        .bind(filter.parent)
        .bind(filter.since)
        .bind(filter.until)
        .bind(filter.min_quality)
        .bind(filter.max_quality)
        .bind(filter.replanned)
        .bind(filter.in_doubt)
        .bind(filter.text)
        .bind(filter.user)
}
