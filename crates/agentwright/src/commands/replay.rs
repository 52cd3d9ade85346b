//! `agentwright runs replay`

use super::Here;
use crate::args::Replay;
use crate::compose;
use crate::exit::{Exit, Refusal};
use crate::lookup;

pub(super) async fn replay(here: &Here, args: Replay) -> anyhow::Result<Exit> {
    let parts = compose::parts(&here.loaded).await?;
    let run = lookup::run(parts.store.as_ref(), &args.run).await?;
    let _ = (run, args.set, args.result, args.prompt, args.live);
    Err(Refusal::failed("replaying is not wired yet").into())
}
