//! `agentwright learn …`: learns from runs, shows what was learnt, and does what people say about it.

mod files;

use domain::guideline::{ExperimentId, Lesson, LessonId, LessonStatus, Report, Semver, Version};
use domain::id::TraceId;
use domain::pattern::Family;
use domain::store::Store;
use domain::symbol::Symbol;
use jiff::Timestamp;
use runtime::learning::{self, ByHandError, LearnError, Wordsmith, Yes};
use serde_json::json;

use super::{Here, audit};
use crate::args::LearnCommand;
use crate::compose;
use crate::config::{Loaded, Period};
use crate::exit::{Exit, Refusal};
use crate::print::learn as print;

pub(super) use files::keep_state;

pub(super) async fn learn(here: &Here, command: LearnCommand) -> anyhow::Result<Exit> {
    let store = compose::store(&here.loaded).await?;
    let store = store.as_ref();
    files::restore_state(&here.loaded, store).await?;
    match command {
        LearnCommand::Run => {
            let report = cycle(here, store).await?;
            here.screen.show(&report, |ink| print::report(&report, ink))?;
            Ok(Exit::Done)
        }
        LearnCommand::Watch { interval, cycles } => watch(here, store, interval.as_deref(), cycles).await,
        LearnCommand::Status => {
            let status = learning::status(store, &compose::learning(&here.loaded)).await?;
            here.screen.show(&status, |ink| print::status(&status, Timestamp::now(), ink))?;
            Ok(Exit::Done)
        }
        LearnCommand::Patterns { agent, family, limit } => {
            patterns(here, store, agent.as_deref(), family.as_deref(), limit.into()).await
        }
        LearnCommand::Lessons { status } => lessons(here, store, status.as_deref()).await,
        LearnCommand::Show { lesson } => show(here, store, &lesson).await,
        LearnCommand::Predict { trace } => predict(here, store, &trace).await,
        LearnCommand::Accept { lesson, now } => {
            let yes = if now { Yes::AtOnce } else { Yes::Try };
            let accepted = learning::accept(store, &lesson_id(&lesson), yes, here.loaded.person()).await;
            let accepted = accepted.map_err(refused)?;
            audit::note(here, store, "learn accept", [("lesson", lesson)]).await?;
            decided(here, &accepted)
        }
        LearnCommand::Dismiss { lesson } => {
            let dismissed = learning::dismiss(store, &lesson_id(&lesson), here.loaded.person()).await;
            let dismissed = dismissed.map_err(refused)?;
            audit::note(here, store, "learn dismiss", [("lesson", lesson)]).await?;
            decided(here, &dismissed)
        }
        LearnCommand::Guidelines { agent } => guidelines(here, store, agent.as_deref()).await,
        LearnCommand::Diff { agent, from, to } => diff(here, store, &agent, from.as_deref(), to.as_deref()).await,
        LearnCommand::Rollback { agent, to } => {
            let to = to.as_deref().map(str::parse::<Semver>).transpose()?;
            let back = learning::roll_back(store, &Symbol::of(&agent), to, here.loaded.person()).await;
            let version = back.map_err(refused)?;
            let on = [("agent", agent.clone()), ("version", version.version.to_string())];
            audit::note(here, store, "learn rollback", on).await?;
            here.screen.show(&version, |_| format!("`{agent}` is told version {} again\n", version.version))?;
            Ok(Exit::Done)
        }
        LearnCommand::Experiments { open } => {
            let experiments = store.experiments(open).await?;
            let lessons = store.lessons().await?;
            let json = json!({ "experiments": experiments });
            here.screen.show(&json, |ink| print::experiments(&experiments, &lessons, Timestamp::now(), ink))?;
            Ok(Exit::Done)
        }
        LearnCommand::Stop { experiment } => {
            let id = ExperimentId(Symbol::of(&experiment));
            learning::stop(store, &id, here.loaded.person()).await.map_err(refused)?;
            audit::note(here, store, "learn stop", [("experiment", experiment.clone())]).await?;
            let words = format!("`{experiment}` is stopped; everybody gets again what all got before\n");
            here.screen.show(&json!({ "experiment": id, "status": "stopped" }), |_| words)?;
            Ok(Exit::Done)
        }
        LearnCommand::History { limit } => {
            let reports = store.reports(limit.into()).await?;
            let json = json!({ "cycles": reports });
            here.screen.show(&json, |ink| print::history(&reports, Timestamp::now(), ink))?;
            Ok(Exit::Done)
        }
        LearnCommand::Export { to } => files::export(here, store, &to).await,
        LearnCommand::Import { files, agent } => files::import(here, store, &files, agent.as_deref()).await,
    }
}

