//! What a lesson would have changed about the runs on record: looked at before anybody is told.

use domain::guideline::{Lesson, LessonStatus};
use domain::id::TraceId;
use domain::store::{Store, StoreError};
use domain::trace::Sketch;
use jiff::Timestamp;
use learn::off_policy::{self, Foreseen, Promise};

use super::LearnPolicy;
use super::book::Book;

/// How many sketches are read at once.
const PAGE: usize = 2_000;

/// What a lesson would have changed about the runs on record.
pub async fn evaluate(store: &dyn Store, lesson: &Lesson) -> Result<Foreseen, StoreError> {
    Ok(off_policy::evaluate(lesson, &on_record(store, std::slice::from_ref(lesson)).await?))
}

/// Moves proposed lessons into the shadow, and those in the shadow that promise nothing out of it. Whoever a person said
/// yes to stays.
pub(super) async fn weigh(
    store: &dyn Store,
    policy: &LearnPolicy,
    book: &mut Book,
    not_changed: &mut Vec<String>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let proposed: Vec<Lesson> = with(book, LessonStatus::Proposed);
    if !policy.auto_update {
        let waiting = proposed.into_iter();
        not_changed
            .extend(waiting.map(|lesson| format!("“{}” waits for a person's yes (`{}`)", lesson.text, lesson.id)));
        return Ok(());
    }
    if proposed.is_empty() {
        return Ok(());
    }
    let evidence = on_record(store, &proposed).await?;
    let foreseen = off_policy::evaluate_each(&proposed, &evidence);
    for (lesson, Foreseen { promise, words, .. }) in proposed.into_iter().zip(foreseen) {
        let status = match promise {
            Promise::Worth | Promise::Unclear => LessonStatus::Shadow,
            Promise::Not => LessonStatus::Retired,
        };
        book.done.push(format!("“{}” is {}: {words}", lesson.text, status.word()));
        book.turn(&lesson.id, status, words, now);
    }
    Ok(())
}

fn with(book: &Book, status: LessonStatus) -> Vec<Lesson> {
    book.lessons().filter(|lesson| lesson.status == status).cloned().collect()
}

/// What was learnt from, of the agents that some lessons are for.
async fn on_record(store: &dyn Store, lessons: &[Lesson]) -> Result<Vec<Sketch>, StoreError> {
    let concerns = |sketch: &Sketch| {
        lessons.iter().any(|lesson| lesson.agent == sketch.agent || lesson.agent.as_str() == learn::points::ALL)
    };
    read(store, concerns).await
}

/// Everything that was learnt from.
pub(super) async fn all(store: &dyn Store) -> Result<Vec<Sketch>, StoreError> {
    read(store, |_| true).await
}

async fn read(store: &dyn Store, which: impl Fn(&Sketch) -> bool + Send) -> Result<Vec<Sketch>, StoreError> {
    let mut evidence = Vec::new();
    let mut after: Option<TraceId> = None;
    loop {
        let page = store.evidence(after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(evidence) };
        after = Some(last.trace.clone());
        evidence.extend(page.into_iter().filter(&which));
    }
}
