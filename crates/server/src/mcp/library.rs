//! `search_agents`: agents that were made before and fit some words.

use domain::library::{Considered, Kind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::{Offered, Reply, Touch};
use super::desk::Desk;
use crate::access::{Area, Role};
use crate::error::ApiError;
use crate::schema::{self, Line};

/// `search_agents`
pub(super) struct SearchAgents;

/// What is looked for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Sought {
    /// What it is to do, in words.
    #[schemars(with = "String")]
    pub(super) text: Line,
    /// At most so many; 20 when absent.
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: Option<u16>,
}

/// What fits, best first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Found {
    pub(super) found: Vec<Fit>,
}

/// Something that fits.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Fit {
    /// What it is called.
    name: String,
    /// How well it fits, 0 to 1.
    score: f64,
    /// Why.
    why: String,
}

impl From<Considered> for Fit {
    fn from(it: Considered) -> Self {
        Self { name: it.name.to_string(), score: it.score.get(), why: it.why.to_string() }
    }
}

impl Offered for SearchAgents {
    const NAME: &'static str = "search_agents";
    const WORDS: &'static str = "Finds agents that were made before and could do something again, best first.";
    const NEEDS: (Area, Role) = (Area::Library, Role::Viewer);
    const TOUCH: Touch = Touch::Looks;
    type Arguments = Sought;
    type Answer = Found;

    async fn call(desk: Desk, Sought { text, limit }: Sought) -> Result<Reply<Found>, ApiError> {
        let limit = schema::page_length(limit)?;
        let found = desk.app.runtime.find(text.as_str(), &[Kind::Agent], limit).await?;
        Ok(Reply::Answer(Found { found: found.into_iter().map(Fit::from).collect() }))
    }
}
