//! Which lessons are tried next.

use std::cmp::Ordering;

use domain::guideline::{Direction, Experiment, ExperimentId, ExperimentStatus, Lesson, LessonId, LessonStatus, Tally};
use domain::hash::Hash;
use domain::symbol::Symbol;
use jiff::Timestamp;

use super::judge::ExperimentPolicy;
use crate::points::{Budget, fits, is_told, meet, worth};
use crate::spend::allot;

/// How experiments are begun.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanPolicy {
    /// How many get what is tried, from 0 to 1. A half learns fastest.
    pub share: f64,
    /// How much a lesson must help, in success rate.
    pub minimum: f64,
    /// What share of all that is ever promoted may be useless, on average.
    pub false_discoveries: f64,
    /// How many lessons may be tried on one kind of agent at once, besides one that is left out.
    pub at_once: usize,
    /// How many tokens an agent may be told: what does not fit is not tried.
    pub tokens: usize,
}

impl Default for PlanPolicy {
    fn default() -> Self {
        Self { share: 0.5, minimum: 0.02, false_discoveries: 0.05, at_once: 2, tokens: Budget::default().tokens }
    }
}

/// The experiments to begin now.
///
/// `past` are all there ever were, in the order in which they began. Lessons in shadow wait to be told to some, the most
/// valuable first. Active ones that were not yet kept from some since they became active wait for that, the least valuable
/// first, one at a time for each kind of agent. Two experiments that reach the same agent and speak of the same tool do not
/// run at once. Only what is added spends of the false discoveries; what is left out has the looser level of a rollback.
pub fn next(lessons: &[Lesson], past: &[Experiment], policy: &PlanPolicy, now: Timestamp) -> Vec<Experiment> {
    let added = past.iter().filter(|experiment| experiment.direction == Direction::Add);
    let mut additions: Vec<ExperimentStatus> = added.map(|experiment| experiment.status).collect();
    let mut begun: Vec<Experiment> = Vec::new();
    for (lesson, direction) in waiting(lessons, past) {
        let open = past.iter().filter(|experiment| experiment.status.is_open()).chain(&begun);
        let beside: Vec<&Experiment> = open.clone().filter(|other| meet(&other.agent, &lesson.agent)).collect();
        let alike = beside.iter().filter(|other| other.direction == direction).count();
        let mixed = beside
            .iter()
            .any(|other| lessons.iter().any(|tried| tried.id == other.lesson && share_a_tool(tried, lesson)));
        let is_tried = |other: &Lesson| open.clone().any(|experiment| experiment.lesson == other.id);
        let told = lessons.iter().filter(|other| is_told(other) || is_tried(other));
        let has_room = match direction {
            Direction::Add => alike < policy.at_once.max(1) && fits(lesson, told, policy.tokens),
            Direction::Remove => alike == 0,
        };
        if mixed || !has_room {
            continue;
        }
        let alpha = match direction {
            Direction::Add => allot(&additions, policy.false_discoveries),
            Direction::Remove => ExperimentPolicy::LOOSE,
        };
        if direction == Direction::Add {
            additions.push(ExperimentStatus::Canary);
        }
        let attempt = past.iter().filter(|other| other.lesson == lesson.id && other.direction == direction).count();
        begun.push(Experiment {
            id: id_of(&lesson.id, direction, attempt),
            agent: lesson.agent.clone(),
            problem: lesson.problem.clone(),
            lesson: lesson.id.clone(),
            direction,
            share: policy.share,
            alpha,
            minimum: policy.minimum,
            status: ExperimentStatus::Canary,
            because: match direction {
                Direction::Add => "it is told to some, to see whether it helps".into(),
                Direction::Remove => "it is kept from some, to see what it is worth".into(),
            },
            tally: Tally::default(),
            evidence_for: 1.0,
            evidence_against: 1.0,
            effect: None,
            started_at: now,
            ended_at: None,
        });
    }
    begun
}

/// The id of an experiment: the same for the same lesson, direction and attempt, counted from 0.
pub fn id_of(lesson: &LessonId, direction: Direction, attempt: usize) -> ExperimentId {
    let hash = Hash::of_json(&(lesson, direction, attempt));
    ExperimentId(Symbol::of(&format!("exp_{}", hash.digits(8))))
}

fn waiting<'a>(lessons: &'a [Lesson], past: &[Experiment]) -> Vec<(&'a Lesson, Direction)> {
    let by_worth = |a: &&Lesson, b: &&Lesson| match worth(a).total_cmp(&worth(b)) {
        Ordering::Equal => a.id.cmp(&b.id),
        other => other,
    };
    let open = |lesson: &Lesson| past.iter().any(|other| other.lesson == lesson.id && other.status.is_open());
    let held_out = |lesson: &Lesson| {
        past.iter().any(|other| {
            other.lesson == lesson.id && other.direction == Direction::Remove && other.started_at >= lesson.changed_at
        })
    };
    let mut to_add: Vec<&Lesson> =
        lessons.iter().filter(|lesson| lesson.status == LessonStatus::Shadow && !open(lesson)).collect();
    to_add.sort_by(|a, b| by_worth(b, a));
    let mut to_hold_out: Vec<&Lesson> = lessons
        .iter()
        .filter(|lesson| lesson.status == LessonStatus::Active && !open(lesson) && !held_out(lesson))
        .collect();
    to_hold_out.sort_by(by_worth);
    let add = to_add.into_iter().map(|lesson| (lesson, Direction::Add));
    add.chain(to_hold_out.into_iter().map(|lesson| (lesson, Direction::Remove))).collect()
}

fn share_a_tool(one: &Lesson, other: &Lesson) -> bool {
    let tools = other.pattern.mark.tools();
    one.pattern.mark.tools().iter().any(|tool| tools.contains(tool))
}
