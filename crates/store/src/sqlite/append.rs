//! Appending a batch to a ledger: events first, then the rows that are views of them.

use domain::event::Seq;
use domain::store::StoreError;
use rusqlite::{Connection, ToSql, params};

use super::fault::{Failure, is_twice};
use super::ledger::RunRow;
use super::listing::LONGEST;
use super::{outlines, outlook, records, stages, uses};
use crate::batch::{Batch, Delta, End, EventRow, RowChange, failure_word};
use crate::instant::earlier;
use crate::told::linked;

/// Appends a batch to the run that a row describes. Returns the last sequence number.
pub(super) fn append(connection: &Connection, row: &RunRow, batch: &Batch) -> Result<Seq, Failure> {
    if batch.events.is_empty() {
        return Ok(row.seq as Seq);
    }
    if row.seq + batch.len() > LONGEST {
        return Err(StoreError::Unavailable(format!("the ledger of {} is full", batch.run).into()).into());
    }
    for (seq, event) in (row.seq + 1..).zip(&batch.events) {
        insert_event(connection, row.ordinal, seq, event).map_err(|error| match is_twice(&error) {
            true => StoreError::Conflict { run: batch.run, key: event.key.clone() }.into(),
            false => Failure::from(error),
        })?;
    }
    let mut wake = earlier(row.wake, batch.delta.wake);
    for change in &batch.rows {
        if apply(connection, row.ordinal, change)? == Answered::Early {
            wake = earlier(wake, Some(batch.delta.updated_at));
        }
    }
    if !batch.library.is_empty() {
        uses::take(connection, row.ordinal, &batch.library)?;
    }
    records::count(connection, &batch.calls)?;
    let seq = row.seq + batch.len();
    let chain = linked(row.chain.as_deref(), &batch.delta.links)?;
    let counters = Counters::new(row, batch, seq, chain);
    if batch.delta.is_counting() && wake == row.wake {
        count(connection, &counters)?;
    } else {
        change(connection, row, &batch.delta, &counters, wake)?;
    }
    if let Some(ending) = &batch.delta.ending {
        end(connection, row.ordinal, ending)?;
        if let Some(good) = ending.good {
            uses::settle(connection, row.ordinal, good)?;
        }
        outlines::ended(connection, row.ordinal, batch.run)?;
    }
    let (settles, in_doubt) = batch.settles();
    if in_doubt || settles && row.in_doubt {
        connection
            .prepare_cached(
                "UPDATE run
                 SET in_doubt = EXISTS (SELECT 1 FROM intent WHERE intent.run = ?1 AND intent.status = 'unknown')
                 WHERE ordinal = ?1",
            )?
            .execute([row.ordinal])?;
    }
    Ok(seq as Seq)
}

fn insert_event(connection: &Connection, run: i64, seq: i64, event: &EventRow) -> Result<(), rusqlite::Error> {
    if let Some((hash, bytes)) = event.body.apart() {
        connection
            .prepare_cached("INSERT INTO blob (hash, bytes) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING")?
            .execute(params![hash.bytes(), bytes.as_bytes()])?;
    }
    connection
        .prepare_cached(
            "INSERT INTO event (run, seq, key, input, at, body, blob, place)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?1 << 24 | ?2)",
        )?
        .execute(params![
            run,
            seq,
            event.key,
            event.input.as_ref().map(|hash| hash.bytes()),
            event.at,
            event.body.here(),
            event.body.apart().map(|(hash, _)| hash.bytes()),
        ])?;
    Ok(())
}

/// Whether something was answered before it was asked.
#[derive(PartialEq)]
enum Answered {
    Early,
    NotYet,
}

fn apply(connection: &Connection, run: i64, change: &RowChange) -> Result<Answered, Failure> {
    match change {
        RowChange::Declare { key, intent, at } => connection
            .prepare_cached(
                "INSERT INTO intent (run, key, intent, status, declared_at, updated_at)
                 VALUES (?1, ?2, ?3, 'declared', ?4, ?4)
                 ON CONFLICT (run, key) DO NOTHING",
            )?
            .execute(params![run, key, intent, at])?,
        RowChange::Send { key, attempts, at } => connection
            .prepare_cached(
                "UPDATE intent
                 SET status = 'sending', attempts = ?3, updated_at = ?4
                 WHERE run = ?1 AND key = ?2",
            )?
            .execute(params![run, key, attempts, at])?,
        RowChange::Settle { key, status, settlement, at, call } => {
            if let Some(call) = call {
                records::settle(connection, run, key, *call, *at)?;
            }
            connection
                .prepare_cached(
                    "UPDATE intent
                     SET status = ?3, settlement = ?4, updated_at = ?5
                     WHERE run = ?1 AND key = ?2",
                )?
                .execute(params![run, key, status, settlement, at])?
        }
        RowChange::Ask { name, wait, since, timer, question } => {
            let (approval, rank) = question.as_ref().map(|asked| (asked.id.bytes(), asked.rank)).unzip();
            let early: bool = connection
                .prepare_cached(
                    "INSERT INTO promise (run, name, wait, since, timer, approval, rank)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                     ON CONFLICT (run, name) DO UPDATE
                     SET wait = excluded.wait, since = excluded.since, timer = excluded.timer,
                         approval = excluded.approval, rank = excluded.rank
                     RETURNING answer IS NOT NULL",
                )?
                .query_row(params![run, name, wait, since, timer, approval, rank], |row| row.get(0))?;
            return Ok(if early { Answered::Early } else { Answered::NotYet });
        }
        RowChange::Answer { name, answer, by, at } => connection
            .prepare_cached(
                "INSERT INTO promise (run, name, answer, answerer, answered_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (run, name) DO UPDATE
                 SET answer = excluded.answer, answerer = excluded.answerer, answered_at = excluded.answered_at
                 WHERE answer IS NULL",
            )?
            .execute(params![run, name, answer, by, at])?,
        RowChange::File(answer) => {
            stages::insert(connection, Some(run), answer)?;
            return Ok(Answered::NotYet);
        }
        RowChange::Report(scores) => outlook::report(connection, run, scores)?,
        RowChange::Foresee(forecast) => outlook::foresee(connection, run, forecast)?,
    };
    Ok(Answered::NotYet)
}

