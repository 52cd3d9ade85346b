//! The answers of stages of reasoning, and the requests they were given to.

use async_trait::async_trait;
use domain::id::RunId;
use domain::run::RunStatus;
use domain::stage::{RequestRow, Stage, StageFilter, StageRecord, Stages};
use domain::store::{Cursor, StoreError};
use rusqlite::{Connection, OptionalExtension, ToSql, params};

use super::Sqlite;
use super::columns::{Row, collect};
use super::fault::Failure;
use crate::answer::{Answer, AnswerPlace, Sought, answer_condition, answers};
use crate::decode::{self, answer_columns};
use crate::filter::whole;
use crate::instant::nanos;
use crate::told::{RequestPlace, Told, linked, requests, run_named};
use crate::words::storable;

/// How many answers are deleted in one transaction, so that others can write in between.
const CLEARED_AT_ONCE: i64 = 1_000;

#[async_trait]
impl Stages for Sqlite {
    async fn file(&self, record: &StageRecord, request: &RequestRow) -> Result<u32, StoreError> {
        let answer = Answer::new(&record.request, record.stage, nanos(record.at), &record.answer);
        let told = Told::new(&record.request, request);
        let write = move |connection: &Connection| {
            let run = told.run.map(|run| ordinal(connection, run)).transpose()?.flatten();
            if run.is_none() {
                tell(connection, &told)?;
            }
            insert(connection, run, &answer)
        };
        self.writer.write(write).await
    }

    async fn filed(&self, request: &str, stage: Stage) -> Result<Option<StageRecord>, StoreError> {
        let request = storable(request);
        self.readers.read(move |connection| latest(connection, &request, stage)).await
    }

    async fn stage_history(
        &self,
        stage: Stage,
        filter: &StageFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<StageRecord>, Option<Cursor>), StoreError> {
        let (sought, place) = (Sought::of(stage, filter), AnswerPlace::of(cursor)?);
        let one_more = whole(limit.saturating_add(1));
        let rows = self.readers.read(move |connection| history(connection, &sought, place, one_more)).await?;
        Ok(answers(rows, limit))
    }

    async fn clear_stage(&self, stage: Stage, filter: &StageFilter) -> Result<u64, StoreError> {
        let mut cleared = 0;
        loop {
            let sought = Sought::of(stage, filter);
            match self.writer.write(move |connection| clear(connection, &sought, CLEARED_AT_ONCE)).await? {
                0 => return Ok(cleared),
                some => cleared += some,
            }
        }
    }

    async fn request(&self, request: &str) -> Result<Option<RequestRow>, StoreError> {
        let request = request.to_owned();
        self.readers.read(move |connection| one(connection, &request)).await
    }

    async fn requests(
        &self,
        status: Option<RunStatus>,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<RequestRow>, Option<Cursor>), StoreError> {
        let (place, one_more) = (RequestPlace::of(cursor)?, whole(limit.saturating_add(1)));
        let status = status.map(|status| status.word());
        let read = move |connection: &Connection| {
            Ok((runs(connection, status, place, one_more)?, told(connection, status, place, one_more)?))
        };
        let (runs, told) = self.readers.read(read).await?;
        Ok(requests(runs, told, limit))
    }
}

/// Keeps an answer under the next number of its request and stage, which it returns.
pub(super) fn insert(connection: &Connection, run: Option<i64>, answer: &Answer) -> Result<u32, Failure> {
    let attempt = connection
        .prepare_cached(
            "INSERT INTO stage_answer
                 (request, run, stage, attempt, at, quality, should_replan, should_deepen, answer)
             SELECT ?1, ?2, ?3, coalesce(max(attempt), 0) + 1, ?4, ?5, ?6, ?7, ?8
             FROM stage_answer
             WHERE request = ?1 AND stage = ?3
             RETURNING attempt",
        )?
        .query_row(
            params![
                answer.request,
                run,
                answer.stage,
                answer.at,
                answer.quality,
                answer.should_replan,
                answer.should_deepen,
                answer.answer,
            ],
            |row| row.get(0),
        )?;
    Ok(attempt)
}

fn ordinal(connection: &Connection, run: RunId) -> Result<Option<i64>, Failure> {
    let mut statement = connection.prepare_cached("SELECT ordinal FROM run WHERE id = ?1")?;
    Ok(statement.query_row([run.bytes()], |row| row.get(0)).optional()?)
}

fn tell(connection: &Connection, told: &Told) -> Result<(), Failure> {
    let chain: String = connection
        .prepare_cached(
            "INSERT INTO request (id, run, created_at, updated_at, status, chain, query)
             VALUES (?1, ?2, ?3, ?4, ?5, '[]', ?6)
             ON CONFLICT (id) DO UPDATE
             SET created_at = min(created_at, excluded.created_at), updated_at = max(updated_at, excluded.updated_at),
                 status = excluded.status, query = coalesce(excluded.query, query)
             RETURNING chain",
        )?
        .query_row(
            params![
                told.id,
                told.run.as_ref().map(|run| run.bytes()),
                told.created_at,
                told.updated_at,
                told.status,
                told.query
            ],
            |row| row.get(0),
        )?;
    if let Some(chain) = linked(Some(&chain), &told.chain)? {
        connection.prepare_cached("UPDATE request SET chain = ?2 WHERE id = ?1")?.execute(params![told.id, chain])?;
    }
    Ok(())
}

