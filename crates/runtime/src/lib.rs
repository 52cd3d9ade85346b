//! Decides: which way a request goes, what the plan is, who carries it out, and what happens when something fails.
//!
//! [`Runtime`] takes requests in and advances runs; [`Embedded`] keeps runs going within one process. The life of a
//! request is in `pipeline.rs`.

mod advance;
mod agent;
mod answer;
mod approve;
mod ask;
mod assess;
mod brief;
pub mod conformance;
mod context;
mod critique;
mod decide;
mod deliberate;
mod direct;
mod dispatch;
mod edit;
mod engine;
mod experience;
mod explain;
mod foresee;
mod forge;
mod gate;
mod heed;
mod keep;
mod lately;
pub mod learning;
mod lend;
mod library;
mod messages;
mod meter;
mod pipeline;
mod plan;
pub mod policy;
pub mod prompt;
mod propose;
mod recall;
mod record;
mod reflexes;
mod replay;
mod reuse;
mod room;
mod route;
mod routing;
mod score;
mod settings;
mod settle;
mod staff;
mod stages;
mod stall;
mod think;
pub mod tolerant;
mod toolbox;
pub mod verify;
mod watch;
mod weigh;
mod what_if;
mod which;
mod work;

use std::sync::Arc;

use domain::budget::Budget;
use domain::chat::Tier;
use domain::event::{Entry, Event, Origin, Recorded, Seq};
use domain::id::RunId;
use domain::request::Request;
use domain::store::{Claim, Signalled, Store, StoreError};
use domain::tool::Toolbox;
use jiff::Timestamp;
use serde_json::Value;

use crate::verify::Given;

pub use advance::{Isolate, Reached};
pub use decide::{DecideError, answer};
pub use direct::DIRECT;
pub use dispatch::Embedded;
pub use explain::{Explained, Looked, Taken};
pub use lately::Lately;
pub use learn::{Quality, qualities};
pub use prompt::Prompts;
pub use reflex::Explained as Understood;
pub use reflex::quality::{Bin, Choice};
pub use reflex::template::to_skill_md;
pub use reflexes::Reflexes;
pub use replay::Divergence;
pub use routing::{CorrectError, Promise, Reliability};
pub use settings::{Component, Gate, Model, Models, Propose, Reuse, SCORES, Settings};
pub use stages::{StageContext, StageError};
pub use watch::Watch;
pub use what_if::{Changed, WhatIf};

/// Everything runs are carried out with.
pub struct Runtime {
    /// Where the ledgers are.
    pub store: Arc<dyn Store>,
    /// Who is asked.
    pub models: Models,
    /// What is known without a model; without it everything is planned.
    pub reflexes: Option<Arc<dyn Reflexes>>,
    /// What can be called.
    pub tools: Arc<dyn Toolbox>,
    /// How it is done.
    pub settings: Settings,
    /// What models are told.
    pub prompts: Prompts,
    /// What was changed or learnt since the start.
    pub lately: Lately,
    /// Who advances runs here; known to the store from its first beat on.
    pub worker: String,
    /// How a run is advanced apart that has brought processes down, where that is possible.
    pub isolate: Option<Isolate>,
    /// Who is told what goes on record here.
    pub watch: Vec<Arc<dyn Watch>>,
}

