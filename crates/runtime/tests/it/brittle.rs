//! A store that stops working after so many commits: what a process sees that is about to die.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use domain::approval::{Approval, ApprovalFilter, ApprovalId, Approvals};
use domain::audit::{self, Audit, Link, Noted};
use domain::event::{Entry, Recorded, Seq};
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

/// A store that stops working after so many commits: what a process sees that is about to die.
pub(crate) struct Brittle {
    inner: Arc<dyn Store>,
    commits_left: AtomicI64,
}

impl Brittle {
    pub(crate) fn over(inner: &Arc<dyn Store>, commits: i64) -> Arc<Self> {
        Arc::new(Self { inner: Arc::clone(inner), commits_left: AtomicI64::new(commits) })
    }
}

macro_rules! passes_on {
    ($(fn $name:ident(&self $(, $arg:ident: $type:ty)*) -> $answer:ty;)*) => {
        #[async_trait]
        impl Store for Brittle {
            async fn commit(&self, token: Token, entries: Vec<Entry>) -> Result<Seq, StoreError> {
                if self.commits_left.fetch_sub(1, Ordering::SeqCst) <= 0 {
                    return Err(StoreError::Unavailable("the process is dying".into()));
                }
                self.inner.commit(token, entries).await
            }
            $(async fn $name(&self $(, $arg: $type)*) -> $answer {
                self.inner.$name($($arg),*).await
            })*
        }
    };
}

passes_on! {
    fn vitals(&self, now: Timestamp) -> Result<Vitals, StoreError>;
    fn accept(&self, run: RunId, entries: Vec<Entry>, wake: Option<Timestamp>) -> Result<(), StoreError>;
    fn claim(&self, run: RunId, worker: &str) -> Result<Claim, StoreError>;
    fn release(&self, token: Token, wake: Option<Timestamp>) -> Result<(), StoreError>;
    fn signal(&self, run: RunId, entry: Entry) -> Result<Signalled, StoreError>;
    fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<RunId>, StoreError>;
    fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError>;
    fn beat(&self, worker: &Worker, now: Timestamp) -> Result<(), StoreError>;
    fn workers(&self) -> Result<Vec<(Worker, Timestamp)>, StoreError>;
    fn part(&self, worker: &str, parting: Parting, now: Timestamp) -> Result<u64, StoreError>;
    fn reconcile(&self, now: Timestamp) -> Result<u64, StoreError>;
    fn events(&self, run: RunId, after: Seq, limit: usize) -> Result<Vec<Recorded>, StoreError>;
    fn entry(&self, run: RunId, key: &str) -> Result<Option<Recorded>, StoreError>;
    fn grown(&self, run: RunId, after: Seq) -> Result<(), StoreError>;
    fn run(&self, run: RunId) -> Result<Option<RunSummary>, StoreError>;
    fn runs(&self, filter: &RunFilter, cursor: Option<&Cursor>, limit: usize) -> Result<Page, StoreError>;
    fn totals(&self, filter: &RunFilter) -> Result<Totals, StoreError>;
    fn clear(&self, filter: &RunFilter) -> Result<u64, StoreError>;
    fn intents(&self, run: Option<RunId>, status: Option<IntentStatus>, limit: usize) -> Result<Vec<IntentView>, StoreError>;
    fn waits(&self, run: Option<RunId>, limit: usize) -> Result<Vec<PendingWait>, StoreError>;
    fn hindsight(&self, limit: usize) -> Result<Vec<domain::forecast::Hindsight>, StoreError>;
    fn remember(&self, memory: &Memory) -> Result<(), StoreError>;
    fn recall(&self, text: &str, limit: usize) -> Result<Vec<Memory>, StoreError>;
    fn memories(&self, limit: usize) -> Result<Vec<Memory>, StoreError>;
    fn forget(&self, id: &str) -> Result<bool, StoreError>;
}

