//! What people do about what was learnt: say yes or no, take back, stop, revoke, and bring their own.

use domain::guideline::{
    Author, ExperimentId, ExperimentStatus, Lesson, LessonId, LessonStatus, Point, Semver, Version,
};
use domain::store::{Store, StoreError};
use domain::symbol::Symbol;
use domain::trace::Source;
use jiff::Timestamp;

use super::book::Book;

/// How often a change is tried that somebody else was faster with.
const TRIES: usize = 8;

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum ByHandError {
    /// Look up which there are.
    #[error("there is no {what} `{name}`")]
    Unknown {
        /// What kind of thing was asked for.
        what: &'static str,
        /// What was asked for.
        name: String,
    },
    /// It cannot be done to this one.
    #[error("{0}")]
    Pointless(String),
    /// Try again.
    #[error("what was learnt is being changed by somebody else")]
    Contended,
    /// See there.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How far a lesson goes with a person's yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Yes {
    /// It is tried out first.
    Try,
    /// It is told to all at once.
    AtOnce,
}

/// Says yes to a lesson: from the next cycle on it is tried out, or it is told at once. One whose trial speaks for it is
/// told to all.
pub async fn accept(store: &dyn Store, id: &LessonId, yes: Yes, by: Option<&str>) -> Result<Lesson, ByHandError> {
    change(store, |book| {
        let (lesson, now) = (known(book, id)?, Timestamp::now());
        let who = by.unwrap_or("somebody");
        let proven = book.experiments().iter().any(|one| one.lesson == *id && one.status.is_open() && one.is_proven());
        let said = match (lesson.status, yes) {
            (LessonStatus::Active, _) => {
                return Err(ByHandError::Pointless(format!("`{id}` is active already")));
            }
            (LessonStatus::Canary, _) if proven => "it was promoted",
            (LessonStatus::Canary | LessonStatus::Shadow, Yes::Try) => {
                return Err(ByHandError::Pointless(format!("`{id}` is being tried out already")));
            }
            (_, Yes::AtOnce) => "it was told to all at once",
            (LessonStatus::Proposed | LessonStatus::Retired, Yes::Try) => {
                book.turn(id, LessonStatus::Shadow, format!("{who} said yes"), now);
                return known(book, id);
            }
        };
        let because = format!("{said} with the yes of {who}");
        book.end_experiments(|one| one.lesson == *id, ExperimentStatus::Promoted, &because, now);
        book.turn(id, LessonStatus::Active, &because, now);
        book.publish(&Author::Person(by.map(str::to_owned)), &because, now);
        known(book, id)
    })
    .await
}

/// Says no to a lesson: it is told to nobody any more, and comes back only with much more evidence.
pub async fn dismiss(store: &dyn Store, id: &LessonId, by: Option<&str>) -> Result<Lesson, ByHandError> {
    change(store, |book| {
        let now = Timestamp::now();
        if known(book, id)?.status == LessonStatus::Retired {
            return Err(ByHandError::Pointless(format!("`{id}` is retired already")));
        }
        let because = format!("{} said no", by.unwrap_or("somebody"));
        retire(book, |lesson| lesson.id == *id, &because, now);
        book.publish(&Author::Person(by.map(str::to_owned)), &because, now);
        known(book, id)
    })
    .await
}

/// Takes an agent back to an earlier version, the one before where none is given: what it was told since is retired, and
/// what is being tried on it is stopped.
pub async fn roll_back(
    store: &dyn Store,
    agent: &Symbol,
    to: Option<Semver>,
    by: Option<&str>,
) -> Result<Version, ByHandError> {
    let versions = store.guideline_versions(agent).await?;
    if versions.is_empty() {
        return Err(ByHandError::Unknown { what: "guideline for", name: agent.to_string() });
    }
    let now_told = versions.iter().find(|(_, current)| *current).map(|(version, _)| version);
    let to = to.or_else(|| now_told.and_then(|version| version.parent));
    let Some(to) = to else {
        return Err(ByHandError::Pointless(format!("`{agent}` has only ever been told one version")));
    };
    let there = versions.iter().map(|(version, _)| version).find(|version| version.version == to).cloned();
    let Some(target) = there else {
        return Err(ByHandError::Unknown { what: "version", name: format!("{agent} {to}") });
    };
    change(store, |book| {
        let now = Timestamp::now();
        if book.told(agent).is_some_and(|told| told.version == to) {
            return Err(ByHandError::Pointless(format!("`{agent}` is told version {to} already")));
        }
        let because = format!("{} went back to version {to}", by.unwrap_or("somebody"));
        book.end_experiments(|one| one.agent == *agent, ExperimentStatus::Stopped, &because, now);
        let kept = |lesson: &Lesson| target.points.iter().any(|point| point.lesson.as_ref() == Some(&lesson.id));
        let going = |lesson: &Lesson| lesson.agent == *agent && lesson.status > LessonStatus::Proposed && !kept(lesson);
        retire(book, going, &because, now);
        let back: Vec<LessonId> =
            book.lessons().filter(|lesson| kept(lesson)).map(|lesson| lesson.id.clone()).collect();
        back.iter().for_each(|id| book.turn(id, LessonStatus::Active, &because, now));
        book.turn_to(target.clone(), false);
        Ok(target.clone())
    })
    .await
}

