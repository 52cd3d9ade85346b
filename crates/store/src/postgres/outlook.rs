//! What was said about runs before they acted, and what became of it.

use std::collections::BTreeMap;

use domain::forecast::Hindsight;
use domain::score::Score;
use domain::store::StoreError;
use sqlx::PgConnection;
use sqlx::postgres::PgPool;

use super::columns::collect;
use crate::batch::json;
use crate::decode::{self, hindsight_columns, value};

/// Adds scores to those that were reported; those of the same name are replaced. The run's row is locked.
pub(super) async fn report(
    connection: &mut PgConnection,
    run: i64,
    scores: &BTreeMap<String, Score>,
) -> Result<(), sqlx::Error> {
    let before: Option<Option<String>> = sqlx::query_scalar("SELECT reported FROM outlook WHERE run = $1")
        .bind(run)
        .fetch_optional(&mut *connection)
        .await?;
    let mut reported: BTreeMap<String, Score> = match before.flatten() {
        Some(before) => value(&before).map_err(|damaged| sqlx::Error::Decode(damaged.into()))?,
        None => BTreeMap::new(),
    };
    reported.extend(scores.clone());
    sqlx::query(
        "INSERT INTO outlook (run, created_at, reported)
         SELECT ordinal, created_at, $2 FROM run WHERE ordinal = $1
         ON CONFLICT (run) DO UPDATE
         SET reported = excluded.reported",
    )
    .bind(run)
    .bind(json(&reported))
    .execute(connection)
    .await
    .map(drop)
}

/// Replaces what is expected.
pub(super) async fn foresee(connection: &mut PgConnection, run: i64, forecast: &str) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO outlook (run, created_at, forecast)
         SELECT ordinal, created_at, $2 FROM run WHERE ordinal = $1
         ON CONFLICT (run) DO UPDATE
         SET forecast = excluded.forecast",
    )
    .bind(run)
    .bind(forecast)
    .execute(connection)
    .await
    .map(drop)
}

pub(super) async fn hindsight(pool: &PgPool, limit: i64) -> Result<Vec<Hindsight>, StoreError> {
    let rows = sqlx::query(concat!(
        "SELECT ",
        hindsight_columns!(),
        " FROM outlook JOIN run ON run.ordinal = outlook.run
          LEFT JOIN rating ON rating.run = run.ordinal
          WHERE run.status IN ('completed', 'failed') AND run.worked_ms IS NOT NULL
          ORDER BY outlook.created_at DESC, outlook.run DESC
          LIMIT $1",
    ))
    .bind(limit)
    .fetch_all(pool)
    .await;
    collect(rows, |row| decode::hindsight(row))
}
