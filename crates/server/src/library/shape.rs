//! What is kept as clients see it.

use domain::id::{ItemName, RunId, StepId};
use domain::library::{Considered, Item, ItemSummary, Record, Use};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::schema;

/// Something that is kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeptItem {
    #[serde(flatten)]
    version: Version,
    /// Whether it is offered.
    active: bool,
    /// How many versions there are.
    versions: u32,
    record: ItemRecord,
}

/// A version of something that is kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Version {
    /// What it is called.
    #[schema(schema_with = schema::item_name)]
    name: ItemName,
    /// Counted from 1.
    version: u32,
    /// The address of what it says.
    hash: String,
    /// Whether it is the one that is used.
    current: bool,
    /// What it is for.
    description: String,
    /// Words it is found by besides.
    keywords: Vec<String>,
    /// What it is: a prompt and its tools, a team and its plan, or a plan with holes. Not in listings.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    body: Option<Value>,
    /// Where it comes from: `run`, `from`, `by`.
    #[schema(value_type = Object)]
    lineage: Value,
    /// It is not offered before this moment, unless somebody says that it is good.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    offered_from: Option<Timestamp>,
    /// When it was kept.
    #[schema(schema_with = schema::moment)]
    created_at: Timestamp,
}

/// How often something was used, and how that went.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ItemRecord {
    /// In how many runs.
    uses: u32,
    /// How many of these went well.
    good: u32,
    /// How many did not.
    bad: u32,
    /// When it was last used.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = schema::moment, required = false)]
    last: Option<Timestamp>,
}

/// Some of what is kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Items {
    /// This page.
    pub(super) items: Vec<KeptItem>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<String>,
}

/// All versions of something, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Versions {
    pub(super) versions: Vec<Version>,
}

/// What something was used for, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Uses {
    pub(super) uses: Vec<UseOfItem>,
}

/// A use in a run.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UseOfItem {
    #[schema(schema_with = schema::run_id)]
    run: RunId,
    /// For which step; absent where it was for the whole request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    step: Option<StepId>,
    /// The version that was used.
    hash: String,
    /// `reuse`, `adapt` or `create`.
    decision: &'static str,
    /// How well it fitted.
    #[schema(minimum = 0, maximum = 1)]
    score: f64,
    /// What it was to do.
    text: String,
    /// Whether it went well; absent while that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    good: Option<bool>,
    #[schema(schema_with = schema::moment)]
    at: Timestamp,
}

/// What fits some words, best first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FoundItems {
    pub(super) found: Vec<Found>,
}

/// Something that fits.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Found {
    /// What it is called.
    name: String,
    /// How well it fits.
    #[schema(minimum = 0, maximum = 1)]
    score: f64,
    /// What speaks for it.
    why: String,
}

impl KeptItem {
    /// As listings have it.
    pub(super) fn in_short(summary: ItemSummary) -> Self {
        let mut whole = Self::from(summary);
        whole.version.body = None;
        whole
    }
}

impl From<ItemSummary> for KeptItem {
    fn from(it: ItemSummary) -> Self {
        let Record { uses, good, bad, last } = it.record;
        let current = if it.current { it.item.version } else { 0 };
        let version = Version::of(it.item, current);
        Self { version, active: it.active, versions: it.versions, record: ItemRecord { uses, good, bad, last } }
    }
}

impl Version {
    /// A version, when this one is the one that is used.
    pub(super) fn of(item: Item, current: u32) -> Self {
        let Item { version, hash, draft, at } = item;
        Self {
            name: draft.name,
            version,
            hash: hash.to_string(),
            current: version == current,
            description: draft.description,
            keywords: draft.keywords,
            // Our own types always serialise.
            body: serde_json::to_value(&draft.body).ok(),
            lineage: serde_json::to_value(&draft.lineage).unwrap_or_default(),
            offered_from: draft.offered_from,
            created_at: at,
        }
    }
}

impl From<Use> for UseOfItem {
    fn from(it: Use) -> Self {
        let Use { run, step, hash, decision, score, text, good, at, .. } = it;
        Self { run, step, hash: hash.to_string(), decision: decision.word(), score, text, good, at }
    }
}

impl From<Considered> for Found {
    fn from(it: Considered) -> Self {
        Self { name: it.name, score: it.score.get(), why: it.why }
    }
}
