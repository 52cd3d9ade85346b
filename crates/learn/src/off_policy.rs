//! What a lesson would probably change, judged by runs on record before anybody is told.
//!
//! A run that the lesson does not concern, or that did what it says anyway, stays as it is. For the others it is asked how
//! runs of the same kind fared that did. That is a comparison of what was done, not of what was told, and whoever did
//! it may have had other reasons to succeed: it says what is worth trying, and never more.

mod compare;

use std::collections::BTreeSet;

use domain::guideline::{Effect, Lesson};
use domain::pattern::Mark;
use domain::trace::Sketch;
use serde::Serialize;

use crate::marks::marks;
use crate::points::covers;
use compare::{Compared, compare};

/// So many runs' worth of comparison, at least, say anything.
const ENOUGH: f64 = 20.0;

/// What a lesson would probably change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Foreseen {
    /// Runs with a known outcome that it does not concern.
    pub elsewhere: u64,
    /// Runs that did what it says without being told.
    pub alike: u64,
    /// Runs that did not: those it would change.
    pub reached: u64,
    /// By how much the success rate of those it would change differs, and where that probably lies, nineteen times in
    /// twenty; absent where nothing can be compared.
    pub effect: Option<Effect>,
    /// The same over all runs, where those it does not reach stay as they are.
    pub overall: Option<f64>,
    /// The share of runs it would change for which there are runs of the very same kind that did what it says.
    pub overlap: f64,
    /// How many runs the comparison is worth, after some had to stand for many.
    pub effective: f64,
    /// What follows.
    pub promise: Promise,
    /// The same in a sentence.
    pub words: String,
}

/// Whether something is worth trying on a part of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Promise {
    /// It is.
    Worth,
    /// It is not.
    Not,
    /// The record does not say.
    Unclear,
}

/// What a lesson would probably change. Traces without a known outcome do not count.
pub fn evaluate(lesson: &Lesson, evidence: &[Sketch]) -> Foreseen {
    let heeding: Vec<bool> = evidence.iter().map(|sketch| heeds(lesson, &marks(sketch))).collect();
    foresee(lesson, evidence.iter().zip(heeding))
}

/// The same for several lessons, for which each trace is looked through once.
pub fn evaluate_each(lessons: &[Lesson], evidence: &[Sketch]) -> Vec<Foreseen> {
    let mut heeding = vec![Vec::with_capacity(evidence.len()); lessons.len()];
    for sketch in evidence {
        let marks = marks(sketch);
        for (lesson, heeding) in lessons.iter().zip(&mut heeding) {
            heeding.push(heeds(lesson, &marks));
        }
    }
    lessons.iter().zip(heeding).map(|(lesson, heeding)| foresee(lesson, evidence.iter().zip(heeding))).collect()
}

/// Whether a run did what the lesson says.
fn heeds(lesson: &Lesson, marks: &BTreeSet<Mark>) -> bool {
    marks.contains(&lesson.pattern.mark) == lesson.pattern.evidence.helps()
}

fn foresee<'a>(lesson: &Lesson, runs: impl Iterator<Item = (&'a Sketch, bool)>) -> Foreseen {
    let known: Vec<Compared<'_>> =
        runs.filter_map(|(sketch, heeds)| Some(Compared { sketch, success: sketch.success?, heeds })).collect();
    let all = known.len() as u64;
    let concerned: Vec<Compared<'_>> = known.into_iter().filter(|run| concerns(lesson, run.sketch)).collect();
    let reached = concerned.iter().filter(|run| !run.heeds).count() as u64;
    let found = compare(&concerned);
    let effect = found.as_ref().map(|found| found.effect);
    let effective = found.as_ref().map_or(0.0, |found| found.effective);
    let promise = match effect {
        Some(effect) if effective >= ENOUGH && effect.low > 0.0 => Promise::Worth,
        Some(effect) if effective >= ENOUGH && effect.high <= 0.0 => Promise::Not,
        Some(_) | None => Promise::Unclear,
    };
    let mut foreseen = Foreseen {
        elsewhere: all - concerned.len() as u64,
        alike: concerned.len() as u64 - reached,
        reached,
        effect,
        overall: effect.map(|effect| effect.estimate * reached as f64 / all as f64),
        overlap: found.map_or(0.0, |found| found.overlap),
        effective,
        promise,
        words: String::new(),
    };
    foreseen.words = words(&foreseen);
    foreseen
}

fn concerns(lesson: &Lesson, sketch: &Sketch) -> bool {
    covers(&lesson.agent, &sketch.agent) && lesson.problem.as_ref().is_none_or(|problem| *problem == sketch.problem)
}

fn words(foreseen: &Foreseen) -> String {
    let Foreseen { elsewhere, alike, reached, effective, .. } = foreseen;
    let unchanged = elsewhere + alike;
    let Some(effect) = foreseen.effect else {
        return format!("{unchanged} runs would stay as they are; nothing can be said about the other {reached}");
    };
    let range = format!("{:+.1} points ({:+.1} to {:+.1})", effect.estimate * 1e2, effect.low * 1e2, effect.high * 1e2);
    let so = match foreseen.promise {
        Promise::Worth => "worth trying",
        Promise::Not => "not worth trying",
        Promise::Unclear => "the record does not say whether it is worth trying",
    };
    format!(
        "{so}: {unchanged} runs would stay as they are, the other {reached} would change by {range}, judged by what \
         {effective:.0} runs of their kind are worth"
    )
}
