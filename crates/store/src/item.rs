//! What a library keeps, as rows: versions and uses before they are written, which of them a filter means, the cursors
//! of their listing, and how they are read.

use domain::hash::Hash;
use domain::id::RunId;
use domain::library::{Draft, Item, ItemFilter, ItemSummary, Kind, Rating, Record, Use};
use domain::store::{Cursor, StoreError};

use crate::batch::json;
use crate::decode::{Columns, damaged, hash, run_id, value, word};
use crate::instant::{moment, nanos};
use crate::words::storable;

/// When something was last used that never was: before everything else.
const NEVER: i64 = i64::MIN;

/// The condition that [`Wanted`] is bound to, in this order, from `$1` to `$3`. `$kind` narrows to a kind in a way an
/// index can serve; `$find` is the database's word for "where in the first text the second begins".
macro_rules! item_condition {
    ($kind:literal, $find:literal) => {
        concat!(
            $kind,
            " AND ($2 IS NULL OR item.active = $2) AND ($3 IS NULL OR ",
            $find,
            "(item_version.folded, $3) > 0)"
        )
    };
}
/// The columns of [`item`].
macro_rules! version_columns {
    () => {
        "item_version.version, item_version.hash, item_version.draft, item_version.offered_from, item_version.at"
    };
}
/// The columns of [`summary`].
macro_rules! item_columns {
    () => {
        "item_version.version, item_version.hash, item_version.draft, item_version.offered_from, item_version.at, \
         item.last, item.made, item.ordinal, item.version, item.active, item.versions, item.uses, item.good, item.bad"
    };
}
/// The columns of [`used`].
macro_rules! use_columns {
    () => {
        "run.id, item_use.step, item.kind, item.name, item_use.hash, item_use.decision, item_use.score, item_use.text, \
         item_use.good, item_use.at"
    };
}
pub(crate) use {item_columns, item_condition, use_columns, version_columns};

/// A change of the library that a run means, in order.
#[derive(Debug, Clone)]
pub(crate) enum LibraryChange {
    Keep(Version),
    Use(Usage),
}

/// Something to be kept, before it is counted.
#[derive(Debug, Clone)]
pub(crate) struct Version {
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) hash: Hash,
    pub(crate) draft: String,
    pub(crate) folded: String,
    pub(crate) run: Option<RunId>,
    pub(crate) offered_from: Option<i64>,
    pub(crate) at: i64,
}

/// A use of an item in a run.
#[derive(Debug, Clone)]
pub(crate) struct Usage {
    /// Empty where it is for the whole request.
    pub(crate) step: String,
    pub(crate) text: Option<String>,
    pub(crate) kind: &'static str,
    pub(crate) name: String,
    pub(crate) hash: Hash,
    pub(crate) decision: &'static str,
    pub(crate) score: f64,
    pub(crate) at: i64,
}

impl LibraryChange {
    /// A draft is kept, as made by this run unless it says otherwise.
    pub(crate) fn keep(run: RunId, mut draft: Draft, at: i64) -> Self {
        draft.lineage.run.get_or_insert(run);
        Self::Keep(Version::new(&draft, at))
    }
}

impl Version {
    /// What is kept of a draft.
    pub(crate) fn new(draft: &Draft, at: i64) -> Self {
        let found_by = [draft.name.as_str(), &draft.description].into_iter();
        let found_by: Vec<&str> = found_by.chain(draft.keywords.iter().map(String::as_str)).collect();
        Self {
            kind: draft.body.kind().word(),
            name: draft.name.as_str().to_owned(),
            hash: draft.hash(),
            draft: json(draft),
            folded: storable(&found_by.join("\n").to_lowercase()),
            run: draft.lineage.run,
            offered_from: draft.offered_from.map(nanos),
            at,
        }
    }
}

/// What a filter binds.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) kind: Option<&'static str>,
    pub(crate) active: Option<bool>,
    pub(crate) text: Option<String>,
}

impl Wanted {
    /// The values of a filter.
    pub(crate) fn of(filter: &ItemFilter) -> Self {
        Self {
            kind: filter.kind.map(Kind::word),
            active: filter.active,
            text: filter.text.as_ref().map(|text| storable(&text.to_lowercase())),
        }
    }
}

/// A place in a listing that goes from what was used last to what was never used, and there from what was made last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ItemPlace {
    pub(crate) last: i64,
    pub(crate) made: i64,
    pub(crate) ordinal: i64,
}

