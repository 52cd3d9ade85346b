//! Takes a run up, as far as it goes, and lets go of it. Crashes, waits and restarts all come through here.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::budget::{Budget, OnExceed};
use domain::dispatch::{Advance, Advanced};
use domain::event::{Event, Recorded};
use domain::id::RunId;
use domain::intent::Settlement;
use domain::request::Request;
use domain::run::{Ending, FailureKind, RunStatus};
use domain::store::{Claim, StoreError};
use futures::future::BoxFuture;
use jiff::Timestamp;
use tracing::Instrument;

use crate::Runtime;
use crate::meter::Meter;
use crate::pipeline;
use crate::record::{CANCEL_KEY, Halt, Journal};
use crate::work::Work;

/// After so many claims without progress a run is advanced in a process of its own.
const APART_AFTER: u32 = 2;
/// After so many it is not advanced any more.
const QUARANTINE_AFTER: u32 = 5;
/// How long a run is left alone when no process of its own could be had.
const RETRY_APART: Duration = Duration::from_secs(5);
/// How often it is looked whether somebody wants a run to stop.
const CANCEL_POLL: Duration = Duration::from_millis(250);

/// Advances a run in a process of its own and returns when that process has ended, however it did.
pub type Isolate = Arc<dyn Fn(RunId) -> BoxFuture<'static, ()> + Send + Sync>;

/// How far a run got.
#[derive(Debug, Clone, PartialEq)]
pub enum Reached {
    /// Its end.
    End(Ending),
    /// Something it needs from outside.
    Wait,
    /// Nothing: somebody else has it.
    Nothing,
}

impl Reached {
    fn word(&self) -> &'static str {
        match self {
            Reached::End(ending) => ending.status().word(),
            Reached::Wait => RunStatus::Waiting.word(),
            Reached::Nothing => RunStatus::Running.word(),
        }
    }
}

#[async_trait]
impl Advance for Runtime {
    async fn advance(&self, run: RunId) -> Result<Advanced, StoreError> {
        let claim = self.store.claim(run, &self.worker).await?;
        if claim.barren >= APART_AFTER
            && claim.barren < QUARANTINE_AFTER
            && let Some(isolate) = &self.isolate
        {
            isolate(run).await;
            // Refused if the other process claimed the run; if none came to be, this one lets go of it for a while.
            let later = Timestamp::now().checked_add(RETRY_APART).unwrap_or(Timestamp::MAX);
            let _ = self.store.release(claim.token, Some(later)).await;
            return Ok(standing(&self.ledger(run).await?));
        }
        Ok(match self.advance_claimed(claim).await? {
            Reached::End(_) => Advanced::Ended,
            Reached::Wait => Advanced::Waits,
            Reached::Nothing => Advanced::Elsewhere,
        })
    }
}

/// Where somebody else's work left a run.
fn standing(ledger: &[Recorded]) -> Advanced {
    match ledger.last().map(|last| &last.entry.event) {
        Some(Event::Finished { .. }) => Advanced::Ended,
        Some(Event::Waiting { .. }) => Advanced::Waits,
        _ => Advanced::Elsewhere,
    }
}

impl Runtime {
    /// Takes a run that is owned already as far as it goes.
    pub async fn advance_claimed(&self, claim: Claim) -> Result<Reached, StoreError> {
        let run = claim.token.run;
        // Whatever is logged on behalf of the run says so.
        let taken_up = self.take_up(claim).instrument(tracing::error_span!("run", %run));
        match taken_up.await {
            Err(StoreError::Fenced { .. }) => Ok(Reached::Nothing),
            Ok(reached) => {
                tracing::info!(%run, status = reached.word(), "a run came to rest");
                self.watch.iter().for_each(|watch| watch.rested(run));
                Ok(reached)
            }
            Err(error) => Err(error),
        }
    }

    /// What a run may use: as its request says, or as configured.
    pub(crate) fn budget_for(&self, request: &Request) -> Budget {
        request.wishes.budget.clone().unwrap_or_else(|| self.settings.budget.clone())
    }

