//! Writing ledgers: taking runs in, owning them, appending to them. Everything here runs inside the writer's
//! transaction, so that what is read first is still true when it is acted upon.

use domain::event::Seq;
use domain::id::RunId;
use domain::run::RunStatus;
use domain::store::{Signalled, StoreError, Token};
use rusqlite::{Connection, OptionalExtension, params};

use super::append::append;
use super::fault::Failure;
use super::listing::entry;
use crate::batch::{Batch, Begin};
use crate::decode;
use crate::instant::earlier;

/// What a run's row says before it is changed.
pub(super) struct RunRow {
    pub(super) ordinal: i64,
    pub(super) epoch: i64,
    pub(super) seq: i64,
    pub(super) barren: i64,
    pub(super) wake: Option<i64>,
    pub(super) ended: bool,
    pub(super) in_doubt: bool,
    pub(super) chain: Option<String>,
}

pub(super) fn accept(connection: &Connection, batch: &Batch, wake: Option<i64>) -> Result<(), Failure> {
    let Some(begin) = &batch.begin else {
        return Err(decode::damaged(format!("the first entry of {} is not `received`", batch.run)).into());
    };
    if !insert_run(connection, batch.run, begin, wake)? {
        return Ok(());
    }
    let row = RunRow {
        ordinal: connection.last_insert_rowid(),
        epoch: 0,
        seq: 0,
        barren: 0,
        wake,
        ended: false,
        in_doubt: false,
        chain: None,
    };
    connection
        .prepare_cached("INSERT INTO words (run, request, folded, rehearsal) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![row.ordinal, begin.text, begin.text.to_lowercase(), begin.rehearsal])?;
    append(connection, &row, batch)?;
    Ok(())
}

/// Says whether the run is new.
fn insert_run(connection: &Connection, run: RunId, begin: &Begin, wake: Option<i64>) -> Result<bool, Failure> {
    let inserted = connection
        .prepare_cached(
            "INSERT INTO run (id, status, wake, session, asker, parent_run, parent_seq, created_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)
             ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            run.bytes(),
            RunStatus::Pending.word(),
            wake,
            begin.session.as_ref().map(|session| session.as_str()),
            begin.user,
            begin.parent.as_ref().map(|parent| parent.run.bytes()),
            begin.parent.map(|parent| parent.seq as i64),
            begin.at,
        ])?;
    Ok(inserted == 1)
}

/// Returns the right to write, the number of barren claims before this one, and the ledger's length.
pub(super) fn claim(connection: &Connection, run: RunId, worker: &str) -> Result<(Token, u32, i64), Failure> {
    let row = find(connection, run)?;
    connection
        .prepare_cached(
            "UPDATE run
             SET epoch = ?2, owner = ?3, barren = ?4, wake = NULL
             WHERE ordinal = ?1",
        )?
        .execute(params![row.ordinal, row.epoch + 1, worker, row.barren + 1])?;
    Ok((Token { run, epoch: row.epoch as u64 + 1 }, row.barren as u32, row.seq))
}

pub(super) fn commit(connection: &Connection, token: Token, batch: &Batch) -> Result<Seq, Failure> {
    let row = own(connection, token)?;
    append(connection, &row, batch)
}

pub(super) fn release(connection: &Connection, token: Token, wake: Option<i64>) -> Result<(), Failure> {
    let row = own(connection, token)?;
    let wake = if row.ended {
        None
    } else {
        // What was due before the claim may still be: a timer of something that is still waited for.
        let timer = connection
            .prepare_cached(
                "SELECT min(promise.timer)
                 FROM promise JOIN run ON run.ordinal = promise.run
                 WHERE promise.run = ?1 AND promise.answer IS NULL AND promise.timer > run.updated_at",
            )?
            .query_row([row.ordinal], |row| row.get(0))?;
        earlier(earlier(row.wake, wake), timer)
    };
    connection
        .prepare_cached("UPDATE run SET owner = NULL, wake = ?2, barren = 0 WHERE ordinal = ?1")?
        .execute(params![row.ordinal, wake])?;
    Ok(())
}

pub(super) fn signal(connection: &Connection, batch: &Batch) -> Result<Signalled, Failure> {
    let row = find(connection, batch.run)?;
    if row.ended {
        let status: String = connection
            .prepare_cached("SELECT status FROM run WHERE ordinal = ?1")?
            .query_row([row.ordinal], |row| row.get(0))?;
        return Ok(Signalled::Ended(decode::status(status)?));
    }
    for event in &batch.events {
        if let Some(faster) = entry(connection, batch.run, &event.key)? {
            return Ok(Signalled::Late(Box::new(faster)));
        }
    }
    append(connection, &row, batch)?;
    Ok(Signalled::Recorded)
}

fn own(connection: &Connection, token: Token) -> Result<RunRow, Failure> {
    let row = find(connection, token.run)?;
    if row.epoch as u64 == token.epoch { Ok(row) } else { Err(StoreError::Fenced { run: token.run }.into()) }
}

fn find(connection: &Connection, run: RunId) -> Result<RunRow, Failure> {
    connection
        .prepare_cached("SELECT ordinal, epoch, seq, barren, wake, ended, in_doubt, chain FROM run WHERE id = ?1")?
        .query_row([run.bytes()], |row| {
            Ok(RunRow {
                ordinal: row.get(0)?,
                epoch: row.get(1)?,
                seq: row.get(2)?,
                barren: row.get(3)?,
                wake: row.get(4)?,
                ended: row.get(5)?,
                in_doubt: row.get(6)?,
                chain: row.get(7)?,
            })
        })
        .optional()?
        .ok_or_else(|| StoreError::NoSuchRun { run }.into())
}
