//! `agentwright tools shortlist`: which tools a planner gets to see, and how good that choice was so far.

use domain::event::{Event, Recorded};
use domain::id::RunId;
use domain::library::{Decision, Shortlist};
use domain::store::{RunFilter, Store};
use serde_json::json;

use super::Here;
use crate::compose::{self, Crew, Host};
use crate::exit::Exit;
use crate::print;
use crate::print::shortlist::{Miss, ShortlistPage};

/// How many runs are read at once.
const PAGE: usize = 100;

pub(super) async fn shortlist(here: &Here, text: Option<&str>, last: usize) -> anyhow::Result<Exit> {
    match text {
        Some(text) => would_see(here, text).await,
        None => so_far(here, last).await,
    }
}

async fn would_see(here: &Here, text: &str) -> anyhow::Result<Exit> {
    let parts = compose::parts(&here.loaded, Crew::OnRecord, Host::default()).await?;
    let (most, of) = (parts.runtime.settings.shortlist, parts.runtime.tools.specs().len());
    let found = parts.runtime.tools_for(text, most).await?;
    let json = json!({ "of": of, "shortlist": most, "tools": found });
    here.screen.show(&json, |ink| print::shortlist::tools(&found, of, most, ink))?;
    Ok(Exit::Done)
}

async fn so_far(here: &Here, last: usize) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let (mut page, mut cursor, mut read) = (ShortlistPage::default(), None, 0);
    while read < last {
        let listed = store.runs(&RunFilter::default(), cursor.as_ref(), PAGE.min(last - read)).await?;
        read += listed.runs.len();
        for run in &listed.runs {
            count(&mut page, store.as_ref(), run.run).await?;
        }
        match listed.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    page.read = read;
    here.screen.show(&page, |ink| print::shortlist::page(&page, ink))?;
    Ok(Exit::Done)
}

async fn count(page: &mut ShortlistPage, store: &dyn Store, run: RunId) -> anyhow::Result<()> {
    let ledger = runtime::ledger(store, run).await?;
    let Some(list) = seen(&ledger) else { return Ok(()) };
    page.runs += 1;
    page.tokens_saved += list.tokens_saved;
    let first = ledger.iter().find_map(|recorded| match &recorded.entry.event {
        Event::Planned { plan, .. } => Some(plan.tools()),
        _ => None,
    });
    for tool in first.unwrap_or_default() {
        page.wanted += 1;
        match list.tools.contains(&tool) {
            true => page.on_list += 1,
            false => page.misses.push(Miss { run, tool }),
        }
    }
    Ok(())
}

/// The list that a planner of this run saw; none where none was asked.
fn seen(ledger: &[Recorded]) -> Option<&Shortlist> {
    let used_again = ledger.iter().any(|recorded| {
        matches!(&recorded.entry.event, Event::Chosen { step: None, choice, .. } if choice.decision == Decision::Reuse)
    });
    let list = ledger.iter().find_map(|recorded| match &recorded.entry.event {
        Event::Recalled { shortlist, .. } => shortlist.as_ref(),
        _ => None,
    });
    list.filter(|_| !used_again)
}
