//! `agentwright plan …`

use std::path::Path;

use domain::finding::Weight;
use domain::id::RunId;
use domain::plan::{self, Plan};
use domain::store::Store;
use domain::view::{RunView, fold};
use serde_json::json;

use super::Here;
use super::run::plan_from;
use crate::args::PlanCommand;
use crate::compose;
use crate::exit::{Exit, Refusal};
use crate::lookup;
use crate::print::plan::PlanPage;
use crate::print::text::count;
use crate::print::{self, plan_diff};

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
    let page = PlanPage { run, version, versions: view.plans.len(), because: because.clone(), plan: plan.clone() };
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
    let draft = if Path::new(plan).is_file() {
        plan_from(Path::new(plan))?
    } else if plan.contains(['.', '/']) {
        return Err(Refusal::usage(format!("there is no file `{plan}`")).into());
    } else {
        let (run, view) = view(store.as_ref(), plan).await?;
        serde_json::to_value(&version_of(run, &view, view.plans.len())?.0)?
    };
    let findings = match runtime::verify::read(&draft) {
        Err(findings) => findings,
        Ok(plan) => compose::verify(&here.loaded, compose::tools(&here.loaded, store)?.as_ref(), &plan)?.findings,
    };
    let valid = findings.iter().all(|finding| finding.weight != Weight::Fatal);
    here.screen.show(&json!({ "valid": valid, "findings": findings }), |ink| match findings.len() {
        0 => format!("{} the plan can be carried out\n", ink.good("ok:")),
        number => {
            let lines = findings.iter().map(|finding| format!("- {}\n", print::text::tame(&finding.to_string())));
            format!("{} {}\n{}", ink.bad("not valid:"), count(number, "finding"), lines.collect::<String>())
        }
    })?;
    Ok(if valid { Exit::Done } else { Exit::Unverified })
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
