//! What becomes of a lesson when its experiment begins, goes on and ends.

use domain::guideline::{Direction, Effect, Experiment, ExperimentStatus, Lesson, LessonStatus};
use jiff::Timestamp;

use super::judge::{Judgement, Verdict};

/// The lesson once its experiment is under way: some are told what is tried. What is left out by way of trial stays active.
pub fn begin(lesson: &Lesson, experiment: &Experiment, now: Timestamp) -> Lesson {
    match experiment.direction {
        Direction::Add => moved(lesson, LessonStatus::Canary, experiment.because.clone(), now),
        Direction::Remove => lesson.clone(),
    }
}

/// Lesson and experiment after what the outcomes say. The effect is always that of telling the lesson, also where it was
/// measured by leaving it out.
pub fn settle(lesson: &Lesson, experiment: &Experiment, said: &Judgement, now: Timestamp) -> (Lesson, Experiment) {
    let mut experiment = experiment.clone();
    experiment.because.clone_from(&said.because);
    (experiment.tally, experiment.effect) = (said.tally, said.effect);
    (experiment.evidence_for, experiment.evidence_against) = (said.evidence_for, said.evidence_against);
    if let Some(status) = said.verdict.status() {
        experiment.status = status;
        experiment.ended_at.get_or_insert(now);
    }
    let because = || format!("experiment `{}`: {}", experiment.id, said.because);
    let mut lesson = match (experiment.direction, said.verdict) {
        // What was retired for another reason meanwhile stays retired.
        _ if lesson.status == LessonStatus::Retired => lesson.clone(),
        (_, Verdict::GoOn) | (Direction::Remove, Verdict::Harmful | Verdict::Useless | Verdict::Skewed) => {
            lesson.clone()
        }
        (Direction::Add, Verdict::Promote) => moved(lesson, LessonStatus::Active, because(), now),
        (Direction::Add, Verdict::Harmful | Verdict::Useless) => moved(lesson, LessonStatus::Retired, because(), now),
        // Nothing was learnt about it, so it waits for another turn.
        (Direction::Add, Verdict::Skewed) => moved(lesson, LessonStatus::Shadow, because(), now),
        (Direction::Remove, Verdict::Promote) => moved(lesson, LessonStatus::Retired, because(), now),
    };
    // What is known about a lesson that all are told is not given up for a first glance at something better.
    let says_more = match said.verdict {
        Verdict::Skewed => false,
        Verdict::GoOn => experiment.direction == Direction::Add,
        Verdict::Promote | Verdict::Harmful | Verdict::Useless => true,
    };
    if let Some(effect) = said.effect.filter(|_| says_more) {
        lesson.effect = Some(told(effect, experiment.direction));
    }
    (lesson, experiment)
}

/// Lesson and experiment after somebody pressed the button. What was told to some is told to nobody, what was kept from some
/// is told to all.
pub fn stop(lesson: &Lesson, experiment: &Experiment, because: &str, now: Timestamp) -> (Lesson, Experiment) {
    let lesson = match (experiment.direction, lesson.status) {
        (Direction::Add, LessonStatus::Canary) => {
            let because = format!("experiment `{}` was stopped: {because}", experiment.id);
            moved(lesson, LessonStatus::Retired, because, now)
        }
        (Direction::Add | Direction::Remove, _) => lesson.clone(),
    };
    (lesson, stopped(experiment, because.into(), now))
}

/// The experiments under way whose lesson is told to nobody any more, or not there at all, as they stand once stopped.
pub fn stop_orphans(lessons: &[Lesson], experiments: &[Experiment], now: Timestamp) -> Vec<Experiment> {
    let orphaned = |experiment: &Experiment| match lessons.iter().find(|lesson| lesson.id == experiment.lesson) {
        None => Some(stopped(experiment, "its lesson is gone".into(), now)),
        Some(lesson) if lesson.status == LessonStatus::Retired => {
            Some(stopped(experiment, format!("its lesson was retired: {}", lesson.because), now))
        }
        Some(_) => None,
    };
    experiments.iter().filter(|experiment| experiment.status.is_open()).filter_map(orphaned).collect()
}

/// The lessons that are told to all though they were measured to harm, as they stand once nobody is told any more.
pub fn prune(lessons: &[Lesson], now: Timestamp) -> Vec<Lesson> {
    let pruned = |lesson: &Lesson| {
        let Effect { estimate, low, high, runs } = lesson.effect.filter(|effect| effect.high < 0.0)?;
        let points = format!("{:+.1} points ({:+.1} to {:+.1})", estimate * 1e2, low * 1e2, high * 1e2);
        Some(moved(lesson, LessonStatus::Retired, format!("it harms: {points} over {runs} runs"), now))
    };
    lessons.iter().filter(|lesson| lesson.status == LessonStatus::Active).filter_map(pruned).collect()
}

fn told(effect: Effect, direction: Direction) -> Effect {
    match direction {
        Direction::Add => effect,
        Direction::Remove => {
            Effect { estimate: -effect.estimate, low: -effect.high, high: -effect.low, runs: effect.runs }
        }
    }
}

fn stopped(experiment: &Experiment, because: String, now: Timestamp) -> Experiment {
    Experiment { status: ExperimentStatus::Stopped, because, ended_at: Some(now), ..experiment.clone() }
}

fn moved(lesson: &Lesson, status: LessonStatus, because: String, now: Timestamp) -> Lesson {
    let changed_at = if lesson.status == status { lesson.changed_at } else { now };
    Lesson { status, because, changed_at, ..lesson.clone() }
}
