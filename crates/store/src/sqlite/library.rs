//! Items that are kept, their versions, and what is new about them.

use async_trait::async_trait;
use domain::id::{ItemName, RunId};
use domain::library::{Draft, Item, ItemFilter, ItemSummary, Kind, Library, News, Rating, Use};
use domain::store::{Cursor, StoreError};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::columns::{Row, collect};
use super::fault::Failure;
use super::{Sqlite, uses};
use crate::filter::whole;
use crate::instant::nanos;
use crate::item::{
    self, ItemPlace, Version, Wanted, item_columns, item_condition, items, use_columns, version_columns,
};

#[async_trait]
impl Library for Sqlite {
    async fn put(&self, draft: &Draft, at: Timestamp) -> Result<Item, StoreError> {
        let version = Version::new(draft, nanos(at));
        self.writer.write(move |connection| put(connection, &version)).await
    }

    async fn item(&self, kind: Kind, name: &ItemName, version: Option<u32>) -> Result<Option<ItemSummary>, StoreError> {
        let name = name.clone();
        self.readers.read(move |connection| one(connection, kind, &name, version)).await
    }

    async fn versions(&self, kind: Kind, name: &ItemName) -> Result<Vec<Item>, StoreError> {
        let name = name.clone();
        self.readers.read(move |connection| versions(connection, kind, &name)).await
    }

    async fn items(
        &self,
        filter: &ItemFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<ItemSummary>, Option<Cursor>), StoreError> {
        let (wanted, place, one_more) = (Wanted::of(filter), ItemPlace::of(cursor)?, whole(limit.saturating_add(1)));
        let rows = self.readers.read(move |connection| list(connection, &wanted, place, one_more)).await?;
        Ok(items(rows, limit))
    }

    async fn turn_to(&self, kind: Kind, name: &ItemName, version: u32) -> Result<bool, StoreError> {
        let name = name.clone();
        let write = move |connection: &Connection| {
            let turned = connection
                .prepare_cached(
                    "UPDATE item
                     SET version = ?3, mark = ?4
                     WHERE kind = ?1 AND name = ?2 AND ?3 BETWEEN 1 AND versions",
                )?
                .execute(params![kind.word(), name.as_str(), version, uses::mark(connection)?])?;
            Ok(turned == 1)
        };
        self.writer.write(write).await
    }

    async fn switch(&self, kind: Kind, name: &ItemName, active: bool) -> Result<bool, StoreError> {
        let name = name.clone();
        let write = move |connection: &Connection| {
            let switched = connection
                .prepare_cached("UPDATE item SET active = ?3, mark = ?4 WHERE kind = ?1 AND name = ?2")?
                .execute(params![kind.word(), name.as_str(), active, uses::mark(connection)?])?;
            Ok(switched == 1)
        };
        self.writer.write(write).await
    }

    async fn uses(&self, kind: Kind, name: &ItemName, limit: usize) -> Result<Vec<Use>, StoreError> {
        let name = name.clone();
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(concat!(
                "SELECT ",
                use_columns!(),
                " FROM item
                  JOIN item_use ON item_use.item = item.ordinal
                  JOIN run ON run.ordinal = item_use.run
                  WHERE item.kind = ?1 AND item.name = ?2
                  ORDER BY item_use.at DESC, item_use.ordinal DESC
                  LIMIT ?3",
            ))?;
            let rows = statement.query(params![kind.word(), name.as_str(), whole(limit)])?;
            collect(rows, |row| item::used(row))
        };
        self.readers.read(read).await
    }

    async fn news(&self, after: u64, limit: usize) -> Result<News, StoreError> {
        let mut after = i64::try_from(after).unwrap_or(i64::MAX);
        let read = move |connection: &Connection| loop {
            match news(connection, after, whole(limit))? {
                // All of it was changed again while we looked.
                nothing if nothing.is_empty() && nothing.mark > after as u64 => after = nothing.mark as i64,
                news => return Ok(news),
            }
        };
        self.readers.read(read).await
    }

    async fn rate(&self, run: RunId, rating: &Rating) -> Result<(), StoreError> {
        let rating = rating.clone();
        self.writer.write(move |connection| uses::rate(connection, run, &rating)).await
    }

    async fn rating(&self, run: RunId) -> Result<Option<Rating>, StoreError> {
        self.readers.read(move |connection| rating(connection, run)).await
    }
}

/// What was said about a run.
pub(super) fn rating(connection: &Connection, run: RunId) -> Result<Option<Rating>, Failure> {
    let mut statement = connection.prepare_cached(
        "SELECT rating.good, rating.words, rating.rater, rating.at
         FROM rating JOIN run ON run.ordinal = rating.run
         WHERE run.id = ?1",
    )?;
    Ok(collect(statement.query([run.bytes()])?, |row| item::rating(row))?.into_iter().next())
}