impl ItemPlace {
    /// Where a cursor points; without one, before every item.
    pub(crate) fn of(cursor: Option<&Cursor>) -> Result<Self, StoreError> {
        match cursor {
            None => Ok(Self { last: i64::MAX, made: i64::MAX, ordinal: i64::MAX }),
            Some(cursor) => Self::read(&cursor.0)
                .filter(|place| place.cursor() == *cursor)
                .ok_or_else(|| StoreError::BadCursor { cursor: cursor.0.clone() }),
        }
    }

    fn cursor(&self) -> Cursor {
        Cursor(format!("item_{:016x}{:016x}{:016x}", self.last, self.made, self.ordinal))
    }

    fn read(text: &str) -> Option<Self> {
        let (last, rest) = text.strip_prefix("item_")?.split_at_checked(16)?;
        let (made, ordinal) = rest.split_at_checked(16)?;
        let number = |hex| u64::from_str_radix(hex, 16).map(|number| number as i64).ok();
        Some(Self { last: number(last)?, made: number(made)?, ordinal: number(ordinal)? })
    }
}

/// Cuts a listing of up to `limit` and one more items to `limit`, with a cursor where it goes on.
pub(crate) fn items(mut rows: Vec<(ItemPlace, ItemSummary)>, limit: usize) -> (Vec<ItemSummary>, Option<Cursor>) {
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|(place, _)| place.cursor());
    (rows.into_iter().map(|(_, summary)| summary).collect(), next)
}

/// A version, from [`version_columns`].
pub(crate) fn item(mut row: impl Columns) -> Result<Item, StoreError> {
    version(&mut row)
}

/// An item and its place in a listing, from [`item_columns`].
pub(crate) fn summary(mut row: impl Columns) -> Result<(ItemPlace, ItemSummary), StoreError> {
    let item = version(&mut row)?;
    let place = ItemPlace { last: row.integer()?, made: row.integer()?, ordinal: row.integer()? };
    let summary = ItemSummary {
        current: row.integer()? == i64::from(item.version),
        active: row.truth()?,
        versions: row.integer()? as u32,
        record: Record {
            uses: row.integer()? as u32,
            good: row.integer()? as u32,
            bad: row.integer()? as u32,
            last: Some(place.last).filter(|last| *last != NEVER).map(moment).transpose()?,
        },
        item,
    };
    Ok((place, summary))
}

fn version(row: &mut impl Columns) -> Result<Item, StoreError> {
    let (version, hash) = (row.integer()? as u32, hash(row.bytes()?)?);
    let mut draft: Draft = value(&row.text()?)?;
    draft.offered_from = row.maybe_integer()?.map(moment).transpose()?;
    Ok(Item { version, hash, draft, at: moment(row.integer()?)? })
}

/// A use, from [`use_columns`].
pub(crate) fn used(mut row: impl Columns) -> Result<Use, StoreError> {
    Ok(Use {
        run: run_id(row.bytes()?)?,
        step: Some(row.text()?)
            .filter(|step| !step.is_empty())
            .map(|step| step.try_into().map_err(damaged))
            .transpose()?,
        kind: word(row.text()?, Kind::from_word)?,
        name: row.text()?.try_into().map_err(damaged)?,
        hash: hash(row.bytes()?)?,
        decision: value(&format!("\"{}\"", row.text()?))?,
        score: row.real()?,
        text: row.text()?,
        good: row.maybe_truth()?,
        at: moment(row.integer()?)?,
    })
}

/// What was said about a run, from whether it was good, words, who and when.
pub(crate) fn rating(mut row: impl Columns) -> Result<Rating, StoreError> {
    Ok(Rating { good: row.truth()?, words: row.maybe_text()?, by: row.maybe_text()?, at: moment(row.integer()?)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_leads_back_to_its_place() {
        for (last, made, ordinal) in [(NEVER, 1, 1), (-1, 2, 3), (0, i64::MAX, 7), (1_763_000_000_000_000_000, 4, 4)] {
            let place = ItemPlace { last, made, ordinal };
            assert_eq!(ItemPlace::of(Some(&place.cursor())).expect("a place"), place);
        }
    }

    #[test]
    fn what_is_not_a_cursor_is_refused() {
        let bare = "a".repeat(48);
        let wrong = [format!("item_{}", bare.to_uppercase()), format!("item_{bare}0"), bare, "item_".into(), "".into()];
        for wrong in wrong {
            let refused = ItemPlace::of(Some(&Cursor(wrong.clone()))).expect_err("refused");
            assert_eq!(refused.to_string(), format!("`{wrong}` is not a cursor"));
        }
    }
}
