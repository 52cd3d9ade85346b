//! A store that keeps memories and records in memory, shows the runs it is given, and does nothing else.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use domain::approval::{Approval, ApprovalFilter, ApprovalId, Approvals};
use domain::audit::{self, Audit, Link, Noted};
use domain::event::{Entry, Recorded, Seq};
use domain::forecast::Hindsight;
use domain::guideline::{
    Experiment, ExperimentId, Learned, Learning, Lesson, LessonId, Observation, Report, Revision, Version,
};
use domain::id::TraceId;
use domain::id::{ItemName, RunId};
use domain::intent::{IntentStatus, IntentView};
use domain::library::{Draft, Item, ItemFilter, ItemSummary, Kind, Library, News, Rating, Use};
use domain::run::{RunStatus, RunSummary};
use domain::shelf::{Kept, Shelf};
use domain::stage::{RequestRow, Stage, StageFilter, StageRecord, Stages};
use domain::store::{
    Claim, Cursor, Memory, Page, Parting, PendingWait, RunFilter, Signalled, Store, StoreError, Token, Totals, Vitals,
    Worker,
};
use domain::symbol::Symbol;
use domain::trace::{
    Part, Pathway, Received, Sketch, Source, Standing, ToolRecord, Trace, TraceFilter, TraceSummary, Traces,
};
use jiff::Timestamp;
use serde_json::Value;

#[derive(Default)]
pub(crate) struct Notebook {
    pub(crate) memories: Mutex<Vec<Memory>>,
    pub(crate) shelves: Mutex<Shelves>,
    /// The runs there are, newest first.
    pub(crate) runs: Vec<RunSummary>,
    pub(crate) broken: bool,
}

impl Notebook {
    fn page(&self) -> Result<std::sync::MutexGuard<'_, Vec<Memory>>, StoreError> {
        match self.broken {
            true => Err(StoreError::Unavailable("torn".into())),
            false => Ok(self.memories.lock().expect("not poisoned")),
        }
    }
}

type Shelves = BTreeMap<(String, String), Kept>;

impl Notebook {
    fn shelves(&self) -> Result<std::sync::MutexGuard<'_, Shelves>, StoreError> {
        match self.broken {
            true => Err(StoreError::Unavailable("torn".into())),
            false => Ok(self.shelves.lock().expect("not poisoned")),
        }
    }
}

#[async_trait]
impl Shelf for Notebook {
    async fn keep(&self, shelf: &str, key: &str, value: &Value, replacing: u64) -> Result<bool, StoreError> {
        let mut shelves = self.shelves()?;
        let place = (shelf.to_owned(), key.to_owned());
        if shelves.get(&place).map_or(0, |kept| kept.version) != replacing {
            return Ok(false);
        }
        shelves.insert(place, Kept { key: key.to_owned(), version: replacing + 1, value: value.clone() });
        Ok(true)
    }
    async fn kept(&self, shelf: &str, key: &str) -> Result<Option<Kept>, StoreError> {
        Ok(self.shelves()?.get(&(shelf.to_owned(), key.to_owned())).cloned())
    }
    async fn shelf(&self, shelf: &str) -> Result<Vec<Kept>, StoreError> {
        Ok(self.shelves()?.iter().filter(|((on, _), _)| on == shelf).map(|(_, kept)| kept.clone()).collect())
    }
    async fn discard(&self, shelf: &str, key: &str, version: u64) -> Result<bool, StoreError> {
        let mut shelves = self.shelves()?;
        let place = (shelf.to_owned(), key.to_owned());
        let there = shelves.get(&place).is_some_and(|kept| kept.version == version);
        if there {
            shelves.remove(&place);
        }
        Ok(there)
    }
}

fn no<T>() -> Result<T, StoreError> {
    Err(StoreError::Damaged { detail: "only memories are kept here".into() })
}

#[async_trait]
impl Audit for Notebook {
    async fn note(&self, _: &audit::Entry) -> Result<Noted, StoreError> {
        no()
    }
    async fn noted(&self, _: Option<u64>, _: usize) -> Result<Vec<Noted>, StoreError> {
        no()
    }
    async fn links(&self, _: u64, _: usize) -> Result<Vec<Link>, StoreError> {
        no()
    }
}

