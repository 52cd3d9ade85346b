//! Connections: how they are kept, and the schema they find.

use std::time::Duration;

use domain::store::StoreError;
use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};

use super::fault::fault;

/// How many connections are open at most; callers wait for one.
const CONNECTIONS: u32 = 16;
/// How long callers wait for a connection.
const PATIENCE: Duration = Duration::from_secs(5);
/// A connection that was used this recently is taken to be alive: asking it would double the round trips.
const FRESH: Duration = Duration::from_secs(1);
/// Those who change the schema do so one after the other.
const MIGRATING: i64 = 0x6167_656e_7477;

/// Append-only: the schema's version is how many of these a database has been through.
const MIGRATIONS: [&str; 6] = [
    include_str!("../../migrations/postgres/0001_ledger.sql"),
    include_str!("../../migrations/postgres/0002_shelves.sql"),
    include_str!("../../migrations/postgres/0003_stages.sql"),
    include_str!("../../migrations/postgres/0004_library.sql"),
    include_str!("../../migrations/postgres/0005_learning.sql"),
    include_str!("../../migrations/postgres/0006_audit.sql"),
];

/// Connects, and brings the schema up to date.
pub(super) async fn connect(url: &str) -> Result<PgPool, StoreError> {
    let options: PgConnectOptions = url.parse().map_err(fault)?;
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(PATIENCE)
        .test_before_acquire(false)
        .before_acquire(|connection, met| {
            Box::pin(async move {
                if met.idle_for > FRESH {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_with(options)
        .await
        .map_err(fault)?;
    migrate(&pool).await?;
    Ok(pool)
}

async fn migrate(pool: &PgPool) -> Result<(), StoreError> {
    let mut transaction = pool.begin().await.map_err(fault)?;
    let connection = &mut *transaction;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(MIGRATING).execute(&mut *connection).await.map_err(fault)?;
    sqlx::raw_sql("CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL)")
        .execute(&mut *connection)
        .await
        .map_err(fault)?;
    let found: i64 = sqlx::query_scalar("SELECT coalesce(max(version), 0) FROM schema_version")
        .fetch_one(&mut *connection)
        .await
        .map_err(fault)?;
    let known = MIGRATIONS.len() as i64;
    if !(0..=known).contains(&found) {
        return Err(StoreError::Newer { found, known });
    }
    for (version, migration) in (1..).zip(MIGRATIONS).skip(found as usize) {
        sqlx::raw_sql(migration).execute(&mut *connection).await.map_err(fault)?;
        sqlx::query("INSERT INTO schema_version (version) VALUES ($1)")
            .bind(version)
            .execute(&mut *connection)
            .await
            .map_err(fault)?;
    }
    transaction.commit().await.map_err(fault)
}
