//! Looks whether an agent succeeds less often than it did.

use std::collections::BTreeMap;

use domain::guideline::Alert;
use domain::id::TraceId;
use domain::store::{Store, StoreError};
use domain::symbol::Symbol;
use domain::trace::{Standing, TraceFilter};
use learn::alert::{AlertPolicy, Series, watch};

/// How many of the newest traces are looked at.
const NEWEST: usize = 5_000;
/// How many are read at once.
const PAGE: usize = 500;

/// What got worse, among the newest traces.
pub(super) async fn look(store: &dyn Store) -> Result<Vec<Alert>, StoreError> {
    let filter = TraceFilter { ended: Some(true), ..TraceFilter::default() };
    let mut outcomes: BTreeMap<(Symbol, Symbol), Vec<(TraceId, bool)>> = BTreeMap::new();
    let (mut cursor, mut read) = (None, 0);
    while read < NEWEST {
        let (page, next) = store.traces(&filter, cursor.as_ref(), PAGE).await?;
        read += page.len();
        for trace in page.into_iter().filter(|trace| trace.standing == Standing::Evidence) {
            if let Some(success) = trace.success {
                outcomes.entry((trace.agent, trace.problem)).or_default().push((trace.id, success));
            }
        }
        match next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    // They came newest first.
    outcomes.values_mut().for_each(|outcomes| outcomes.reverse());
    let series = outcomes.iter().map(|((agent, problem), outcomes)| Series {
        agent: agent.clone(),
        problem: Some(problem.clone()),
        outcomes,
    });
    Ok(watch(&series.collect::<Vec<_>>(), &AlertPolicy::default()))
}