#[async_trait]
impl Library for Notebook {
    async fn put(&self, _: &Draft, _: Timestamp) -> Result<Item, StoreError> {
        no()
    }
    async fn item(&self, _: Kind, _: &ItemName, _: Option<u32>) -> Result<Option<ItemSummary>, StoreError> {
        no()
    }
    async fn versions(&self, _: Kind, _: &ItemName) -> Result<Vec<Item>, StoreError> {
        no()
    }
    async fn items(
        &self,
        _: &ItemFilter,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<ItemSummary>, Option<Cursor>), StoreError> {
        no()
    }
    async fn turn_to(&self, _: Kind, _: &ItemName, _: u32) -> Result<bool, StoreError> {
        no()
    }
    async fn switch(&self, _: Kind, _: &ItemName, _: bool) -> Result<bool, StoreError> {
        no()
    }
    async fn uses(&self, _: Kind, _: &ItemName, _: usize) -> Result<Vec<Use>, StoreError> {
        no()
    }
    async fn news(&self, _: u64, _: usize) -> Result<News, StoreError> {
        no()
    }
    async fn rate(&self, _: RunId, _: &Rating) -> Result<(), StoreError> {
        no()
    }
    async fn rating(&self, _: RunId) -> Result<Option<Rating>, StoreError> {
        no()
    }
}

#[async_trait]
impl Approvals for Notebook {
    async fn approval(&self, _: ApprovalId, _: Timestamp) -> Result<Option<Approval>, StoreError> {
        no()
    }
    async fn approvals(
        &self,
        _: &ApprovalFilter,
        _: Timestamp,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<Approval>, Option<Cursor>), StoreError> {
        no()
    }
}

#[async_trait]
impl Stages for Notebook {
    async fn file(&self, _: &StageRecord, _: &RequestRow) -> Result<u32, StoreError> {
        no()
    }
    async fn filed(&self, _: &str, _: Stage) -> Result<Option<StageRecord>, StoreError> {
        no()
    }
    async fn stage_history(
        &self,
        _: Stage,
        _: &StageFilter,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<StageRecord>, Option<Cursor>), StoreError> {
        no()
    }
    async fn clear_stage(&self, _: Stage, _: &StageFilter) -> Result<u64, StoreError> {
        no()
    }
    async fn request(&self, _: &str) -> Result<Option<RequestRow>, StoreError> {
        no()
    }
    async fn requests(
        &self,
        _: Option<RunStatus>,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<RequestRow>, Option<Cursor>), StoreError> {
        no()
    }
}

#[async_trait]
impl Store for Notebook {
    async fn vitals(&self, _: Timestamp) -> Result<Vitals, StoreError> {
        no()
    }
    async fn hindsight(&self, _: usize) -> Result<Vec<Hindsight>, StoreError> {
        no()
    }
    async fn remember(&self, memory: &Memory) -> Result<(), StoreError> {
        let mut page = self.page()?;
        if page.iter().all(|known| known.id != memory.id) {
            page.push(memory.clone());
        }
        Ok(())
    }
    async fn recall(&self, text: &str, limit: usize) -> Result<Vec<Memory>, StoreError> {
        Ok(self.page()?.iter().filter(|memory| memory.text.contains(text)).take(limit).cloned().collect())
    }
    async fn memories(&self, limit: usize) -> Result<Vec<Memory>, StoreError> {
        Ok(self.page()?.iter().rev().take(limit).cloned().collect())
    }
    async fn forget(&self, id: &str) -> Result<bool, StoreError> {
        let mut page = self.page()?;
        let before = page.len();
        page.retain(|memory| memory.id != id);
        Ok(page.len() < before)
    }

