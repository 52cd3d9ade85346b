//! Appending a batch to a ledger: its events and its run's row in one statement, then the other views.

use domain::event::Seq;
use sqlx::PgConnection;

use super::{outlines, outlook, records, stages, uses};
use crate::batch::{Batch, End, RowChange, failure_word};
use crate::record::Call;

/// Held while large bodies are written, so that nobody takes one for unused in between; shared among writers.
pub(super) const BLOBS: i64 = 0x626c_6f62;

/// Appends a batch, if the run is there and in this epoch. Returns the last sequence number.
pub(super) async fn append(
    connection: &mut PgConnection,
    epoch: Option<i64>,
    batch: &Batch,
) -> Result<Option<Seq>, sqlx::Error> {
    insert_blobs(connection, batch).await?;
    let Some((run, seq, was_in_doubt)) = insert_events(connection, epoch, batch).await? else { return Ok(None) };
    let mut settled = Vec::new();
    for change in &batch.rows {
        settled.extend(apply(connection, run, change).await?);
    }
    if !batch.library.is_empty() {
        uses::take(connection, run, &batch.library).await?;
    }
    if let Some(ending) = &batch.delta.ending
        && end(connection, run, ending).await?
        && let Some(good) = ending.good
    {
        uses::settle(connection, run, good).await?;
    }
    if !batch.is_one_statement() {
        settled.extend(batch.calls.iter().cloned());
        records::count(connection, settled).await?;
    }
    if batch.delta.ending.is_some() {
        outlines::ended(connection, run, batch.run).await?;
    }
    let (settles, in_doubt) = batch.settles();
    if in_doubt || settles && was_in_doubt {
        sqlx::query(
            "UPDATE run
             SET in_doubt = EXISTS (SELECT 1 FROM intent WHERE intent.run = $1 AND intent.status = 'unknown')
             WHERE ordinal = $1",
        )
        .bind(run)
        .execute(&mut *connection)
        .await?;
    }
    Ok(Some(seq as Seq))
}

async fn insert_blobs(connection: &mut PgConnection, batch: &Batch) -> Result<(), sqlx::Error> {
    let apart = || batch.events.iter().filter_map(|event| event.body.apart());
    if apart().next().is_none() {
        return Ok(());
    }
    sqlx::query("SELECT pg_advisory_xact_lock_shared($1)").bind(BLOBS).execute(&mut *connection).await?;
    // In one order, so that two who write the same ones never wait for each other.
    sqlx::query(
        "INSERT INTO blob (hash, bytes)
         SELECT DISTINCT ON (hash) hash, bytes
         FROM UNNEST($1::BYTEA[], $2::BYTEA[]) AS apart (hash, bytes)
         ORDER BY hash
         ON CONFLICT (hash) DO NOTHING",
    )
    .bind(apart().map(|(hash, _)| &hash.bytes()[..]).collect::<Vec<_>>())
    .bind(apart().map(|(_, bytes)| bytes.as_bytes()).collect::<Vec<_>>())
    .execute(&mut *connection)
    .await?;
    Ok(())
}

