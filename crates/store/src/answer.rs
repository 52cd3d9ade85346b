//! What a stage answered, as a row; which of these rows a filter means, and the cursors of their listing.

use domain::stage::{Stage, StageAnswer, StageFilter, StageRecord};
use domain::store::{Cursor, StoreError};

use crate::batch::json;
use crate::filter::{at_least, at_most};
use crate::instant::nanos;
use crate::words::storable;

/// The condition that [`Sought`] is bound to, in this order, from `$1` to `$8`; `$request` narrows to a request in a way
/// an index can serve.
macro_rules! answer_condition {
    ($request:literal) => {
        concat!(
            "stage = $1 AND ",
            $request,
            " AND at >= $3 AND at <= $4 ",
            "AND ($5 IS NULL OR quality >= $5) ",
            "AND ($6 IS NULL OR quality <= $6) ",
            "AND ($7 IS NULL OR should_replan = $7) ",
            "AND ($8 IS NULL OR should_deepen = $8)",
        )
    };
}
pub(crate) use answer_condition;

/// An answer before it is numbered.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) request: String,
    pub(crate) stage: &'static str,
    pub(crate) at: i64,
    pub(crate) quality: Option<f64>,
    pub(crate) should_replan: bool,
    pub(crate) should_deepen: bool,
    pub(crate) answer: String,
}

impl Answer {
    /// What a stage answered to a request.
    pub(crate) fn new(request: &str, stage: Stage, at: i64, answer: &StageAnswer) -> Self {
        Self {
            request: storable(request),
            stage: stage.name(),
            at,
            quality: answer.quality().map(f64::from),
            should_replan: answer.should_replan(),
            should_deepen: answer.should_deepen(),
            answer: json(answer),
        }
    }
}

/// What a filter binds.
#[derive(Debug, Clone)]
pub(crate) struct Sought {
    pub(crate) stage: &'static str,
    pub(crate) request: Option<String>,
    pub(crate) since: i64,
    pub(crate) until: i64,
    pub(crate) min_quality: Option<f64>,
    pub(crate) max_quality: Option<f64>,
    pub(crate) should_replan: Option<bool>,
    pub(crate) should_deepen: Option<bool>,
}

impl Sought {
    /// The values of a filter.
    pub(crate) fn of(stage: Stage, filter: &StageFilter) -> Self {
        Self {
            stage: stage.name(),
            request: filter.request.as_deref().map(storable),
            since: filter.since.map_or(i64::MIN, nanos),
            until: filter.until.map_or(i64::MAX, nanos),
            min_quality: at_least(filter.min_quality),
            max_quality: at_most(filter.max_quality),
            should_replan: filter.should_replan,
            should_deepen: filter.should_deepen,
        }
    }
}

/// A place in a listing that goes from the newest answer to the oldest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AnswerPlace {
    pub(crate) at: i64,
    pub(crate) ordinal: i64,
}

impl AnswerPlace {
    /// Where a cursor points; without one, before every answer.
    pub(crate) fn of(cursor: Option<&Cursor>) -> Result<Self, StoreError> {
        match cursor {
            None => Ok(Self { at: i64::MAX, ordinal: i64::MAX }),
            Some(cursor) => Self::read(&cursor.0)
                .filter(|place| place.cursor() == *cursor)
                .ok_or_else(|| StoreError::BadCursor { cursor: cursor.0.clone() }),
        }
    }

    fn cursor(&self) -> Cursor {
        Cursor(format!("{:016x}{:016x}", self.at, self.ordinal))
    }

    fn read(text: &str) -> Option<Self> {
        let (at, ordinal) = text.split_at_checked(16)?;
        let number = |hex| u64::from_str_radix(hex, 16).map(|number| number as i64).ok();
        Some(Self { at: number(at)?, ordinal: number(ordinal)? })
    }
}

/// Cuts a listing of up to `limit` and one more answers to `limit`, with a cursor where it goes on.
pub(crate) fn answers(mut rows: Vec<(i64, StageRecord)>, limit: usize) -> (Vec<StageRecord>, Option<Cursor>) {
    let more = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| more);
    let next = last.map(|(ordinal, last)| AnswerPlace { at: nanos(last.at), ordinal: *ordinal }.cursor());
    (rows.into_iter().map(|(_, record)| record).collect(), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_leads_back_to_its_place() {
        for (at, ordinal) in [(i64::MIN, 1), (-1, 2), (0, i64::MAX), (1_763_000_000_000_000_000, 4)] {
            let place = AnswerPlace { at, ordinal };
            assert_eq!(AnswerPlace::of(Some(&place.cursor())).expect("a place"), place);
        }
    }

    #[test]
    fn what_is_not_a_cursor_is_refused() {
        let signed = format!("+{:015x}{:016x}", 1, 1);
        for wrong in ["", "x", "0000000000000000", "ä".repeat(16).as_str(), signed.as_str(), "A".repeat(32).as_str()] {
            let refused = AnswerPlace::of(Some(&Cursor(wrong.into()))).expect_err("refused");
            assert_eq!(refused.to_string(), format!("`{wrong}` is not a cursor"));
        }
    }
}
