//! `agentwright runs replay`: the record gone through again, exactly or with something changed.

use std::collections::BTreeMap;

use domain::run::Ending;
use runtime::{Changed, Divergence, Prompts, WhatIf};
use serde_json::json;

use super::Here;
use crate::args::Replay;
use crate::compose::{self, Crew, Host, Parts};
use crate::config::{self, Flags};
use crate::exit::{Exit, Refusal};
use crate::lookup;
use crate::print::text::{count, line, tame};

pub(super) async fn replay(here: &Here, args: Replay) -> anyhow::Result<Exit> {
    let crew = if args.live { Crew::Live } else { Crew::OnRecord };
    let is_exact = args.set.is_empty() && args.result.is_empty() && args.prompt.is_empty() && !args.live;
    let loaded = config::load(here.loaded.surroundings().clone(), &Flags { set: args.set, ..here.flags.clone() })?;
    let host = Host { prompts: prompts(args.prompt)?, ..Host::default() };
    let parts = compose::parts(&loaded, crew, host).await?;
    let run = lookup::run(parts.store.as_ref(), &args.run).await?;
    let ledger = parts.runtime.ledger(run).await?;
    if is_exact {
        return exact(here, run, parts.runtime.replay(&ledger));
    }
    let changed = Changed { results: args.result.into_iter().collect() };
    if let Some(unknown) = changed.results.keys().find(|key| !ledger.iter().any(|recorded| recorded.entry.key == **key))
    {
        return Err(Refusal::usage(format!("{run} has no result `{unknown}`"))
            .hint(format!("`agentwright runs show {run} --events -o json` shows the keys"))
            .into());
    }
    what_if(here, &parts, run, &ledger, &changed).await
}

fn exact(here: &Here, run: domain::id::RunId, replayed: Result<usize, Divergence>) -> anyhow::Result<Exit> {
    let (json, exit) = match &replayed {
        Ok(events) => (json!({ "run": run, "same": true, "events": events }), Exit::Done),
        Err(at) => (json!({ "run": run, "same": false, "seq": at.seq, "detail": at.detail }), Exit::Unverified),
    };
    here.screen.show(&json, |ink| match &replayed {
        Ok(events) => format!("{} {} came out the same\n", ink.good("ok:"), count(*events, "event")),
        Err(at) => format!("{} event {} differs: {}\n", ink.bad("differs:"), at.seq, tame(&at.detail)),
    })?;
    Ok(exit)
}

async fn what_if(
    here: &Here,
    parts: &Parts,
    run: domain::id::RunId,
    ledger: &[domain::event::Recorded],
    changed: &Changed,
) -> anyhow::Result<Exit> {
    let WhatIf { ending, entries, reused, made } = parts.runtime.what_if(ledger, changed).await?;
    let json = json!({ "run": run, "ending": ending, "events": entries, "reused": reused, "made": made });
    here.screen.show(&json, |ink| {
        let end = match &ending {
            Some(Ending::Completed { answer }) => format!("{} {}", ink.good("completed:"), tame(answer)),
            Some(Ending::Failed { error, .. }) => format!("{} {}", ink.bad("failed:"), tame(error)),
            Some(Ending::Cancelled { .. }) => "cancelled".to_owned(),
            None => "it would wait for somebody".to_owned(),
        };
        let made = match made.len() {
            0 => String::new(),
            _ => format!("\nmade anew: {}", line(&made.join(", "), 400)),
        };
        format!("{end}\n\n{} of the record used again{made}\n", count(reused, "result"))
    })?;
    Ok(match ending {
        Some(Ending::Completed { .. }) => Exit::Done,
        Some(Ending::Failed { .. } | Ending::Cancelled { .. }) => Exit::Failed,
        None => Exit::Waiting,
    })
}

fn prompts(files: Vec<(String, std::path::PathBuf)>) -> anyhow::Result<Prompts> {
    let read = |(name, file): (String, std::path::PathBuf)| {
        let text = std::fs::read_to_string(&file)
            .map_err(|error| Refusal::usage(format!("`{}` cannot be read", file.display())).because(error))?;
        Ok((name, text))
    };
    let texts: BTreeMap<String, String> = files.into_iter().map(read).collect::<Result<_, Refusal>>()?;
    Ok(Prompts::with(texts).map_err(|error| Refusal::usage("the prompts cannot be used").because(error))?)
}
