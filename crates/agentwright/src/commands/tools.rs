//! `agentwright tools …`

use std::sync::Arc;
use std::time::Instant;

use domain::id::{RunId, ToolName};
use domain::store::Store;
use domain::tool::{CallContext, Toolbox};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Here, pin, shortlist};
use crate::args::ToolsCommand;
use crate::compose;
use crate::exit::{Exit, Refusal};
use crate::print;
use crate::print::tools::{Known, Record};

/// How long a tool may take that does not say so itself.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);

pub(super) async fn tools(here: &Here, command: ToolsCommand) -> anyhow::Result<Exit> {
    if let ToolsCommand::Pin { name } = &command {
        return pin::pin(here, name.as_deref()).await;
    }
    if let ToolsCommand::Shortlist { text, last } = command {
        return shortlist::shortlist(here, text.as_deref(), last.into()).await;
    }
    let store = compose::store(&here.loaded).await?;
    let tools = compose::tools(&here.loaded, Arc::clone(&store))?;
    match command {
        ToolsCommand::List { domain } => {
            let mut specs = tools.specs();
            specs.retain(|spec| domain.as_deref().is_none_or(|domain| spec.name.domain() == domain));
            let known: Vec<Known<'_>> = specs.iter().map(|spec| Known::of(tools.as_ref(), spec)).collect();
            here.screen.show(&json!({ "tools": known }), |ink| print::tools::listing(&known, ink))?;
        }
        ToolsCommand::Show { name } => {
            let tool = find(tools.as_ref(), &name)?;
            let record = records(here, store.as_ref(), Some(&tool.spec().name)).await?.pop();
            let known = Known { spec: tool.spec(), standing: tool.standing(), record };
            here.screen.show(&known, |ink| print::tools::page(&known, ink))?;
        }
        ToolsCommand::Stats { name } => {
            // What is gone now may have been called before.
            let name = name.map(|name| match name.parse::<ToolName>() {
                Ok(known) if tools.tool(&known).is_none() => Ok(known),
                _ => find(tools.as_ref(), &name).map(|tool| tool.spec().name.clone()),
            });
            let records = records(here, store.as_ref(), name.transpose()?.as_ref()).await?;
            here.screen.show(&json!({ "tools": records }), |ink| print::tools::records(&records, ink))?;
        }
        ToolsCommand::Shortlist { .. } => {}
        ToolsCommand::Test { name, args, yes } => return test(here, tools.as_ref(), &name, &args, yes).await,
        ToolsCommand::Pin { .. } => {}
    }
    Ok(Exit::Done)
}

/// How calls went, of all tools or of one, those called most first.
async fn records(here: &Here, store: &dyn Store, only: Option<&ToolName>) -> anyhow::Result<Vec<Record>> {
    let prices = &here.loaded.config.tools.prices;
    let mut records = store.tool_records().await?;
    records.retain(|record| only.is_none_or(|only| *only == record.tool));
    records.sort_by(|one, other| (other.calls, &one.tool).cmp(&(one.calls, &other.tool)));
    let priced = |record| Record::of(record, |tool| prices.get(tool).map(|price| price.get()));
    Ok(records.into_iter().map(priced).collect())
}

fn find(tools: &dyn Toolbox, name: &str) -> anyhow::Result<Arc<dyn domain::tool::Tool>> {
    let listing = "`agentwright tools list` shows the tools there are";
    Ok(tools.resolve(name, None).map_err(|error| Refusal::usage(error.to_string()).hint(listing))?)
}

async fn test(here: &Here, tools: &dyn Toolbox, name: &str, args: &str, yes: bool) -> anyhow::Result<Exit> {
    let tool = find(tools, name)?;
    let spec = tool.spec();
    let arguments: Value =
        serde_json::from_str(args).map_err(|error| Refusal::usage(format!("`--args` is not JSON: {error}")))?;
    tools.check(&spec.name, &arguments).map_err(|error| {
        Refusal::usage(error.to_string()).hint(format!("`agentwright tools show {}` shows what it takes", spec.name))
    })?;
    if spec.effect.is_write() && !yes {
        return Err(Refusal::usage(format!("`{}` changes something", spec.name)).hint("add `--yes` to call it").into());
    }
    let run = RunId::fresh();
    let call = CallContext { run, step: None, key: format!("{run}/test"), now: Timestamp::now() };
    let started = Instant::now();
    let limit = spec.timeout.unwrap_or(PATIENCE);
    let called = tokio::time::timeout(limit, tool.call(&arguments, &call)).await;
    let seconds = started.elapsed().as_secs_f64();
    match called.unwrap_or(Err(domain::tool::ToolError::TimedOut { tool: spec.name.clone(), after: limit })) {
        Ok(result) => {
            let words = |_| {
                let text = serde_json::to_string_pretty(&result).unwrap_or_default();
                format!("{}\n", print::text::tame(&text))
            };
            here.screen.show(&json!({ "tool": spec.name, "ok": result, "seconds": seconds }), words)?;
            Ok(Exit::Done)
        }
        Err(error) => Err(error.into()),
    }
}
