//! What people are asked to decide, as rows: which questions a filter means, the cursors of their listing, and how they
//! are read.

use domain::approval::{Approval, ApprovalId, ApprovalStatus, Decided, Risk};
use domain::event::{Need, Wait};
use domain::id::RunId;
use domain::store::{Cursor, StoreError};

use crate::decode::{Columns, damaged, run_id, value, word};
use crate::instant::{moment, nanos};

/// Where a question stands at the moment `$1`. A run that ended withdraws its questions, however long ago they expired.
macro_rules! standing {
    () => {
        "CASE
             WHEN promise.answer = 'null' AND promise.answerer = 'expiry' THEN 'expired'
             WHEN promise.answer IS NOT NULL THEN 'decided'
             WHEN promise.withdrawn THEN 'withdrawn'
             WHEN promise.timer <= $1 THEN 'expired'
             ELSE 'pending'
         END"
    };
}
/// The columns of [`approval`], but for the first, which is [`standing`].
macro_rules! approval_columns {
    () => {
        "run.id, promise.wait, promise.since, promise.answer, promise.answerer, \
         coalesce(promise.answered_at, promise.since)"
    };
}
pub(crate) use {approval_columns, standing};

/// What makes a promise a question about a proposal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    pub(crate) id: ApprovalId,
    pub(crate) rank: i64,
}

impl Question {
    /// The question that a wait of a run is, if it is one.
    pub(crate) fn of(run: RunId, wait: &Wait) -> Option<Self> {
        match &wait.need {
            Need::Approval { proposal: Some(proposal), .. } => {
                Some(Self { id: ApprovalId::of(run, &wait.name), rank: rank(proposal.risk) })
            }
            Need::Approval { proposal: None, .. } | Need::Answer { .. } | Need::Budget { .. } | Need::Time { .. } => {
                None
            }
        }
    }
}

/// The gravest first.
fn rank(risk: Risk) -> i64 {
    match risk {
        Risk::High => 0,
        Risk::Medium => 1,
        Risk::Low => 2,
    }
}

/// A place in a listing that goes from the gravest question to the slightest, and from the oldest to the newest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ApprovalPlace {
    pub(crate) rank: i64,
    pub(crate) since: i64,
    pub(crate) id: Vec<u8>,
}

impl ApprovalPlace {
    /// Where a cursor points; without one, before every question.
    pub(crate) fn of(cursor: Option<&Cursor>) -> Result<Self, StoreError> {
        match cursor {
            None => Ok(Self { rank: -1, since: i64::MIN, id: Vec::new() }),
            Some(cursor) => Self::read(&cursor.0)
                .filter(|place| place.cursor().as_ref() == Some(cursor))
                .ok_or_else(|| StoreError::BadCursor { cursor: cursor.0.clone() }),
        }
    }

    fn cursor(&self) -> Option<Cursor> {
        let id = u128::from_be_bytes(self.id.as_slice().try_into().ok()?);
        Some(Cursor(format!("{:x}{:016x}apr_{id:032x}", self.rank, self.since)))
    }

    fn read(text: &str) -> Option<Self> {
        let (rank, rest) = text.split_at_checked(1)?;
        let (since, id) = rest.split_at_checked(16)?;
        let id: ApprovalId = id.parse().ok()?;
        let since = u64::from_str_radix(since, 16).ok()? as i64;
        Some(Self { rank: rank.parse().ok()?, since, id: id.bytes().to_vec() })
    }
}

/// Cuts a listing of up to `limit` and one more questions to `limit`, with a cursor where it goes on.
pub(crate) fn approvals(mut rows: Vec<Approval>, limit: usize) -> (Vec<Approval>, Option<Cursor>) {
    let more = rows.len() > limit;
    rows.truncate(limit);
    let place = |last: &Approval| ApprovalPlace {
        rank: rank(last.proposal.risk),
        since: nanos(last.asked_at),
        id: last.id.bytes().to_vec(),
    };
    let next = rows.last().filter(|_| more).and_then(|last| place(last).cursor());
    (rows, next)
}

/// A question, from its [`standing`] and [`approval_columns`].
pub(crate) fn approval(mut row: impl Columns) -> Result<Approval, StoreError> {
    let status = word(row.text()?, ApprovalStatus::from_word)?;
    let run = run_id(row.bytes()?)?;
    let wait: Wait = value(&row.text()?)?;
    let asked_at = moment(row.integer()?)?;
    let answer = row.maybe_text()?.filter(|_| status == ApprovalStatus::Decided);
    let (by, at) = (row.maybe_text()?, moment(row.integer()?)?);
    let decided = answer.map(|answer| value(&answer)).transpose()?.map(|answer| Decided { answer, by, at });
    let id = ApprovalId::of(run, &wait.name);
    match wait.need {
        Need::Approval { question, hash, proposal: Some(proposal) } => Ok(Approval {
            id,
            run,
            name: wait.name,
            question,
            hash,
            proposal: *proposal,
            asked_at,
            expires_at: wait.until,
            status,
            decided,
        }),
        _ => Err(damaged(format!("{id} asks for nothing"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_leads_back_to_its_place() {
        let id = ApprovalId::of(RunId::fresh(), "plan/1/approval").bytes().to_vec();
        for (rank, since) in [(0, i64::MIN), (1, 0), (2, 1_763_000_000_000_000_000)] {
            let place = ApprovalPlace { rank, since, id: id.clone() };
            assert_eq!(ApprovalPlace::of(place.cursor().as_ref()).expect("a place"), place);
        }
    }

    #[test]
    fn what_is_not_a_cursor_is_refused() {
        let bare = format!("0{:016x}{:032x}", 1, 1);
        for wrong in ["", "0", "é", "00000000000000001apr_1", bare.as_str()] {
            let refused = ApprovalPlace::of(Some(&Cursor(wrong.into()))).expect_err("refused");
            assert_eq!(refused.to_string(), format!("`{wrong}` is not a cursor"));
        }
    }
}
