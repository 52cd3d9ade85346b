//! What becomes of experiments: judged by their outcomes, ended, and begun.

use domain::guideline::{Direction, Experiment, Lesson, LessonStatus};
use domain::store::{Store, StoreError};
use jiff::Timestamp;
use learn::experiment::{self, ExperimentPolicy, Verdict};

use super::LearnPolicy;
use super::book::Book;

/// Judges every experiment that is under way.
pub(super) async fn judge(
    store: &dyn Store,
    policy: &LearnPolicy,
    book: &mut Book,
    not_changed: &mut Vec<String>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let open: Vec<Experiment> = book.experiments().iter().filter(|one| one.status.is_open()).cloned().collect();
    for running in open {
        let Some(lesson) = book.lesson(&running.lesson).cloned() else { continue };
        let outcomes = store.observations(&running.id).await?;
        let said = experiment::judge(&outcomes, &ExperimentPolicy::of(&running));
        let (settled, after) = experiment::settle(&lesson, &running, &said, now);
        match said.verdict {
            Verdict::GoOn => not_changed.push(format!("“{}” is still being tried: {}", lesson.text, said.because)),
            Verdict::Promote if !policy.auto_update => {
                let because = format!("{}; it waits for a person's yes", said.because);
                not_changed.push(format!("“{}”: {because}", lesson.text));
                book.keep(Experiment { status: running.status, ended_at: None, because, ..after });
                book.put(Lesson { effect: settled.effect, ..lesson });
                continue;
            }
            Verdict::Promote | Verdict::Harmful | Verdict::Useless | Verdict::Skewed => {
                book.done.push(format!("“{}” is {}: {}", lesson.text, settled.status.word(), said.because));
            }
        }
        book.keep(after);
        if settled != lesson {
            book.put(settled);
        }
    }
    if policy.auto_update {
        for lesson in experiment::prune(&book.all(), now) {
            book.done.push(format!("“{}” is retired: {}", lesson.text, lesson.because));
            book.put(lesson);
        }
    }
    Ok(())
}

/// Stops what tries a lesson that is not to be tried any more.
pub(super) fn stop_orphans(book: &mut Book, now: Timestamp) {
    for stopped in experiment::stop_orphans(&book.all(), book.experiments(), now) {
        book.done.push(format!("`{}` is stopped: {}", stopped.id, stopped.because));
        book.keep(stopped);
    }
}

/// Begins what can be tried now. By itself nothing is kept from anybody who was told it.
pub(super) fn begin(policy: &LearnPolicy, book: &mut Book, now: Timestamp) {
    let lessons = book.all();
    let past: Vec<Experiment> = book.experiments().to_vec();
    let next = experiment::next(&lessons, &past, &policy.planning(), now);
    for begun in next.into_iter().filter(|one| one.direction == Direction::Add || policy.auto_update) {
        let Some(lesson) = lessons.iter().find(|lesson| lesson.id == begun.lesson) else { continue };
        let lesson = experiment::begin(lesson, &begun, now);
        let how = match lesson.status {
            LessonStatus::Active => "kept from",
            _ => "told to",
        };
        let share = begun.share * 100.0;
        book.done.push(format!("“{}” is {how} {share:.0} % of those it concerns (`{}`)", lesson.text, begun.id));
        book.put(lesson);
        book.keep(begun);
    }
}
