//! Taking in pieces of others' traces. Everything here runs inside the writer's transaction.

use domain::id::TraceId;
use domain::trace::{Received, Source, Standing};
use rusqlite::{Connection, params};

use super::columns::Row;
use super::fault::Failure;
use super::outlines;
use crate::piece::{Arrived, FEW_TOLD, Finding, Growth, Known, PartRow, known};
use crate::trace::Outline;

/// Takes pieces in, and adds to what became of others of them.
pub(super) fn receive(
    connection: &Connection,
    source: &Source,
    standing: Standing,
    arrived: &Arrived,
    mut received: Received,
) -> Result<Received, Failure> {
    let standing = match is_revoked(connection, source)? {
        true => Standing::Watched,
        false => standing,
    };
    for (id, parts) in arrived {
        take(connection, source, standing, id, parts, &mut received)?;
    }
    Ok(received)
}

fn is_revoked(connection: &Connection, source: &Source) -> Result<bool, Failure> {
    Ok(connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM revoked_source WHERE source = ?1)")?
        .query_row([source.to_string()], |row| row.get(0))?)
}

fn take(
    connection: &Connection,
    source: &Source,
    standing: Standing,
    id: &TraceId,
    parts: &[PartRow],
    received: &mut Received,
) -> Result<(), Failure> {
    let known = find(connection, id)?;
    // Whoever named a trace first owns it.
    if known.as_ref().is_some_and(|known| known.source != source.to_string()) {
        received.refused += parts.len() as u64;
        return Ok(());
    }
    let there = match &known {
        Some(known) => there(connection, known.ordinal, parts)?,
        None => Vec::new(),
    };
    let Some(growth) = Growth::new(known.as_ref(), &there, parts, received) else { return Ok(()) };
    let ordinal = match known {
        Some(known) => known.ordinal,
        None => begin(connection, id, source, growth.started_at)?,
    };
    for part in &growth.written {
        write(connection, ordinal, part)?;
    }
    let outline = match growth.finding {
        Finding::Told => outline(connection, ordinal, id, source, growth.started_at)?,
        Finding::Nothing | Finding::Later => None,
    };
    connection
        .prepare_cached(
            "UPDATE trace
             SET mark = ?2, stale = ?3, standing = iif(?4 = 'watched', ?4, standing), started_at = ?5, calls = ?6,
                 failures = ?7
             WHERE ordinal = ?1",
        )?
        .execute(params![
            ordinal,
            outlines::mark(connection, 1)?,
            outline.is_none() && growth.finding != Finding::Nothing,
            standing.word(),
            growth.started_at,
            growth.calls,
            growth.failures,
        ])?;
    if let Some(outline) = outline {
        connection
            .prepare_cached(
                "UPDATE trace SET agent = ?2, problem = ?3, ended_at = ?4, success = ?5 WHERE ordinal = ?1",
            )?
            .execute(params![ordinal, outline.agent, outline.problem, outline.ended_at, outline.success])?;
    }
    Ok(())
}

fn find(connection: &Connection, id: &TraceId) -> Result<Option<Known>, Failure> {
    let mut statement = connection
        .prepare_cached("SELECT ordinal, source, started_at, calls, failures, stale FROM trace WHERE id = ?1")?;
    let mut rows = statement.query([id.as_str()])?;
    Ok(rows.next()?.map(|row| known(Row::new(row))).transpose()?)
}

/// What is there under the keys of pieces that arrived.
fn there(connection: &Connection, trace: i64, parts: &[PartRow]) -> Result<Vec<PartRow>, Failure> {
    let mut statement =
        connection.prepare_cached("SELECT key, at, kind, body FROM trace_part WHERE trace = ?1 AND key = ?2")?;
    let mut there = Vec::new();
    for part in parts {
        let mut rows = statement.query(params![trace, part.key])?;
        if let Some(row) = rows.next()? {
            there.push(PartRow::read(Row::new(row))?);
        }
    }
    Ok(there)
}

/// Makes the row of a new trace, to be filled in when its pieces are written.
fn begin(connection: &Connection, id: &TraceId, source: &Source, started_at: i64) -> Result<i64, Failure> {
    connection
        .prepare_cached(
            "INSERT INTO trace (id, source, standing, mark, stale, started_at)
             VALUES (?1, ?2, 'evidence', 0, 1, ?3)",
        )?
        .execute(params![id.as_str(), source.to_string(), started_at])?;
    Ok(connection.last_insert_rowid())
}

fn write(connection: &Connection, trace: i64, part: &PartRow) -> Result<(), Failure> {
    connection
        .prepare_cached(
            "INSERT INTO trace_part (trace, key, at, kind, body)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (trace, key) DO UPDATE
             SET at = excluded.at, kind = excluded.kind, body = excluded.body",
        )?
        .execute(params![trace, part.key, part.at, part.kind, part.body])?;
    Ok(())
}

/// What a trace's pieces say, unless so many say something that it takes long.
fn outline(
    connection: &Connection,
    trace: i64,
    id: &TraceId,
    source: &Source,
    started_at: i64,
) -> Result<Option<Outline>, Failure> {
    let told = outlines::told(connection, trace, FEW_TOLD as i64 + 1)?;
    match told.len() > FEW_TOLD {
        true => Ok(None),
        false => Ok(Outline::of_told(id, source, started_at, told)?),
    }
}

/// Lets a source count no longer. Says how many traces it had sent.
pub(super) fn revoke(connection: &Connection, source: &Source, at: i64) -> Result<u64, Failure> {
    let source = source.to_string();
    connection
        .prepare_cached("INSERT INTO revoked_source (source, at) VALUES (?1, ?2) ON CONFLICT (source) DO NOTHING")?
        .execute(params![source, at])?;
    let sent: i64 = connection
        .prepare_cached("SELECT count(*) FROM trace WHERE source = ?1")?
        .query_row([&source], |row| row.get(0))?;
    // Each has a number of its own, so that they can be read in parts.
    connection
        .prepare_cached(
            "UPDATE trace
             SET standing = 'watched', mark = ?2 + sent.place - 1
             FROM (
                 SELECT ordinal, row_number() OVER (ORDER BY mark) AS place
                 FROM trace
                 WHERE source = ?1 AND standing <> 'watched'
             ) AS sent
             WHERE trace.ordinal = sent.ordinal",
        )?
        .execute(params![source, outlines::mark(connection, sent)?])?;
    Ok(sent as u64)
}