    async fn entry(&self, _: RunId, _: &str) -> Result<Option<Recorded>, StoreError> {
        no()
    }
    async fn accept(&self, _: RunId, _: Vec<Entry>, _: Option<Timestamp>) -> Result<(), StoreError> {
        no()
    }
    async fn claim(&self, _: RunId, _: &str) -> Result<Claim, StoreError> {
        no()
    }
    async fn commit(&self, _: Token, _: Vec<Entry>) -> Result<Seq, StoreError> {
        no()
    }
    async fn release(&self, _: Token, _: Option<Timestamp>) -> Result<(), StoreError> {
        no()
    }
    async fn signal(&self, _: RunId, _: Entry) -> Result<Signalled, StoreError> {
        no()
    }
    async fn due(&self, _: Timestamp, _: usize) -> Result<Vec<RunId>, StoreError> {
        no()
    }
    async fn next_due(&self, _: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        no()
    }
    async fn beat(&self, _: &Worker, _: Timestamp) -> Result<(), StoreError> {
        no()
    }
    async fn workers(&self) -> Result<Vec<(Worker, Timestamp)>, StoreError> {
        no()
    }
    async fn part(&self, _: &str, _: Parting, _: Timestamp) -> Result<u64, StoreError> {
        no()
    }
    async fn reconcile(&self, _: Timestamp) -> Result<u64, StoreError> {
        no()
    }
    async fn events(&self, _: RunId, _: Seq, _: usize) -> Result<Vec<Recorded>, StoreError> {
        no()
    }
    async fn grown(&self, _: RunId, _: Seq) -> Result<(), StoreError> {
        no()
    }
    async fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError> {
        Ok(self.runs.iter().find(|known| known.run == run).cloned())
    }
    async fn runs(&self, filter: &RunFilter, _: Option<&Cursor>, limit: usize) -> Result<Page, StoreError> {
        let fits = |run: &&RunSummary| filter.session.is_none() || run.session == filter.session;
        Ok(Page { runs: self.runs.iter().filter(fits).take(limit).cloned().collect(), next: None })
    }
    async fn totals(&self, _: &RunFilter) -> Result<Totals, StoreError> {
        no()
    }
    async fn clear(&self, _: &RunFilter) -> Result<u64, StoreError> {
        no()
    }
    async fn intents(
        &self,
        _: Option<RunId>,
        _: Option<IntentStatus>,
        _: usize,
    ) -> Result<Vec<IntentView>, StoreError> {
        no()
    }
    async fn waits(&self, _: Option<RunId>, _: usize) -> Result<Vec<PendingWait>, StoreError> {
        no()
    }
}

#[async_trait]
impl Traces for Notebook {
    async fn receive(&self, _: &Source, _: Standing, _: Vec<Part>, _: Timestamp) -> Result<Received, StoreError> {
        no()
    }
    async fn trace(&self, _: &TraceId) -> Result<Option<Trace>, StoreError> {
        no()
    }
    async fn traces(
        &self,
        _: &TraceFilter,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<TraceSummary>, Option<Cursor>), StoreError> {
        no()
    }
    async fn count_traces(&self, _: &TraceFilter) -> Result<u64, StoreError> {
        no()
    }
    async fn changed_traces(&self, _: u64, _: usize) -> Result<(Vec<TraceSummary>, u64), StoreError> {
        no()
    }
    async fn revoke_source(&self, _: &Source, _: Timestamp) -> Result<u64, StoreError> {
        no()
    }
    async fn tool_records(&self) -> Result<Vec<ToolRecord>, StoreError> {
        no()
    }
    async fn pathways(&self) -> Result<Vec<Pathway>, StoreError> {
        no()
    }
}

#[async_trait]
impl Learning for Notebook {
    async fn take_up_learning(&self, _: &str, _: Timestamp, _: Timestamp) -> Result<bool, StoreError> {
        no()
    }
    async fn lay_down_learning(&self, _: &str) -> Result<(), StoreError> {
        no()
    }
    async fn learned(&self) -> Result<Learned, StoreError> {
        no()
    }
    async fn revise(&self, _: u64, _: Revision) -> Result<bool, StoreError> {
        no()
    }
    async fn taken(&self, _: &[TraceId]) -> Result<Vec<Sketch>, StoreError> {
        no()
    }
    async fn evidence(&self, _: Option<&TraceId>, _: usize) -> Result<Vec<Sketch>, StoreError> {
        no()
    }
    async fn observations(&self, _: &ExperimentId) -> Result<Vec<Observation>, StoreError> {
        no()
    }
    async fn lessons(&self) -> Result<Vec<Lesson>, StoreError> {
        no()
    }
    async fn lesson(&self, _: &LessonId) -> Result<Option<Lesson>, StoreError> {
        no()
    }
    async fn guideline_versions(&self, _: &Symbol) -> Result<Vec<(Version, bool)>, StoreError> {
        no()
    }
    async fn guidelines(&self) -> Result<Vec<Version>, StoreError> {
        no()
    }
    async fn experiments(&self, _: bool) -> Result<Vec<Experiment>, StoreError> {
        no()
    }
    async fn reports(&self, _: usize) -> Result<Vec<Report>, StoreError> {
        no()
    }
}
