//! Traces as listings show them, and what is found out about one to be shown.

use domain::event::Recorded;
use domain::id::{RunId, TraceId};
use domain::library::Rating;
use domain::store::{Cursor, StoreError};
use domain::trace::{
    CallEnd, MOST_STEPS, Part, Piece, Source, Standing, Step, Trace, TraceFilter, TraceSummary, assemble, of_run,
};

use crate::decode::{Columns, damaged, word};
use crate::instant::{moment, nanos};
use crate::piece::PartRow;

/// The columns of [`trace_row`].
macro_rules! trace_columns {
    () => {
        "trace.ordinal, trace.mark, trace.stale, trace.id, trace.source, trace.agent, trace.problem, trace.started_at, \
         trace.ended_at, trace.success, trace.calls, trace.failures, trace.standing"
    };
}
/// The condition that [`TraceValues`] are bound to, in this order, from `$1` to `$7`. `$agent` and `$source` narrow in a
/// way an index can serve.
macro_rules! trace_condition {
    ($agent:literal, $source:literal) => {
        concat!(
            $agent,
            " AND ($2 IS NULL OR trace.problem = $2) AND ",
            $source,
            " AND ($4 IS NULL OR trace.success = $4)
              AND ($5 IS NULL OR (trace.ended_at IS NOT NULL) = $5)
              AND trace.started_at >= $6
              AND trace.started_at < $7",
        )
    };
}
pub(crate) use {trace_columns, trace_condition};

/// What a filter binds.
#[derive(Debug, Clone)]
pub(crate) struct TraceValues {
    pub(crate) agent: Option<String>,
    pub(crate) problem: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) success: Option<bool>,
    pub(crate) ended: Option<bool>,
    pub(crate) since: i64,
    pub(crate) until: i64,
}

impl TraceValues {
    /// The values of a filter.
    pub(crate) fn of(filter: &TraceFilter) -> Self {
        Self {
            agent: filter.agent.as_ref().map(ToString::to_string),
            problem: filter.problem.as_ref().map(ToString::to_string),
            source: filter.source.as_ref().map(ToString::to_string),
            success: filter.success,
            ended: filter.ended,
            since: filter.since.map_or(i64::MIN, nanos),
            until: filter.until.map_or(i64::MAX, nanos),
        }
    }
}

/// A place in a listing that goes from the trace that began last to the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TracePlace {
    pub(crate) started_at: i64,
    pub(crate) ordinal: i64,
}

impl TracePlace {
    /// Where a cursor points; without one, before every trace.
    pub(crate) fn of(cursor: Option<&Cursor>) -> Result<Self, StoreError> {
        match cursor {
            None => Ok(Self { started_at: i64::MAX, ordinal: i64::MAX }),
            Some(cursor) => Self::read(&cursor.0)
                .filter(|place| place.cursor() == *cursor)
                .ok_or_else(|| StoreError::BadCursor { cursor: cursor.0.clone() }),
        }
    }

    fn cursor(&self) -> Cursor {
        Cursor(format!("{:016x}trace_{:016x}", self.started_at, self.ordinal))
    }

    fn read(text: &str) -> Option<Self> {
        let (started_at, ordinal) = text.split_once("trace_")?;
        let number = |hex| u64::from_str_radix(hex, 16).map(|number| number as i64).ok();
        Some(Self { started_at: number(started_at)?, ordinal: number(ordinal)? })
    }
}

/// A trace as its row shows it.
#[derive(Debug)]
pub(crate) struct TraceRow {
    pub(crate) ordinal: i64,
    pub(crate) mark: i64,
    /// Whether it is to be written anew before it is shown.
    pub(crate) stale: bool,
    pub(crate) summary: TraceSummary,
}

/// A row, from [`trace_columns`].
pub(crate) fn trace_row(mut row: impl Columns) -> Result<TraceRow, StoreError> {
    Ok(TraceRow {
        ordinal: row.integer()?,
        mark: row.integer()?,
        stale: row.truth()?,
        summary: TraceSummary {
            id: row.text()?.try_into().map_err(damaged)?,
            source: row.text()?.into(),
            agent: row.text()?.into(),
            problem: row.text()?.into(),
            started_at: moment(row.integer()?)?,
            ended_at: row.maybe_integer()?.map(moment).transpose()?,
            success: row.maybe_truth()?,
            calls: row.integer()? as u64,
            failures: row.integer()? as u64,
            standing: word(row.text()?, Standing::from_word)?,
        },
    })
}

/// Cuts a listing of up to `limit` and one more traces to `limit`, with a cursor where it goes on.
pub(crate) fn trace_page(mut rows: Vec<TraceRow>, limit: usize) -> (Vec<TraceSummary>, Option<Cursor>) {
    let more = rows.len() > limit;
    rows.truncate(limit);
    let place = |row: &TraceRow| TracePlace { started_at: nanos(row.summary.started_at), ordinal: row.ordinal };
    let next = rows.last().filter(|_| more).map(|last| place(last).cursor());
    (rows.into_iter().map(|row| row.summary).collect(), next)
}

/// Traces that have changed, as far as their rows can be shown.
#[derive(Debug)]
pub(crate) struct Changes {
    pub(crate) summaries: Vec<TraceSummary>,
    /// The mark of the last of them.
    pub(crate) mark: Option<i64>,
    /// Up to where there are rows that are to be written anew first.
    pub(crate) stale_up_to: Option<i64>,
}

