//! The answers of stages of reasoning, and the requests they were given to. Whoever numbers an answer has locked the row
//! of its request before, the run's or what was told about it, so that every number is given once.

use async_trait::async_trait;
use domain::id::RunId;
use domain::run::RunStatus;
use domain::stage::{RequestRow, Stage, StageFilter, StageRecord, Stages};
use domain::store::{Cursor, StoreError};
use sqlx::PgConnection;
use sqlx::postgres::{PgArguments, PgPool};
use sqlx::query::Query;

use super::Postgres;
use super::columns::{Row, collect};
use super::fault::fault;
use crate::answer::{Answer, AnswerPlace, Sought, answer_condition, answers};
use crate::decode::{self, answer_columns};
use crate::filter::whole;
use crate::instant::nanos;
use crate::told::{RequestPlace, Told, linked, requests, run_named};
use crate::words::storable;

/// How many answers are deleted in one transaction, so that none takes long.
const CLEARED_AT_ONCE: i64 = 1_000;

#[async_trait]
impl Stages for Postgres {
    async fn file(&self, record: &StageRecord, request: &RequestRow) -> Result<u32, StoreError> {
        let answer = Answer::new(&record.request, record.stage, nanos(record.at), &record.answer);
        let told = Told::new(&record.request, request);
        let mut transaction = self.pool.begin().await.map_err(fault)?;
        let run = match told.run {
            Some(run) => locked(&mut transaction, run).await.map_err(fault)?,
            None => None,
        };
        if run.is_none() {
            tell(&mut transaction, &told).await?;
        }
        let attempt = insert(&mut transaction, run, &answer).await.map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(attempt)
    }

    async fn filed(&self, request: &str, stage: Stage) -> Result<Option<StageRecord>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            answer_columns!(),
            " FROM stage_answer
              WHERE request = $1 AND stage = $2
              ORDER BY attempt DESC
              LIMIT 1",
        ))
        .bind(storable(request))
        .bind(stage.name())
        .fetch_all(&self.pool)
        .await;
        Ok(collect(rows, |row| decode::answer(row))?.into_iter().next().map(|(_, record)| record))
    }

    async fn stage_history(
        &self,
        stage: Stage,
        filter: &StageFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<StageRecord>, Option<Cursor>), StoreError> {
        let (sought, place) = (Sought::of(stage, filter), AnswerPlace::of(cursor)?);
        let rows = history(&self.pool, sought, place, whole(limit.saturating_add(1))).await?;
        Ok(answers(rows, limit))
    }

    async fn clear_stage(&self, stage: Stage, filter: &StageFilter) -> Result<u64, StoreError> {
        let mut cleared = 0;
        loop {
            match clear(&self.pool, Sought::of(stage, filter), CLEARED_AT_ONCE).await? {
                0 => return Ok(cleared),
                some => cleared += some,
            }
        }
    }

    async fn request(&self, request: &str) -> Result<Option<RequestRow>, StoreError> {
        if let Some(run) = run_named(request)
            && let Some(row) = one_run(&self.pool, run).await?
        {
            return Ok(Some(row));
        }
        let rows = sqlx::query(
            "SELECT ordinal, id, created_at, updated_at, status, chain, query
             FROM request
             WHERE id = $1",
        )
        .bind(storable(request))
        .fetch_all(&self.pool)
        .await;
        Ok(collect(rows, |row| decode::told(row))?.into_iter().next().map(|(_, row)| row))
    }

    async fn requests(
        &self,
        status: Option<RunStatus>,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<RequestRow>, Option<Cursor>), StoreError> {
        let (place, one_more) = (RequestPlace::of(cursor)?, whole(limit.saturating_add(1)));
        let status = status.map(|status| status.word());
        let runs = runs(&self.pool, status, place, one_more).await?;
        let told = told(&self.pool, status, place, one_more).await?;
        Ok(requests(runs, told, limit))
    }
}

/// Keeps an answer under the next number of its request and stage, which it returns.
pub(super) async fn insert(
    connection: &mut PgConnection,
    run: Option<i64>,
    answer: &Answer,
) -> Result<u32, sqlx::Error> {
    let attempt: i64 = sqlx::query_scalar(
        "INSERT INTO stage_answer
             (request, run, stage, attempt, at, quality, should_replan, should_deepen, answer)
         SELECT $1, $2, $3, coalesce(max(attempt), 0) + 1, $4, $5, $6, $7, $8
         FROM stage_answer
         WHERE request = $1 AND stage = $3
         RETURNING attempt",
    )
    .bind(&answer.request)
    .bind(run)
    .bind(answer.stage)
    .bind(answer.at)
    .bind(answer.quality)
    .bind(answer.should_replan)
    .bind(answer.should_deepen)
    .bind(&answer.answer)
    .fetch_one(connection)
    .await?;
    Ok(attempt as u32)
}

async fn locked(connection: &mut PgConnection, run: RunId) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT ordinal FROM run WHERE id = $1 FOR NO KEY UPDATE")
        .bind(&run.bytes()[..])
        .fetch_optional(connection)
        .await
}

