//! Taking in pieces of others' traces: whoever does so holds the counter of traces, so that what is read first is still
//! true when it is acted upon. However many pieces and traces there are, it takes a few statements.

use std::collections::HashMap;

use domain::id::TraceId;
use domain::store::StoreError;
use domain::trace::{Received, Source, Standing};
use sqlx::PgConnection;

use super::columns::{Row, collect};
use super::fault::fault;
use super::outlines::{self, traced};
use crate::decode::{Columns, damaged};
use crate::piece::{Arrived, FEW_TOLD, Finding, Growth, Known, PartRow, known};
use crate::trace::Outline;

/// A trace that grows.
struct Grown<'a> {
    id: &'a TraceId,
    ordinal: i64,
    growth: Growth,
    outline: Option<Outline>,
}

/// Takes pieces in, and adds to what became of others of them.
pub(super) async fn receive(
    connection: &mut PgConnection,
    source: &Source,
    standing: Standing,
    arrived: &Arrived,
    mut received: Received,
) -> Result<Received, StoreError> {
    sqlx::query("SELECT mark FROM trail FOR UPDATE").execute(&mut *connection).await.map_err(fault)?;
    let known = find(connection, arrived).await?;
    let mut there = there(connection, arrived, &known).await?;
    let mut grown = Vec::new();
    for (id, parts) in arrived {
        let known = known.get(id);
        // Whoever named a trace first owns it.
        if known.is_some_and(|known| known.source != source.to_string()) {
            received.refused += parts.len() as u64;
            continue;
        }
        let there = known.and_then(|known| there.remove(&known.ordinal)).unwrap_or_default();
        if let Some(growth) = Growth::new(known, &there, parts, &mut received) {
            grown.push(Grown { id, ordinal: known.map_or(0, |known| known.ordinal), growth, outline: None });
        }
    }
    if grown.is_empty() {
        return Ok(received);
    }
    begin(connection, source, &known, &mut grown).await?;
    write(connection, &grown).await.map_err(fault)?;
    outline(connection, source, &mut grown).await?;
    let standing = match is_revoked(connection, source).await.map_err(fault)? {
        true => Standing::Watched,
        false => standing,
    };
    change(connection, standing, &grown).await.map_err(fault)?;
    Ok(received)
}

async fn is_revoked(connection: &mut PgConnection, source: &Source) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM revoked_source WHERE source = $1)")
        .bind(source.to_string())
        .fetch_one(connection)
        .await
}

async fn find(connection: &mut PgConnection, arrived: &Arrived) -> Result<HashMap<TraceId, Known>, StoreError> {
    let rows =
        sqlx::query("SELECT id, ordinal, source, started_at, calls, failures, stale FROM trace WHERE id = ANY($1)")
            .bind(arrived.keys().map(TraceId::as_str).collect::<Vec<_>>())
            .fetch_all(connection)
            .await;
    let named = |mut row: Row<'_>| Ok((row.text()?.try_into().map_err(damaged)?, known(row)?));
    Ok(collect(rows, named)?.into_iter().collect())
}

/// What is there under the keys of pieces that arrived, by trace.
async fn there(
    connection: &mut PgConnection,
    arrived: &Arrived,
    known: &HashMap<TraceId, Known>,
) -> Result<HashMap<i64, Vec<PartRow>>, StoreError> {
    let wanted: Vec<(i64, &str)> = arrived
        .iter()
        .filter_map(|(id, parts)| Some((known.get(id)?.ordinal, parts)))
        .flat_map(|(ordinal, parts)| parts.iter().map(move |part| (ordinal, part.key.as_str())))
        .collect();
    let (traces, keys): (Vec<i64>, Vec<&str>) = wanted.into_iter().unzip();
    let rows = sqlx::query(
        "SELECT DISTINCT ON (trace_part.ordinal)
             trace_part.trace, trace_part.key, trace_part.at, trace_part.kind, trace_part.body
         FROM UNNEST($1::BIGINT[], $2::TEXT[]) AS wanted (trace, key)
         JOIN trace_part ON trace_part.trace = wanted.trace AND trace_part.key = wanted.key COLLATE \"C\"",
    )
    .bind(traces)
    .bind(keys)
    .fetch_all(connection)
    .await;
    let mut there: HashMap<i64, Vec<PartRow>> = HashMap::new();
    for (trace, row) in collect(rows, traced)? {
        there.entry(trace).or_default().push(row);
    }
    Ok(there)
}

