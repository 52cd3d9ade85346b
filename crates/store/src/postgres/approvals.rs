//! What people were asked to decide, and how they decided.

use async_trait::async_trait;
use domain::approval::{Approval, ApprovalFilter, ApprovalId, ApprovalStatus, Approvals};
use domain::store::{Cursor, StoreError};
use jiff::Timestamp;

use super::Postgres;
use super::columns::collect;
use crate::asked::{ApprovalPlace, approval, approval_columns, approvals, standing};
use crate::filter::whole;
use crate::instant::nanos;

#[async_trait]
impl Approvals for Postgres {
    async fn approval(&self, id: ApprovalId, now: Timestamp) -> Result<Option<Approval>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            standing!(),
            ", ",
            approval_columns!(),
            " FROM promise JOIN run ON run.ordinal = promise.run WHERE promise.approval = $2",
        ))
        .bind(nanos(now))
        .bind(&id.bytes()[..])
        .fetch_all(&self.pool)
        .await;
        Ok(collect(rows, |row| approval(row))?.into_iter().next())
    }

    async fn approvals(
        &self,
        filter: &ApprovalFilter,
        now: Timestamp,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<Approval>, Option<Cursor>), StoreError> {
        macro_rules! statement {
            ($condition:literal) => {
                concat!(
                    "SELECT ",
                    standing!(),
                    ", ",
                    approval_columns!(),
                    " FROM promise JOIN run ON run.ordinal = promise.run
                      WHERE promise.approval IS NOT NULL AND ",
                    $condition,
                    " AND ($3 IS NULL OR $3 = ",
                    standing!(),
                    ") AND (promise.rank, promise.since, promise.approval) > ($4, $5, $6)
                      ORDER BY promise.rank, promise.since, promise.approval
                      LIMIT $7",
                )
            };
        }
        let place = ApprovalPlace::of(cursor)?;
        let statement = match (filter.run, filter.status) {
            (Some(_), _) => statement!("run.id = $2"),
            // In an inbox, so that it need not look through all that was ever asked.
            (None, Some(ApprovalStatus::Pending)) => {
                statement!("$2::BYTEA IS NULL AND promise.answer IS NULL AND NOT promise.withdrawn")
            }
            (None, _) => statement!("$2::BYTEA IS NULL"),
        };
        let rows = sqlx::query(statement)
            .bind(nanos(now))
            .bind(filter.run.as_ref().map(|run| &run.bytes()[..]))
            .bind(filter.status.map(ApprovalStatus::word))
            .bind(place.rank)
            .bind(place.since)
            .bind(place.id)
            .bind(whole(limit.saturating_add(1)))
            .fetch_all(&self.pool)
            .await;
        Ok(approvals(collect(rows, |row| approval(row))?, limit))
    }
}
