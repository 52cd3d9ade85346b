//! `agentwright agents …`, `cohorts …`, `skills …`: one implementation for every kind of thing that is kept.

mod explain;
mod export;

use domain::id::ItemName;
use domain::library::{Body, Item, ItemFilter, ItemSummary, Kind};
use domain::store::{Cursor, Store};
use domain::tool::Toolbox;
use jiff::Timestamp;
use serde_json::json;

use super::Here;
use crate::args::{LibraryCommand, ListItems, SkillsCommand};
use crate::compose::{self, Crew, Host};
use crate::exit::{Exit, Refusal};
use crate::lookup;
use crate::print::item_diff::{self, ItemDiff};
use crate::print::items::{self, Hold, ItemPage, ToolHold};

/// How many uses of one item are shown.
const USES: usize = 10;

pub(super) async fn skills(here: &Here, command: SkillsCommand) -> anyhow::Result<Exit> {
    match command {
        SkillsCommand::Library(command) => library(here, Kind::Skill, command).await,
        SkillsCommand::Plans(command) => library(here, Kind::Plan, command).await,
        SkillsCommand::Explain { text, strategy } => explain::explain(here, &text, strategy).await,
        SkillsCommand::Export { name, to, overwrite } => export::export(here, &name, to.as_deref(), overwrite).await,
    }
}

pub(super) async fn library(here: &Here, kind: Kind, command: LibraryCommand) -> anyhow::Result<Exit> {
    if let LibraryCommand::Search { text, limit } = command {
        return search(here, kind, &text, limit.into()).await;
    }
    let store = compose::store(&here.loaded).await?;
    match command {
        LibraryCommand::List(args) => list(here, store.as_ref(), kind, args).await,
        LibraryCommand::Show { name, version } => {
            let summary = lookup::item(store.as_ref(), kind, &name, version).await?;
            let uses = store.uses(kind, &summary.item.draft.name, USES).await?;
            let tools = compose::tools(&here.loaded, store)?;
            let page = ItemPage { tools: held(tools.as_ref(), &summary.item.draft.body), summary, uses };
            here.screen.show(&page, |ink| items::page(&page, Timestamp::now(), ink))?;
            Ok(Exit::Done)
        }
        LibraryCommand::Diff { name, from, to } => diff(here, store.as_ref(), kind, &name, from, to).await,
        LibraryCommand::Rollback { name, to } => rollback(here, store.as_ref(), kind, &name, to).await,
        LibraryCommand::Activate { name } => switch(here, store.as_ref(), kind, &name, true).await,
        LibraryCommand::Deactivate { name } => switch(here, store.as_ref(), kind, &name, false).await,
        LibraryCommand::Search { .. } => Ok(Exit::Done),
    }
}

async fn list(here: &Here, store: &dyn Store, kind: Kind, args: ListItems) -> anyhow::Result<Exit> {
    let active = match (args.all, args.inactive) {
        (true, _) => None,
        (false, inactive) => Some(!inactive),
    };
    let filter = ItemFilter { kind: Some(kind), active, text: args.text };
    let cursor = args.cursor.map(Cursor);
    let (listed, next) = store.items(&filter, cursor.as_ref(), args.limit.into()).await?;
    let json = json!({ "items": listed, "next": next });
    here.screen.show(&json, |ink| items::listing(kind, &listed, next.as_ref(), Timestamp::now(), ink))?;
    Ok(Exit::Done)
}

async fn search(here: &Here, kind: Kind, text: &str, limit: usize) -> anyhow::Result<Exit> {
    let parts = compose::parts(&here.loaded, Crew::OnRecord, Host::default()).await?;
    let found = parts.runtime.find(text, &[kind], limit).await?;
    here.screen.show(&json!({ "found": found }), |ink| items::found(&found, ink))?;
    Ok(Exit::Done)
}

async fn diff(
    here: &Here,
    store: &dyn Store,
    kind: Kind,
    name: &str,
    from: Option<u32>,
    to: Option<u32>,
) -> anyhow::Result<Exit> {
    let newer = lookup::item(store, kind, name, to).await?.item;
    let older = match from {
        Some(from) => lookup::item(store, kind, name, Some(from)).await?.item,
        None => before(store, &newer).await?,
    };
    let diff = ItemDiff::between(&older, &newer);
    here.screen.show(&diff, |ink| item_diff::words(&diff, ink))?;
    Ok(Exit::Done)
}

async fn rollback(here: &Here, store: &dyn Store, kind: Kind, name: &str, to: Option<u32>) -> anyhow::Result<Exit> {
    let current = lookup::item(store, kind, name, None).await?;
    let item = match to {
        Some(to) => lookup::item(store, kind, name, Some(to)).await?.item,
        None => before(store, &current.item).await?,
    };
    let name = &item.draft.name;
    store.turn_to(kind, name, item.version).await?;
    let ItemSummary { versions, active, .. } = current;
    let json = json!({ "kind": kind, "name": name, "version": item.version, "versions": versions, "active": active });
    let off = if active { "" } else { ", and is switched off" };
    here.screen.show(&json, |_| format!("{kind} `{name}` is version {} of {versions} now{off}\n", item.version))?;
    Ok(Exit::Done)
}

async fn switch(here: &Here, store: &dyn Store, kind: Kind, name: &str, active: bool) -> anyhow::Result<Exit> {
    let name: ItemName = lookup::item(store, kind, name, None).await?.item.draft.name;
    store.switch(kind, &name, active).await?;
    let says = if active { "is offered again" } else { "is offered no longer" };
    let json = json!({ "kind": kind, "name": name, "active": active });
    here.screen.show(&json, |_| format!("{kind} `{name}` {says}\n"))?;
    Ok(Exit::Done)
}

/// The version before another.
async fn before(store: &dyn Store, item: &Item) -> anyhow::Result<Item> {
    let (kind, name) = (item.kind(), &item.draft.name);
    let versions = store.versions(kind, name).await?;
    let earlier = versions.into_iter().filter(|other| other.version < item.version).max_by_key(|other| other.version);
    let words = || format!("{kind} `{name}` has no version before {}", item.version);
    Ok(earlier.ok_or_else(|| Refusal::usage(words()).hint(lookup::showing(kind, name.as_str())))?)
}

/// What became of the tools that something needs.
fn held(tools: &dyn Toolbox, body: &Body) -> Vec<ToolHold> {
    let pins = match body {
        Body::Agent(agent) => {
            let there = |tool| tools.tool(tool).map_or(Hold::Gone, |_| Hold::There);
            return agent.tools.iter().map(|tool| ToolHold { tool: tool.clone(), state: there(tool) }).collect();
        }
        Body::Cohort(cohort) => &cohort.pins,
        Body::Plan(plan) => &plan.pins,
        Body::Skill(skill) => &skill.pins,
    };
    let held = pins.iter().map(|(tool, pin)| {
        let state = match tools.tool(tool) {
            None => Hold::Gone,
            Some(now) if domain::hash::Hash::of_json(now.spec()) != *pin => Hold::Changed,
            Some(_) => Hold::There,
        };
        ToolHold { tool: tool.clone(), state }
    });
    held.collect()
}
