//! What agents are told, version by version.

use domain::guideline::{Point, Semver, Version};
use domain::symbol::Symbol;
use jiff::Timestamp;
use serde::Serialize;

use super::super::Ink;
use super::super::table::{Cell, table};
use super::super::text::{ago, line, tame};

/// How much of a reason is shown in a table.
const EXCERPT: usize = 80;

/// What differs between two versions.
#[derive(Debug, Serialize)]
pub struct VersionDiff {
    agent: Symbol,
    from: Option<Semver>,
    to: Semver,
    removed: Vec<Point>,
    added: Vec<Point>,
    kept: usize,
}

impl VersionDiff {
    /// What differs; everything where there is nothing older.
    pub fn between(older: Option<&Version>, newer: &Version) -> Self {
        let before = older.map_or(&[][..], |version| &version.points);
        let only = |these: &[Point], those: &[Point]| -> Vec<Point> {
            these.iter().filter(|point| !those.contains(point)).cloned().collect()
        };
        let removed = only(before, &newer.points);
        Self {
            agent: newer.agent.clone(),
            from: older.map(|version| version.version),
            to: newer.version,
            kept: before.len() - removed.len(),
            removed,
            added: only(&newer.points, before),
        }
    }
}

/// What differs, a line a point.
pub fn diff(diff: &VersionDiff, ink: Ink) -> String {
    let from = diff.from.map_or_else(|| "nothing".to_owned(), |from| from.to_string());
    let removed = diff.removed.iter().map(|point| ink.bad(&format!("- {}", said(point))));
    let added = diff.added.iter().map(|point| ink.good(&format!("+ {}", said(point))));
    let lines: String = removed.chain(added).map(|line| line + "\n").collect();
    let kept = ink.faint(&format!("{} the same", diff.kept));
    format!("`{}` from {from} to {}\n{lines}{kept}\n", diff.agent, diff.to)
}

/// What every agent is told now.
pub fn guidelines(told: &[Version], ink: Ink) -> String {
    if told.is_empty() {
        return "nobody is told anything that was learnt or brought\n".to_owned();
    }
    let pages = told.iter().map(|version| {
        let points: String = version.points.iter().map(|point| format!("  - {}\n", said(point))).collect();
        format!("`{}` {} {}\n{points}", version.agent, version.version, ink.faint(&version.hash.to_string()))
    });
    pages.collect()
}

/// One line a version.
pub fn versions(versions: &[(Version, bool)], now: Timestamp, ink: Ink) -> String {
    let rows = versions.iter().map(|(version, told)| {
        vec![
            version.version.to_string().into(),
            if *told { Cell::marked("told", Ink::good) } else { "".into() },
            version.points.len().to_string().into(),
            ago(version.at, now).into(),
            version.by.to_string().into(),
            line(&version.because, EXCERPT).into(),
        ]
    });
    table(ink, &["VERSION", "", "POINTS", "MADE", "BY", "WHY"], rows.collect())
}

fn said(point: &Point) -> String {
    let problem = point.problem.as_ref().map(|problem| format!("({problem}) ")).unwrap_or_default();
    let learnt = point.lesson.as_ref().map(|lesson| format!(" [{lesson}]")).unwrap_or_default();
    format!("{problem}{}{learnt}", tame(&point.text))
}
