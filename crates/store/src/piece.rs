//! Pieces of others' traces as the rows they become, and what they change in the row of their trace.

use std::collections::{BTreeMap, HashMap};

use domain::hash::Hash;
use domain::id::TraceId;
use domain::store::StoreError;
use domain::trace::{CallEnd, Part, Piece, Received, Source, Step};

use crate::batch::json;
use crate::decode::{Columns, value};
use crate::instant::{earlier, moment, nanos};
use crate::words::storable;

/// Traces with no more pieces than this that speak of the whole are outlined while they are written.
pub(crate) const FEW_TOLD: usize = 256;
/// Longer keys are hashed, because an index entry has a limit.
const LONGEST_KEY: usize = 256;

/// A piece as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PartRow {
    pub(crate) key: String,
    pub(crate) at: i64,
    pub(crate) kind: String,
    pub(crate) body: String,
}

impl PartRow {
    fn of(part: Part) -> Self {
        let key = match part.key.len() > LONGEST_KEY {
            true => Hash::of(part.key.as_bytes()).digits(32),
            false => storable(&part.key),
        };
        let kind = match &part.piece {
            Piece::About { .. } | Piece::End { .. } | Piece::Label { .. } => "told",
            Piece::Did { step: Step::Call { ended: CallEnd::Failed(_), .. } } => "failure",
            Piece::Did { step: Step::Call { .. } } => "call",
            Piece::Did { step: Step::Said { .. } | Step::Thought { .. } | Step::Model { .. } } => "step",
        };
        Self { key, at: nanos(part.at), kind: kind.to_owned(), body: json(&part.piece) }
    }

    /// A row, from key, time, kind and body.
    pub(crate) fn read(mut row: impl Columns) -> Result<Self, StoreError> {
        Ok(Self { key: row.text()?, at: row.integer()?, kind: row.text()?, body: row.text()? })
    }

    /// The piece that it was.
    pub(crate) fn part(self, trace: &TraceId) -> Result<Part, StoreError> {
        Ok(Part { trace: trace.clone(), key: self.key, at: moment(self.at)?, piece: value(&self.body)? })
    }

    fn is_told(&self) -> bool {
        self.kind == "told"
    }

    fn calls(&self) -> i64 {
        matches!(self.kind.as_str(), "call" | "failure").into()
    }

    fn failures(&self) -> i64 {
        (self.kind == "failure").into()
    }
}

/// What arrived, by trace: in one order, so that two who write the same ones never wait for each other.
pub(crate) type Arrived = BTreeMap<TraceId, Vec<PartRow>>;

/// Sorts what arrives by trace. What nobody may send is counted and left out: pieces of our own runs.
pub(crate) fn arrived(source: &Source, parts: Vec<Part>) -> (Arrived, Received) {
    let (mut arrived, mut received) = (Arrived::new(), Received::default());
    for part in parts {
        if source.is_own() || part.trace.as_str().starts_with("run_") {
            received.refused += 1;
        } else {
            arrived.entry(part.trace.clone()).or_default().push(PartRow::of(part));
        }
    }
    (arrived, received)
}

/// A trace's row before pieces are taken in.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) ordinal: i64,
    pub(crate) source: String,
    pub(crate) started_at: i64,
    pub(crate) calls: i64,
    pub(crate) failures: i64,
    pub(crate) stale: bool,
}

/// A row, from ordinal, source, start, calls, failures and whether it is stale.
pub(crate) fn known(mut row: impl Columns) -> Result<Known, StoreError> {
    Ok(Known {
        ordinal: row.integer()?,
        source: row.text()?,
        started_at: row.integer()?,
        calls: row.integer()?,
        failures: row.integer()?,
        stale: row.truth()?,
    })
}

/// What pieces change in a trace.
#[derive(Debug)]
pub(crate) struct Growth {
    /// New and changed pieces, each key once.
    pub(crate) written: Vec<PartRow>,
    pub(crate) started_at: i64,
    pub(crate) calls: i64,
    pub(crate) failures: i64,
    /// What is to be found out about the whole.
    pub(crate) finding: Finding,
}

/// What is to be found out about a whole trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Finding {
    /// Nothing: what is known holds.
    Nothing,
    /// What the pieces say that speak of it.
    Told,
    /// Everything, later: the piece that it began with is not the first any more, or this was so before.
    Later,
}

impl Growth {
    /// What pieces make of what is there under their keys; nothing where all were known.
    pub(crate) fn new(
        known: Option<&Known>,
        there: &[PartRow],
        arrived: &[PartRow],
        received: &mut Received,
    ) -> Option<Self> {
        let (mut calls, mut failures) = known.map_or((0, 0), |known| (known.calls, known.failures));
        let mut started_at = known.map(|known| known.started_at);
        let (mut told, mut later) = (known.is_none(), known.is_some_and(|known| known.stale));
        let mut stands: HashMap<&str, &PartRow> = there.iter().map(|row| (row.key.as_str(), row)).collect();
        let mut written: BTreeMap<&str, &PartRow> = BTreeMap::new();
        for row in arrived {
            let before = stands.insert(&row.key, row);
            match before {
                Some(before) if before == row => {
                    received.known += 1;
                    continue;
                }
                Some(_) => received.changed += 1,
                None => received.added += 1,
            }
            calls += row.calls() - before.map_or(0, PartRow::calls);
            failures += row.failures() - before.map_or(0, PartRow::failures);
            told |= row.is_told() || before.is_some_and(PartRow::is_told);
            later |= before.is_some_and(|before| Some(before.at) == started_at && row.at > before.at);
            let first = earlier(started_at, Some(row.at));
            told |= first != started_at;
            started_at = first;
            written.insert(&row.key, row);
        }
        let finding = match (later, told) {
            (true, _) => Finding::Later,
            (false, true) => Finding::Told,
            (false, false) => Finding::Nothing,
        };
        let written: Vec<PartRow> = written.into_values().cloned().collect();
        let started_at = started_at.filter(|_| !written.is_empty())?;
        Some(Self { written, started_at, calls, failures, finding })
    }
}