fn latest(connection: &Connection, request: &str, stage: Stage) -> Result<Option<StageRecord>, Failure> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        answer_columns!(),
        " FROM stage_answer
          WHERE request = ?1 AND stage = ?2
          ORDER BY attempt DESC
          LIMIT 1",
    ))?;
    let found = collect(statement.query(params![request, stage.name()])?, |row| decode::answer(row))?;
    Ok(found.into_iter().next().map(|(_, record)| record))
}

/// Which index serves is said, because a request with few answers would be looked for among all that are new.
fn history(
    connection: &Connection,
    sought: &Sought,
    place: AnswerPlace,
    limit: i64,
) -> Result<Vec<(i64, StageRecord)>, Failure> {
    macro_rules! statement {
        ($index:literal, $request:literal) => {
            concat!(
                "SELECT ",
                answer_columns!(),
                " FROM stage_answer INDEXED BY ",
                $index,
                " WHERE ",
                answer_condition!($request),
                " AND (at, ordinal) < ($9, $10)
                  ORDER BY at DESC, ordinal DESC
                  LIMIT $11",
            )
        };
    }
    let mut statement = connection.prepare_cached(match sought.request {
        Some(_) => statement!("stage_answer_attempt", "request = $2"),
        None => statement!("stage_answer_newest", "$2 IS NULL"),
    })?;
    let values = [&bound(sought)[..], &[&place.at, &place.ordinal, &limit]].concat();
    collect(statement.query(&values[..])?, |row| decode::answer(row))
}

fn clear(connection: &Connection, sought: &Sought, limit: i64) -> Result<u64, Failure> {
    macro_rules! statement {
        ($index:literal, $request:literal) => {
            concat!(
                "DELETE FROM stage_answer WHERE ordinal IN (SELECT ordinal FROM stage_answer INDEXED BY ",
                $index,
                " WHERE ",
                answer_condition!($request),
                " LIMIT $9)",
            )
        };
    }
    let mut statement = connection.prepare_cached(match sought.request {
        Some(_) => statement!("stage_answer_attempt", "request = $2"),
        None => statement!("stage_answer_newest", "$2 IS NULL"),
    })?;
    let values = [&bound(sought)[..], &[&limit]].concat();
    Ok(statement.execute(&values[..])? as u64)
}

fn bound(sought: &Sought) -> [&dyn ToSql; 8] {
    [
        &sought.stage,
        &sought.request,
        &sought.since,
        &sought.until,
        &sought.min_quality,
        &sought.max_quality,
        &sought.should_replan,
        &sought.should_deepen,
    ]
}

fn one(connection: &Connection, request: &str) -> Result<Option<RequestRow>, Failure> {
    if let Some(run) = run_named(request) {
        let mut statement = connection.prepare_cached(
            "SELECT run.id, run.created_at, run.updated_at, run.status, run.chain, words.request
             FROM run JOIN words ON words.run = run.ordinal
             WHERE run.id = ?1",
        )?;
        if let Some(row) = statement.query([run.bytes()])?.next()? {
            return Ok(Some(decode::run_request(Row::new(row))?.1));
        }
    }
    let mut statement = connection.prepare_cached(
        "SELECT ordinal, id, created_at, updated_at, status, chain, query
         FROM request
         WHERE id = ?1",
    )?;
    let found = collect(statement.query([storable(request)])?, |row| decode::told(row))?;
    Ok(found.into_iter().next().map(|(_, row)| row))
}

fn runs(
    connection: &Connection,
    status: Option<&str>,
    place: RequestPlace,
    limit: i64,
) -> Result<Vec<(RunId, RequestRow)>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT run.id, run.created_at, run.updated_at, run.status, run.chain, words.request
         FROM run JOIN words ON words.run = run.ordinal
         WHERE (?1 IS NULL OR run.status = ?1) AND (run.created_at, run.id) < (?2, ?3)
         ORDER BY run.created_at DESC, run.id DESC
         LIMIT ?4",
    )?;
    let (created_at, run) = place.before_runs();
    collect(statement.query(params![status, created_at, run, limit])?, |row| decode::run_request(row))
}

/// What was told about a run is left out: the run says it itself.
fn told(
    connection: &Connection,
    status: Option<&str>,
    place: RequestPlace,
    limit: i64,
) -> Result<Vec<(i64, RequestRow)>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT ordinal, id, created_at, updated_at, status, chain, query
         FROM request
         WHERE (?1 IS NULL OR status = ?1) AND (created_at, ordinal) < (?2, ?3)
             AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = request.run)
         ORDER BY created_at DESC, ordinal DESC
         LIMIT ?4",
    )?;
    let (created_at, ordinal) = place.before_told();
    collect(statement.query(params![status, created_at, ordinal, limit])?, |row| decode::told(row))
}