/// Returns the run's ordinal, the last sequence number, and whether it was in doubt. What has ended stays as it ended.
async fn insert_events(
    connection: &mut PgConnection,
    epoch: Option<i64>,
    batch: &Batch,
) -> Result<Option<(i64, i64, bool)>, sqlx::Error> {
    let (delta, spent) = (&batch.delta, &batch.delta.spent);
    // Calls are counted last in their transaction, because others wait for their rows: here only where this is all of it.
    let calls = if batch.is_one_statement() { &batch.calls[..] } else { &[] };
    sqlx::query_as(
        "WITH changed AS (
             UPDATE run
             SET seq = seq + $3, updated_at = $4, barren = CASE WHEN $5 THEN 0 ELSE barren END,
                 input_tokens = input_tokens + $6, output_tokens = output_tokens + $7, cost = cost + $8,
                 model_calls = model_calls + $9, tool_calls = tool_calls + $10,
                 status = CASE WHEN ended THEN status ELSE coalesce($11, status) END,
                 strategy = coalesce($12, strategy), role = coalesce($22, role),
                 replanned = replanned OR $13, resumed = resumed OR $14,
                 chain = CASE WHEN $23 IS NULL THEN chain ELSE chain || ARRAY(
                     SELECT link.name
                     FROM UNNEST($23::TEXT[]) WITH ORDINALITY AS link (name, place)
                     WHERE link.name <> ALL (run.chain)
                     ORDER BY link.place
                 ) END,
                 quality = coalesce($24, quality), worked_ms = coalesce($25, worked_ms),
                 route = coalesce($26, route),
                 ended = ended OR $15,
                 wake = CASE WHEN ended OR $15 THEN NULL ELSE LEAST(wake, $16) END,
                 owner = CASE WHEN ended OR $15 THEN NULL ELSE owner END
             WHERE id = $1 AND ($2 IS NULL OR epoch = $2)
             RETURNING ordinal, seq, in_doubt
         ), counted AS (
             INSERT INTO tool_record (tool, failed, bucket, calls)
             SELECT call.tool, call.failed, call.bucket, count(*)
             FROM changed, UNNEST($27::TEXT[], $28::BOOLEAN[], $29::BIGINT[]) AS call (tool, failed, bucket)
             GROUP BY call.tool, call.failed, call.bucket
             ORDER BY call.tool COLLATE \"C\", call.failed, call.bucket
             ON CONFLICT (tool, failed, bucket) DO UPDATE
             SET calls = tool_record.calls + excluded.calls
         ), appended AS (
             INSERT INTO event (run, seq, key, input, at, body, blob)
             SELECT changed.ordinal, changed.seq - $3 + entry.place,
                 entry.key, entry.input, entry.at, entry.body, entry.blob
             FROM changed,
                 UNNEST($17::TEXT[], $18::BYTEA[], $19::BIGINT[], $20::TEXT[], $21::BYTEA[])
                 WITH ORDINALITY AS entry (key, input, at, body, blob, place)
         )
         SELECT ordinal, seq, in_doubt FROM changed",
    )
    .bind(&batch.run.bytes()[..])
    .bind(epoch)
    .bind(batch.len())
    .bind(delta.updated_at)
    .bind(delta.progress)
    .bind(spent.usage.input_tokens as i64)
    .bind(spent.usage.output_tokens as i64)
    .bind(spent.usage.cost.as_micros() as i64)
    .bind(spent.model_calls as i64)
    .bind(spent.tool_calls as i64)
    .bind(delta.status.map(|status| status.word()))
    .bind(delta.strategy.map(|strategy| strategy.word()))
    .bind(delta.replanned)
    .bind(delta.resumed)
    .bind(delta.ending.is_some())
    .bind(delta.wake)
    .bind(batch.events.iter().map(|event| event.key.as_str()).collect::<Vec<_>>())
    .bind(batch.events.iter().map(|event| event.input.as_ref().map(|hash| &hash.bytes()[..])).collect::<Vec<_>>())
    .bind(batch.events.iter().map(|event| event.at).collect::<Vec<_>>())
    .bind(batch.events.iter().map(|event| event.body.here()).collect::<Vec<_>>())
    .bind(batch.events.iter().map(|event| event.body.apart().map(|(hash, _)| &hash.bytes()[..])).collect::<Vec<_>>())
    .bind(delta.role.as_deref())
    .bind((!delta.links.is_empty()).then_some(&delta.links[..]))
    .bind(delta.quality)
    .bind(delta.ending.as_ref().and_then(|ending| ending.worked_ms))
    .bind(delta.route.map(|route| route.word()))
    .bind(calls.iter().map(|call| call.tool.as_str()).collect::<Vec<_>>())
    .bind(calls.iter().map(|call| call.failed).collect::<Vec<_>>())
    .bind(calls.iter().map(|call| call.bucket).collect::<Vec<_>>())
    .fetch_optional(connection)
    .await
}

