//! Lessons that say the same, and lessons that cannot both be followed.

use std::collections::BTreeSet;

use domain::guideline::Lesson;
use domain::pattern::Mark;

use super::{covers, meet};

/// How many of the words of two sentences must be the same for them to be nearly identical.
const ALIKE: f64 = 0.8;

/// Whether who is told one need not be told the other.
pub(crate) fn says_it_too(told: &Lesson, other: &Lesson) -> bool {
    let same_way = told.pattern.evidence.helps() == other.pattern.evidence.helps();
    let same_mark = told.pattern.mark == other.pattern.mark;
    let reaches = covers(&told.agent, &other.agent) && (told.problem.is_none() || told.problem == other.problem);
    reaches && same_way && (same_mark || nearly_identical(told, other))
}

/// Whether somebody may be told both and cannot heed both.
pub(crate) fn contradicts(one: &Lesson, other: &Lesson) -> bool {
    let problems = match (&one.problem, &other.problem) {
        (Some(one), Some(other)) => one == other,
        (None, _) | (_, None) => true,
    };
    meet(&one.agent, &other.agent) && problems && marks_contradict(one, other)
}

fn marks_contradict(one: &Lesson, other: &Lesson) -> bool {
    let (mark, other_mark) = (&one.pattern.mark, &other.pattern.mark);
    match (one.pattern.evidence.helps(), other.pattern.evidence.helps()) {
        (true, true) => cannot_both_be(mark, other_mark),
        (false, false) => false,
        (true, false) => mark == other_mark || implies(mark, other_mark),
        (false, true) => mark == other_mark || implies(other_mark, mark),
    }
}

/// Whether whoever does the first does the second, too: what is to be done cannot be had without what is to be left.
fn implies(done: &Mark, left: &Mark) -> bool {
    match (done, left) {
        (Mark::Sequence { tools } | Mark::Ends { tools }, Mark::Calls { tool }) => tools.contains(tool),
        (Mark::Sequence { tools } | Mark::Ends { tools }, Mark::Sequence { tools: part }) => {
            !part.is_empty() && tools.windows(part.len()).any(|window| window == &part[..])
        }
        (Mark::Ends { tools }, Mark::Ends { tools: part }) => tools.ends_with(part),
        _ => false,
    }
}

fn cannot_both_be(one: &Mark, other: &Mark) -> bool {
    match (one, other) {
        (Mark::Sequence { tools: one }, Mark::Sequence { tools: other }) => {
            one != other && one.len() == 2 && one.iter().eq(other.iter().rev())
        }
        (Mark::Ends { tools: one }, Mark::Ends { tools: other }) => !one.ends_with(other) && !other.ends_with(one),
        _ => false,
    }
}

fn nearly_identical(one: &Lesson, other: &Lesson) -> bool {
    let names =
        |lesson: &Lesson| lesson.text.as_str().split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let words = |lesson: &Lesson| -> BTreeSet<String> {
        let lower = lesson.text.as_str().to_lowercase();
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (ours, theirs) = (words(one), words(other));
    let shared = ours.intersection(&theirs).count() as f64;
    names(one) == names(other) && shared >= ALIKE * ours.union(&theirs).count() as f64
}
