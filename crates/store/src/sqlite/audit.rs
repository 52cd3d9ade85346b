//! The audit trail: whoever writes has the database for themselves, so that there is one end to add to.

use async_trait::async_trait;
use domain::audit::{Audit, Chain, Entry, Link, Noted};
use domain::store::StoreError;
use rusqlite::{Connection, params};

use super::Sqlite;
use super::columns::collect;
use super::fault::Failure;
use crate::decode;
use crate::filter::whole;

#[async_trait]
impl Audit for Sqlite {
    async fn note(&self, entry: &Entry) -> Result<Noted, StoreError> {
        let noting = entry.clone();
        let Link { seq, hash, .. } = self.writer.write(move |connection| note(connection, &noting)).await?;
        Ok(Noted { seq, entry: entry.clone(), hash })
    }

    async fn noted(&self, before: Option<u64>, limit: usize) -> Result<Vec<Noted>, StoreError> {
        self.readers.read(move |connection| noted(connection, before, whole(limit))).await
    }

    async fn links(&self, after: u64, limit: usize) -> Result<Vec<Link>, StoreError> {
        self.readers.read(move |connection| links(connection, after, whole(limit))).await
    }
}

fn note(connection: &Connection, entry: &Entry) -> Result<Link, Failure> {
    let mut last = connection.prepare_cached("SELECT seq, entry, hash FROM audit ORDER BY seq DESC LIMIT 1")?;
    let last = collect(last.query([])?, |row| decode::link(row))?.pop();
    let chain = last.map_or_else(Chain::default, |link| Chain { entries: link.seq, last: link.hash });
    let link = chain.next(entry);
    connection.prepare_cached("INSERT INTO audit (seq, entry, hash) VALUES (?1, ?2, ?3)")?.execute(params![
        link.seq as i64,
        link.text,
        &link.hash.bytes()[..]
    ])?;
    Ok(link)
}

fn noted(connection: &Connection, before: Option<u64>, limit: i64) -> Result<Vec<Noted>, Failure> {
    let before = before.and_then(|before| i64::try_from(before).ok()).unwrap_or(i64::MAX);
    let mut statement =
        connection.prepare_cached("SELECT seq, entry, hash FROM audit WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2")?;
    collect(statement.query(params![before, limit])?, |row| decode::noted(row))
}

fn links(connection: &Connection, after: u64, limit: i64) -> Result<Vec<Link>, Failure> {
    let mut statement =
        connection.prepare_cached("SELECT seq, entry, hash FROM audit WHERE seq > ?1 ORDER BY seq LIMIT ?2")?;
    collect(statement.query(params![after as i64, limit])?, |row| decode::link(row))
}