impl Changes {
    /// The changes that rows show, in the order of their marks.
    pub(crate) fn of(mut rows: Vec<TraceRow>) -> Self {
        let stale_up_to = rows.iter().rfind(|row| row.stale).map(|row| row.mark);
        let fresh = rows.iter().take_while(|row| !row.stale).count();
        rows.truncate(fresh);
        let mark = rows.last().map(|row| row.mark);
        Self { summaries: rows.into_iter().map(|row| row.summary).collect(), mark, stale_up_to }
    }

    /// Is content with the first ones, where there are any.
    pub(crate) fn or_first(self) -> Self {
        let stale_up_to = self.stale_up_to.filter(|_| self.summaries.is_empty());
        Self { stale_up_to, ..self }
    }
}

/// The pieces of a trace that are read to put it together, bound to its ordinal and [`HALF`]: those that speak of the
/// whole, and the first and the last steps.
macro_rules! read_parts {
    ($trace:literal, $half:literal) => {
        concat!(
            "SELECT key, at, kind, body
             FROM trace_part
             WHERE trace = ",
            $trace,
            " AND (
                 kind = 'told'
                 OR ordinal IN (
                     SELECT ordinal FROM trace_part WHERE trace = ",
            $trace,
            " AND kind <> 'told' ORDER BY at, key LIMIT ",
            $half,
            ")
                 OR ordinal IN (
                     SELECT ordinal FROM trace_part WHERE trace = ",
            $trace,
            " AND kind <> 'told' ORDER BY at DESC, key DESC LIMIT ",
            $half,
            ")
             )",
        )
    };
}
pub(crate) use read_parts;

/// How many of the first and how many of the last steps are read.
pub(crate) const HALF: i64 = MOST_STEPS as i64 / 2;

/// Puts a trace together from the pieces that were read, of so many steps.
pub(crate) fn put_together(id: &TraceId, source: &Source, parts: Vec<Part>, steps: i64) -> Option<Trace> {
    let trace = assemble(id, source, parts)?;
    let left_out = (steps as u64).saturating_sub(trace.steps.len() as u64);
    Some(Trace { left_out, ..trace })
}

/// What a row that is written anew is to say.
#[derive(Debug)]
pub(crate) enum Anew {
    Outline(Outline),
    /// There is no trace.
    Nothing,
    /// What it is a view of cannot be read: it stays as it is, so that others can still be listed.
    AsItIs,
}

impl Anew {
    /// What was found out; damage concerns one trace only.
    pub(crate) fn of(found: Result<Option<Outline>, StoreError>) -> Result<Self, StoreError> {
        match found {
            Ok(Some(outline)) => Ok(Self::Outline(outline)),
            Ok(None) => Ok(Self::Nothing),
            Err(StoreError::Damaged { .. }) => Ok(Self::AsItIs),
            Err(other) => Err(other),
        }
    }
}

/// What is found out about a trace by reading all that is known of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outline {
    pub(crate) agent: String,
    pub(crate) problem: String,
    pub(crate) started_at: i64,
    pub(crate) ended_at: Option<i64>,
    pub(crate) success: Option<bool>,
    pub(crate) calls: i64,
    pub(crate) failures: i64,
}

impl Outline {
    fn of(trace: &Trace) -> Self {
        let ends = || {
            trace.steps.iter().filter_map(|step| match step {
                Step::Call { ended, .. } => Some(*ended),
                Step::Said { .. } | Step::Thought { .. } | Step::Model { .. } => None,
            })
        };
        Self {
            agent: trace.agent.to_string(),
            problem: trace.problem.to_string(),
            started_at: nanos(trace.started_at),
            ended_at: trace.ended_at.map(nanos),
            success: trace.outcome.as_ref().map(|outcome| outcome.success),
            calls: ends().count() as i64,
            failures: ends().filter(|ended| matches!(ended, CallEnd::Failed(_))).count() as i64,
        }
    }

    /// The outline of a run of ours; none where it has no trace.
    pub(crate) fn of_run(run: RunId, ledger: &[Recorded], rating: Option<&Rating>) -> Option<Self> {
        of_run(run, ledger, rating).as_ref().map(Self::of)
    }

    /// The outline of another's trace, from the pieces that say something about the whole, and when it began. Calls are
    /// counted elsewhere.
    pub(crate) fn of_told(
        id: &TraceId,
        source: &Source,
        started_at: i64,
        told: Vec<PartRow>,
    ) -> Result<Option<Self>, StoreError> {
        // Something that says nothing, at the time of the first piece: that piece may be a step, which is not read here.
        let first = Piece::About {
            depth: u32::MAX,
            agent: None,
            problem: None,
            task: None,
            system: None,
            user: None,
            context: None,
            lessons: Vec::new(),
            trials: Vec::new(),
        };
        let first = Part { trace: id.clone(), key: String::new(), at: moment(started_at)?, piece: first };
        let told = told.into_iter().map(|row| row.part(id));
        let parts = told.chain([Ok(first)]).collect::<Result<Vec<_>, _>>()?;
        Ok(assemble(id, source, parts).as_ref().map(Self::of))
    }
}