/// One cycle, with what was learnt written where `META_AGENT_STATE_FILE` says.
async fn cycle(here: &Here, store: &dyn Store) -> anyhow::Result<Report> {
    // Only who words lessons needs models.
    let parts = if here.loaded.config.learning.reword { Some(here.parts().await?) } else { None };
    let wordsmith = parts.as_ref().and_then(|parts| parts.runtime.wordsmith());
    learn_once(&here.loaded, store, wordsmith.as_ref()).await
}

/// The same, with who words lessons.
pub(super) async fn learn_once(
    loaded: &Loaded,
    store: &dyn Store,
    wordsmith: Option<&Wordsmith<'_>>,
) -> anyhow::Result<Report> {
    let worker = runtime::Embedded::this_process().id;
    let learnt = learning::learn(store, &compose::learning(loaded), &worker, wordsmith).await;
    let report = learnt.map_err(|error| match error {
        LearnError::Busy { .. } => {
            Refusal::failed(error.to_string()).hint("one process learns at a time; try again when it has ended")
        }
        LearnError::Contended | LearnError::Store(_) => Refusal::failed("nothing was learnt").because(error),
    })?;
    keep_state(loaded, store).await?;
    Ok(report)
}

async fn watch(here: &Here, store: &dyn Store, interval: Option<&str>, cycles: Option<u64>) -> anyhow::Result<Exit> {
    let interval = match interval {
        Some(text) => text.parse::<Period>().map_err(Refusal::usage)?,
        None => here.loaded.config.learning.interval,
    };
    let mut done = 0;
    while cycles.is_none_or(|cycles| done < cycles) {
        if done > 0 {
            tokio::time::sleep(interval.get()).await;
        }
        done += 1;
        match cycle(here, store).await {
            Ok(report) => here.screen.show(&report, |ink| print::report(&report, ink))?,
            // Somebody else learns, or the database is away: the next time may be better.
            Err(error) => eprint!("{}", crate::exit::words(&error, here.screen.ink_on_stderr)),
        }
    }
    Ok(Exit::Done)
}

async fn patterns(
    here: &Here,
    store: &dyn Store,
    agent: Option<&str>,
    family: Option<&str>,
    limit: usize,
) -> anyhow::Result<Exit> {
    let family = family.map(|word| {
        let known = Family::ALL.into_iter().find(|family| family.word() == word);
        let words = Family::ALL.map(Family::word).join("`, `");
        known.ok_or_else(|| Refusal::usage(format!("there is no family `{word}`")).hint(format!("use `{words}`")))
    });
    let family = family.transpose()?;
    let mut patterns = learning::patterns(store, &compose::learning(&here.loaded)).await?;
    patterns.retain(|pattern| family.is_none_or(|family| pattern.mark.family() == family));
    patterns.retain(|pattern| agent.is_none_or(|agent| pattern.agent.as_ref().is_none_or(|own| own.as_str() == agent)));
    let found = patterns.len();
    patterns.truncate(limit);
    let json = json!({ "patterns": patterns, "found": found });
    here.screen.show(&json, |ink| print::patterns(&patterns, found, ink))?;
    Ok(Exit::Done)
}

async fn lessons(here: &Here, store: &dyn Store, status: Option<&str>) -> anyhow::Result<Exit> {
    let status = status.map(|word| {
        let words = LessonStatus::ALL.map(LessonStatus::word).join("`, `");
        LessonStatus::from_word(word)
            .ok_or_else(|| Refusal::usage(format!("no lesson is ever `{word}`")).hint(format!("use `{words}`")))
    });
    let status = status.transpose()?;
    let mut lessons = store.lessons().await?;
    lessons.retain(|lesson| status.is_none_or(|status| lesson.status == status));
    here.screen.show(&json!({ "lessons": lessons }), |ink| print::lessons(&lessons, ink))?;
    Ok(Exit::Done)
}