async fn tell(connection: &mut PgConnection, told: &Told) -> Result<(), StoreError> {
    let chain: String = sqlx::query_scalar(
        "INSERT INTO request (id, run, created_at, updated_at, status, chain, query)
         VALUES ($1, $2, $3, $4, $5, '[]', $6)
         ON CONFLICT (id) DO UPDATE
         SET created_at = LEAST(request.created_at, excluded.created_at),
             updated_at = GREATEST(request.updated_at, excluded.updated_at),
             status = excluded.status, query = coalesce(excluded.query, request.query)
         RETURNING chain",
    )
    .bind(&told.id)
    .bind(told.run.as_ref().map(|run| &run.bytes()[..]))
    .bind(told.created_at)
    .bind(told.updated_at)
    .bind(told.status)
    .bind(&told.query)
    .fetch_one(&mut *connection)
    .await
    .map_err(fault)?;
    if let Some(chain) = linked(Some(&chain), &told.chain)? {
        sqlx::query("UPDATE request SET chain = $2 WHERE id = $1")
            .bind(&told.id)
            .bind(chain)
            .execute(connection)
            .await
            .map_err(fault)?;
    }
    Ok(())
}

async fn history(
    pool: &PgPool,
    sought: Sought,
    place: AnswerPlace,
    limit: i64,
) -> Result<Vec<(i64, StageRecord)>, StoreError> {
    macro_rules! statement {
        ($request:literal) => {
            concat!(
                "SELECT ",
                answer_columns!(),
                " FROM stage_answer WHERE ",
                answer_condition!($request),
                " AND (at, ordinal) < ($9, $10)
                  ORDER BY at DESC, ordinal DESC
                  LIMIT $11",
            )
        };
    }
    let statement = match sought.request {
        Some(_) => statement!("request = $2"),
        None => statement!("$2 IS NULL"),
    };
    let rows =
        bind(sqlx::query(statement), sought).bind(place.at).bind(place.ordinal).bind(limit).fetch_all(pool).await;
    collect(rows, |row| decode::answer(row))
}

async fn clear(pool: &PgPool, sought: Sought, limit: i64) -> Result<u64, StoreError> {
    macro_rules! statement {
        ($request:literal) => {
            concat!(
                "DELETE FROM stage_answer WHERE ordinal IN (SELECT ordinal FROM stage_answer WHERE ",
                answer_condition!($request),
                " LIMIT $9)",
            )
        };
    }
    let statement = match sought.request {
        Some(_) => statement!("request = $2"),
        None => statement!("$2 IS NULL"),
    };
    let cleared = bind(sqlx::query(statement), sought).bind(limit).execute(pool).await.map_err(fault)?;
    Ok(cleared.rows_affected())
}

fn bind(query: Query<'_, sqlx::Postgres, PgArguments>, sought: Sought) -> Query<'_, sqlx::Postgres, PgArguments> {
    query
        .bind(sought.stage)
        .bind(sought.request)
        .bind(sought.since)
        .bind(sought.until)
        .bind(sought.min_quality)
        .bind(sought.max_quality)
        .bind(sought.should_replan)
        .bind(sought.should_deepen)
}

async fn one_run(pool: &PgPool, run: RunId) -> Result<Option<RequestRow>, StoreError> {
    let row = sqlx::query(
        "SELECT run.id, run.created_at, run.updated_at, run.status, array_to_json(run.chain)::TEXT, words.request
         FROM run JOIN words ON words.run = run.ordinal
         WHERE run.id = $1",
    )
    .bind(&run.bytes()[..])
    .fetch_optional(pool)
    .await
    .map_err(fault)?;
    Ok(row.map(|row| decode::run_request(Row::new(&row))).transpose()?.map(|(_, row)| row))
}

async fn runs(
    pool: &PgPool,
    status: Option<&str>,
    place: RequestPlace,
    limit: i64,
) -> Result<Vec<(RunId, RequestRow)>, StoreError> {
    let (created_at, run) = place.before_runs();
    let rows = sqlx::query(
        "SELECT run.id, run.created_at, run.updated_at, run.status, array_to_json(run.chain)::TEXT, words.request
         FROM run JOIN words ON words.run = run.ordinal
         WHERE ($1 IS NULL OR run.status = $1) AND (run.created_at, run.id) < ($2, $3)
         ORDER BY run.created_at DESC, run.id DESC
         LIMIT $4",
    )
    .bind(status)
    .bind(created_at)
    .bind(run)
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |row| decode::run_request(row))
}

/// What was told about a run is left out: the run says it itself.
async fn told(
    pool: &PgPool,
    status: Option<&str>,
    place: RequestPlace,
    limit: i64,
) -> Result<Vec<(i64, RequestRow)>, StoreError> {
    let (created_at, ordinal) = place.before_told();
    let rows = sqlx::query(
        "SELECT ordinal, id, created_at, updated_at, status, chain, query
         FROM request
         WHERE ($1 IS NULL OR status = $1) AND (created_at, ordinal) < ($2, $3)
             AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = request.run)
         ORDER BY created_at DESC, ordinal DESC
         LIMIT $4",
    )
    .bind(status)
    .bind(created_at)
    .bind(ordinal)
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |row| decode::told(row))
}
