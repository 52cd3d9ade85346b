//! Which run or approval is meant: people write the beginning of an id, or `last`.

use domain::approval::{Approval, ApprovalFilter, ApprovalId, ApprovalStatus};
use domain::id::RunId;
use domain::store::{RunFilter, Store};
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
