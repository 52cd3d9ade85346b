//! `agentwright plan …`

use std::io::Read;
use std::path::Path;

use domain::finding::Weight;
use domain::id::RunId;
use domain::plan::{self, Plan};
use domain::store::Store;
use domain::view::{RunView, fold};
use serde_json::{Value, json};

use super::Here;
use crate::args::PlanCommand;
use crate::compose;
use crate::exit::{Exit, Refusal};
use crate::lookup;
use crate::print::plan::PlanPage;
use crate::print::verified::VerifiedPage;
use crate::print::{self, plan_diff};

/// The longest plan that is read from stdin, in bytes.
const MOST: u64 = 16 << 20;

pub(super) async fn plan(here: &Here, command: PlanCommand) -> anyhow::Result<Exit> {
    match command {
        PlanCommand::Show { run, version } => show(here, &run, version).await,
        PlanCommand::Check { plan } => check(here, &plan).await,
        PlanCommand::Diff { run, from, to } => diff(here, &run, from, to).await,
    }
}

async fn show(here: &Here, run: &str, version: Option<u32>) -> anyhow::Result<Exit> {
    let (run, view) = view(compose::store(&here.loaded).await?.as_ref(), run).await?;
    let version = version.map_or(view.plans.len(), |version| version as usize);
    let (plan, because) = version_of(run, &view, version)?;
    let said = &view.reasoning;
    let page = PlanPage {
        run,
        version,
        versions: view.plans.len(),
        because: because.clone(),
        plan: plan.clone(),
        notes: said.notes.iter().find(|(of, _)| *of as usize == version).map(|(_, notes)| notes.clone()),
        critique: said.critiques.iter().find(|(of, _)| *of as usize == version).map(|(_, critique)| critique.clone()),
    };
    here.screen.show(&page, |ink| print::plan::page(&page, ink))?;
    Ok(Exit::Done)
}

async fn diff(here: &Here, run: &str, from: Option<u32>, to: Option<u32>) -> anyhow::Result<Exit> {
    let (run, view) = view(compose::store(&here.loaded).await?.as_ref(), run).await?;
    let to = to.map_or(view.plans.len(), |version| version as usize);
    let from = from.map_or(to.saturating_sub(1), |version| version as usize);
    let (after, because) = version_of(run, &view, to)?;
    if from == 0 && view.plans.len() == 1 {
        return Err(Refusal::usage(format!("{run} has only one plan")).hint("`agentwright plan show` shows it").into());
    }
    let (before, _) = version_of(run, &view, from)?;
    let diff = plan::diff::diff(before, after);
    let json = json!({ "run": run, "from": from, "to": to, "because": because, "diff": diff });
    here.screen.show(&json, |ink| {
        let because = because.as_ref().map(|why| format!(", because {}", print::text::line(why, 200)));
        let head = format!("plan {from} to {to}{}", because.unwrap_or_default());
        format!("{}\n{}", ink.faint(&head), plan_diff::words(&diff, ink))
    })?;
    Ok(Exit::Done)
}

async fn check(here: &Here, plan: &str) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let draft = if plan == "-" {
        json_in("stdin", &std::io::read_to_string(std::io::stdin().lock().take(MOST))?)?
    } else if Path::new(plan).is_file() {
        let text = std::fs::read_to_string(plan);
        json_in(plan, &text.map_err(|error| Refusal::usage(format!("`{plan}` cannot be read: {error}")))?)?
    } else if plan.contains(['.', '/']) {
        return Err(Refusal::usage(format!("there is no file `{plan}`")).into());
    } else {
        let (run, view) = view(store.as_ref(), plan).await?;
        serde_json::to_value(&version_of(run, &view, view.plans.len())?.0)?
    };
    let (findings, bounds) = match runtime::verify::read(&draft) {
        Err(findings) => (findings, None),
        Ok(plan) => {
            let verified = compose::verify(&here.loaded, compose::tools(&here.loaded, store)?.as_ref(), &plan)?;
            let unread = runtime::verify::unread(&draft);
            (verified.findings.into_iter().chain(unread).collect(), Some(verified.bounds))
        }
    };
    let page = VerifiedPage { valid: findings.iter().all(|finding| finding.weight != Weight::Fatal), findings, bounds };
    here.screen.show(&page, |ink| print::verified::page(&page, ink))?;
    Ok(if page.valid { Exit::Done } else { Exit::Unverified })
}

/// The plan in a text: the text itself, or what stands in a fence or between other words.
pub(super) fn json_in(name: &str, text: &str) -> anyhow::Result<Value> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let plan = |value: &Value| value.is_array() || value.get("steps").is_some() || value.get("plan").is_some();
    let found = runtime::tolerant::values(text).into_iter().find(plan);
    found.ok_or_else(|| Refusal::usage(format!("`{name}` is not JSON and has no plan in it: {error}")).into())
}

async fn view(store: &dyn Store, run: &str) -> anyhow::Result<(RunId, RunView)> {
    let run = lookup::run(store, run).await?;
    Ok((run, fold(&runtime::ledger(store, run).await?)))
}

fn version_of(run: RunId, view: &RunView, version: usize) -> Result<&(Plan, Option<String>), Refusal> {
    match (version.checked_sub(1).and_then(|at| view.plans.get(at)), view.plans.len()) {
        (Some(found), _) => Ok(found),
        (None, 0) => {
            Err(Refusal::usage(format!("{run} has no plan")).hint("`agentwright runs show` says how far it got"))
        }
        (None, last) => {
            Err(Refusal::usage(format!("{run} has no plan {version}")).hint(format!("there are plans 1 to {last}")))
        }
    }
}
