//! Lists of runs.

use domain::run::{RunStatus, RunSummary};
use domain::store::Page;
use jiff::Timestamp;

use super::Ink;
use super::table::{Cell, table};
use super::text::{ago, line};

/// One line a run, newest first, and how to see more.
pub fn listing(page: &Page, now: Timestamp, ink: Ink) -> String {
    if page.runs.is_empty() {
        return "no runs\n".to_owned();
    }
    let short = short_ids(&page.runs.iter().map(|run| run.run).collect::<Vec<_>>());
    let rows = page.runs.iter().zip(short).map(|(run, id)| {
        vec![
            id.into(),
            Cell::marked(run.status.word(), mark(run.status)),
            ago(run.created_at, now).into(),
            run.strategy.map_or("-", |strategy| strategy.word()).into(),
            run.spent.usage.tokens().to_string().into(),
            run.spent.usage.cost.to_string().into(),
            Cell::from(format!("{}{}", line(&run.text, 60), flags(run))),
        ]
    });
    let headings = ["RUN", "STATUS", "ACCEPTED", "STRATEGY", "TOKENS", "COST", "REQUEST"];
    let mut text = table(ink, &headings, rows.collect());
    if let Some(next) = &page.next {
        text.push_str(&format!("\nmore: add `--cursor {}`\n", next.0));
    }
    text
}

/// Ids as short as they can be without being mistaken for each other; runs of one millisecond share their beginnings.
pub fn short_ids<T: ToString>(things: &[T]) -> Vec<String> {
    let full: Vec<String> = things.iter().map(ToString::to_string).collect();
    let is_clear = |length: usize| {
        let mut starts: Vec<&str> = full.iter().map(|id| &id[..length]).collect();
        starts.sort_unstable();
        starts.windows(2).all(|pair| pair[0] != pair[1])
    };
    let whole = full.first().map_or(0, String::len);
    let length = (16..whole).find(|length| is_clear(*length)).unwrap_or(whole);
    full.iter().map(|id| id[..length].to_owned()).collect()
}

/// How a status is marked.
pub fn mark(status: RunStatus) -> fn(Ink, &str) -> String {
    match status {
        RunStatus::Completed => Ink::good,
        RunStatus::Failed => Ink::bad,
        RunStatus::Waiting | RunStatus::Cancelled => Ink::odd,
        RunStatus::Pending | RunStatus::Running => Ink::strong,
    }
}

fn flags(run: &RunSummary) -> String {
    let flags = [(run.flags.in_doubt, "IN DOUBT"), (run.flags.replanned, "replanned"), (run.parent.is_some(), "fork")];
    flags.iter().filter(|(holds, _)| *holds).map(|(_, word)| format!(" [{word}]")).collect()
}