/// What every commit changes, and no index is made of; the columns of [`Counters`], from `?1` to `?10`.
macro_rules! counted {
    () => {
        "UPDATE run
         SET seq = ?2, updated_at = ?3, barren = ?4,
             input_tokens = input_tokens + ?5, output_tokens = output_tokens + ?6, cost = cost + ?7,
             model_calls = model_calls + ?8, tool_calls = tool_calls + ?9, chain = coalesce(?10, chain)"
    };
}

/// What is bound for the counters of a run.
struct Counters {
    ordinal: i64,
    seq: i64,
    updated_at: i64,
    barren: i64,
    spent: [i64; 5],
    chain: Option<String>,
}

impl Counters {
    fn new(row: &RunRow, batch: &Batch, seq: i64, chain: Option<String>) -> Self {
        let (delta, spent) = (&batch.delta, &batch.delta.spent);
        Self {
            ordinal: row.ordinal,
            seq,
            updated_at: delta.updated_at,
            barren: if delta.progress { 0 } else { row.barren },
            spent: [
                spent.usage.input_tokens as i64,
                spent.usage.output_tokens as i64,
                spent.usage.cost.as_micros() as i64,
                spent.model_calls as i64,
                spent.tool_calls as i64,
            ],
            chain,
        }
    }

    fn bound(&self) -> [&dyn ToSql; 10] {
        let [input, output, cost, model_calls, tool_calls] = &self.spent;
        [
            &self.ordinal,
            &self.seq,
            &self.updated_at,
            &self.barren,
            input,
            output,
            cost,
            model_calls,
            tool_calls,
            &self.chain,
        ]
    }
}

fn count(connection: &Connection, counters: &Counters) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(concat!(counted!(), " WHERE ordinal = ?1"))?.execute(&counters.bound()[..])?;
    Ok(())
}

/// The counters and all the rest, at once. What has ended stays as it ended.
fn change(
    connection: &Connection,
    row: &RunRow,
    delta: &Delta,
    counters: &Counters,
    wake: Option<i64>,
) -> Result<(), rusqlite::Error> {
    let ended = row.ended || delta.ending.is_some();
    let rest: [&dyn ToSql; 10] = [
        &delta.status.filter(|_| !row.ended).map(|status| status.word()),
        &delta.strategy.map(|strategy| strategy.word()),
        &delta.role,
        &delta.replanned,
        &delta.resumed,
        &ended,
        &wake.filter(|_| !ended),
        &delta.quality,
        &delta.ending.as_ref().and_then(|ending| ending.worked_ms),
        &delta.route.map(|route| route.word()),
    ];
    connection
        .prepare_cached(concat!(
            counted!(),
            ", status = coalesce(?11, status), strategy = coalesce(?12, strategy), role = coalesce(?13, role),
               replanned = replanned OR ?14, resumed = resumed OR ?15,
               ended = ?16, wake = ?17, owner = iif(?16, NULL, owner),
               quality = coalesce(?18, quality), worked_ms = coalesce(?19, worked_ms),
               route = coalesce(?20, route)
             WHERE ordinal = ?1",
        ))?
        .execute(&[&counters.bound()[..], &rest[..]].concat()[..])?;
    Ok(())
}

fn end(connection: &Connection, run: i64, ending: &End) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached(
            "UPDATE words
             SET answer = ?2, error = ?3, failure = ?4, folded = folded || char(10) || ?5
             WHERE run = ?1",
        )?
        .execute(params![
            run,
            ending.answer,
            ending.error,
            ending.failure.map(failure_word),
            ending.answer.as_deref().unwrap_or_default().to_lowercase(),
        ])?;
    connection
        .prepare_cached("DELETE FROM promise WHERE run = ?1 AND answer IS NULL AND approval IS NULL")?
        .execute([run])?;
    connection.prepare_cached("UPDATE promise SET withdrawn = 1 WHERE run = ?1 AND answer IS NULL")?.execute([run])?;
    Ok(())
}
