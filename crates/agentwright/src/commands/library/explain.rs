//! `agentwright skills explain`: what would be used again for a request, without carrying it out.

use domain::plan::Strategy;
use domain::request::{BadRequest, Text};
use jiff::Zoned;

use super::Here;
use crate::compose::{self, Crew, Host};
use crate::exit::{Exit, Refusal};
use crate::print;

pub(super) async fn explain(here: &Here, text: &str, strategy: Option<Strategy>) -> anyhow::Result<Exit> {
    let text: Text = text.parse().map_err(|wrong: BadRequest| Refusal::usage(wrong.to_string()))?;
    let parts = compose::parts(&here.loaded, Crew::OnRecord, Host::default()).await?;
    let strategy = strategy.unwrap_or(parts.runtime.settings.strategy);
    let explained = parts.runtime.explain(text.as_str(), strategy, Zoned::now()).await?;
    here.screen.show(&explained, |ink| print::explained::page(&explained, ink))?;
    Ok(Exit::Done)
}