/// Why a run cannot be forked.
#[derive(Debug, thiserror::Error)]
pub enum ForkError {
    /// Choose another event.
    #[error("{run} has {events} events; it cannot be forked at {at}")]
    NoSuchEvent {
        /// The run to be forked.
        run: RunId,
        /// How many events it has.
        events: Seq,
        /// Where it was to be forked.
        at: Seq,
    },
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Runtime {
    /// Takes a request in. The run is durable when its id is known.
    pub async fn accept(&self, request: Request) -> Result<RunId, StoreError> {
        let run = RunId::fresh();
        self.accept_as(run, request).await?;
        Ok(run)
    }

    /// Takes a request in and owns its run at once: for those who advance it themselves, with
    /// [`advance_claimed`](Runtime::advance_claimed). The run is durable when its claim is known.
    pub async fn begin(&self, request: Request) -> Result<Claim, StoreError> {
        let (run, entries) = (RunId::fresh(), vec![received(request, None)]);
        self.watch.iter().for_each(|watch| watch.recorded(run, &entries));
        self.store.begin(run, entries, &self.worker).await
    }

    /// Takes a request in under a given id; taking it in twice changes nothing.
    pub async fn accept_as(&self, run: RunId, request: Request) -> Result<(), StoreError> {
        let at = request.at;
        let entries = vec![received(request, None)];
        self.watch.iter().for_each(|watch| watch.recorded(run, &entries));
        self.store.accept(run, entries, Some(at)).await
    }

    /// What plans are measured by that may use so much.
    pub(crate) fn measures<'g>(&'g self, budget: &'g Budget) -> Given<'g> {
        let model = self.models.choose(&self.component("agent"), Tier::Default);
        Given {
            tools: self.tools.as_ref(),
            rules: &self.settings.rules,
            budget,
            max_iterations: self.settings.max_iterations,
            price: model.ok().map(|model| model.price),
            configuration: None,
            frozen: None,
            pins: None,
        }
    }

    /// [`answer`] in this runtime's store.
    pub async fn answer(
        &self,
        run: RunId,
        name: &str,
        answer: Value,
        by: Option<String>,
    ) -> Result<Signalled, StoreError> {
        crate::answer(self.store.as_ref(), run, name, answer, by).await
    }

    /// [`cancel`] in this runtime's store.
    pub async fn cancel(&self, run: RunId, reason: Option<String>) -> Result<Signalled, StoreError> {
        crate::cancel(self.store.as_ref(), run, reason).await
    }

    /// Starts a run that shares the events of another up to `at` and goes its own way from there.
    pub async fn fork(&self, parent: RunId, at: Seq) -> Result<RunId, ForkError> {
        let ledger = self.ledger(parent).await?;
        let events = ledger.len() as Seq;
        if at == 0 || at > events {
            return Err(ForkError::NoSuchEvent { run: parent, events, at });
        }
        let run = RunId::fresh();
        let entries = what_if::shared_entries(parent, run, &ledger[..at as usize], Origin { run: parent, seq: at });
        self.store.accept(run, entries, Some(Timestamp::now())).await?;
        Ok(run)
    }

    /// [`ledger`] from this runtime's store.
    pub async fn ledger(&self, run: RunId) -> Result<Vec<Recorded>, StoreError> {
        crate::ledger(self.store.as_ref(), run).await
    }
}

/// A run's whole ledger.
pub async fn ledger(store: &dyn Store, run: RunId) -> Result<Vec<Recorded>, StoreError> {
    const PAGE: usize = 1_000;
    let mut ledger: Vec<Recorded> = Vec::new();
    loop {
        let after = ledger.last().map_or(0, |last| last.seq);
        let page = store.events(run, after, PAGE).await?;
        let whole = page.len() < PAGE;
        ledger.extend(page);
        if whole {
            return if ledger.is_empty() { Err(StoreError::NoSuchRun { run }) } else { Ok(ledger) };
        }
    }
}

/// Files the wish that a run stop. Whoever advances it notices within a second.
pub async fn cancel(store: &dyn Store, run: RunId, reason: Option<String>) -> Result<Signalled, StoreError> {
    let event = Event::CancelAsked { reason };
    store.signal(run, Entry { key: record::CANCEL_KEY.into(), input: None, at: Timestamp::now(), event }).await
}

fn received(request: Request, parent: Option<Origin>) -> Entry {
    let at = request.at;
    Entry { key: "received".into(), input: None, at, event: Event::Received { request: Box::new(request), parent } }
}
