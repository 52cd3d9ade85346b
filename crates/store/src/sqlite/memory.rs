//! What is remembered, and found again by its words.

use domain::store::Memory;
use rusqlite::{Connection, params};

use super::columns::collect;
use super::fault::Failure;
use crate::decode;
use crate::instant::nanos;
use crate::words::{storable, words};

pub(super) fn remember(connection: &Connection, memory: &Memory) -> Result<(), Failure> {
    let inserted = connection
        .prepare_cached(
            "INSERT INTO memory (id, text, importance, run, at)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            memory.id,
            storable(&memory.text),
            memory.importance,
            memory.run.as_ref().map(|run| run.bytes()),
            nanos(memory.at),
        ])?;
    if inserted == 1 {
        let ordinal = connection.last_insert_rowid();
        for word in words(&memory.text) {
            connection
                .prepare_cached("INSERT INTO memory_word (word, memory) VALUES (?1, ?2)")?
                .execute(params![word, ordinal])?;
        }
    }
    Ok(())
}

pub(super) fn recall(connection: &Connection, text: &str, limit: i64) -> Result<Vec<Memory>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT memory.id, memory.text, memory.importance, memory.run, memory.at
         FROM memory_word JOIN memory ON memory.ordinal = memory_word.memory
         WHERE memory_word.word IN (SELECT value FROM json_each(?1)) AND memory.forgotten = 0
         GROUP BY memory.ordinal
         ORDER BY count(*) * memory.importance DESC, memory.at DESC, memory.id
         LIMIT ?2",
    )?;
    let words = serde_json::to_string(&words(text)).unwrap_or_default();
    collect(statement.query(params![words, limit])?, |row| decode::memory(row))
}

pub(super) fn newest(connection: &Connection, limit: i64) -> Result<Vec<Memory>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT id, text, importance, run, at
         FROM memory
         WHERE forgotten = 0
         ORDER BY at DESC, id
         LIMIT ?1",
    )?;
    collect(statement.query([limit])?, |row| decode::memory(row))
}

/// Keeps the row, so that writing the same memory again does not bring it back.
pub(super) fn forget(connection: &Connection, id: &str) -> Result<bool, Failure> {
    connection
        .prepare_cached(
            "DELETE FROM memory_word
             WHERE memory = (SELECT ordinal FROM memory WHERE id = ?1)",
        )?
        .execute([id])?;
    let marked =
        connection.prepare_cached("UPDATE memory SET forgotten = 1 WHERE id = ?1 AND forgotten = 0")?.execute([id])?;
    Ok(marked == 1)
}
