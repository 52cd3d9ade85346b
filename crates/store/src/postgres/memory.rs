//! What is remembered, and found again by its words.

use domain::store::{Memory, StoreError};
use sqlx::postgres::PgPool;

use super::columns::collect;
use super::fault::fault;
use crate::decode;
use crate::instant::nanos;
use crate::words::{storable, words};

pub(super) async fn remember(pool: &PgPool, memory: &Memory) -> Result<(), StoreError> {
    sqlx::query(
        "WITH remembered AS (
             INSERT INTO memory (id, text, importance, run, at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (id) DO NOTHING
             RETURNING ordinal
         )
         INSERT INTO memory_word (word, memory)
         SELECT word, ordinal
         FROM remembered, UNNEST($6::TEXT[]) AS word",
    )
    .bind(&memory.id)
    .bind(storable(&memory.text))
    .bind(memory.importance)
    .bind(memory.run.as_ref().map(|run| &run.bytes()[..]))
    .bind(nanos(memory.at))
    .bind(words(&memory.text))
    .execute(pool)
    .await
    .map(drop)
    .map_err(fault)
}

pub(super) async fn recall(pool: &PgPool, text: &str, limit: i64) -> Result<Vec<Memory>, StoreError> {
    let rows = sqlx::query(
        "SELECT memory.id, memory.text, memory.importance, memory.run, memory.at
         FROM memory_word JOIN memory ON memory.ordinal = memory_word.memory
         WHERE memory_word.word = ANY($1) AND NOT memory.forgotten
         GROUP BY memory.ordinal
         ORDER BY count(*) * memory.importance DESC, memory.at DESC, memory.id
         LIMIT $2",
    )
    .bind(words(text))
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |row| decode::memory(row))
}

pub(super) async fn newest(pool: &PgPool, limit: i64) -> Result<Vec<Memory>, StoreError> {
    let rows = sqlx::query(
        "SELECT id, text, importance, run, at
         FROM memory
         WHERE NOT forgotten
         ORDER BY at DESC, id
         LIMIT $1",
    )
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |row| decode::memory(row))
}

/// Keeps the row, so that writing the same memory again does not bring it back.
pub(super) async fn forget(pool: &PgPool, id: &str) -> Result<bool, StoreError> {
    let marked = sqlx::query(
        "WITH unworded AS (
             DELETE FROM memory_word
             WHERE memory = (SELECT ordinal FROM memory WHERE id = $1)
         )
         UPDATE memory SET forgotten = TRUE WHERE id = $1 AND NOT forgotten",
    )
    .bind(id)
    .execute(pool)
    .await
    .map_err(fault)?;
    Ok(marked.rows_affected() == 1)
}
