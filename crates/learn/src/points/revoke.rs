//! What is no longer told because somebody it was learnt from is no longer believed.

use domain::guideline::{Lesson, LessonStatus};
use domain::pattern::Evidence;
use domain::trace::Source;
use jiff::Timestamp;

/// The lessons that rest on a source in any part, as they stand once it is revoked: retired, with nothing left to rest on. One
/// that others speak for as well comes back, proposed, as soon as it is distilled from what they say alone.
pub fn revoke(lessons: &[Lesson], source: &Source, now: Timestamp) -> Vec<Lesson> {
    let rests_on_it = |lesson: &&Lesson| {
        lesson.status != LessonStatus::Retired
            && lesson.pattern.evidence.sources.get(source).is_some_and(|traces| *traces > 0)
    };
    lessons.iter().filter(rests_on_it).map(|lesson| revoked(lesson, source, now)).collect()
}

fn revoked(lesson: &Lesson, source: &Source, now: Timestamp) -> Lesson {
    let mut lesson = lesson.clone();
    let traces = lesson.pattern.evidence.sources.get(source).copied().unwrap_or_default();
    lesson.because = format!("{traces} of the traces it rests on came from `{source}`, which was revoked");
    (lesson.status, lesson.changed_at, lesson.effect) = (LessonStatus::Retired, now, None);
    lesson.pattern.evidence = Evidence {
        with_success: 0,
        with_failure: 0,
        without_success: 0,
        without_failure: 0,
        confidence: 0.0,
        users: 0,
        sources: Default::default(),
        examples: Default::default(),
        ..lesson.pattern.evidence
    };
    lesson
}
