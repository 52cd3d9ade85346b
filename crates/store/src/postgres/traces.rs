//! Traces and what was learnt from them.

use async_trait::async_trait;
use domain::guideline::{
    Experiment, ExperimentId, Learned, Learning, Lesson, LessonId, Observation, Report, Revision, Version,
};
use domain::id::TraceId;
use domain::store::{Cursor, StoreError};
use domain::symbol::Symbol;
use domain::trace::{
    Part, Pathway, Received, Sketch, Source, Standing, ToolRecord, Trace, TraceFilter, TraceSummary, Traces,
};
use jiff::Timestamp;

use super::Postgres;

#[async_trait]
impl Traces for Postgres {
    async fn receive(&self, _: &Source, _: Standing, _: Vec<Part>, _: Timestamp) -> Result<Received, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn trace(&self, _: &TraceId) -> Result<Option<Trace>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn traces(
        &self,
        _: &TraceFilter,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<TraceSummary>, Option<Cursor>), StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn count_traces(&self, _: &TraceFilter) -> Result<u64, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn changed_traces(&self, _: u64, _: usize) -> Result<(Vec<TraceSummary>, u64), StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn revoke_source(&self, _: &Source, _: Timestamp) -> Result<u64, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn tool_records(&self) -> Result<Vec<ToolRecord>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn pathways(&self) -> Result<Vec<Pathway>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
}

#[async_trait]
impl Learning for Postgres {
    async fn take_up_learning(&self, _: &str, _: Timestamp, _: Timestamp) -> Result<bool, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn lay_down_learning(&self, _: &str) -> Result<(), StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn learned(&self) -> Result<Learned, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn revise(&self, _: u64, _: Revision) -> Result<bool, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn taken(&self, _: &[TraceId]) -> Result<Vec<Sketch>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn evidence(&self, _: Option<&TraceId>, _: usize) -> Result<Vec<Sketch>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn observations(&self, _: &ExperimentId) -> Result<Vec<Observation>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn lessons(&self) -> Result<Vec<Lesson>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn lesson(&self, _: &LessonId) -> Result<Option<Lesson>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn guideline_versions(&self, _: &Symbol) -> Result<Vec<(Version, bool)>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn guidelines(&self) -> Result<Vec<Version>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn experiments(&self, _: bool) -> Result<Vec<Experiment>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
    async fn reports(&self, _: usize) -> Result<Vec<Report>, StoreError> {
        Err(StoreError::Unavailable("traces are not kept yet".into()))
    }
}
