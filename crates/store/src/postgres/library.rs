//! Items that are kept, their versions, and what is new about them.

use async_trait::async_trait;
use domain::id::{ItemName, RunId};
use domain::library::{Draft, Item, ItemFilter, ItemSummary, Kind, Library, News, Rating, Use};
use domain::store::{Cursor, StoreError};
use jiff::Timestamp;
use sqlx::PgConnection;
use sqlx::postgres::PgPool;

use super::columns::{Row, collect};
use super::fault::fault;
use super::{Postgres, uses};
use crate::filter::whole;
use crate::instant::nanos;
use crate::item::{
    self, ItemPlace, Version, Wanted, item_columns, item_condition, items, use_columns, version_columns,
};

#[async_trait]
impl Library for Postgres {
    async fn put(&self, draft: &Draft, at: Timestamp) -> Result<Item, StoreError> {
        let version = Version::new(draft, nanos(at));
        let mut transaction = self.pool.begin().await.map_err(fault)?;
        let item = put(&mut transaction, &version).await?;
        transaction.commit().await.map_err(fault)?;
        Ok(item)
    }

    async fn item(&self, kind: Kind, name: &ItemName, version: Option<u32>) -> Result<Option<ItemSummary>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            item_columns!(),
            " FROM item
              JOIN item_version ON item_version.item = item.ordinal AND item_version.version = coalesce($3, item.version)
              WHERE item.kind = $1 AND item.name = $2",
        ))
        .bind(kind.word())
        .bind(name.as_str())
        .bind(version.map(i64::from))
        .fetch_all(&self.pool)
        .await;
        Ok(collect(rows, |row| item::summary(row))?.into_iter().next().map(|(_, summary)| summary))
    }

    async fn versions(&self, kind: Kind, name: &ItemName) -> Result<Vec<Item>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            version_columns!(),
            " FROM item JOIN item_version ON item_version.item = item.ordinal
              WHERE item.kind = $1 AND item.name = $2
              ORDER BY item_version.version DESC",
        ))
        .bind(kind.word())
        .bind(name.as_str())
        .fetch_all(&self.pool)
        .await;
        collect(rows, |row| item::item(row))
    }

    async fn items(
        &self,
        filter: &ItemFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<ItemSummary>, Option<Cursor>), StoreError> {
        let (wanted, place) = (Wanted::of(filter), ItemPlace::of(cursor)?);
        Ok(items(list(&self.pool, wanted, place, whole(limit.saturating_add(1))).await?, limit))
    }

    async fn turn_to(&self, kind: Kind, name: &ItemName, version: u32) -> Result<bool, StoreError> {
        let mut transaction = self.pool.begin().await.map_err(fault)?;
        let mark = uses::mark(&mut transaction).await.map_err(fault)?;
        let turned = sqlx::query(
            "UPDATE item
             SET version = $3, mark = $4
             WHERE kind = $1 AND name = $2 AND $3 BETWEEN 1 AND versions",
        )
        .bind(kind.word())
        .bind(name.as_str())
        .bind(i64::from(version))
        .bind(mark)
        .execute(&mut *transaction)
        .await
        .map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(turned.rows_affected() == 1)
    }

    async fn switch(&self, kind: Kind, name: &ItemName, active: bool) -> Result<bool, StoreError> {
        let mut transaction = self.pool.begin().await.map_err(fault)?;
        let mark = uses::mark(&mut transaction).await.map_err(fault)?;
        let switched = sqlx::query("UPDATE item SET active = $3, mark = $4 WHERE kind = $1 AND name = $2")
            .bind(kind.word())
            .bind(name.as_str())
            .bind(active)
            .bind(mark)
            .execute(&mut *transaction)
            .await
            .map_err(fault)?;
        transaction.commit().await.map_err(fault)?;
        Ok(switched.rows_affected() == 1)
    }

    async fn uses(&self, kind: Kind, name: &ItemName, limit: usize) -> Result<Vec<Use>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT ",
            use_columns!(),
            " FROM item
              JOIN item_use ON item_use.item = item.ordinal
              JOIN run ON run.ordinal = item_use.run
              WHERE item.kind = $1 AND item.name = $2
              ORDER BY item_use.at DESC, item_use.ordinal DESC
              LIMIT $3",
        ))
        .bind(kind.word())
        .bind(name.as_str())
        .bind(whole(limit))
        .fetch_all(&self.pool)
        .await;
        collect(rows, |row| item::used(row))
    }

    async fn news(&self, after: u64, limit: usize) -> Result<News, StoreError> {
        let mut after = i64::try_from(after).unwrap_or(i64::MAX);
        loop {
            match news(&self.pool, after, whole(limit)).await? {
                // All of it was changed again while we looked.
                nothing if nothing.is_empty() && nothing.mark > after as u64 => after = nothing.mark as i64,
                news => return Ok(news),
            }
        }
    }

    async fn rate(&self, run: RunId, rating: &Rating) -> Result<(), StoreError> {
        uses::rate(&self.pool, run, rating).await
    }

    async fn rating(&self, run: RunId) -> Result<Option<Rating>, StoreError> {
        let rows = sqlx::query(
            "SELECT rating.good, rating.words, rating.rater, rating.at
             FROM rating JOIN run ON run.ordinal = rating.run
             WHERE run.id = $1",
        )
        .bind(&run.bytes()[..])
        .fetch_all(&self.pool)
        .await;
        Ok(collect(rows, |row| item::rating(row))?.into_iter().next())
    }
}