/// Returns the call that was settled, if one was.
async fn apply(connection: &mut PgConnection, run: i64, change: &RowChange) -> Result<Option<Call>, sqlx::Error> {
    let statement = match change {
        RowChange::Declare { key, intent, at } => sqlx::query(
            "INSERT INTO intent (run, key, intent, status, declared_at, updated_at)
             VALUES ($1, $2, $3, 'declared', $4, $4)
             ON CONFLICT (run, key) DO NOTHING",
        )
        .bind(run)
        .bind(key)
        .bind(intent)
        .bind(at),
        RowChange::Send { key, attempts, at } => sqlx::query(
            "UPDATE intent
             SET status = 'sending', attempts = $3, updated_at = $4
             WHERE run = $1 AND key = $2",
        )
        .bind(run)
        .bind(key)
        .bind(attempts)
        .bind(at),
        RowChange::Settle { key, status, settlement, at, call } => {
            let before = settle(connection, run, key, status, settlement, *at).await?;
            return match (call, before) {
                (Some(sent), Some((intent, status, since))) if status == "sending" => {
                    let call = Call::of_write(&intent, *sent, since, *at);
                    call.map(Some).map_err(|damaged| sqlx::Error::Decode(damaged.into()))
                }
                _ => Ok(None),
            };
        }
        // What was answered before it was asked lets the run go on at once.
        RowChange::Ask { name, wait, since, timer, question } => sqlx::query(
            "WITH asked AS (
                 INSERT INTO promise (run, name, wait, since, timer, approval, rank)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)
                 ON CONFLICT (run, name) DO UPDATE
                 SET wait = excluded.wait, since = excluded.since, timer = excluded.timer,
                     approval = excluded.approval, rank = excluded.rank
                 RETURNING answer
             )
             UPDATE run
             SET wake = LEAST(wake, $4)
             FROM asked
             WHERE ordinal = $1 AND NOT ended AND asked.answer IS NOT NULL",
        )
        .bind(run)
        .bind(name)
        .bind(wait)
        .bind(since)
        .bind(timer)
        .bind(question.as_ref().map(|asked| &asked.id.bytes()[..]))
        .bind(question.as_ref().map(|asked| asked.rank)),
        RowChange::Answer { name, answer, by, at } => sqlx::query(
            "INSERT INTO promise (run, name, answer, answerer, answered_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (run, name) DO UPDATE
             SET answer = excluded.answer, answerer = excluded.answerer, answered_at = excluded.answered_at
             WHERE promise.answer IS NULL",
        )
        .bind(run)
        .bind(name)
        .bind(answer)
        .bind(by)
        .bind(at),
        RowChange::File(answer) => return stages::insert(connection, Some(run), answer).await.map(|_| None),
        RowChange::Report(scores) => return outlook::report(connection, run, scores).await.map(|()| None),
        RowChange::Foresee(forecast) => return outlook::foresee(connection, run, forecast).await.map(|()| None),
    };
    statement.execute(connection).await.map(|_| None)
}

/// Returns the intent, its status, and when that was last changed, before it is changed now.
async fn settle(
    connection: &mut PgConnection,
    run: i64,
    key: &str,
    status: &str,
    settlement: &str,
    at: i64,
) -> Result<Option<(String, String, i64)>, sqlx::Error> {
    sqlx::query_as(
        "UPDATE intent
         SET status = $3, settlement = $4, updated_at = $5
         FROM intent AS before
         WHERE intent.run = $1 AND intent.key = $2 AND before.run = $1 AND before.key = $2
         RETURNING before.intent, before.status, before.updated_at",
    )
    .bind(run)
    .bind(key)
    .bind(status)
    .bind(settlement)
    .bind(at)
    .fetch_optional(connection)
    .await
}

/// Says whether the run used anything from the library.
async fn end(connection: &mut PgConnection, run: i64, ending: &End) -> Result<bool, sqlx::Error> {
    let uses: Option<bool> = sqlx::query_scalar(
        "WITH gone AS (
             DELETE FROM promise WHERE run = $1 AND answer IS NULL AND approval IS NULL
         ), withdrawn AS (
             UPDATE promise SET withdrawn = TRUE WHERE run = $1 AND answer IS NULL AND approval IS NOT NULL
         )
         UPDATE words
         SET answer = $2, error = $3, failure = $4, folded = folded || chr(10) || $5
         WHERE run = $1
         RETURNING EXISTS (SELECT 1 FROM item_use WHERE item_use.run = $1)",
    )
    .bind(run)
    .bind(&ending.answer)
    .bind(&ending.error)
    .bind(ending.failure.map(failure_word))
    .bind(ending.answer.as_deref().unwrap_or_default().to_lowercase())
    .fetch_optional(connection)
    .await?;
    Ok(uses.unwrap_or(false))
}
