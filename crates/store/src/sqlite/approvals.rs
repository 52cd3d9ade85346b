//! What people were asked to decide, and how they decided.

use async_trait::async_trait;
use domain::approval::{Approval, ApprovalFilter, ApprovalId, ApprovalStatus, Approvals};
use domain::store::{Cursor, StoreError};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::Sqlite;
use super::columns::collect;
use super::fault::Failure;
use crate::asked::{ApprovalPlace, approval, approval_columns, approvals, standing};
use crate::filter::whole;
use crate::instant::nanos;

#[async_trait]
impl Approvals for Sqlite {
    async fn approval(&self, id: ApprovalId, now: Timestamp) -> Result<Option<Approval>, StoreError> {
        self.readers.read(move |connection| one(connection, id, nanos(now))).await
    }

    async fn approvals(
        &self,
        filter: &ApprovalFilter,
        now: Timestamp,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<Approval>, Option<Cursor>), StoreError> {
        let (filter, place) = (*filter, ApprovalPlace::of(cursor)?);
        let one_more = whole(limit.saturating_add(1));
        let read = move |connection: &Connection| list(connection, filter, nanos(now), &place, one_more);
        Ok(approvals(self.readers.read(read).await?, limit))
    }
}

fn one(connection: &Connection, id: ApprovalId, now: i64) -> Result<Option<Approval>, Failure> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        standing!(),
        ", ",
        approval_columns!(),
        " FROM promise JOIN run ON run.ordinal = promise.run WHERE promise.approval = $2",
    ))?;
    let rows = collect(statement.query(params![now, id.bytes()])?, |row| approval(row))?;
    Ok(rows.into_iter().next())
}

fn list(
    connection: &Connection,
    filter: ApprovalFilter,
    now: i64,
    place: &ApprovalPlace,
    limit: i64,
) -> Result<Vec<Approval>, Failure> {
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
    let mut statement = connection.prepare_cached(match (filter.run, filter.status) {
        (Some(_), _) => statement!("run.id = $2"),
        // In an inbox, so that it need not look through all that was ever asked.
        (None, Some(ApprovalStatus::Pending)) => {
            statement!("$2 IS NULL AND promise.answer IS NULL AND promise.withdrawn = 0")
        }
        (None, _) => statement!("$2 IS NULL"),
    })?;
    let (run, status) = (filter.run.as_ref().map(|run| run.bytes()), filter.status.map(|status| status.word()));
    let rows = statement.query(params![now, run, status, place.rank, place.since, place.id, limit])?;
    collect(rows, |row| approval(row))
}
