//! Takes in what is new: traces that ended, grew, were judged otherwise, or may not be learnt from any more.

use std::collections::BTreeMap;

use domain::guideline::{Observation, Revision};
use domain::id::TraceId;
use domain::store::{Store, StoreError};
use domain::trace::{Sketch, Standing, TraceSummary};
use learn::Miner;

/// How many traces are taken in before what was counted is written down.
const AT_ONCE: usize = 1_000;

/// What was taken in.
pub(super) struct Taken {
    pub(super) miner: Miner,
    /// How many traces were new or had changed, by what became of them.
    pub(super) seen: BTreeMap<String, u64>,
}

/// Takes in everything that is new since the last time. None if somebody else changed what was learnt meanwhile.
///
/// Every thousand traces what was counted is written down with how far it has come: after a crash they are not counted
/// twice, and nothing is lost.
pub(super) async fn take_in(store: &dyn Store) -> Result<Option<Taken>, StoreError> {
    let learned = store.learned().await?;
    let (mut revision, mut mark) = (learned.revision, learned.mark);
    let mut miner = counted(store, learned.state.as_deref()).await?;
    let mut seen = BTreeMap::new();
    loop {
        let (changed, next) = store.changed_traces(mark, AT_ONCE).await?;
        if changed.is_empty() {
            return Ok(Some(Taken { miner, seen }));
        }
        let mut change = Revision::default();
        let ids: Vec<TraceId> = changed.iter().map(|summary| summary.id.clone()).collect();
        let before = store.taken(&ids).await?;
        let before: BTreeMap<&TraceId, &Sketch> = before.iter().map(|sketch| (&sketch.trace, sketch)).collect();
        for summary in &changed {
            let old = before.get(&summary.id).copied();
            let new = look(store, summary).await?;
            *seen.entry(became(summary, old, new.as_ref()).to_owned()).or_default() += 1;
            if old == new.as_ref() {
                continue;
            }
            if let Some(old) = old {
                miner.retract(&old.trace);
            }
            if let Some(new) = &new {
                miner.add(new);
                change.observations.extend(observations(new));
            }
            change.evidence.push((summary.id.clone(), new));
        }
        change.state = Some((next, miner.to_bytes()));
        if !store.revise(revision, change).await? {
            return Ok(None);
        }
        revision += 1;
        mark = next;
    }
}

/// What was counted, as it was written down; what an older program wrote is counted anew.
pub(super) async fn counted(store: &dyn Store, state: Option<&[u8]>) -> Result<Miner, StoreError> {
    match state.map(Miner::from_bytes) {
        Some(Ok(miner)) => Ok(miner),
        Some(Err(_)) => recount(store).await,
        None => Ok(Miner::default()),
    }
}

/// What may be learnt from a trace now; nothing while it goes on, and where its source may not teach us anything.
async fn look(store: &dyn Store, summary: &TraceSummary) -> Result<Option<Sketch>, StoreError> {
    if summary.standing != Standing::Evidence || summary.ended_at.is_none() {
        return Ok(None);
    }
    Ok(store.trace(&summary.id).await?.map(|trace| learn::sketch(&trace)))
}

fn became(summary: &TraceSummary, old: Option<&Sketch>, new: Option<&Sketch>) -> &'static str {
    match (old, new) {
        (Some(_), None) => "withdrawn",
        (None, None) if summary.standing == Standing::Watched => "only watched",
        (None, None) => "under way",
        (Some(old), Some(new)) if old == new => "as before",
        (Some(_), Some(_)) => "changed",
        (None, Some(new)) if new.success.is_none() => "without an outcome",
        (None, Some(_)) => "new",
    }
}

fn observations(sketch: &Sketch) -> impl Iterator<Item = Observation> {
    sketch.trials.iter().filter_map(|trial| {
        Some(Observation {
            experiment: trial.experiment.clone(),
            trace: sketch.trace.clone(),
            arm: trial.arm,
            success: sketch.success?,
        })
    })
}

/// Everything that was learnt from, counted from the beginning.
async fn recount(store: &dyn Store) -> Result<Miner, StoreError> {
    let mut miner = Miner::default();
    let mut after: Option<TraceId> = None;
    loop {
        let page = store.evidence(after.as_ref(), AT_ONCE).await?;
        let Some(last) = page.last() else { return Ok(miner) };
        after = Some(last.trace.clone());
        page.iter().for_each(|sketch| miner.add(sketch));
    }
}