async fn show(here: &Here, store: &dyn Store, lesson: &str) -> anyhow::Result<Exit> {
    let id = lesson_id(lesson);
    let unknown = || refused(ByHandError::Unknown { what: "lesson", name: lesson.to_owned() });
    let lesson = store.lesson(&id).await?.ok_or_else(unknown)?;
    let foreseen = learning::evaluate(store, &lesson).await?;
    let json = json!({ "lesson": lesson, "on_record": foreseen });
    here.screen.show(&json, |ink| print::lesson(&lesson, &foreseen, Timestamp::now(), ink))?;
    Ok(Exit::Done)
}

async fn predict(here: &Here, store: &dyn Store, trace: &str) -> anyhow::Result<Exit> {
    let id: TraceId = trace.parse()?;
    let unknown = || Refusal::usage(format!("there is no trace `{id}`")).hint("`agentwright traces list` lists them");
    let predicted = learning::predict(store, &id).await?.ok_or_else(unknown)?;
    here.screen.show(&predicted, |ink| print::predicted(&predicted, ink))?;
    Ok(Exit::Done)
}

async fn guidelines(here: &Here, store: &dyn Store, agent: Option<&str>) -> anyhow::Result<Exit> {
    match agent {
        None => {
            let told = store.guidelines().await?;
            here.screen.show(&json!({ "guidelines": told }), |ink| print::guidelines(&told, ink))?;
        }
        Some(agent) => {
            let versions = versions(store, agent).await?;
            let json: Vec<_> =
                versions.iter().map(|(version, told)| json!({ "told": told, "version": version })).collect();
            here.screen.show(&json!({ "versions": json }), |ink| print::versions(&versions, Timestamp::now(), ink))?;
        }
    }
    Ok(Exit::Done)
}

async fn diff(
    here: &Here,
    store: &dyn Store,
    agent: &str,
    from: Option<&str>,
    to: Option<&str>,
) -> anyhow::Result<Exit> {
    let versions = versions(store, agent).await?;
    let named = |text: &str| -> anyhow::Result<&Version> {
        let number: Semver = text.parse()?;
        let found = versions.iter().map(|(version, _)| version).find(|version| version.version == number);
        let missing = || Refusal::usage(format!("`{agent}` has no version {number}")).hint(history(agent));
        Ok(found.ok_or_else(missing)?)
    };
    let newer = match to {
        Some(text) => named(text)?,
        None => versions.iter().find(|(_, told)| *told).map(|(version, _)| version).unwrap_or(&versions[0].0),
    };
    let older = match (from, newer.parent) {
        (Some(text), _) => Some(named(text)?),
        (None, Some(parent)) => Some(named(&parent.to_string())?),
        (None, None) => None,
    };
    let diff = print::VersionDiff::between(older, newer);
    here.screen.show(&diff, |ink| print::diff(&diff, ink))?;
    Ok(Exit::Done)
}

/// All versions of what an agent is told, newest first; at least one.
async fn versions(store: &dyn Store, agent: &str) -> anyhow::Result<Vec<(Version, bool)>> {
    let versions = store.guideline_versions(&Symbol::of(agent)).await?;
    if versions.is_empty() {
        let refusal = Refusal::usage(format!("`{agent}` is told nothing"));
        return Err(refusal.hint("`agentwright learn guidelines` lists those who are told something").into());
    }
    Ok(versions)
}

fn history(agent: &str) -> String {
    format!("`agentwright learn guidelines {agent}` lists its versions")
}

fn lesson_id(text: &str) -> LessonId {
    LessonId(Symbol::of(text))
}

fn decided(here: &Here, lesson: &Lesson) -> anyhow::Result<Exit> {
    here.screen.show(lesson, |_| format!("“{}” is {}: {}\n", lesson.text, lesson.status.word(), lesson.because))?;
    Ok(Exit::Done)
}

fn refused(error: ByHandError) -> anyhow::Error {
    match &error {
        ByHandError::Unknown { what, .. } => {
            let list = match *what {
                "lesson" => "lessons",
                "experiment" => "experiments",
                _ => "guidelines",
            };
            Refusal::usage(error.to_string()).hint(format!("`agentwright learn {list}` lists them")).into()
        }
        ByHandError::Pointless(_) => Refusal::usage(error.to_string()).into(),
        ByHandError::Contended | ByHandError::Store(_) => error.into(),
    }
}
