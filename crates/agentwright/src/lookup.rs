//! Which run, trace, approval or item is meant: people write the beginning of an id, `last`, or a name with a slip in it.

use domain::approval::{Approval, ApprovalFilter, ApprovalId, ApprovalStatus};
use domain::id::{ItemName, RunId, TraceId};
use domain::library::{ItemFilter, ItemSummary, Kind};
use domain::store::{RunFilter, Store, StoreError};
use domain::trace::{Trace, TraceFilter, TraceSummary};
use jiff::Timestamp;

use crate::exit::Refusal;

/// How many things are looked at for the beginning of an id.
const MOST: usize = 100_000;

/// How many are read at once.
const PAGE: usize = 500;

/// The run that a text names: an id, the beginning of exactly one, or `last` for the newest.
pub(crate) async fn run(store: &dyn Store, text: &str) -> anyhow::Result<RunId> {
    let unknown =
        || Refusal::usage(format!("there is no run `{text}`")).hint("`agentwright runs list` shows the runs there are");
    if text == "last" {
        // Timers are runs that begin later: they are not the last thing that was asked for.
        let begun = RunFilter { until: Some(jiff::Timestamp::now()), ..RunFilter::default() };
        let newest = store.runs(&begun, None, 1).await?;
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

/// The approval that a text names: an id, the beginning of exactly one, or `last` for what was asked last.
pub(crate) async fn approval(store: &dyn Store, text: &str) -> anyhow::Result<Approval> {
    let hint = "`agentwright approvals list --all` shows what people were asked";
    let unknown = || Refusal::usage(format!("there is no approval `{text}`")).hint(hint);
    if let Ok(id) = text.parse::<ApprovalId>() {
        return Ok(store.approval(id, Timestamp::now()).await?.ok_or_else(unknown)?);
    }
    if text == "last" {
        let pending = approvals(store, Some(ApprovalStatus::Pending), |_| true, MOST).await?;
        let none = || Refusal::usage("there is nothing to decide").hint(hint);
        return Ok(pending.into_iter().max_by_key(|it| it.asked_at).ok_or_else(none)?);
    }
    let bare = text.strip_prefix("apr_").unwrap_or(text).to_ascii_lowercase();
    if bare.is_empty() || !bare.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Refusal::usage(format!("`{text}` is not an approval"))
            .hint("write an id, the beginning of one, or `last`")
            .into());
    }
    let start = format!("apr_{bare}");
    let mut found = approvals(store, None, |it| it.id.to_string().starts_with(&start), 2).await?;
    match found.as_slice() {
        [] => Err(unknown().into()),
        [_] => Ok(found.remove(0)),
        [first, second, ..] => Err(Refusal::usage(format!("`{text}` is the beginning of several approvals"))
            .hint(format!("write more of it, for example `{}` or `{}`", first.id, second.id))
            .into()),
    }
}

/// Approvals that stand so and are wanted, up to so many.
async fn approvals(
    store: &dyn Store,
    status: Option<ApprovalStatus>,
    wanted: impl Fn(&Approval) -> bool,
    enough: usize,
) -> anyhow::Result<Vec<Approval>> {
    let filter = ApprovalFilter { run: None, status };
    let mut found = Vec::new();
    let mut cursor = None;
    for _ in 0..MOST / PAGE {
        let (page, next) = store.approvals(&filter, Timestamp::now(), cursor.as_ref(), PAGE).await?;
        found.extend(page.into_iter().filter(&wanted));
        match next {
            Some(next) if found.len() < enough => cursor = Some(next),
            _ => break,
        }
    }
    Ok(found)
}

/// The trace that a text names: an id, the beginning of exactly one, or `last` for the one that began last.
pub(crate) async fn trace(store: &dyn Store, text: &str) -> anyhow::Result<Trace> {
    let hint = "`agentwright traces list` shows the traces there are";
    let unknown = || Refusal::usage(format!("there is no trace `{text}`")).hint(hint);
    if let Ok(id) = text.parse::<TraceId>()
        && let Some(trace) = store.trace(&id).await?
    {
        return Ok(trace);
    }
    let found = match text {
        "last" => store.traces(&TraceFilter::default(), None, 1).await?.0,
        start => traces(store, |it| it.id.as_str().starts_with(start)).await?,
    };
    match found.as_slice() {
        [] if text == "last" => {
            let none = Refusal::usage("there are no traces yet");
            Err(none.hint("`agentwright run \"…\"` makes one, and `agentwright traces import` takes others in").into())
        }
        [] => Err(unknown().into()),
        [only] => Ok(store.trace(&only.id).await?.ok_or_else(unknown)?),
        [first, second, ..] => Err(Refusal::usage(format!("`{text}` is the beginning of several traces"))
            .hint(format!("write more of it, for example `{}` or `{}`", first.id, second.id))
            .into()),
    }
}

