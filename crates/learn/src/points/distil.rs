//! What patterns come to, as lessons nobody has looked at yet.

use domain::guideline::{Lesson, LessonId, LessonStatus, Wording};
use domain::pattern::Pattern;
use domain::symbol::Symbol;
use jiff::Timestamp;

use super::ALL;
use super::sentence::sentence;

/// One proposed lesson for each pattern from which something follows. A pattern whose sentence cannot be said, such as one
/// with a tool that is called like a host or has no readable name, makes none.
pub fn distil(patterns: &[Pattern], now: Timestamp) -> Vec<Lesson> {
    patterns.iter().filter_map(|pattern| proposed(pattern, now)).collect()
}

fn proposed(pattern: &Pattern, now: Timestamp) -> Option<Lesson> {
    if pattern.mark.tools().iter().any(|tool| tool.is_odd()) {
        return None;
    }
    let text = Wording::try_from(sentence(pattern)?).ok()?;
    let agent = pattern.agent.clone().unwrap_or_else(|| Symbol::of(ALL));
    Some(Lesson {
        id: LessonId::of(&agent, pattern.problem.as_ref(), &text),
        agent,
        problem: pattern.problem.clone(),
        text,
        because: format!("proposed: {}", pattern.words),
        pattern: pattern.clone(),
        status: LessonStatus::Proposed,
        made_at: now,
        changed_at: now,
        effect: None,
    })
}
