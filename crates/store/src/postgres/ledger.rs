//! Writing ledgers: taking runs in, owning them, appending to them. One transaction each; a run's row is locked by
//! changing it first, so that whoever writes to a run does so after the one before.

use domain::event::Seq;
use domain::id::RunId;
use domain::run::RunStatus;
use domain::store::{Signalled, StoreError, Token};
use sqlx::postgres::{PgPool, Postgres};
use sqlx::{PgConnection, Transaction};

use super::append::append;
use super::fault::{fault, is_twice};
use super::listing::entry;
use crate::batch::{Batch, Begin};
use crate::decode;

pub(super) async fn accept(pool: &PgPool, batch: &Batch, wake: Option<i64>) -> Result<(), StoreError> {
    let Some(begin) = &batch.begin else {
        return Err(decode::damaged(format!("the first entry of {} is not `received`", batch.run)));
    };
    let mut transaction = pool.begin().await.map_err(fault)?;
    if !insert_run(&mut transaction, batch.run, begin, wake).await.map_err(fault)? {
        return Ok(());
    }
    let appended = append(&mut transaction, None, batch).await;
    end(transaction, appended.is_ok()).await?;
    told(pool, batch, appended).await.map(drop)
}

/// Says whether the run is new.
async fn insert_run(
    connection: &mut PgConnection,
    run: RunId,
    begin: &Begin,
    wake: Option<i64>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query(
        "WITH begun AS (
             INSERT INTO run (id, status, wake, session, asker, parent_run, parent_seq, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
             ON CONFLICT (id) DO NOTHING
             RETURNING ordinal
         )
         INSERT INTO words (run, request, folded, rehearsal)
         SELECT ordinal, $9, $10, $11
         FROM begun",
    )
    .bind(&run.bytes()[..])
    .bind(RunStatus::Pending.word())
    .bind(wake)
    .bind(begin.session.as_ref().map(|session| session.as_str()))
    .bind(&begin.user)
    .bind(begin.parent.as_ref().map(|parent| &parent.run.bytes()[..]))
    .bind(begin.parent.map(|parent| parent.seq as i64))
    .bind(begin.at)
    .bind(&begin.text)
    .bind(begin.text.to_lowercase())
    .bind(begin.rehearsal)
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Returns the right to write and the number of barren claims before this one.
pub(super) async fn claim(pool: &PgPool, run: RunId, worker: &str) -> Result<(Token, u32), StoreError> {
    let claimed: Option<(i64, i64)> = sqlx::query_as(
        "UPDATE run
         SET epoch = epoch + 1, owner = $2, barren = barren + 1, wake = NULL
         WHERE id = $1
         RETURNING epoch, barren - 1",
    )
    .bind(&run.bytes()[..])
    .bind(worker)
    .fetch_optional(pool)
    .await
    .map_err(fault)?;
    let (epoch, barren) = claimed.ok_or(StoreError::NoSuchRun { run })?;
    Ok((Token { run, epoch: epoch as u64 }, barren as u32))
}

pub(super) async fn commit(pool: &PgPool, token: Token, batch: &Batch) -> Result<Seq, StoreError> {
    if batch.events.is_empty() {
        let seq: Option<i64> = sqlx::query_scalar("SELECT seq FROM run WHERE id = $1 AND epoch = $2")
            .bind(&token.run.bytes()[..])
            .bind(token.epoch as i64)
            .fetch_optional(pool)
            .await
            .map_err(fault)?;
        return match seq {
            Some(seq) => Ok(seq as Seq),
            None => Err(refusal(pool, token.run).await?),
        };
    }
    let epoch = Some(token.epoch as i64);
    let seq = if batch.is_one_statement() {
        let mut connection = pool.acquire().await.map_err(fault)?;
        let appended = append(&mut connection, epoch, batch).await;
        drop(connection);
        told(pool, batch, appended).await?
    } else {
        let mut transaction = pool.begin().await.map_err(fault)?;
        let appended = append(&mut transaction, epoch, batch).await;
        end(transaction, matches!(appended, Ok(Some(_)))).await?;
        told(pool, batch, appended).await?
    };
    match seq {
        Some(seq) => Ok(seq),
        None => Err(refusal(pool, token.run).await?),
    }
}

pub(super) async fn release(pool: &PgPool, token: Token, wake: Option<i64>) -> Result<(), StoreError> {
    // What was due before the claim may still be: a timer of something that is still waited for.
    let released = sqlx::query(
        "UPDATE run
         SET owner = NULL,
             barren = 0,
             wake = CASE WHEN ended THEN NULL ELSE LEAST(wake, $3, (
                 SELECT min(promise.timer)
                 FROM promise
                 WHERE promise.run = run.ordinal AND promise.answer IS NULL AND promise.timer > run.updated_at
             )) END
         WHERE id = $1 AND epoch = $2",
    )
    .bind(&token.run.bytes()[..])
    .bind(token.epoch as i64)
    .bind(wake)
    .execute(pool)
    .await
    .map_err(fault)?;
    if released.rows_affected() == 1 { Ok(()) } else { Err(refusal(pool, token.run).await?) }
}

pub(super) async fn signal(pool: &PgPool, batch: &Batch) -> Result<Signalled, StoreError> {
    let mut transaction = pool.begin().await.map_err(fault)?;
    let state: Option<(bool, String)> = sqlx::query_as("SELECT ended, status FROM run WHERE id = $1 FOR UPDATE")
        .bind(&batch.run.bytes()[..])
        .fetch_optional(&mut *transaction)
        .await
        .map_err(fault)?;
    let (ended, status) = state.ok_or(StoreError::NoSuchRun { run: batch.run })?;
    if ended {
        return Ok(Signalled::Ended(decode::status(status)?));
    }
    for event in &batch.events {
        if let Some(faster) = entry(&mut *transaction, batch.run, &event.key).await? {
            return Ok(Signalled::Late(Box::new(faster)));
        }
    }
    append(&mut transaction, None, batch).await.map_err(fault)?;
    transaction.commit().await.map_err(fault)?;
    Ok(Signalled::Recorded)
}

async fn end(transaction: Transaction<'_, Postgres>, keep: bool) -> Result<(), StoreError> {
    let ended = if keep { transaction.commit().await } else { transaction.rollback().await };
    ended.map_err(fault)
}

/// Why a run could not be written to.
async fn refusal(pool: &PgPool, run: RunId) -> Result<StoreError, StoreError> {
    let there: Option<i64> = sqlx::query_scalar("SELECT ordinal FROM run WHERE id = $1")
        .bind(&run.bytes()[..])
        .fetch_optional(pool)
        .await
        .map_err(fault)?;
    Ok(if there.is_some() { StoreError::Fenced { run } } else { StoreError::NoSuchRun { run } })
}

/// What an outcome means; if a key was there already, which.
async fn told<T>(pool: &PgPool, batch: &Batch, appended: Result<T, sqlx::Error>) -> Result<T, StoreError> {
    let error = match appended {
        Err(error) if is_twice(&error) => error,
        other => return other.map_err(fault),
    };
    let keys: Vec<&str> = batch.events.iter().map(|event| event.key.as_str()).collect();
    let there: Vec<String> = sqlx::query_scalar(
        "SELECT key
         FROM event JOIN run ON run.ordinal = event.run
         WHERE run.id = $1 AND event.key = ANY($2)",
    )
    .bind(&batch.run.bytes()[..])
    .bind(&keys)
    .fetch_all(pool)
    .await
    .map_err(fault)?;
    let twice = keys.into_iter().find(|key| there.iter().any(|there| there == key)).or(batch.key_twice());
    match twice {
        Some(key) => Err(StoreError::Conflict { run: batch.run, key: key.to_owned() }),
        None => Err(fault(error)),
    }
}
