//! What runs mean for the library: what they keep, what they use, and what became of it. Whoever changes the library has
//! raised its counter before, and holds it until the end of the transaction: what is read is still true when it is acted
//! upon.

use domain::id::RunId;
use domain::library::Rating;
use domain::store::StoreError;
use sqlx::PgConnection;
use sqlx::postgres::PgPool;

use super::fault::fault;
use super::outlines;
use crate::instant::nanos;
use crate::item::{LibraryChange, Usage, Version};
use crate::words::storable;

/// Raises the counter: what changes in this transaction carries its number. Its row stays locked until the end, so that
/// numbers become visible in their order; a sequence would not wait, and who reads on from a high number would miss a
/// lower one that is committed later. Runs' rows are always locked before this one.
pub(super) async fn mark(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("UPDATE library SET mark = mark + 1 RETURNING mark").fetch_one(connection).await
}

/// Keeps and uses what a run says, unless nothing comes of it.
pub(super) async fn take(
    connection: &mut PgConnection,
    run: i64,
    changes: &[LibraryChange],
) -> Result<(), sqlx::Error> {
    let (request, rehearsal): (String, bool) = sqlx::query_as("SELECT request, rehearsal FROM words WHERE run = $1")
        .bind(run)
        .fetch_one(&mut *connection)
        .await?;
    if rehearsal {
        return Ok(());
    }
    let mark = mark(connection).await?;
    for change in changes {
        match change {
            LibraryChange::Keep(version) => {
                keep(connection, version, mark).await?;
            }
            LibraryChange::Use(usage) => count(connection, run, usage, &request, mark).await?,
        }
    }
    Ok(())
}

/// Keeps a version unless it is there, and returns its item and number. What is new becomes the one that is used.
pub(super) async fn keep(connection: &mut PgConnection, kept: &Version, mark: i64) -> Result<(i64, i64), sqlx::Error> {
    sqlx::query_as(
        "WITH there AS (
             SELECT item.ordinal, item_version.version
             FROM item JOIN item_version ON item_version.item = item.ordinal
             WHERE item.kind = $1 AND item.name = $2 AND item_version.hash = $4
         ), made AS (
             INSERT INTO item (kind, name, version, versions, made, mark)
             SELECT $1, $2, 1, 1, $3, $3
             WHERE NOT EXISTS (SELECT 1 FROM there)
             ON CONFLICT (kind, name) DO UPDATE
             SET version = item.versions + 1, versions = item.versions + 1, mark = excluded.mark
             RETURNING ordinal, version
         ), written AS (
             INSERT INTO item_version (item, version, hash, draft, folded, run, offered_from, at)
             SELECT ordinal, version, $4, $5, $6, $7, $8, $9
             FROM made
         )
         SELECT ordinal, version FROM there UNION ALL SELECT ordinal, version FROM made",
    )
    .bind(kept.kind)
    .bind(&kept.name)
    .bind(mark)
    .bind(&kept.hash.bytes()[..])
    .bind(&kept.draft)
    .bind(&kept.folded)
    .bind(kept.run.as_ref().map(|run| &run.bytes()[..]))
    .bind(kept.offered_from)
    .bind(kept.at)
    .fetch_one(connection)
    .await
}

/// Counts a use, once for each run; what is not in the library is not used.
async fn count(
    connection: &mut PgConnection,
    run: i64,
    usage: &Usage,
    request: &str,
    mark: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "WITH counted AS (
             UPDATE item
             SET uses = uses + CASE WHEN EXISTS (
                     SELECT 1 FROM item_use WHERE item_use.run = $3 AND item_use.item = item.ordinal
                 ) THEN 0 ELSE 1 END,
                 last = GREATEST(last, $4), mark = $5
             WHERE kind = $1 AND name = $2
             RETURNING ordinal
         )
         INSERT INTO item_use (item, run, step, hash, decision, score, text, at, mark)
         SELECT ordinal, $3, $6, $7, $8, $9, $10, $4, $5
         FROM counted
         ON CONFLICT (run, item, step) DO UPDATE
         SET hash = excluded.hash, decision = excluded.decision, score = excluded.score, text = excluded.text,
             at = excluded.at, mark = excluded.mark",
    )
    .bind(usage.kind)
    .bind(&usage.name)
    .bind(run)
    .bind(usage.at)
    .bind(mark)
    .bind(&usage.step)
    .bind(&usage.hash.bytes()[..])
    .bind(usage.decision)
    .bind(usage.score)
    .bind(usage.text.as_deref().unwrap_or(request))
    .execute(connection)
    .await
    .map(drop)
}

