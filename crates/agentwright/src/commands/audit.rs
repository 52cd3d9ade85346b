//! `agentwright audit …`: who changed what; and how commands say that they did.

use domain::audit::{Entry, Noted, Outcome, Via};
use domain::hash::Hash;
use domain::store::{Store, StoreError};
use jiff::Timestamp;
use rustix::process::getuid;
use serde_json::json;

use super::Here;
use crate::args::AuditCommand;
use crate::compose;
use crate::exit::{Exit, Refusal};
use crate::print;

/// How many entries are looked at at once.
const PAGE: usize = 1_000;

pub(super) async fn audit(here: &Here, command: AuditCommand) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    match command {
        AuditCommand::List { limit, before } => list(here, store.as_ref(), limit.into(), before).await,
        AuditCommand::Verify { contains } => verify(here, store.as_ref(), contains).await,
    }
}

/// Notes that whoever is at the terminal has changed something.
pub(super) async fn note(
    here: &Here,
    store: &dyn Store,
    what: &str,
    on: impl IntoIterator<Item = (&'static str, String)>,
) -> Result<(), StoreError> {
    let variable = |name| here.loaded.surroundings().variable(name);
    let uid = getuid().as_raw().to_string();
    let who = variable("USER").or_else(|| variable("LOGNAME")).map_or_else(|| format!("uid {uid}"), str::to_owned);
    // The name is what the terminal says, the number is what the system says.
    let on = on.into_iter().chain([("uid", uid)]).map(|(name, value)| (name.to_owned(), value)).collect();
    let (at, via, what, outcome) = (Timestamp::now(), Via::Cli, what.to_owned(), Outcome::Done);
    store.note(&Entry { at, who, via, what, on, outcome }).await.map(drop)
}

async fn list(here: &Here, store: &dyn Store, limit: usize, before: Option<u64>) -> anyhow::Result<Exit> {
    let entries = store.noted(before, limit).await?;
    let json = json!({ "entries": entries });
    here.screen.show(&json, |ink| print::audit::listing(&entries, Timestamp::now(), ink))?;
    Ok(Exit::Done)
}

async fn verify(here: &Here, store: &dyn Store, contains: Option<Hash>) -> anyhow::Result<Exit> {
    let verified = store.verify().await?;
    let missing = match contains {
        Some(hash) => !has(store, hash).await?,
        None => false,
    };
    let json = json!({
        "holds": verified.broken.is_none() && !missing,
        "entries": verified.entries,
        "last": verified.last,
        "broken": verified.broken,
    });
    let words = |_| match verified.broken {
        None => format!("the chain holds: {} entries, the last is {}\n", verified.entries, verified.last),
        Some(_) => String::new(),
    };
    here.screen.show(&json, words)?;
    if let Some(seq) = verified.broken {
        let hint = "keep the database as it is, and compare it with a backup";
        return Err(Refusal::unverified(format!("entry {seq} is not what it was when it was noted")).hint(hint).into());
    }
    if let Some(hash) = contains.filter(|_| missing) {
        let words = format!("`{hash}` is not in the chain: entries were taken away, or it is of another database");
        return Err(Refusal::unverified(words).into());
    }
    Ok(Exit::Done)
}

async fn has(store: &dyn Store, hash: Hash) -> Result<bool, StoreError> {
    let mut before = None;
    loop {
        let page: Vec<Noted> = store.noted(before, PAGE).await?;
        if page.iter().any(|noted| noted.hash == hash) {
            return Ok(true);
        }
        match page.last() {
            Some(last) => before = Some(last.seq),
            None => return Ok(false),
        }
    }
}
