//! `agentwright eval run`: requests whose outcome is known are rehearsed and judged.

mod cases;
mod judge;

use domain::event::{Event, Route};
use domain::guideline::{Semver, Version};
use domain::request::{Request, Wishes};
use domain::run::RunStatus;
use domain::store::Store;
use domain::symbol::Symbol;

use super::Here;
use super::run::plain;
use crate::args::EvalRun;
use crate::compose::{self, Crew, Host, Parts};
use crate::drive::{self, Watched};
use crate::exit::{Exit, Refusal};
use crate::print;
use crate::print::eval::{Arm, Judged, Rehearsal, Report};
use crate::print::result::RunResult;
use crate::print::text::line;
use cases::Case;
use judge::{Seen, judge};

pub(super) async fn run(here: &Here, args: EvalRun) -> anyhow::Result<Exit> {
    let cases = cases::read(&args.file)?;
    let arms = arms(here, args.against.as_ref()).await?;
    let mut judged = Vec::new();
    for case in &cases {
        let mut rehearsals = Vec::new();
        for repetition in 1..=args.repeat {
            for (arm, parts) in &arms {
                eprintln!("{}: {}", case.id, line(case.request.as_str(), 80));
                let wishes = Wishes { strategy: args.strategy, dry: true, ..Wishes::default() };
                let request = Request { wishes, ..plain(here, case.request.clone()) };
                rehearsals.push(rehearse(parts, request, case, arm, repetition).await?);
            }
        }
        judged.push(Judged { id: case.id.clone(), request: case.request.as_str().to_owned(), rehearsals });
    }
    let report = Report::of(arms.into_iter().map(|(arm, _)| arm).collect(), args.repeat, judged);
    here.screen.show(&report, |ink| print::eval::words(&report, ink))?;
    Ok(if report.all_pass() { Exit::Done } else { Exit::Failed })
}

/// What is told now and, where something is named, the same with another version of it.
async fn arms(here: &Here, against: Option<&(Symbol, Semver)>) -> anyhow::Result<Vec<(Arm, Parts)>> {
    let store = compose::store(&here.loaded).await?;
    let told = store.guidelines().await?;
    let mut arms = vec![("now".to_owned(), told.clone())];
    if let Some((agent, version)) = against {
        let other = version_of(store.as_ref(), agent, *version).await?;
        let kept = told.into_iter().filter(|version| version.agent != *agent);
        arms.push((format!("{agent}@{version}"), kept.chain([other]).collect()));
    }
    let mut made = Vec::new();
    for (name, told) in arms {
        let guidelines = told.iter().map(|version| format!("{}@{}", version.agent, version.version)).collect();
        let host = Host { told: Some(told), ..Host::default() };
        made.push((Arm { name, guidelines }, compose::parts(&here.loaded, Crew::Live, host).await?));
    }
    Ok(made)
}

async fn version_of(store: &dyn Store, agent: &Symbol, version: Semver) -> anyhow::Result<Version> {
    let versions = store.guideline_versions(agent).await?;
    let known: Vec<String> = versions.iter().map(|(version, _)| format!("`{agent}@{}`", version.version)).collect();
    let found = versions.into_iter().map(|(version, _)| version).find(|it| it.version == version);
    Ok(found.ok_or_else(|| {
        let refusal = Refusal::usage(format!("`{agent}` was never told version {version}"));
        match known.is_empty() {
            true => refusal.hint("nothing was learnt for it yet"),
            false => refusal.hint(format!("there are {}", known.join(", "))),
        }
    })?)
}

async fn rehearse(
    parts: &Parts,
    request: Request,
    case: &Case,
    arm: &Arm,
    repetition: u16,
) -> anyhow::Result<Rehearsal> {
    let run = parts.accept(request).await?;
    let mut watched = Watched::new(run);
    let mut route: Option<Route> = None;
    let mut see = |recorded: &domain::event::Recorded| {
        if let Event::Routed { route: gone, .. } = &recorded.entry.event {
            route = Some(*gone);
        }
        Ok(())
    };
    drive::drive(parts.store.as_ref(), parts.attend(run), &mut watched, &mut see).await?;
    let result = RunResult::of(run, &watched.view, watched.seconds());
    // A rehearsal sends nothing: what it would have called is what it declared.
    let mut tools = result.tools_used.clone();
    tools.extend(watched.view.declared.values().filter(|tool| !result.tools_used.contains(tool)).cloned());
    tools.dedup();
    let wrong =
        judge(&case.expect, &Seen { status: result.status, route, tools: &tools, answer: result.answer.as_deref() });
    if result.status == RunStatus::Waiting {
        // Nobody is to be asked about what was only rehearsed.
        runtime::cancel(parts.store.as_ref(), run, Some("it was only rehearsed".to_owned())).await?;
        parts.attend(run).await?;
    }
    Ok(Rehearsal { arm: arm.name.clone(), repetition, passed: wrong.is_empty(), wrong, route, tools, result })
}