/// Says how what a run used went, whatever was said before.
pub(super) async fn settle(connection: &mut PgConnection, run: i64, good: bool) -> Result<(), sqlx::Error> {
    let mark = mark(connection).await?;
    sqlx::query(
        "WITH before AS (
             SELECT item, coalesce(bool_or(good), FALSE)::INT AS good, coalesce(bool_or(NOT good), FALSE)::INT AS bad
             FROM item_use
             WHERE run = $1
             GROUP BY item
         ), settled AS (
             UPDATE item_use SET good = $2, mark = $3 WHERE run = $1
         )
         UPDATE item
         SET good = item.good + $2::INT - before.good, bad = item.bad + (NOT $2)::INT - before.bad, mark = $3
         FROM before
         WHERE item.ordinal = before.item",
    )
    .bind(run)
    .bind(good)
    .bind(mark)
    .execute(connection)
    .await
    .map(drop)
}

/// Takes what a person says about a run to what it made and used.
pub(super) async fn rate(pool: &PgPool, run: RunId, rating: &Rating) -> Result<(), StoreError> {
    let mut transaction = pool.begin().await.map_err(fault)?;
    let found: Option<(i64, bool)> = sqlx::query_as("SELECT ordinal, ended FROM run WHERE id = $1 FOR NO KEY UPDATE")
        .bind(&run.bytes()[..])
        .fetch_optional(&mut *transaction)
        .await
        .map_err(fault)?;
    let (ordinal, ended) = found.ok_or(StoreError::NoSuchRun { run })?;
    if !ended {
        return Err(StoreError::NotEnded { run });
    }
    apply(&mut transaction, run, ordinal, rating).await.map_err(fault)?;
    transaction.commit().await.map_err(fault)
}

async fn apply(connection: &mut PgConnection, run: RunId, ordinal: i64, rating: &Rating) -> Result<(), sqlx::Error> {
    let before: Option<bool> = sqlx::query_scalar("SELECT good FROM rating WHERE run = $1")
        .bind(ordinal)
        .fetch_optional(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO rating (run, good, words, rater, at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (run) DO UPDATE
         SET good = excluded.good, words = excluded.words, rater = excluded.rater, at = excluded.at",
    )
    .bind(ordinal)
    .bind(rating.good)
    .bind(rating.words.as_deref().map(storable))
    .bind(rating.by.as_deref().map(storable))
    .bind(nanos(rating.at))
    .execute(&mut *connection)
    .await?;
    settle(connection, ordinal, rating.good).await?;
    offer(connection, run, rating.good, before).await?;
    outlines::rated(connection, ordinal).await
}

/// Offers what a run made at once, or no longer. What was switched off because of an earlier word is switched on again;
/// what a person switched off stays off.
async fn offer(connection: &mut PgConnection, run: RunId, good: bool, before: Option<bool>) -> Result<(), sqlx::Error> {
    let mark = mark(connection).await?;
    if good {
        sqlx::query(
            "WITH lifted AS (
                 UPDATE item_version
                 SET offered_from = NULL
                 WHERE run = $1 AND offered_from IS NOT NULL
                 RETURNING item
             )
             UPDATE item
             SET mark = $2
             WHERE ordinal IN (SELECT item FROM lifted)",
        )
        .bind(&run.bytes()[..])
        .bind(mark)
        .execute(&mut *connection)
        .await?;
    }
    if good == (before == Some(false)) {
        sqlx::query(
            "UPDATE item
             SET active = $2, mark = $3
             WHERE kind <> 'agent' AND (ordinal, version) IN (SELECT item, version FROM item_version WHERE run = $1)",
        )
        .bind(&run.bytes()[..])
        .bind(good)
        .bind(mark)
        .execute(connection)
        .await?;
    }
    Ok(())
}
