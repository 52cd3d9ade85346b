//! Which run is meant: people write the beginning of an id, or `last`.

use domain::id::RunId;
use domain::store::{RunFilter, Store};

use crate::exit::Refusal;

/// How many runs are looked at for the beginning of an id.
const MOST: usize = 100_000;

/// How many are read at once.
const PAGE: usize = 500;

/// The run that a text names: an id, the beginning of exactly one, or `last` for the newest.
pub(crate) async fn run(store: &dyn Store, text: &str) -> anyhow::Result<RunId> {
    let unknown =
        || Refusal::usage(format!("there is no run `{text}`")).hint("`agentwright runs list` shows the runs there are");
    if text == "last" {
        // What a timer will do is accepted for when it is due; nobody means that by the last.
        let so_far = RunFilter { until: Some(jiff::Timestamp::now()), ..RunFilter::default() };
        let newest = store.runs(&so_far, None, 1).await?;
        let none = || Refusal::usage("there are no runs yet").hint("`agentwright run \"…\"` makes one");
        return Ok(newest.runs.first().ok_or_else(none)?.run);
    }
    if let Ok(run) = text.parse::<RunId>() {
        return match store.run(run).await? {
            Some(_) => Ok(run),
            None => Err(unknown().into()),
        };
    }
    let bare = text.strip_prefix("run_").unwrap_or(text).to_ascii_lowercase();
    if bare.is_empty() || !bare.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Refusal::usage(format!("`{text}` is not a run"))
            .hint("write an id, the beginning of one, or `last`")
            .into());
    }
    let found = beginning_with(store, &format!("run_{bare}")).await?;
    match found.as_slice() {
        [] => Err(unknown().into()),
        [run] => Ok(*run),
        [first, second, ..] => Err(Refusal::usage(format!("`{text}` is the beginning of several runs"))
            .hint(format!("write more of it, for example `{first}` or `{second}`"))
            .into()),
    }
}

/// The runs whose ids begin like this; two are enough to know that there are several.
async fn beginning_with(store: &dyn Store, start: &str) -> anyhow::Result<Vec<RunId>> {
    let mut found = Vec::new();
    let mut cursor = None;
    for _ in 0..MOST / PAGE {
        let page = store.runs(&RunFilter::default(), cursor.as_ref(), PAGE).await?;
        found.extend(page.runs.iter().map(|run| run.run).filter(|run| run.to_string().starts_with(start)));
        match page.next {
            Some(next) if found.len() < 2 => cursor = Some(next),
            _ => break,
        }
    }
    Ok(found)
}
