//! `agentwright run`

use std::io::Read;

use anyhow::Context;
use domain::budget::Budget;
use domain::money::Usd;
use domain::request::{MAX_CHARS, Request, Text, Wishes};
use jiff::Timestamp;
use serde_json::Value;

use super::Here;
use super::carry::{self, Ask, Manner};
use crate::args::Run;
use crate::exit::{Exit, Refusal};

pub(super) async fn run(here: &Here, args: Run) -> anyhow::Result<Exit> {
    let request = request(here, &args)?;
    let parts = here.parts().await?;
    let run = parts.accept(Request { at: Timestamp::now(), ..request }).await?;
    let manner = Manner { yes: args.yes, quiet: args.quiet, ask: Ask::Everything, plan_only: args.plan_only };
    carry::through(here, &parts, run, manner).await
}

fn request(here: &Here, args: &Run) -> anyhow::Result<Request> {
    let text: Text = match args.text.as_str() {
        "-" => from_stdin()?.try_into()?,
        words => words.parse()?,
    };
    let plan = args.plan.as_ref().map(|file| plan_from(file)).transpose()?;
    let budget = args.max_cost.map(|cost| {
        let configured = Budget::from(&here.loaded.config.budget.run);
        Budget { usd: Some(Usd::dollars(cost.get())), ..configured }
    });
    let wishes = Wishes {
        strategy: args.strategy,
        orchestration: args.orchestration,
        budget,
        plan,
        plan_only: args.plan_only,
        validate: args.validate,
        dry: args.dry,
        ..Wishes::default()
    };
    Ok(Request { session: args.session.clone(), wishes, ..plain(here, text) })
}

/// A request with nothing but its words, made here and now.
pub(super) fn plain(here: &Here, text: Text) -> Request {
    Request {
        text,
        at: Timestamp::now(),
        zone: jiff::tz::TimeZone::system().iana_name().map(str::to_owned),
        place: here.loaded.config.person.place.clone(),
        session: None,
        user: here.loaded.person().map(str::to_owned),
        earlier: Vec::new(),
        wishes: Wishes::default(),
    }
}

/// Reads no more than can be used: what is longer is refused, not cut.
fn from_stdin() -> anyhow::Result<String> {
    const MOST: usize = 4 * MAX_CHARS;
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MOST as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST {
        return Err(Refusal::usage(format!("the request has more than {MAX_CHARS} characters")).into());
    }
    String::from_utf8(bytes).map_err(|_| Refusal::usage("stdin is not UTF-8 text").into())
}

pub(super) fn plan_from(file: &std::path::Path) -> anyhow::Result<Value> {
    let name = file.display();
    let text =
        std::fs::read_to_string(file).map_err(|error| Refusal::usage(format!("`{name}` cannot be read: {error}")))?;
    let value = super::plan::json_in(&name.to_string(), &text).context("the plan cannot be used")?;
    // What `plan show -o json` writes has the plan within.
    Ok(match value {
        Value::Object(mut page) if page.contains_key("plan") && page.contains_key("run") => {
            page.remove("plan").unwrap_or_default()
        }
        plan => plan,
    })
}
