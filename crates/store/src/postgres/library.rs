//! Items, their uses, and what people were asked.

use async_trait::async_trait;
use domain::approval::{Approval, ApprovalFilter, ApprovalId, Approvals};
use domain::id::{ItemName, RunId};
use domain::library::{Draft, Item, ItemFilter, ItemSummary, Kind, Library, News, Rating, Use};
use domain::store::{Cursor, StoreError};
use jiff::Timestamp;

use super::Postgres;

fn absent() -> StoreError {
    StoreError::Unavailable("the library is not kept here".into())
}

#[async_trait]
impl Library for Postgres {
    async fn put(&self, _draft: &Draft, _at: Timestamp) -> Result<Item, StoreError> {
        Err(absent())
    }

    async fn item(&self, _: Kind, _: &ItemName, _: Option<u32>) -> Result<Option<ItemSummary>, StoreError> {
        Ok(None)
    }

    async fn versions(&self, _: Kind, _: &ItemName) -> Result<Vec<Item>, StoreError> {
        Ok(Vec::new())
    }

    async fn items(
        &self,
        _: &ItemFilter,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<ItemSummary>, Option<Cursor>), StoreError> {
        Ok((Vec::new(), None))
    }

    async fn turn_to(&self, _: Kind, _: &ItemName, _: u32) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn switch(&self, _: Kind, _: &ItemName, _: bool) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn uses(&self, _: Kind, _: &ItemName, _: usize) -> Result<Vec<Use>, StoreError> {
        Ok(Vec::new())
    }

    async fn news(&self, after: u64, _: usize) -> Result<News, StoreError> {
        Ok(News { mark: after, ..News::default() })
    }

    async fn rate(&self, _: RunId, _: &Rating) -> Result<(), StoreError> {
        Err(absent())
    }

    async fn rating(&self, _: RunId) -> Result<Option<Rating>, StoreError> {
        Ok(None)
    }
}

#[async_trait]
impl Approvals for Postgres {
    async fn approval(&self, _: ApprovalId, _: Timestamp) -> Result<Option<Approval>, StoreError> {
        Ok(None)
    }

    async fn approvals(
        &self,
        _: &ApprovalFilter,
        _: Timestamp,
        _: Option<&Cursor>,
        _: usize,
    ) -> Result<(Vec<Approval>, Option<Cursor>), StoreError> {
        Ok((Vec::new(), None))
    }
}