async fn put(connection: &mut PgConnection, version: &Version) -> Result<Item, StoreError> {
    let mark = uses::mark(connection).await.map_err(fault)?;
    let (item, number) = uses::keep(connection, version, mark).await.map_err(fault)?;
    sqlx::query("UPDATE item SET version = $2, mark = $3 WHERE ordinal = $1")
        .bind(item)
        .bind(number)
        .bind(mark)
        .execute(&mut *connection)
        .await
        .map_err(fault)?;
    let row = sqlx::query(concat!(
        "SELECT ",
        version_columns!(),
        " FROM item_version WHERE item_version.item = $1 AND item_version.version = $2",
    ))
    .bind(item)
    .bind(number)
    .fetch_one(connection)
    .await
    .map_err(fault)?;
    item::item(Row::new(&row))
}

async fn list(
    pool: &PgPool,
    wanted: Wanted,
    place: ItemPlace,
    limit: i64,
) -> Result<Vec<(ItemPlace, ItemSummary)>, StoreError> {
    macro_rules! statement {
        ($kind:literal) => {
            concat!(
                "SELECT ",
                item_columns!(),
                " FROM item JOIN item_version
                  ON item_version.item = item.ordinal AND item_version.version = item.version
                  WHERE ",
                item_condition!($kind, "strpos"),
                " AND (item.last, item.made, item.ordinal) < ($4, $5, $6)
                  ORDER BY item.last DESC, item.made DESC, item.ordinal DESC
                  LIMIT $7",
            )
        };
    }
    let statement = match wanted.kind {
        Some(_) => statement!("item.kind = $1"),
        None => statement!("$1 IS NULL"),
    };
    let rows = sqlx::query(statement)
        .bind(wanted.kind)
        .bind(wanted.active)
        .bind(wanted.text)
        .bind(place.last)
        .bind(place.made)
        .bind(place.ordinal)
        .bind(limit)
        .fetch_all(pool)
        .await;
    collect(rows, |row| item::summary(row))
}

/// What changed in the transactions after one, up to the one with which there are enough rows: what changed in one
/// transaction comes together.
async fn news(pool: &PgPool, after: i64, limit: i64) -> Result<News, StoreError> {
    // Read first: whatever becomes visible later has a higher mark.
    let mark: i64 = sqlx::query_scalar(
        "SELECT coalesce((
             SELECT mark
             FROM (SELECT mark FROM item WHERE mark > $1 UNION ALL SELECT mark FROM item_use WHERE mark > $1) AS new
             ORDER BY mark
             LIMIT 1 OFFSET $2
         ), mark)
         FROM library",
    )
    .bind(after)
    .bind((limit - 1).max(0))
    .fetch_one(pool)
    .await
    .map_err(fault)?;
    let changed = sqlx::query(concat!(
        "SELECT ",
        item_columns!(),
        " FROM item JOIN item_version ON item_version.item = item.ordinal AND item_version.version = item.version
          WHERE item.mark > $1 AND item.mark <= $2
          ORDER BY item.mark, item.ordinal",
    ))
    .bind(after)
    .bind(mark)
    .fetch_all(pool)
    .await;
    let items = collect(changed, |row| item::summary(row))?;
    let used = sqlx::query(concat!(
        "SELECT ",
        use_columns!(),
        " FROM item_use
          JOIN item ON item.ordinal = item_use.item
          JOIN run ON run.ordinal = item_use.run
          WHERE item_use.mark > $1 AND item_use.mark <= $2
          ORDER BY item_use.mark, item_use.ordinal",
    ))
    .bind(after)
    .bind(mark)
    .fetch_all(pool)
    .await;
    let uses = collect(used, |row| item::used(row))?;
    Ok(News { items: items.into_iter().map(|(_, summary)| summary).collect(), uses, mark: mark.max(after) as u64 })
}
