//! `agentwright advance` and `work`: for other processes, not for people.

use domain::dispatch::Advanced;

use super::Here;
use crate::compose;
use crate::exit::Exit;
use crate::lookup;

pub(super) async fn advance(here: &Here, run: &str) -> anyhow::Result<Exit> {
    let parts = compose::parts(&here.loaded).await?;
    let run = lookup::run(parts.store.as_ref(), run).await?;
    Ok(match parts.attend(run).await? {
        Advanced::Ended | Advanced::Elsewhere => Exit::Done,
        Advanced::Waits => Exit::Waiting,
    })
}

pub(super) async fn work(here: &Here) -> anyhow::Result<Exit> {
    let parts = compose::parts(&here.loaded).await?;
    parts.work_until_idle().await?;
    Ok(Exit::Done)
}
