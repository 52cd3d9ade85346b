//! `agentwright runs …`: looking at runs, and the small things that can be done to them.

use std::io::{IsTerminal, Write};

use domain::id::RunId;
use domain::library::Rating;
use domain::run::RunStatus;
use domain::store::{Cursor, RunFilter, Signalled, Store, StoreError};
use domain::view::fold;
use jiff::Timestamp;
use serde_json::json;

use super::{Here, replay, resume};
use crate::args::{ListRuns, Output, RunsCommand, ShowRun, Verdict};
use crate::compose::{self, Crew, Host};
use crate::exit::{Exit, Refusal};
use crate::lookup;
use crate::print::run::RunPage;
use crate::print::text::count;
use crate::print::{self, events};

/// How many intents and waits of one run are shown.
const MOST: usize = 1000;

pub(super) async fn runs(here: &Here, command: RunsCommand) -> anyhow::Result<Exit> {
    match command {
        RunsCommand::Resume(args) => return resume::resume(here, args).await,
        RunsCommand::Fork(args) => return resume::fork(here, args).await,
        RunsCommand::Replay(args) => return replay::replay(here, args).await,
        _ => {}
    }
    let store = compose::store(&here.loaded).await?;
    let store = store.as_ref();
    match command {
        RunsCommand::List(args) => list(here, store, args).await,
        RunsCommand::Show(args) => show(here, store, args).await,
        RunsCommand::Cancel { run, reason } => cancel(here, store, &run, reason).await,
        RunsCommand::Export(args) => export(store, &args.run).await,
        RunsCommand::Rate { run, verdict, words } => rate(here, store, &run, verdict, words).await,
        RunsCommand::Clear { matching, yes } => clear(here, store, matching.into(), yes).await,
        RunsCommand::Count(matching) => {
            let number = store.count(&matching.into()).await?;
            here.screen.show(&json!({ "count": number }), |_| format!("{number}\n"))?;
            Ok(Exit::Done)
        }
        RunsCommand::Spent(matching) => {
            let totals = store.totals(&matching.into()).await?;
            here.screen.show(&totals, |_| format!("{}\n", print::run::spent(&totals.spent)))?;
            Ok(Exit::Done)
        }
        RunsCommand::Forecasts => {
            let page = print::forecasts::ForecastsPage::of(&store.hindsight(learn::WINDOW).await?);
            here.screen.show(&page, |ink| print::forecasts::page(&page, ink))?;
            Ok(Exit::Done)
        }
        RunsCommand::Resume(_) | RunsCommand::Fork(_) | RunsCommand::Replay(_) => Ok(Exit::Done),
    }
}

async fn list(here: &Here, store: &dyn Store, args: ListRuns) -> anyhow::Result<Exit> {
    let cursor = args.cursor.map(Cursor);
    let page = store.runs(&args.matching.into(), cursor.as_ref(), args.limit.into()).await?;
    here.screen.show(&page, |ink| print::runs::listing(&page, Timestamp::now(), ink))?;
    Ok(Exit::Done)
}

async fn show(here: &Here, store: &dyn Store, args: ShowRun) -> anyhow::Result<Exit> {
    let run = lookup::run(store, &args.run).await?;
    let ledger = runtime::ledger(store, run).await?;
    if args.events {
        match here.screen.output {
            Output::Text => print::write(&events::listing(&ledger, here.screen.ink))?,
            Output::Json => print::write(&print::json(&ledger))?,
            Output::StreamJson => ledger.iter().try_for_each(|recorded| print::write(&print::json_line(recorded)))?,
        }
        return Ok(Exit::Done);
    }
    let page = RunPage {
        run: store.run(run).await?.ok_or(StoreError::NoSuchRun { run })?,
        view: fold(&ledger),
        intents: store.intents(Some(run), None, MOST).await?,
        waits: store.waits(Some(run), MOST).await?,
    };
    here.screen.show(&page, |ink| print::run::page(&page, Timestamp::now(), ink))?;
    Ok(Exit::Done)
}

