//! `agentwright runs resume` and `fork`: going on.

use domain::event::Wait;
use domain::store::Signalled;
use serde_json::Value;

use super::Here;
use super::carry::{self, Ask, Manner};
use crate::args::{Fork, Resume};
use crate::drive;
use crate::exit::{Exit, Refusal};
use crate::lookup;

pub(super) async fn resume(here: &Here, args: Resume) -> anyhow::Result<Exit> {
    let parts = here.parts().await?;
    let store = parts.store.as_ref();
    let run = lookup::run(store, &args.run).await?;
    if let Some(answer) = args.answer {
        let waits: Vec<Wait> = store.waits(Some(run), 1000).await?.into_iter().map(|pending| pending.wait).collect();
        let wait = drive::wait_for(&waits, args.to.as_deref())?;
        let answer = Value::String(answer);
        if !wait.need.understands(&answer) {
            return Err(Refusal::usage(format!("{answer} is neither yes nor no")).hint("answer `yes` or `no`").into());
        }
        match runtime::answer(store, run, &wait.name, answer, None).await? {
            Signalled::Recorded => {}
            Signalled::Late(_) => return Err(Refusal::failed("somebody else has answered already").into()),
            Signalled::Ended(status) => {
                return Err(Refusal::failed(format!("{run} is {} already", status.word())).into());
            }
        }
    }
    carry::through(here, &parts, run, Manner { quiet: args.quiet, ask: Ask::Everything, ..Manner::default() }).await
}

pub(super) async fn fork(here: &Here, args: Fork) -> anyhow::Result<Exit> {
    let parts = here.parts().await?;
    let parent = lookup::run(parts.store.as_ref(), &args.run).await?;
    let run = parts.fork(parent, args.at).await?;
    eprintln!("{run} goes on from event {} of {parent}", args.at);
    carry::through(here, &parts, run, Manner { quiet: args.quiet, ask: Ask::Everything, ..Manner::default() }).await
}
