//! `agentwright advance` and `work`: runs that nobody watches are carried on.

use domain::dispatch::Advanced;

use super::Here;
use crate::compose::Host;
use crate::exit::Exit;
use crate::lookup;

pub(super) async fn advance(here: &Here, run: &str) -> anyhow::Result<Exit> {
    // This is the process of its own: what brings it down brings nothing else down.
    let parts = here.parts_for(Host::default()).await?;
    let run = lookup::run(parts.store.as_ref(), run).await?;
    Ok(match parts.attend(run).await? {
        Advanced::Ended | Advanced::Elsewhere => Exit::Done,
        Advanced::Waits => Exit::Waiting,
    })
}

pub(super) async fn work(here: &Here, watch: bool) -> anyhow::Result<Exit> {
    let parts = here.parts().await?;
    match watch {
        true => parts.work_on().await?,
        false => parts.work_until_idle().await?,
    }
    Ok(Exit::Done)
}
