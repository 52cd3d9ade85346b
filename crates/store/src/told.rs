//! Requests as callers of stages know them: runs, and what was told about others; who worked on them, and the cursors of
//! their listing.

use std::collections::HashSet;

use domain::id::RunId;
use domain::stage::RequestRow;
use domain::store::{Cursor, StoreError};

use crate::batch::json;
use crate::decode::value;
use crate::instant::nanos;
use crate::words::storable;

/// What a caller of single stages says about a request, as a row.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) id: String,
    /// The run of that name, if there is one.
    pub(crate) run: Option<RunId>,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    pub(crate) status: &'static str,
    pub(crate) chain: Vec<String>,
    pub(crate) query: Option<String>,
}

impl Told {
    /// What is said about the request of that name.
    pub(crate) fn new(request: &str, said: &RequestRow) -> Self {
        Self {
            id: storable(request),
            run: run_named(request),
            created_at: nanos(said.created_at),
            updated_at: nanos(said.updated_at),
            status: said.status.word(),
            chain: said.chain.iter().map(|name| storable(name)).collect(),
            query: said.query.as_deref().map(storable),
        }
    }
}

/// The run that a request's name is the name of. Other spellings of a run's id are names that callers chose.
pub(crate) fn run_named(request: &str) -> Option<RunId> {
    request.parse().ok().filter(|run: &RunId| run.to_string() == request)
}

/// A chain with names added that are not in it yet, each once; nothing if all are.
pub(crate) fn linked(chain: Option<&str>, names: &[String]) -> Result<Option<String>, StoreError> {
    if names.is_empty() {
        return Ok(None);
    }
    // As it is with the first to work on a run.
    if let (None, [name]) = (chain, names) {
        return Ok(Some(json(&[name])));
    }
    let mut chain: Vec<String> = chain.map(value).transpose()?.unwrap_or_default();
    let mut there: HashSet<&str> = chain.iter().map(String::as_str).collect();
    let new: Vec<String> = names.iter().filter(|name| there.insert(name)).cloned().collect();
    let longer = !new.is_empty();
    chain.extend(new);
    Ok(longer.then(|| json(&chain)))
}

/// A place in a listing that goes from the newest request to the oldest; of those of one moment, runs come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RequestPlace {
    created_at: i64,
    which: Which,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Which {
    Told(i64),
    Run(RunId),
}

impl RequestPlace {
    /// Where a cursor points; without one, before every request.
    pub(crate) fn of(cursor: Option<&Cursor>) -> Result<Self, StoreError> {
        match cursor {
            None => Ok(Self { created_at: i64::MAX, which: Which::Run(RunId::from_bytes([0xff; 16])) }),
            Some(cursor) => Self::read(&cursor.0)
                .filter(|place| place.cursor() == *cursor)
                .ok_or_else(|| StoreError::BadCursor { cursor: cursor.0.clone() }),
        }
    }

    /// Runs after this place are less than these.
    pub(crate) fn before_runs(&self) -> (i64, Vec<u8>) {
        match self.which {
            Which::Run(run) => (self.created_at, run.bytes().to_vec()),
            // No run is less than nothing: only those of earlier moments come after.
            Which::Told(_) => (self.created_at, Vec::new()),
        }
    }

    /// Requests that were told about after this place are less than these.
    pub(crate) fn before_told(&self) -> (i64, i64) {
        match self.which {
            Which::Run(_) => (self.created_at, i64::MAX),
            Which::Told(ordinal) => (self.created_at, ordinal),
        }
    }

    fn cursor(&self) -> Cursor {
        Cursor(match self.which {
            Which::Run(run) => format!("{:016x}{run}", self.created_at),
            Which::Told(ordinal) => format!("{:016x}told_{ordinal:016x}", self.created_at),
        })
    }

    fn read(text: &str) -> Option<Self> {
        let (created_at, which) = text.split_at_checked(16)?;
        let number = |hex| u64::from_str_radix(hex, 16).map(|number| number as i64).ok();
        let which = match which.strip_prefix("told_") {
            Some(ordinal) => Which::Told(number(ordinal)?),
            None => Which::Run(which.parse().ok()?),
        };
        Some(Self { created_at: number(created_at)?, which })
    }
}

/// Makes one listing of up to `limit` and one more of each kind, with a cursor where it goes on.
pub(crate) fn requests(
    runs: Vec<(RunId, RequestRow)>,
    told: Vec<(i64, RequestRow)>,
    limit: usize,
) -> (Vec<RequestRow>, Option<Cursor>) {
    let place = |row: &RequestRow, which| RequestPlace { created_at: nanos(row.created_at), which };
    let runs = runs.into_iter().map(|(run, row)| (place(&row, Which::Run(run)), row));
    let told = told.into_iter().map(|(ordinal, row)| (place(&row, Which::Told(ordinal)), row));
    let mut all: Vec<(RequestPlace, RequestRow)> = runs.chain(told).collect();
    all.sort_by(|(one, _), (other, _)| other.cmp(one));
    let more = all.len() > limit;
    all.truncate(limit);
    let next = all.last().filter(|_| more).map(|(place, _)| place.cursor());
    (all.into_iter().map(|(_, row)| row).collect(), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_leads_back_to_its_place() {
        for which in [Which::Run(RunId::fresh()), Which::Told(1), Which::Told(i64::MAX)] {
            for created_at in [i64::MIN, -1, 0, 1_763_000_000_000_000_000] {
                let place = RequestPlace { created_at, which };
                assert_eq!(RequestPlace::of(Some(&place.cursor())).expect("a place"), place);
            }
        }
    }

    #[test]
    fn what_is_not_a_cursor_is_refused() {
        let bare = format!("{:016x}{}", 1, "0".repeat(32));
        for wrong in ["", "x", "0000000000000000", "0000000000000001told_1", bare.as_str()] {
            let refused = RequestPlace::of(Some(&Cursor(wrong.into()))).expect_err("refused");
            assert_eq!(refused.to_string(), format!("`{wrong}` is not a cursor"));
        }
    }

    #[test]
    fn a_chain_has_every_name_once_in_the_order_of_first_appearance() {
        let names = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let first = linked(None, &names("router planner router")).expect("linked").expect("longer");
        assert_eq!(first, r#"["router","planner"]"#);
        let second = linked(Some(&first), &names("critic planner critic")).expect("linked");
        assert_eq!(second.as_deref(), Some(r#"["router","planner","critic"]"#));
        assert_eq!(linked(second.as_deref(), &names("planner critic")).expect("linked"), None);
        assert_eq!(linked(None, &[]).expect("linked"), None);
    }

    #[test]
    fn only_the_very_id_of_a_run_is_its_name() {
        let run = RunId::fresh();
        let name = run.to_string();
        assert_eq!(run_named(&name), Some(run));
        for other in [name.trim_start_matches("run_"), name.to_uppercase().as_str(), "my request", ""] {
            assert_eq!(run_named(other), None, "{other}");
        }
    }
}
