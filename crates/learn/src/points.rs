//! Patterns become points: one sentence each, made from structure, no two alike, no two at odds, and never too many.

mod at_odds;
mod distil;
mod merge;
mod revoke;
mod reword;
mod room;
mod sentence;

use std::collections::BTreeMap;

use domain::guideline::{Lesson, LessonStatus, Point};
use domain::pattern::Evidence;
use domain::symbol::Symbol;

pub use distil::distil;
pub use merge::{Merged, merge};
pub use revoke::revoke;
pub use reword::reword;
pub use room::{Budget, fits};

/// Whom a lesson is for that is for everybody.
pub const ALL: &str = "all";

/// What each kind of agent is told to heed: its active lessons, oldest first, so that what is added stands at the end.
pub fn lines(lessons: &[Lesson]) -> BTreeMap<Symbol, Vec<Point>> {
    let mut active: Vec<&Lesson> = lessons.iter().filter(|lesson| lesson.status == LessonStatus::Active).collect();
    active.sort_by(|a, b| (a.made_at, &a.id).cmp(&(b.made_at, &b.id)));
    let mut lines: BTreeMap<Symbol, Vec<Point>> = BTreeMap::new();
    for lesson in active {
        lines.entry(lesson.agent.clone()).or_default().push(lesson.point());
    }
    lines
}

/// How much a lesson surely helps: the low end of what experiments say, and before there are any the end of the pattern's
/// interval that is nearer to nothing.
pub fn surely(lesson: &Lesson) -> f64 {
    let Evidence { interval: (low, high), .. } = lesson.pattern.evidence;
    let seen = if lesson.pattern.evidence.helps() { low } else { -high };
    let surely = lesson.effect.map_or(seen, |effect| effect.low);
    if surely.is_nan() { -1.0 } else { surely }
}

/// What a lesson is worth to a prompt: how much it surely helps, times the share of runs it would change, per token.
pub fn worth(lesson: &Lesson) -> f64 {
    let Evidence { with_success, with_failure, without_success, without_failure, .. } = lesson.pattern.evidence;
    let (with, without) = (with_success + with_failure, without_success + without_failure);
    // What speaks for a mark changes runs without it, what speaks against it those with it.
    let changed = if lesson.pattern.evidence.helps() { without } else { with };
    surely(lesson) * changed as f64 / (with + without).max(1) as f64 / lesson.text.tokens().max(1) as f64
}

/// Whether some or all are told it.
pub fn is_told(lesson: &Lesson) -> bool {
    matches!(lesson.status, LessonStatus::Canary | LessonStatus::Active)
}

/// Whether what is for one reaches all whom the other is for.
pub(crate) fn covers(one: &Symbol, other: &Symbol) -> bool {
    one.as_str() == ALL || one == other
}

/// Whether somebody may be told both what is for one and what is for the other.
pub(crate) fn meet(one: &Symbol, other: &Symbol) -> bool {
    covers(one, other) || covers(other, one)
}