async fn cancel(here: &Here, store: &dyn Store, run: &str, reason: Option<String>) -> anyhow::Result<Exit> {
    let run = lookup::run(store, run).await?;
    let status = async || Ok::<_, StoreError>(store.run(run).await?.map_or(RunStatus::Pending, |run| run.status));
    let before = status().await?;
    if let Signalled::Ended(status) = runtime::cancel(store, run, reason).await? {
        return Err(Refusal::failed(format!("{run} is {} already", status.word())).into());
    }
    if matches!(before, RunStatus::Waiting | RunStatus::Pending) {
        end(here, run).await;
    }
    let status = status().await?;
    let json = json!({ "run": run, "cancel": "asked", "status": status });
    here.screen.show(&json, |_| match status {
        RunStatus::Cancelled => format!("{run} is cancelled\n"),
        _ => format!("{run} was asked to stop\n"),
    })?;
    Ok(Exit::Done)
}

/// Nobody may be at work on a run that waits, so we take it up ourselves; to end it takes neither models nor tools. The
/// wish to stop is on record: if this does not work, whoever takes the run up next ends it.
async fn end(here: &Here, run: RunId) {
    let ended = async {
        let parts = compose::parts(&here.loaded, Crew::OnRecord, Host::default()).await?;
        anyhow::Ok(parts.attend(run).await?)
    };
    if let Err(error) = ended.await {
        tracing::warn!(%run, %error, "could not end a run that is to stop");
    }
}

async fn rate(
    here: &Here,
    store: &dyn Store,
    run: &str,
    verdict: Option<Verdict>,
    words: Option<String>,
) -> anyhow::Result<Exit> {
    let run = lookup::run(store, run).await?;
    let Some(verdict) = verdict else {
        let rating = store.rating(run).await?;
        here.screen.show(&json!({ "run": run, "rating": rating }), |_| print::run::rated(run, rating.as_ref()))?;
        return Ok(Exit::Done);
    };
    let by = here.loaded.person().map(str::to_owned);
    let rating = Rating { good: verdict == Verdict::Good, words, by, at: Timestamp::now() };
    store.rate(run, &rating).await?;
    here.screen.show(&json!({ "run": run, "rating": rating }), |_| match verdict {
        Verdict::Good => format!("{run} was good: what it made is offered from now on\n"),
        Verdict::Bad => format!("{run} was bad: the team, plan or skill it made is offered no longer\n"),
    })?;
    Ok(Exit::Done)
}

/// The ledger as it is, one event a line: what `-o stream-json` writes while a run lives.
async fn export(store: &dyn Store, run: &str) -> anyhow::Result<Exit> {
    let run = lookup::run(store, run).await?;
    let mut after = 0;
    loop {
        let events = store.events(run, after, 500).await?;
        let Some(last) = events.last() else { return Ok(Exit::Done) };
        after = last.seq;
        print::write(&events.iter().map(print::json_line).collect::<String>())?;
    }
}

async fn clear(here: &Here, store: &dyn Store, filter: RunFilter, yes: bool) -> anyhow::Result<Exit> {
    let number = store.count(&filter).await?;
    if !yes {
        if !std::io::stdin().is_terminal() {
            let words = format!("{} would be deleted as far as they have ended", count(number as usize, "run"));
            return Err(Refusal::usage(words).hint("add `--yes` to delete them").into());
        }
        eprint!("Delete those of {} that have ended? [yes/no] ", count(number as usize, "run"));
        std::io::stderr().flush()?;
        let mut line = String::new();
        std::io::stdin().read_line(&mut line)?;
        if !matches!(line.trim(), "yes" | "y") {
            return Ok(Exit::Done);
        }
    }
    let deleted = store.clear(&filter).await?;
    let words = |_| format!("{} deleted\n", count(deleted as usize, "run"));
    here.screen.show(&json!({ "deleted": deleted }), words)?;
    Ok(Exit::Done)
}
