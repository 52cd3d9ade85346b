//! What runs mean for the library: what they keep, what they use, and what became of it. Everything here runs inside the
//! writer's transaction.

use domain::id::RunId;
use domain::library::Rating;
use domain::store::StoreError;
use rusqlite::{Connection, OptionalExtension, params};

use super::fault::Failure;
use super::outlines;
use crate::instant::nanos;
use crate::item::{LibraryChange, Usage, Version};
use crate::words::storable;

/// Raises the counter: what changes in this transaction carries its number. There is one writer at a time, so numbers
/// become visible in their order.
pub(super) fn mark(connection: &Connection) -> Result<i64, Failure> {
    let mut statement = connection.prepare_cached("UPDATE library SET mark = mark + 1 RETURNING mark")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// Keeps and uses what a run says, unless nothing comes of it.
pub(super) fn take(connection: &Connection, run: i64, changes: &[LibraryChange]) -> Result<(), Failure> {
    let (request, rehearsal): (String, bool) = connection
        .prepare_cached("SELECT request, rehearsal FROM words WHERE run = ?1")?
        .query_row([run], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if rehearsal {
        return Ok(());
    }
    let mark = mark(connection)?;
    for change in changes {
        match change {
            LibraryChange::Keep(version) => {
                keep(connection, version, mark)?;
            }
            LibraryChange::Use(usage) => count(connection, run, usage, &request, mark)?,
        }
    }
    Ok(())
}

/// Keeps a version unless it is there, and returns its item and number. What is new becomes the one that is used.
pub(super) fn keep(connection: &Connection, kept: &Version, mark: i64) -> Result<(i64, i64), Failure> {
    let there: Option<(i64, i64)> = connection
        .prepare_cached(
            "SELECT item.ordinal, item_version.version
             FROM item JOIN item_version ON item_version.item = item.ordinal
             WHERE item.kind = ?1 AND item.name = ?2 AND item_version.hash = ?3",
        )?
        .query_row(params![kept.kind, kept.name, kept.hash.bytes()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    if let Some(there) = there {
        return Ok(there);
    }
    let (item, version): (i64, i64) = connection
        .prepare_cached(
            "INSERT INTO item (kind, name, version, versions, made, mark)
             VALUES (?1, ?2, 1, 1, ?3, ?3)
             ON CONFLICT (kind, name) DO UPDATE
             SET version = versions + 1, versions = versions + 1, mark = excluded.mark
             RETURNING ordinal, version",
        )?
        .query_row(params![kept.kind, kept.name, mark], |row| Ok((row.get(0)?, row.get(1)?)))?;
    connection
        .prepare_cached(
            "INSERT INTO item_version (item, version, hash, draft, folded, run, offered_from, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            item,
            version,
            kept.hash.bytes(),
            kept.draft,
            kept.folded,
            kept.run.as_ref().map(|run| run.bytes()),
            kept.offered_from,
            kept.at,
        ])?;
    Ok((item, version))
}

/// Counts a use, once for each run; what is not in the library is not used.
fn count(connection: &Connection, run: i64, usage: &Usage, request: &str, mark: i64) -> Result<(), Failure> {
    let item: Option<i64> = connection
        .prepare_cached(
            "UPDATE item
             SET uses = uses + (
                     NOT EXISTS (SELECT 1 FROM item_use WHERE item_use.run = ?3 AND item_use.item = item.ordinal)
                 ),
                 last = max(last, ?4), mark = ?5
             WHERE kind = ?1 AND name = ?2
             RETURNING ordinal",
        )?
        .query_row(params![usage.kind, usage.name, run, usage.at, mark], |row| row.get(0))
        .optional()?;
    let Some(item) = item else { return Ok(()) };
    connection
        .prepare_cached(
            "INSERT INTO item_use (item, run, step, hash, decision, score, text, at, mark)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (run, item, step) DO UPDATE
             SET hash = excluded.hash, decision = excluded.decision, score = excluded.score, text = excluded.text,
                 at = excluded.at, mark = excluded.mark",
        )?
        .execute(params![
            item,
            run,
            usage.step,
            usage.hash.bytes(),
            usage.decision,
            usage.score,
            usage.text.as_deref().unwrap_or(request),
            usage.at,
            mark,
        ])?;
    Ok(())
}

/// Says how what a run used went, whatever was said before.
pub(super) fn settle(connection: &Connection, run: i64, good: bool) -> Result<(), Failure> {
    let uses: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM item_use WHERE run = ?1)")?
        .query_row([run], |row| row.get(0))?;
    if !uses {
        return Ok(());
    }
    let mark = mark(connection)?;
    connection
        .prepare_cached(
            "UPDATE item
             SET good = item.good + ?2 - before.good, bad = item.bad + (NOT ?2) - before.bad, mark = ?3
             FROM (
                 SELECT item, coalesce(max(good), 0) AS good, coalesce(max(NOT good), 0) AS bad
                 FROM item_use
                 WHERE run = ?1
                 GROUP BY item
             ) AS before
             WHERE item.ordinal = before.item",
        )?
        .execute(params![run, good, mark])?;
    connection
        .prepare_cached("UPDATE item_use SET good = ?2, mark = ?3 WHERE run = ?1")?
        .execute(params![run, good, mark])?;
    Ok(())
}

/// Takes what a person says about a run to what it made and used.
pub(super) fn rate(connection: &Connection, run: RunId, rating: &Rating) -> Result<(), Failure> {
    let found: Option<(i64, bool, Option<bool>)> = connection
        .prepare_cached(
            "SELECT run.ordinal, run.ended, rating.good
             FROM run LEFT JOIN rating ON rating.run = run.ordinal
             WHERE run.id = ?1",
        )?
        .query_row([run.bytes()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let (ordinal, ended, before) = found.ok_or(StoreError::NoSuchRun { run })?;
    if !ended {
        return Err(StoreError::NotEnded { run }.into());
    }
    connection
        .prepare_cached(
            "INSERT INTO rating (run, good, words, rater, at)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (run) DO UPDATE
             SET good = excluded.good, words = excluded.words, rater = excluded.rater, at = excluded.at",
        )?
        .execute(params![
            ordinal,
            rating.good,
            rating.words.as_deref().map(storable),
            rating.by.as_deref().map(storable),
            nanos(rating.at),
        ])?;
    settle(connection, ordinal, rating.good)?;
    offer(connection, run, rating.good, before)?;
    outlines::rated(connection, ordinal)
}

/// Offers what a run made at once, or no longer. What was switched off because of an earlier word is switched on again;
/// what a person switched off stays off.
fn offer(connection: &Connection, run: RunId, good: bool, before: Option<bool>) -> Result<(), Failure> {
    let mark = mark(connection)?;
    if good {
        connection
            .prepare_cached(
                "UPDATE item
                 SET mark = ?2
                 WHERE ordinal IN (SELECT item FROM item_version WHERE run = ?1 AND offered_from IS NOT NULL)",
            )?
            .execute(params![run.bytes(), mark])?;
        connection
            .prepare_cached("UPDATE item_version SET offered_from = NULL WHERE run = ?1 AND offered_from IS NOT NULL")?
            .execute([run.bytes()])?;
    }
    if good == (before == Some(false)) {
        connection
            .prepare_cached(
                "UPDATE item
                 SET active = ?2, mark = ?3
                 WHERE kind <> 'agent' AND (ordinal, version) IN (SELECT item, version FROM item_version WHERE run = ?1)",
            )?
            .execute(params![run.bytes(), good, mark])?;
    }
    Ok(())
}