fn put(connection: &Connection, version: &Version) -> Result<Item, Failure> {
    let mark = uses::mark(connection)?;
    let (item, number) = uses::keep(connection, version, mark)?;
    connection
        .prepare_cached("UPDATE item SET version = ?2, mark = ?3 WHERE ordinal = ?1")?
        .execute(params![item, number, mark])?;
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        version_columns!(),
        " FROM item_version WHERE item_version.item = ?1 AND item_version.version = ?2",
    ))?;
    let mut rows = statement.query([item, number])?;
    match rows.next()? {
        Some(row) => Ok(item::item(Row::new(row))?),
        None => Err(rusqlite::Error::QueryReturnedNoRows.into()),
    }
}

fn one(
    connection: &Connection,
    kind: Kind,
    name: &ItemName,
    version: Option<u32>,
) -> Result<Option<ItemSummary>, Failure> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        item_columns!(),
        " FROM item
          JOIN item_version ON item_version.item = item.ordinal AND item_version.version = coalesce(?3, item.version)
          WHERE item.kind = ?1 AND item.name = ?2",
    ))?;
    let rows = collect(statement.query(params![kind.word(), name.as_str(), version])?, |row| item::summary(row))?;
    Ok(rows.into_iter().next().map(|(_, summary)| summary))
}

fn versions(connection: &Connection, kind: Kind, name: &ItemName) -> Result<Vec<Item>, Failure> {
    let mut statement = connection.prepare_cached(concat!(
        "SELECT ",
        version_columns!(),
        " FROM item JOIN item_version ON item_version.item = item.ordinal
          WHERE item.kind = ?1 AND item.name = ?2
          ORDER BY item_version.version DESC",
    ))?;
    collect(statement.query(params![kind.word(), name.as_str()])?, |row| item::item(row))
}

fn list(
    connection: &Connection,
    wanted: &Wanted,
    place: ItemPlace,
    limit: i64,
) -> Result<Vec<(ItemPlace, ItemSummary)>, Failure> {
    macro_rules! statement {
        ($kind:literal) => {
            concat!(
                "SELECT ",
                item_columns!(),
                " FROM item JOIN item_version
                  ON item_version.item = item.ordinal AND item_version.version = item.version
                  WHERE ",
                item_condition!($kind, "instr"),
                " AND (item.last, item.made, item.ordinal) < ($4, $5, $6)
                  ORDER BY item.last DESC, item.made DESC, item.ordinal DESC
                  LIMIT $7",
            )
        };
    }
    let mut statement = connection.prepare_cached(match wanted.kind {
        Some(_) => statement!("item.kind = $1"),
        None => statement!("$1 IS NULL"),
    })?;
    let rows = statement.query(params![
        wanted.kind,
        wanted.active,
        wanted.text,
        place.last,
        place.made,
        place.ordinal,
        limit
    ])?;
    collect(rows, |row| item::summary(row))
}

/// What changed in the transactions after one, up to the one with which there are enough rows: what changed in one
/// transaction comes together.
fn news(connection: &Connection, after: i64, limit: i64) -> Result<News, Failure> {
    // Read first: whatever becomes visible later has a higher mark.
    let mark: i64 = connection
        .prepare_cached(
            "SELECT coalesce((
                 SELECT mark
                 FROM (SELECT mark FROM item WHERE mark > ?1 UNION ALL SELECT mark FROM item_use WHERE mark > ?1)
                 ORDER BY mark
                 LIMIT 1 OFFSET ?2
             ), mark)
             FROM library",
        )?
        .query_row(params![after, (limit - 1).max(0)], |row| row.get(0))?;
    let mut changed = connection.prepare_cached(concat!(
        "SELECT ",
        item_columns!(),
        " FROM item JOIN item_version ON item_version.item = item.ordinal AND item_version.version = item.version
          WHERE item.mark > ?1 AND item.mark <= ?2
          ORDER BY item.mark, item.ordinal",
    ))?;
    let items = collect(changed.query([after, mark])?, |row| item::summary(row))?;
    let mut used = connection.prepare_cached(concat!(
        "SELECT ",
        use_columns!(),
        " FROM item_use
          JOIN item ON item.ordinal = item_use.item
          JOIN run ON run.ordinal = item_use.run
          WHERE item_use.mark > ?1 AND item_use.mark <= ?2
          ORDER BY item_use.mark, item_use.ordinal",
    ))?;
    let uses = collect(used.query([after, mark])?, |row| item::used(row))?;
    Ok(News { items: items.into_iter().map(|(_, summary)| summary).collect(), uses, mark: mark.max(after) as u64 })
}
