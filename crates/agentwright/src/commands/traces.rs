//! `agentwright traces …`: what agents did, ours and others'.

mod export;
mod format;
mod import;

use domain::store::{Cursor, Store};
use domain::trace::{Source, TraceFilter};
use jiff::Timestamp;
use serde_json::json;

use super::Here;
use crate::args::{ListTraces, TracesCommand};
use crate::compose;
use crate::exit::{Exit, Refusal};
use crate::lookup;
use crate::print;
use crate::print::text::count;

pub(crate) use import::{Imported, Refused};

pub(super) async fn traces(here: &Here, command: TracesCommand) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let store = store.as_ref();
    match command {
        TracesCommand::List(args) => list(here, store, args).await,
        TracesCommand::Show { trace } => {
            let trace = lookup::trace(store, &trace).await?;
            here.screen.show(&trace, |ink| print::traces::page(&trace, ink))?;
            Ok(Exit::Done)
        }
        TracesCommand::Import(args) => import::import(here, store, args).await,
        TracesCommand::Export(args) => export::export(here, store, &args.which.into(), &args.to).await,
        TracesCommand::Revoke { source } => revoke(here, store, &source).await,
    }
}

async fn list(here: &Here, store: &dyn Store, args: ListTraces) -> anyhow::Result<Exit> {
    let filter: TraceFilter = args.which.into();
    let cursor = args.cursor.map(Cursor);
    let (listed, next) = store.traces(&filter, cursor.as_ref(), args.limit.into()).await?;
    let json = json!({ "traces": listed, "next": next });
    here.screen.show(&json, |ink| print::traces::listing(&listed, next.as_ref(), Timestamp::now(), ink))?;
    Ok(Exit::Done)
}

async fn revoke(here: &Here, store: &dyn Store, source: &str) -> anyhow::Result<Exit> {
    let source = Source::from(source.to_owned());
    if source.is_own() {
        return Err(Refusal::usage("our own runs cannot be revoked")
            .hint("`agentwright runs rate RUN bad` says that one was not good")
            .hint("`agentwright runs clear` deletes runs")
            .into());
    }
    let revoked = runtime::learning::revoke(store, &source).await?;
    let json = json!({ "source": source, "traces": revoked.traces, "lessons": revoked.lessons });
    here.screen.show(&json, |_| {
        let traces = count(revoked.traces as usize, "trace");
        let lessons = count(revoked.lessons.len(), "lesson");
        format!("nothing is learnt from `{source}` any more ({traces}); withdrawn with it: {lessons}\n")
    })?;
    Ok(Exit::Done)
}