/// The stop button: ends an experiment, and everybody gets again what all got before.
pub async fn stop(store: &dyn Store, id: &ExperimentId, by: Option<&str>) -> Result<(), ByHandError> {
    change(store, |book| {
        let now = Timestamp::now();
        let Some(experiment) = book.experiments().iter().find(|one| one.id == *id).cloned() else {
            return Err(ByHandError::Unknown { what: "experiment", name: id.to_string() });
        };
        if !experiment.status.is_open() {
            return Err(ByHandError::Pointless(format!("`{id}` is over: {}", experiment.because)));
        }
        let lesson = known(book, &experiment.lesson)?;
        let because = format!("{} pressed the button", by.unwrap_or("somebody"));
        let (lesson, experiment) = learn::experiment::stop(&lesson, &experiment, &because, now);
        book.put(lesson);
        book.keep(experiment);
        Ok(())
    })
    .await
}

/// What revoking a source did.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Revoked {
    /// How many traces it had sent.
    pub traces: u64,
    /// The lessons that rested on them, and are withdrawn.
    pub lessons: Vec<LessonId>,
}

/// Lets a source teach us nothing any more: every lesson that rests on it is withdrawn at once, and the next cycle counts
/// without it. What the rest of the evidence shows as well is found again.
pub async fn revoke(store: &dyn Store, source: &Source) -> Result<Revoked, ByHandError> {
    let traces = store.revoke_source(source, Timestamp::now()).await?;
    let lessons = change(store, |book| {
        let now = Timestamp::now();
        let gone = learn::points::revoke(&book.all(), source, now);
        let ids = gone.iter().map(|lesson| lesson.id.clone()).collect();
        gone.into_iter().for_each(|lesson| book.put(lesson));
        super::trials::stop_orphans(book, now);
        book.publish(&Author::Person(None), &format!("`{source}` was revoked"), now);
        Ok(ids)
    })
    .await?;
    Ok(Revoked { traces, lessons })
}

/// Has an agent told points that somebody wrote, beside what was learnt. What it was told before can be gone back to.
pub async fn adopt(store: &dyn Store, agent: &Symbol, points: Vec<Point>, by: Author) -> Result<Version, ByHandError> {
    let newest = store.guideline_versions(agent).await?;
    let newest = newest.into_iter().map(|(version, _)| version.version).max();
    change(store, |book| {
        let (now, because) = (Timestamp::now(), format!("it was brought from {by}"));
        let learnt = book.told(agent).into_iter().flat_map(|version| &version.points);
        let learnt = learnt.filter(|point| point.lesson.is_some()).cloned();
        let points: Vec<Point> = points.iter().cloned().chain(learnt).collect();
        let version = match (book.told(agent), newest) {
            (Some(told), _) if told.points == points => return Ok(told.clone()),
            (Some(told), Some(newest)) => told.next(newest, points, because, by.clone(), now),
            _ => Version::first(agent.clone(), points, because, by.clone(), now),
        };
        book.turn_to(version.clone(), true);
        Ok(version)
    })
    .await
}

/// Retires the lessons that a test picks out, with whatever is tried about them. Says which.
pub(super) fn retire(book: &mut Book, which: impl Fn(&Lesson) -> bool, because: &str, now: Timestamp) -> Vec<LessonId> {
    let going = book.lessons().filter(|lesson| lesson.status != LessonStatus::Retired && which(lesson));
    let going: Vec<LessonId> = going.map(|lesson| lesson.id.clone()).collect();
    going.iter().for_each(|id| book.turn(id, LessonStatus::Retired, because, now));
    super::trials::stop_orphans(book, now);
    going
}

fn known(book: &Book, id: &LessonId) -> Result<Lesson, ByHandError> {
    book.lesson(id).cloned().ok_or_else(|| ByHandError::Unknown { what: "lesson", name: id.to_string() })
}

async fn change<T>(
    store: &dyn Store,
    mut change: impl FnMut(&mut Book) -> Result<T, ByHandError> + Send,
) -> Result<T, ByHandError> {
    for _ in 0..TRIES {
        let mut book = Book::read(store).await?;
        let done = change(&mut book)?;
        if book.write(store).await? {
            return Ok(done);
        }
    }
    Err(ByHandError::Contended)
}
