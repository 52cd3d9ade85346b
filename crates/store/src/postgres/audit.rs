//! The audit trail: whoever adds to it keeps others from adding until they have, so that there is one end to add to.

use async_trait::async_trait;
use domain::audit::{Audit, Chain, Entry, Link, Noted};
use domain::store::StoreError;

use super::Postgres;
use super::columns::collect;
use super::fault::fault;
use crate::decode;
use crate::filter::whole;

#[async_trait]
impl Audit for Postgres {
    async fn note(&self, entry: &Entry) -> Result<Noted, StoreError> {
        let mut transaction = self.pool.begin().await.map_err(fault)?;
        // Those who read are not kept waiting.
        sqlx::query("LOCK TABLE audit IN EXCLUSIVE MODE").execute(&mut *transaction).await.map_err(fault)?;
        let last = sqlx::query("SELECT seq, entry, hash FROM audit ORDER BY seq DESC LIMIT 1")
            .fetch_all(&mut *transaction)
            .await;
        let last = collect(last, |row| decode::link(row))?.pop();
        let chain = last.map_or_else(Chain::default, |link| Chain { entries: link.seq, last: link.hash });
        let link = chain.next(entry);
        sqlx::query("INSERT INTO audit (seq, entry, hash) VALUES ($1, $2, $3)")
            .bind(link.seq as i64)
            .bind(&link.text)
            .bind(&link.hash.bytes()[..])
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(Noted { seq: link.seq, entry: entry.clone(), hash: link.hash })
    }

    async fn noted(&self, before: Option<u64>, limit: usize) -> Result<Vec<Noted>, StoreError> {
        let before = before.and_then(|before| i64::try_from(before).ok()).unwrap_or(i64::MAX);
        let rows = sqlx::query("SELECT seq, entry, hash FROM audit WHERE seq < $1 ORDER BY seq DESC LIMIT $2")
            .bind(before)
            .bind(whole(limit))
            .fetch_all(&self.pool)
            .await;
        collect(rows, |row| decode::noted(row))
    }

    async fn links(&self, after: u64, limit: usize) -> Result<Vec<Link>, StoreError> {
        let rows = sqlx::query("SELECT seq, entry, hash FROM audit WHERE seq > $1 ORDER BY seq LIMIT $2")
            .bind(after as i64)
            .bind(whole(limit))
            .fetch_all(&self.pool)
            .await;
        collect(rows, |row| decode::link(row))
    }
}
