//! The answers of stages of reasoning.

use async_trait::async_trait;
use domain::run::RunStatus;
use domain::stage::{RequestRow, Stage, StageFilter, StageRecord, Stages};
use domain::store::{Cursor, StoreError};

use super::Sqlite;

fn missing<T>() -> Result<T, StoreError> {
    Err(StoreError::Unavailable("stages are not kept yet".into()))
}

#[async_trait]
impl Stages for Sqlite {
    async fn file(&self, _: &StageRecord, _: &RequestRow) -> Result<u32, StoreError> {
        missing()
    }
    async fn filed(&self, _: &str, _: Stage) -> Result<Option<StageRecord>, StoreError> {
        missing()
    }
    async fn stage_history(
        &self,
        _: Stage,
        _: &StageFilter,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<StageRecord>, Option<Cursor>), StoreError> {
        missing()
    }
    async fn clear_stage(&self, _: Stage, _: &StageFilter) -> Result<u64, StoreError> {
        missing()
    }
    async fn request(&self, _: &str) -> Result<Option<RequestRow>, StoreError> {
        missing()
    }
    async fn requests(
        &self,
        _: Option<RunStatus>,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<RequestRow>, Option<Cursor>), StoreError> {
        missing()
    }
}