/// Traces that are wanted; two are enough to know that there are several.
async fn traces(store: &dyn Store, wanted: impl Fn(&TraceSummary) -> bool) -> anyhow::Result<Vec<TraceSummary>> {
    let (mut found, mut cursor) = (Vec::new(), None);
    for _ in 0..MOST / PAGE {
        let (page, next) = store.traces(&TraceFilter::default(), cursor.as_ref(), PAGE).await?;
        found.extend(page.into_iter().filter(&wanted));
        match next {
            Some(next) if found.len() < 2 => cursor = Some(next),
            _ => break,
        }
    }
    Ok(found)
}

/// The item that a name means, at a version or at the one that is used. What is not there is told with what is.
pub(crate) async fn item(
    store: &dyn Store,
    kind: Kind,
    text: &str,
    version: Option<u32>,
) -> anyhow::Result<ItemSummary> {
    let Ok(name) = text.parse::<ItemName>() else { return Err(no_item(store, kind, text).await?.into()) };
    if let Some(found) = store.item(kind, &name, version).await? {
        return Ok(found);
    }
    match (store.item(kind, &name, None).await?, version) {
        (Some(there), Some(version)) => {
            let refusal = Refusal::usage(format!("{kind} `{name}` has no version {version}"));
            let many = there.versions;
            let hint =
                if many == 1 { "there is only version 1".into() } else { format!("there are versions 1 to {many}") };
            Err(refusal.hint(hint).into())
        }
        _ => Err(no_item(store, kind, text).await?.into()),
    }
}

/// How an item is looked at.
pub(crate) fn showing(kind: Kind, name: &str) -> String {
    format!("`agentwright {} show {name}` shows it", command(kind))
}

fn command(kind: Kind) -> &'static str {
    match kind {
        Kind::Agent => "agents",
        Kind::Cohort => "cohorts",
        Kind::Plan => "skills plans",
        Kind::Skill => "skills",
        Kind::Tool => "tools",
    }
}

/// That there is no such item, with the names that may have been meant.
async fn no_item(store: &dyn Store, kind: Kind, text: &str) -> Result<Refusal, StoreError> {
    let names = names(store, kind).await?;
    let refusal = Refusal::usage(format!("there is no {kind} `{text}`"));
    if names.is_empty() {
        return Ok(refusal.hint(format!("no {kind} was kept yet; `docs/library.md` says when one is")));
    }
    let near = nearest(text, &names);
    let hint = format!("did you mean `{}`?", near.join("`, `"));
    Ok(refusal.hint(hint).hint(format!("`agentwright {} list --all` shows what there is", command(kind))))
}

/// Up to three names, those that contain what was written before those that are spelt like it.
fn nearest<'n>(text: &str, names: &'n [String]) -> Vec<&'n str> {
    let small = text.to_lowercase();
    let likeness = |name: &&String| {
        let spelt = (strsim::normalized_damerau_levenshtein(&small, name) * 1e6) as u64;
        std::cmp::Reverse((name.starts_with(&small), name.contains(&small), spelt))
    };
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_by_key(likeness);
    sorted.into_iter().take(3).map(String::as_str).collect()
}

async fn names(store: &dyn Store, kind: Kind) -> Result<Vec<String>, StoreError> {
    let filter = ItemFilter { kind: Some(kind), ..ItemFilter::default() };
    let (mut names, mut cursor) = (Vec::new(), None);
    for _ in 0..MOST / PAGE {
        let (items, next) = store.items(&filter, cursor.as_ref(), PAGE).await?;
        names.extend(items.into_iter().map(|it| it.item.draft.name.to_string()));
        match next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    Ok(names)
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
