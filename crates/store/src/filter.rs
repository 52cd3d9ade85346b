//! Which runs: a filter as one condition with its values, and the cursors of listings.

use domain::id::RunId;
use domain::run::RunSummary;
use domain::store::{Cursor, Page, RunFilter, StoreError};

use crate::instant::nanos;
use crate::words::storable;

/// The condition that [`Values`] are bound to, in this order, from `$1` to `$13`. `$find` is the database's word for
/// "where in the first text the second begins"; `$session` narrows to a conversation in a way an index can serve.
macro_rules! run_condition {
    ($find:literal, $session:literal) => {
        concat!(
            "($1 IS NULL OR ",
            $find,
            "($1, ',' || run.status || ',') > 0) ",
            "AND ($2 IS NULL OR run.strategy = $2) ",
            "AND ($3 IS NULL OR run.role = $3) ",
            "AND ",
            $session,
            " ",
            "AND ($5 IS NULL OR run.parent_run = $5) ",
            "AND run.created_at >= $6 ",
            "AND run.created_at < $7 ",
            "AND ($8 IS NULL OR run.quality >= $8) ",
            "AND ($9 IS NULL OR run.quality <= $9) ",
            "AND ($10 IS NULL OR run.replanned = $10) ",
            "AND ($11 IS NULL OR run.in_doubt = $11) ",
            "AND ($12 IS NULL OR ",
            $find,
            "(words.folded, $12) > 0) ",
            "AND ($13 IS NULL OR run.asker = $13)",
        )
    };
}
pub(crate) use run_condition;

/// What a filter binds.
#[derive(Debug, Clone)]
pub(crate) struct Values {
    /// The words of the states between commas.
    pub(crate) statuses: Option<String>,
    pub(crate) strategy: Option<&'static str>,
    pub(crate) role: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) parent: Option<Vec<u8>>,
    pub(crate) since: i64,
    pub(crate) until: i64,
    pub(crate) min_quality: Option<f64>,
    pub(crate) max_quality: Option<f64>,
    pub(crate) replanned: Option<bool>,
    pub(crate) in_doubt: Option<bool>,
    pub(crate) text: Option<String>,
    pub(crate) user: Option<String>,
}

impl Values {
    /// The values of a filter.
    pub(crate) fn of(filter: &RunFilter) -> Self {
        let words: Vec<&str> = filter.status.iter().map(|status| status.word()).collect();
        Self {
            statuses: (!words.is_empty()).then(|| format!(",{},", words.join(","))),
            strategy: filter.strategy.map(|strategy| strategy.word()),
            role: filter.role.clone(),
            session: filter.session.as_ref().map(|session| session.as_str().to_owned()),
            parent: filter.parent.map(|parent| parent.bytes().to_vec()),
            since: filter.since.map_or(i64::MIN, nanos),
            until: filter.until.map_or(i64::MAX, nanos),
            min_quality: at_least(filter.min_quality),
            max_quality: at_most(filter.max_quality),
            replanned: filter.replanned,
            in_doubt: filter.in_doubt,
            text: filter.text.as_ref().map(|text| storable(&text.to_lowercase())),
            user: filter.user.as_deref().map(storable),
        }
    }
}

/// A place in a listing that goes from the newest run to the oldest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub(crate) created_at: i64,
    pub(crate) run: RunId,
}

impl Place {
    /// Where a cursor points; without one, before every run.
    pub(crate) fn of(cursor: Option<&Cursor>) -> Result<Self, StoreError> {
        match cursor {
            None => Ok(Self { created_at: i64::MAX, run: RunId::from_bytes([0xff; 16]) }),
            Some(Cursor(text)) => Self::read(text).ok_or_else(|| StoreError::BadCursor { cursor: text.clone() }),
        }
    }

    /// The cursor that points here.
    pub(crate) fn cursor(&self) -> Cursor {
        Cursor(format!("{:016x}{}", self.created_at, self.run.to_string().trim_start_matches("run_")))
    }

    fn read(text: &str) -> Option<Self> {
        let (created_at, run) = text.split_at_checked(16)?;
        let created_at = u64::from_str_radix(created_at, 16).ok()? as i64;
        Some(Self { created_at, run: run.parse().ok()? })
    }
}

/// Cuts a listing of up to `limit` and one more runs to `limit`, with a cursor where it goes on.
pub(crate) fn page(mut runs: Vec<RunSummary>, limit: usize) -> Page {
    let more = runs.len() > limit;
    runs.truncate(limit);
    let last = runs.last().filter(|_| more);
    let next = last.map(|last| Place { created_at: nanos(last.created_at), run: last.run }.cursor());
    Page { runs, next }
}

/// A lower bound as SQL takes it. Databases disagree on what is less than no number; here nothing is.
pub(crate) fn at_least(bound: Option<f64>) -> Option<f64> {
    bound.map(|bound| if bound.is_nan() { f64::INFINITY } else { bound })
}

/// An upper bound as SQL takes it, likewise.
pub(crate) fn at_most(bound: Option<f64>) -> Option<f64> {
    bound.map(|bound| if bound.is_nan() { f64::NEG_INFINITY } else { bound })
}

/// A number of rows as SQL takes it.
pub(crate) fn whole(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_leads_back_to_its_place() {
        for created_at in [i64::MIN, -1, 0, 1_763_000_000_000_000_000] {
            let place = Place { created_at, run: RunId::fresh() };
            assert_eq!(Place::of(Some(&place.cursor())).expect("a place"), place);
        }
    }

    #[test]
    fn what_is_not_a_cursor_is_refused() {
        for wrong in ["", "x", "ä".repeat(24).as_str(), "0000000000000000", "zz00000000000000run_1"] {
            let refused = Place::of(Some(&Cursor(wrong.into()))).expect_err("refused");
            assert_eq!(refused.to_string(), format!("`{wrong}` is not a cursor"));
        }
    }
}
