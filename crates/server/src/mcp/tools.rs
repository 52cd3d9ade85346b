//! `list_tools` and `search_tools`: what runs here can call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::catalogue::{Offered, Reply, Touch};
use super::desk::Desk;
use super::library::{Fit, Found, Sought};
use crate::access::{Area, Role};
use crate::error::ApiError;
use crate::schema;

/// `list_tools`
pub(super) struct List;

/// Nothing is asked for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// All tools, by name.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    tools: Vec<Row>,
}

/// A tool.
#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    /// What it is called.
    name: String,
    /// What it does and when to use it.
    description: String,
    /// `read`, `egress` or `write`.
    effect: String,
    /// Who brought it.
    source: String,
    /// Why it may not be called until a person has looked at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    quarantined: Option<String>,
}

impl Offered for List {
    const NAME: &'static str = "list_tools";
    const WORDS: &'static str = "Lists the tools that runs here can call, and what each does to the world.";
    const NEEDS: (Area, Role) = (Area::Tools, Role::Viewer);
    const TOUCH: Touch = Touch::Looks;
    type Arguments = Nothing;
    type Answer = Listed;

    async fn call(desk: Desk, _: Nothing) -> Result<Reply<Listed>, ApiError> {
        let toolbox = &desk.app.runtime.tools;
        let tools = toolbox.specs().into_iter().filter_map(|spec| toolbox.tool(&spec.name));
        let row = |tool: std::sync::Arc<dyn domain::tool::Tool>| {
            let (spec, standing) = (tool.spec(), tool.standing());
            Row {
                name: spec.name.to_string(),
                description: spec.description.clone(),
                effect: spec.effect.word().to_owned(),
                source: standing.source.to_string(),
                quarantined: standing.quarantine,
            }
        };
        Ok(Reply::Answer(Listed { tools: tools.map(row).collect() }))
    }
}

/// `search_tools`
pub(super) struct Search;

impl Offered for Search {
    const NAME: &'static str = "search_tools";
    const WORDS: &'static str = "Finds tools that runs here can call and that fit some words, best first.";
    const NEEDS: (Area, Role) = (Area::Tools, Role::Viewer);
    const TOUCH: Touch = Touch::Looks;
    type Arguments = Sought;
    type Answer = Found;

    async fn call(desk: Desk, Sought { text, limit }: Sought) -> Result<Reply<Found>, ApiError> {
        let limit = schema::page_length(limit)?;
        let found = desk.app.runtime.tools_for(text.as_str(), limit).await?;
        Ok(Reply::Answer(Found { found: found.into_iter().map(Fit::from).collect() }))
    }
}