    async fn take_up(&self, claim: Claim) -> Result<Reached, StoreError> {
        let Claim { token, ledger, barren } = claim;
        let damaged = || StoreError::Damaged { detail: format!("{} does not begin with its request", token.run) };
        let request = request_of(&ledger).ok_or_else(damaged)?;
        if let Some(Event::Finished { ending, .. }) = ledger.last().map(|last| &last.entry.event) {
            self.store.release(token, None).await?;
            return Ok(Reached::End(ending.clone()));
        }
        let meter = Meter::new(self.budget_for(&request), &ledger);
        let last = ledger.last().map(|last| last.entry.key.clone()).unwrap_or_default();
        let journal = Journal::new(token.run, ledger);
        let work = Work::new(self, &request, &journal, &meter);
        tokio::select! {
            biased;
            error = journal.write_to(self.store.as_ref(), token, &self.watch) => Err(error),
            advanced = async {
                if token.epoch > 1 {
                    journal.record(format!("resumed/{}", token.epoch), Event::Resumed { epoch: token.epoch }).await?;
                }
                if barren >= QUARANTINE_AFTER {
                    let error = format!("advancing it ended the process {barren} times; the last thing on record is `{last}`");
                    return stop(&work, Ending::Failed { reason: FailureKind::Quarantined, error, answer: None }).await;
                }
                live(&work).await
            } => match advanced {
                Ok(Reached::Wait) => {
                    self.store.release(token, None).await?;
                    Ok(Reached::Wait)
                }
                Ok(reached) => Ok(reached),
                Err(Halt::Store(error)) => Err(error),
                Err(Halt::Waits | Halt::OverBudget(_) | Halt::Diverged(_)) => Ok(Reached::Wait),
            },
        }
    }
}

/// What a ledger's run was asked.
pub(crate) fn request_of(ledger: &[Recorded]) -> Option<Request> {
    match ledger.first().map(|first| &first.entry.event) {
        Some(Event::Received { request, .. }) => Some(request.as_ref().clone()),
        _ => None,
    }
}

/// The pipeline, until it ends, somebody stops it, or its time is up.
async fn live(work: &Work<'_>) -> Result<Reached, Halt> {
    let cancelled = async {
        if work.journal.known(CANCEL_KEY).is_none() {
            asked_to_stop(work).await;
        }
    };
    let out_of_time = async {
        match work.meter.time_left() {
            Some(left) => tokio::time::sleep(left).await,
            None => std::future::pending().await,
        }
    };
    let outcome = tokio::select! {
        biased;
        () = cancelled => {
            let reason = cancel_reason(work).await;
            return stop(work, Ending::Cancelled { reason }).await;
        }
        () = out_of_time => Err(Halt::OverBudget(format!("the run has used its {:?}", work.meter.budget().wall.unwrap_or_default()))),
        outcome = pipeline::run(work) => outcome,
    };
    match outcome {
        Ok(ending) => {
            pipeline::conclude(work, ending.clone()).await?;
            Ok(Reached::End(ending))
        }
        Err(Halt::Waits) => {
            work.journal.durable().await;
            Ok(Reached::Wait)
        }
        Err(Halt::OverBudget(limit)) => {
            let clock = work.meter.time_left().is_some_and(|left| left.is_zero());
            if clock && work.meter.budget().on_exceed == OnExceed::Ask {
                return match work.ask_for_more(limit.clone()).await {
                    Err(Halt::Waits) => {
                        work.journal.durable().await;
                        Ok(Reached::Wait)
                    }
                    _ => stop(work, over_budget(limit)).await,
                };
            }
            stop(work, over_budget(limit)).await
        }
        Err(Halt::Diverged(error)) => {
            stop(work, Ending::Failed { reason: FailureKind::Step, error, answer: None }).await
        }
        Err(halt @ Halt::Store(_)) => Err(halt),
    }
}

/// The end of a run that reached a limit.
pub(crate) fn over_budget(limit: String) -> Ending {
    Ending::Failed { reason: FailureKind::Budget, error: format!("the budget is used up: {limit}"), answer: None }
}

/// Ends a run that was stopped from outside: what was under way then is in doubt.
async fn stop(work: &Work<'_>, ending: Ending) -> Result<Reached, Halt> {
    for (intent, filed) in work.journal.unsettled() {
        let detail = "the run was stopped before it was known what became of it".to_owned();
        let event = Event::IntentSettled { intent, settlement: Settlement::Unknown { detail } };
        work.journal.record(format!("{filed}/settled"), event).await?;
    }
    pipeline::conclude(work, ending.clone()).await?;
    Ok(Reached::End(ending))
}

async fn asked_to_stop(work: &Work<'_>) {
    loop {
        tokio::time::sleep(CANCEL_POLL).await;
        // A store that does not answer shows itself at the next commit.
        if let Ok(Some(_)) = work.runtime.store.entry(work.journal.run(), CANCEL_KEY).await {
            return;
        }
    }
}

async fn cancel_reason(work: &Work<'_>) -> Option<String> {
    let event = match work.journal.known(CANCEL_KEY) {
        Some(event) => event.clone(),
        None => work.runtime.store.entry(work.journal.run(), CANCEL_KEY).await.ok()??.entry.event,
    };
    match event {
        Event::CancelAsked { reason } => reason,
        _ => None,
    }
}