#[async_trait]
impl Library for Brittle {
    async fn put(&self, draft: &Draft, at: Timestamp) -> Result<Item, StoreError> {
        self.inner.put(draft, at).await
    }
    async fn item(&self, kind: Kind, name: &ItemName, version: Option<u32>) -> Result<Option<ItemSummary>, StoreError> {
        self.inner.item(kind, name, version).await
    }
    async fn versions(&self, kind: Kind, name: &ItemName) -> Result<Vec<Item>, StoreError> {
        self.inner.versions(kind, name).await
    }
    async fn items(
        &self,
        filter: &ItemFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<ItemSummary>, Option<Cursor>), StoreError> {
        self.inner.items(filter, cursor, limit).await
    }
    async fn turn_to(&self, kind: Kind, name: &ItemName, version: u32) -> Result<bool, StoreError> {
        self.inner.turn_to(kind, name, version).await
    }
    async fn switch(&self, kind: Kind, name: &ItemName, active: bool) -> Result<bool, StoreError> {
        self.inner.switch(kind, name, active).await
    }
    async fn uses(&self, kind: Kind, name: &ItemName, limit: usize) -> Result<Vec<Use>, StoreError> {
        self.inner.uses(kind, name, limit).await
    }
    async fn news(&self, after: u64, limit: usize) -> Result<News, StoreError> {
        self.inner.news(after, limit).await
    }
    async fn rate(&self, run: RunId, rating: &Rating) -> Result<(), StoreError> {
        self.inner.rate(run, rating).await
    }
    async fn rating(&self, run: RunId) -> Result<Option<Rating>, StoreError> {
        self.inner.rating(run).await
    }
}

#[async_trait]
impl Approvals for Brittle {
    async fn approval(&self, id: ApprovalId, now: Timestamp) -> Result<Option<Approval>, StoreError> {
        self.inner.approval(id, now).await
    }
    async fn approvals(
        &self,
        filter: &ApprovalFilter,
        now: Timestamp,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<Approval>, Option<Cursor>), StoreError> {
        self.inner.approvals(filter, now, cursor, limit).await
    }
}

#[async_trait]
impl Stages for Brittle {
    async fn file(&self, record: &StageRecord, request: &RequestRow) -> Result<u32, StoreError> {
        self.inner.file(record, request).await
    }
    async fn filed(&self, request: &str, stage: Stage) -> Result<Option<StageRecord>, StoreError> {
        self.inner.filed(request, stage).await
    }
    async fn stage_history(
        &self,
        stage: Stage,
        filter: &StageFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<StageRecord>, Option<Cursor>), StoreError> {
        self.inner.stage_history(stage, filter, cursor, limit).await
    }
    async fn clear_stage(&self, stage: Stage, filter: &StageFilter) -> Result<u64, StoreError> {
        self.inner.clear_stage(stage, filter).await
    }
    async fn request(&self, request: &str) -> Result<Option<RequestRow>, StoreError> {
        self.inner.request(request).await
    }
    async fn requests(
        &self,
        status: Option<RunStatus>,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<RequestRow>, Option<Cursor>), StoreError> {
        self.inner.requests(status, cursor, limit).await
    }
}

#[async_trait]
impl Shelf for Brittle {
    async fn keep(&self, shelf: &str, key: &str, value: &Value, replacing: u64) -> Result<bool, StoreError> {
        self.inner.keep(shelf, key, value, replacing).await
    }
    async fn kept(&self, shelf: &str, key: &str) -> Result<Option<Kept>, StoreError> {
        self.inner.kept(shelf, key).await
    }
    async fn shelf(&self, shelf: &str) -> Result<Vec<Kept>, StoreError> {
        self.inner.shelf(shelf).await
    }
    async fn discard(&self, shelf: &str, key: &str, version: u64) -> Result<bool, StoreError> {
        self.inner.discard(shelf, key, version).await
    }
}

