//! `agentwright route …`: how requests are understood, without carrying any of them out.

mod calibrate;
mod labelled;
mod test;

pub(crate) use calibrate::Calibration;
use calibrate::Wanted;
pub(crate) use test::Summary;

use std::sync::Arc;

use domain::name::Name;
use reflex::{Circumstances, Router};
use runtime::Reflexes;

use super::Here;
use crate::args::RouteCommand;
use crate::compose;
use crate::exit::Exit;
use crate::print;

pub(super) async fn route(here: &Here, command: RouteCommand) -> anyhow::Result<Exit> {
    match command {
        RouteCommand::Explain { text } => explain(here, &text).await,
        RouteCommand::Pathways => pathways(here).await,
        RouteCommand::Test { file } => test::test(here, &file).await,
        RouteCommand::Calibrate { file, alpha, delta, strangers, dry, forget } => match (forget, file) {
            (true, _) | (_, None) => calibrate::forget(here).await,
            (false, Some(file)) => calibrate::calibrate(here, &file, Wanted { alpha, delta, strangers, dry }).await,
        },
    }
}

async fn explain(here: &Here, text: &str) -> anyhow::Result<Exit> {
    let text: domain::request::Text =
        text.parse().map_err(|wrong: domain::request::BadRequest| crate::exit::Refusal::usage(wrong.to_string()))?;
    let known = Known::here(here).await?;
    let explained = known.router.explain(text.as_str(), &known.circumstances(here));
    here.screen.show(&explained, |ink| print::route::explained(&explained, ink))?;
    Ok(Exit::Done)
}

async fn pathways(here: &Here) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let worth = here.loaded.config.gate.worth.get();
    let qualities = learn::qualities(&store.pathways().await?, worth);
    let json = serde_json::json!({ "worth": worth, "pathways": qualities });
    here.screen.show(&json, |ink| print::route::pathways(&qualities, worth, ink))?;
    Ok(Exit::Done)
}

/// What is known about requests here.
struct Known {
    router: Arc<Router>,
    names: Arc<Vec<Name>>,
}

impl Known {
    async fn here(here: &Here) -> anyhow::Result<Self> {
        let store = compose::store(&here.loaded).await?;
        let reflexes = compose::reflexes(&here.loaded, store).await?;
        Ok(Self { router: reflexes.router(here.loaded.person()).await, names: reflexes.names().await })
    }

    fn circumstances<'k>(&'k self, here: &'k Here) -> Circumstances<'k> {
        Circumstances { now: jiff::Zoned::now(), names: &self.names, person: here.loaded.person(), seed: 0 }
    }
}
