//! What was learnt as files: a version is `{agent}_v{semver}.yaml`, the state of learning is `state.json`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use domain::guideline::{Author, Point, Version};
use domain::store::Store;
use domain::symbol::Symbol;
use runtime::learning;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::Here;
use super::refused;
use crate::config::Loaded;
use crate::exit::{Exit, Refusal};

/// How many cycles a state tells of.
const HISTORY: usize = 1_000;

/// What a file says that somebody wrote: ours, or a prompt in one of the usual forms.
#[derive(Debug, Deserialize)]
struct Written {
    #[serde(alias = "name", alias = "agent_type")]
    agent: Option<String>,
    #[serde(default, alias = "guidelines", alias = "rules")]
    points: Many,
    #[serde(default, alias = "system_prompt", alias = "system")]
    prompt: Option<String>,
}

/// One or several.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
enum Many {
    #[default]
    None,
    One(String),
    Several(Vec<WrittenPoint>),
}

/// A point as people write it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum WrittenPoint {
    Text(String),
    Whole(Point),
}

/// A version as its file says it.
#[derive(Serialize)]
struct VersionFile<'v> {
    agent: &'v Symbol,
    version: String,
    hash: String,
    because: &'v str,
    by: String,
    at: String,
    parent: Option<String>,
    points: &'v [Point],
}

/// Writes every version there is, and the state.
pub(super) async fn export(here: &Here, store: &dyn Store, folder: &Path) -> anyhow::Result<Exit> {
    std::fs::create_dir_all(folder).with_context(|| format!("`{}` cannot be made", folder.display()))?;
    let mut written = Vec::new();
    for told in store.guidelines().await? {
        for (version, _) in store.guideline_versions(&told.agent).await? {
            let file = folder.join(file_name(&version));
            write(&file, &yaml(&version)?)?;
            written.push(file);
        }
    }
    let state = folder.join("state.json");
    write(&state, &serde_json::to_string_pretty(&state_of(&here.loaded, store).await?)?)?;
    written.push(state);
    let lines: String = written.iter().map(|file| format!("{}\n", file.display())).collect();
    here.screen.show(&json!({ "files": written }), |_| lines)?;
    Ok(Exit::Done)
}

/// Has agents told what files say.
pub(super) async fn import(
    here: &Here,
    store: &dyn Store,
    files: &[PathBuf],
    agent: Option<&str>,
) -> anyhow::Result<Exit> {
    let mut made = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .map_err(|error| Refusal::usage(format!("`{name}` cannot be read")).because(error))?;
        let written: Written = serde_saphyr::from_str(&text).map_err(|error| {
            let hint = "it has `agent`, and `points` (a list), `guidelines` (a list or a text) or `prompt` (a text)";
            Refusal::usage(format!("`{name}` is not a guideline")).because(error).hint(hint)
        })?;
        let by_name = || file.file_stem()?.to_str()?.split_once("_v").map(|(agent, _)| agent.to_owned());
        let agent = agent.map(str::to_owned).or(written.agent.clone()).or_else(by_name);
        let nobody = || Refusal::usage(format!("`{name}` does not say for whom it is")).hint("say it with `--agent`");
        let agent = Symbol::of(&agent.ok_or_else(nobody)?);
        let points = points(store, written, &name).await?;
        if points.is_empty() {
            return Err(Refusal::usage(format!("`{name}` says nothing")).into());
        }
        made.push(learning::adopt(store, &agent, points, Author::File(name)).await.map_err(refused)?);
    }
    let words: String =
        made.iter().map(|version| format!("`{}` is told version {}\n", version.agent, version.version)).collect();
    here.screen.show(&json!({ "versions": made }), |_| words)?;
    Ok(Exit::Done)
}

/// The points of a file. What was learnt here is told anyway, as long as it is.
async fn points(store: &dyn Store, written: Written, file: &str) -> anyhow::Result<Vec<Point>> {
    let said = |text: &str| Point::said(file, text.trim());
    let mut points = match written.points {
        Many::None => Vec::new(),
        Many::One(text) => vec![said(&text)],
        Many::Several(several) => {
            let mut points = Vec::new();
            for point in several {
                match point {
                    WrittenPoint::Text(text) => points.push(said(&text)),
                    WrittenPoint::Whole(Point { lesson: Some(id), .. }) if store.lesson(&id).await?.is_some() => {}
                    WrittenPoint::Whole(Point { text, problem, .. }) => points.push(Point { problem, ..said(&text) }),
                }
            }
            points
        }
    };
    points.extend(written.prompt.as_deref().map(said));
    points.retain(|point| !point.text.is_empty());
    Ok(points)
}

/// Writes the state where `META_AGENT_STATE_FILE` says, if it does.
pub(in super::super) async fn keep_state(loaded: &Loaded, store: &dyn Store) -> anyhow::Result<()> {
    let Some(file) = loaded.learning_state() else { return Ok(()) };
    let state = state_of(loaded, store).await?;
    // Whoever reads it at the same time gets the old one or the new one.
    let beside = file.with_extension("json.new");
    write(&beside, &serde_json::to_string_pretty(&state)?)?;
    std::fs::rename(&beside, &file).with_context(|| format!("`{}` cannot be written", file.display()))
}

/// Has agents told what `META_AGENT_STATE_FILE` says, where nothing was ever learnt here.
pub(super) async fn restore_state(loaded: &Loaded, store: &dyn Store) -> anyhow::Result<()> {
    let Some(file) = loaded.learning_state().filter(|file| file.is_file()) else { return Ok(()) };
    if store.learned().await?.revision > 0 {
        return Ok(());
    }
    let name = file.display().to_string();
    let text = std::fs::read_to_string(&file)
        .map_err(|error| Refusal::configuration(format!("`{name}` cannot be read")).because(error))?;
    let state: Value = serde_json::from_str(&text)
        .map_err(|error| Refusal::configuration(format!("`{name}` is not a state")).because(error))?;
    let told = state["learning_state"]["guidelines"].clone();
    let versions: Vec<Version> = serde_json::from_value(told).unwrap_or_default();
    for version in versions {
        let points = version.points.into_iter().map(|point| Point { lesson: None, ..point }).collect();
        learning::adopt(store, &version.agent, points, Author::File(name.clone())).await.map_err(refused)?;
    }
    Ok(())
}

async fn state_of(loaded: &Loaded, store: &dyn Store) -> anyhow::Result<Value> {
    let learned = store.learned().await?;
    Ok(json!({
        "config": loaded.config.learning,
        "learning_state": {
            "cycles": learned.cycles,
            "guidelines": store.guidelines().await?,
            "lessons": store.lessons().await?,
            "experiments": store.experiments(false).await?,
        },
        "performance_history": store.reports(HISTORY).await?,
    }))
}

fn file_name(version: &Version) -> String {
    let agent = version.agent.as_str().replace('/', "-");
    format!("{agent}_v{}.yaml", version.version)
}

fn yaml(version: &Version) -> anyhow::Result<String> {
    let file = VersionFile {
        agent: &version.agent,
        version: version.version.to_string(),
        hash: version.hash.to_string(),
        because: &version.because,
        by: version.by.to_string(),
        at: version.at.to_string(),
        parent: version.parent.map(|parent| parent.to_string()),
        points: &version.points,
    };
    Ok(serde_saphyr::to_string(&file)?)
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(file, text).with_context(|| format!("`{}` cannot be written", file.display()))
}