#[async_trait]
impl Audit for Brittle {
    async fn note(&self, entry: &audit::Entry) -> Result<Noted, StoreError> {
        self.inner.note(entry).await
    }
    async fn noted(&self, before: Option<u64>, limit: usize) -> Result<Vec<Noted>, StoreError> {
        self.inner.noted(before, limit).await
    }
    async fn links(&self, after: u64, limit: usize) -> Result<Vec<Link>, StoreError> {
        self.inner.links(after, limit).await
    }
}

#[async_trait]
impl Traces for Brittle {
    async fn receive(
        &self,
        source: &Source,
        standing: Standing,
        parts: Vec<Part>,
        at: Timestamp,
    ) -> Result<Received, StoreError> {
        self.inner.receive(source, standing, parts, at).await
    }
    async fn trace(&self, id: &TraceId) -> Result<Option<Trace>, StoreError> {
        self.inner.trace(id).await
    }
    async fn traces(
        &self,
        filter: &TraceFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<TraceSummary>, Option<Cursor>), StoreError> {
        self.inner.traces(filter, cursor, limit).await
    }
    async fn count_traces(&self, filter: &TraceFilter) -> Result<u64, StoreError> {
        self.inner.count_traces(filter).await
    }
    async fn changed_traces(&self, after: u64, limit: usize) -> Result<(Vec<TraceSummary>, u64), StoreError> {
        self.inner.changed_traces(after, limit).await
    }
    async fn revoke_source(&self, source: &Source, at: Timestamp) -> Result<u64, StoreError> {
        self.inner.revoke_source(source, at).await
    }
    async fn tool_records(&self) -> Result<Vec<ToolRecord>, StoreError> {
        self.inner.tool_records().await
    }
    async fn pathways(&self) -> Result<Vec<Pathway>, StoreError> {
        self.inner.pathways().await
    }
}

#[async_trait]
impl Learning for Brittle {
    async fn take_up_learning(&self, worker: &str, now: Timestamp, until: Timestamp) -> Result<bool, StoreError> {
        self.inner.take_up_learning(worker, now, until).await
    }
    async fn lay_down_learning(&self, worker: &str) -> Result<(), StoreError> {
        self.inner.lay_down_learning(worker).await
    }
    async fn learned(&self) -> Result<Learned, StoreError> {
        self.inner.learned().await
    }
    async fn revise(&self, revision: u64, change: Revision) -> Result<bool, StoreError> {
        if self.commits_left.fetch_sub(1, Ordering::SeqCst) <= 0 {
            return Err(StoreError::Unavailable("the process is dying".into()));
        }
        self.inner.revise(revision, change).await
    }
    async fn taken(&self, traces: &[TraceId]) -> Result<Vec<Sketch>, StoreError> {
        self.inner.taken(traces).await
    }
    async fn evidence(&self, after: Option<&TraceId>, limit: usize) -> Result<Vec<Sketch>, StoreError> {
        self.inner.evidence(after, limit).await
    }
    async fn observations(&self, experiment: &ExperimentId) -> Result<Vec<Observation>, StoreError> {
        self.inner.observations(experiment).await
    }
    async fn lessons(&self) -> Result<Vec<Lesson>, StoreError> {
        self.inner.lessons().await
    }
    async fn lesson(&self, id: &LessonId) -> Result<Option<Lesson>, StoreError> {
        self.inner.lesson(id).await
    }
    async fn guideline_versions(&self, agent: &Symbol) -> Result<Vec<(Version, bool)>, StoreError> {
        self.inner.guideline_versions(agent).await
    }
    async fn guidelines(&self) -> Result<Vec<Version>, StoreError> {
        self.inner.guidelines().await
    }
    async fn experiments(&self, open: bool) -> Result<Vec<Experiment>, StoreError> {
        self.inner.experiments(open).await
    }
    async fn reports(&self, limit: usize) -> Result<Vec<Report>, StoreError> {
        self.inner.reports(limit).await
    }
}