/// Makes the rows of new traces, to be filled in when their pieces are written.
async fn begin(
    connection: &mut PgConnection,
    source: &Source,
    known: &HashMap<TraceId, Known>,
    grown: &mut [Grown<'_>],
) -> Result<(), StoreError> {
    let new = || grown.iter().filter(|grown| !known.contains_key(grown.id));
    let rows = sqlx::query(
        "INSERT INTO trace (id, source, standing, mark, stale, started_at)
         SELECT new.id, $1, 'evidence', 0, TRUE, new.started_at
         FROM UNNEST($2::TEXT[], $3::BIGINT[]) AS new (id, started_at)
         RETURNING id, ordinal",
    )
    .bind(source.to_string())
    .bind(new().map(|grown| grown.id.as_str()).collect::<Vec<_>>())
    .bind(new().map(|grown| grown.growth.started_at).collect::<Vec<_>>())
    .fetch_all(connection)
    .await;
    let made = collect(rows, |mut row| Ok((row.text()?, row.integer()?)))?;
    let made: HashMap<String, i64> = made.into_iter().collect();
    for grown in grown {
        if let Some(ordinal) = made.get(grown.id.as_str()) {
            grown.ordinal = *ordinal;
        }
    }
    Ok(())
}

async fn write(connection: &mut PgConnection, grown: &[Grown<'_>]) -> Result<(), sqlx::Error> {
    let parts = || grown.iter().flat_map(|grown| grown.growth.written.iter().map(move |part| (grown.ordinal, part)));
    sqlx::query(
        "INSERT INTO trace_part (trace, key, at, kind, body)
         SELECT part.trace, part.key, part.at, part.kind, part.body
         FROM UNNEST($1::BIGINT[], $2::TEXT[], $3::BIGINT[], $4::TEXT[], $5::TEXT[])
             AS part (trace, key, at, kind, body)
         ON CONFLICT (trace, key) DO UPDATE
         SET at = excluded.at, kind = excluded.kind, body = excluded.body",
    )
    .bind(parts().map(|(trace, _)| trace).collect::<Vec<_>>())
    .bind(parts().map(|(_, part)| part.key.as_str()).collect::<Vec<_>>())
    .bind(parts().map(|(_, part)| part.at).collect::<Vec<_>>())
    .bind(parts().map(|(_, part)| part.kind.as_str()).collect::<Vec<_>>())
    .bind(parts().map(|(_, part)| part.body.as_str()).collect::<Vec<_>>())
    .execute(connection)
    .await
    .map(drop)
}

/// Finds out what traces' pieces say, unless so many say something that it takes long.
async fn outline(connection: &mut PgConnection, source: &Source, grown: &mut [Grown<'_>]) -> Result<(), StoreError> {
    let wanted: Vec<i64> =
        grown.iter().filter(|grown| grown.growth.finding == Finding::Told).map(|grown| grown.ordinal).collect();
    let mut told: HashMap<i64, Vec<PartRow>> = wanted.iter().map(|trace| (*trace, Vec::new())).collect();
    for (trace, row) in outlines::told(connection, &wanted, FEW_TOLD as i64 + 1).await? {
        told.entry(trace).or_default().push(row);
    }
    for grown in grown {
        if let Some(told) = told.remove(&grown.ordinal).filter(|told| told.len() <= FEW_TOLD) {
            grown.outline = Outline::of_told(grown.id, source, grown.growth.started_at, told)?;
        }
    }
    Ok(())
}

async fn change(connection: &mut PgConnection, standing: Standing, grown: &[Grown<'_>]) -> Result<(), sqlx::Error> {
    let mark = outlines::mark(connection, grown.len() as i64).await?;
    let stale = |grown: &Grown<'_>| grown.outline.is_none() && grown.growth.finding != Finding::Nothing;
    sqlx::query(
        "UPDATE trace
         SET mark = $1 + new.place - 1, standing = CASE WHEN $2 = 'watched' THEN $2 ELSE standing END,
             stale = new.stale, started_at = new.started_at, calls = new.calls, failures = new.failures,
             agent = coalesce(new.agent, trace.agent), problem = coalesce(new.problem, trace.problem),
             ended_at = CASE WHEN new.agent IS NULL THEN trace.ended_at ELSE new.ended_at END,
             success = CASE WHEN new.agent IS NULL THEN trace.success ELSE new.success END
         FROM UNNEST(
             $3::BIGINT[], $4::BOOLEAN[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], $8::TEXT[], $9::TEXT[], $10::BIGINT[],
             $11::BOOLEAN[]
         ) WITH ORDINALITY
             AS new (ordinal, stale, started_at, calls, failures, agent, problem, ended_at, success, place)
         WHERE trace.ordinal = new.ordinal",
    )
    .bind(mark)
    .bind(standing.word())
    .bind(grown.iter().map(|grown| grown.ordinal).collect::<Vec<_>>())
    .bind(grown.iter().map(stale).collect::<Vec<_>>())
    .bind(grown.iter().map(|grown| grown.growth.started_at).collect::<Vec<_>>())
    .bind(grown.iter().map(|grown| grown.growth.calls).collect::<Vec<_>>())
    .bind(grown.iter().map(|grown| grown.growth.failures).collect::<Vec<_>>())
    .bind(grown.iter().map(|grown| Some(grown.outline.as_ref()?.agent.as_str())).collect::<Vec<_>>())
    .bind(grown.iter().map(|grown| Some(grown.outline.as_ref()?.problem.as_str())).collect::<Vec<_>>())
    .bind(grown.iter().map(|grown| grown.outline.as_ref()?.ended_at).collect::<Vec<_>>())
    .bind(grown.iter().map(|grown| grown.outline.as_ref()?.success).collect::<Vec<_>>())
    .execute(connection)
    .await
    .map(drop)
}

/// Lets a source count no longer. Says how many traces it had sent.
pub(super) async fn revoke(connection: &mut PgConnection, source: &Source, at: i64) -> Result<u64, sqlx::Error> {
    let source = source.to_string();
    sqlx::query("SELECT mark FROM trail FOR UPDATE").execute(&mut *connection).await?;
    sqlx::query("INSERT INTO revoked_source (source, at) VALUES ($1, $2) ON CONFLICT (source) DO NOTHING")
        .bind(&source)
        .bind(at)
        .execute(&mut *connection)
        .await?;
    let sent: i64 = sqlx::query_scalar("SELECT count(*) FROM trace WHERE source = $1")
        .bind(&source)
        .fetch_one(&mut *connection)
        .await?;
    let mark = outlines::mark(connection, sent).await?;
    // Each has a number of its own, so that they can be read in parts.
    sqlx::query(
        "UPDATE trace
         SET standing = 'watched', mark = $2 + sent.place - 1
         FROM (
             SELECT ordinal, row_number() OVER (ORDER BY mark) AS place
             FROM trace
             WHERE source = $1 AND standing <> 'watched'
         ) AS sent
         WHERE trace.ordinal = sent.ordinal",
    )
    .bind(&source)
    .bind(mark)
    .execute(connection)
    .await?;
    Ok(sent as u64)
}
