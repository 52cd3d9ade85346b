//! The inbox as people read it.

use domain::approval::Approval;
use domain::store::Cursor;
use jiff::Timestamp;
use serde::Serialize;
use server::ApprovalPage;

use super::Ink;
use super::approval::{left, mark};
use super::runs::short_ids;
use super::table::{Cell, table};
use super::text::{ago, line};

/// A part of the inbox: the same JSON as over HTTP.
#[derive(Debug, Clone, Serialize)]
pub struct Inbox {
    /// This part.
    pub approvals: Vec<ApprovalPage>,
    /// Where the next part begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Cursor>,
}

/// One line a question, those with the most at stake first, and how to see more.
pub fn listing(approvals: &[Approval], next: Option<&Cursor>, now: Timestamp, ink: Ink) -> String {
    if approvals.is_empty() {
        return "nothing to decide\n".to_owned();
    }
    let ids = short_ids(&approvals.iter().map(|it| it.id).collect::<Vec<_>>());
    let runs = short_ids(&unique(approvals.iter().map(|it| it.run).collect()));
    let run = |of: &Approval| {
        let full = of.run.to_string();
        runs.iter().find(|short| full.starts_with(short.as_str())).cloned().unwrap_or(full)
    };
    let rows = approvals.iter().zip(ids).map(|(it, id)| {
        let summary = if it.proposal.summary.is_empty() { &it.question } else { &it.proposal.summary };
        vec![
            id.into(),
            Cell::marked(it.proposal.risk.word(), mark(it.proposal.risk)),
            it.proposal.subject.word().into(),
            it.status.word().into(),
            run(it).into(),
            ago(it.asked_at, now).into(),
            left(it.expires_at, now).into(),
            line(summary, 80).into(),
        ]
    });
    let headings = ["APPROVAL", "RISK", "KIND", "STATUS", "RUN", "ASKED", "EXPIRES", "SUMMARY"];
    let mut text = table(ink, &headings, rows.collect());
    if let Some(next) = next {
        text.push_str(&format!("\nmore: add `--cursor {}`\n", next.0));
    }
    text
}

fn unique<T: Ord>(mut things: Vec<T>) -> Vec<T> {
    things.sort_unstable();
    things.dedup();
    things
}
