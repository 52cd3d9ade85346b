//! Records that tools keep.

use domain::shelf::Kept;
use domain::store::StoreError;
use serde_json::Value;
use sqlx::postgres::PgPool;

use super::columns::collect;
use super::fault::fault;
use crate::decode;

pub(super) async fn keep(
    pool: &PgPool,
    shelf: &str,
    key: &str,
    value: &Value,
    replacing: u64,
) -> Result<bool, StoreError> {
    let statement = match replacing {
        0 => sqlx::query(
            "INSERT INTO kept (shelf, key, version, value)
             VALUES ($1, $2, 1, $3)
             ON CONFLICT (shelf, key) DO NOTHING",
        )
        .bind(shelf)
        .bind(key)
        .bind(value.to_string()),
        version => sqlx::query(
            "UPDATE kept SET value = $3, version = version + 1 WHERE shelf = $1 AND key = $2 AND version = $4",
        )
        .bind(shelf)
        .bind(key)
        .bind(value.to_string())
        .bind(version as i64),
    };
    Ok(statement.execute(pool).await.map_err(fault)?.rows_affected() == 1)
}

pub(super) async fn kept(pool: &PgPool, shelf: &str, key: &str) -> Result<Option<Kept>, StoreError> {
    let rows = sqlx::query("SELECT key, version, value FROM kept WHERE shelf = $1 AND key = $2")
        .bind(shelf)
        .bind(key)
        .fetch_all(pool)
        .await;
    Ok(collect(rows, |row| decode::kept(row))?.into_iter().next())
}

pub(super) async fn shelf(pool: &PgPool, shelf: &str) -> Result<Vec<Kept>, StoreError> {
    let rows = sqlx::query("SELECT key, version, value FROM kept WHERE shelf = $1 ORDER BY key")
        .bind(shelf)
        .fetch_all(pool)
        .await;
    collect(rows, |row| decode::kept(row))
}

pub(super) async fn discard(pool: &PgPool, shelf: &str, key: &str, version: u64) -> Result<bool, StoreError> {
    let gone = sqlx::query("DELETE FROM kept WHERE shelf = $1 AND key = $2 AND version = $3")
        .bind(shelf)
        .bind(key)
        .bind(version as i64)
        .execute(pool)
        .await
        .map_err(fault)?;
    Ok(gone.rows_affected() == 1)
}
