//! The seam to where items are kept.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Decision, Draft, Item, Kind};
use crate::hash::Hash;
use crate::id::{ItemName, RunId, StepId};
use crate::store::{Cursor, StoreError};

/// A database that keeps items and what became of their uses.
///
/// Runs keep items and use them through their ledgers: the events `Staffed`, `Chosen` and `Kept` change the rows in the
/// same transaction, and the end of a run settles its uses.
#[async_trait]
pub trait Library: Send + Sync {
    /// Keeps something for a person, outside of any run: the same content is the version that is there already. The
    /// version becomes the one that is used. On return it is durable.
    async fn put(&self, draft: &Draft, at: Timestamp) -> Result<Item, StoreError>;

    /// A version of an item; the one that is used when none is given.
    async fn item(&self, kind: Kind, name: &ItemName, version: Option<u32>) -> Result<Option<ItemSummary>, StoreError>;

    /// All versions of an item, newest first.
    async fn versions(&self, kind: Kind, name: &ItemName) -> Result<Vec<Item>, StoreError>;

    /// Items that a filter lets through, those used most recently first, from a cursor on.
    async fn items(
        &self,
        filter: &ItemFilter,
        cursor: Option<&Cursor>,
        limit: usize,
    ) -> Result<(Vec<ItemSummary>, Option<Cursor>), StoreError>;

    /// Makes another version the one that is used. Says whether there is such a version.
    async fn turn_to(&self, kind: Kind, name: &ItemName, version: u32) -> Result<bool, StoreError>;

    /// Offers an item, or offers it no longer. Says whether there is such an item.
    async fn switch(&self, kind: Kind, name: &ItemName, active: bool) -> Result<bool, StoreError>;

    /// What an item was used for, newest first.
    async fn uses(&self, kind: Kind, name: &ItemName, limit: usize) -> Result<Vec<Use>, StoreError>;

    /// Items and uses that are new or have changed since a mark, oldest first, for those who keep an index. Nothing is
    /// ever missed; something may come twice. An empty answer means that all has been seen.
    async fn news(&self, after: u64, limit: usize) -> Result<News, StoreError>;

    /// Says how good a run was for the person it was for; the last word counts. What the run made is offered at once, or
    /// no longer; what it used gains or loses. Refused for runs that have not ended.
    async fn rate(&self, run: RunId, rating: &Rating) -> Result<(), StoreError>;

    /// What was said about a run.
    async fn rating(&self, run: RunId) -> Result<Option<Rating>, StoreError>;
}

/// Which items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ItemFilter {
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only those that are offered, or only those that are not.
    pub active: Option<bool>,
    /// Only where name, description or keywords contain this, whatever the case.
    pub text: Option<String>,
}

/// An item as listings show it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemSummary {
    /// The version that is meant.
    #[serde(flatten)]
    pub item: Item,
    /// Whether this version is the one that is used.
    pub current: bool,
    /// Whether it is offered.
    pub active: bool,
    /// How many versions there are.
    pub versions: u32,
    /// How often all its versions were used, and how that went.
    pub record: Record,
}

/// How often something was used, and how that went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// In how many runs.
    pub uses: u32,
    /// How many of these went well.
    pub good: u32,
    /// How many did not.
    pub bad: u32,
    /// When it was last used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Timestamp>,
}

/// A use of an item in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Use {
    /// In which run.
    pub run: RunId,
    /// For which step; absent where it was for the whole request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<StepId>,
    /// What kind of thing.
    pub kind: Kind,
    /// Its name.
    pub name: ItemName,
    /// Its version.
    pub hash: Hash,
    /// How it came to be used.
    pub decision: Decision,
    /// How well it fitted, from 0 to 1.
    pub score: f64,
    /// What it was to do: the step's goal, or the request.
    pub text: String,
    /// Whether it went well; unknown while the run goes on, or when it was cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good: Option<bool>,
    /// When.
    pub at: Timestamp,
}

/// What is new in a library.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct News {
    /// Items as they are now.
    pub items: Vec<ItemSummary>,
    /// Uses as they are now.
    pub uses: Vec<Use>,
    /// Where to go on.
    pub mark: u64,
}

impl News {
    /// Whether there is nothing new.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.uses.is_empty()
    }
}

/// What a person says about a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Whether it was good.
    pub good: bool,
    /// What they say besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Who.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
}
