//! Puts a trace together from the pieces that have arrived, and takes it apart again.

use jiff::Timestamp;

use super::{MOST_STEPS, Part, Piece, Source, Step, Trace};
use crate::id::TraceId;
use crate::symbol::Symbol;

/// The metric under which a sender says how many steps it left out itself.
const LEFT_OUT: &str = "left_out";

/// The trace that pieces make, in whatever order they arrived. None where there are none.
pub fn assemble(id: &TraceId, source: &Source, mut parts: Vec<Part>) -> Option<Trace> {
    parts.sort_by(|one, other| (one.at, &one.key).cmp(&(other.at, &other.key)));
    let started_at = parts.first()?.at;
    let unknown = || Symbol::of("unknown");
    let mut trace = Trace {
        id: id.clone(),
        source: source.clone(),
        agent: unknown(),
        problem: unknown(),
        task: None,
        system: None,
        user: None,
        context: Default::default(),
        started_at,
        ended_at: None,
        steps: Vec::new(),
        left_out: 0,
        outcome: None,
        ground_truth: None,
        metrics: Default::default(),
        lessons: Vec::new(),
        trials: Vec::new(),
    };
    let depth = |piece: &Piece| match piece {
        Piece::About { depth, .. } | Piece::End { depth, .. } => *depth,
        Piece::Did { .. } | Piece::Label { .. } => 0,
    };
    // The outermost has the last word, so it speaks last. Of several of one depth that is the one that began first and
    // ended last, for whatever lies within another begins later and ends before it.
    let mut told: Vec<&Part> = parts.iter().filter(|part| !matches!(part.piece, Piece::Did { .. })).collect();
    told.sort_by_key(|part| std::cmp::Reverse(depth(&part.piece)));
    let is = |wanted: fn(&Piece) -> bool| told.iter().filter(move |part| wanted(&part.piece));
    for chunk in told.chunk_by(|one, other| depth(&one.piece) == depth(&other.piece)) {
        let abouts = chunk.iter().rev().filter(|part| matches!(part.piece, Piece::About { .. }));
        abouts.for_each(|part| hear(&mut trace, part));
    }
    is(|piece| matches!(piece, Piece::End { .. })).for_each(|part| hear(&mut trace, part));
    is(|piece| matches!(piece, Piece::Label { .. })).for_each(|part| hear(&mut trace, part));
    let steps = parts.into_iter().filter_map(|part| match part.piece {
        Piece::Did { step } => Some(step),
        Piece::About { .. } | Piece::End { .. } | Piece::Label { .. } => None,
    });
    trace.steps = steps.collect();
    let left_out_before = trace.metrics.remove(&Symbol::of(LEFT_OUT)).map_or(0, |count| count as u64);
    trace.left_out = left_out_before.saturating_add(shorten(&mut trace.steps));
    Some(trace)
}

impl Trace {
    /// The pieces it is made of: [`assemble`] makes the same trace of them. The same trace always has the same pieces, so
    /// sending it twice changes nothing.
    ///
    /// What a trace cannot have is put right: it ends no earlier than it begins, and one that has metrics or a ground
    /// truth has ended, at the latest moment known. Of one that has not ended, how many steps were left out is lost.
    pub fn parts(self) -> Vec<Part> {
        let Self { id, started_at, ended_at, steps, left_out, outcome, ground_truth, mut metrics, .. } = self;
        let piece = |key: String, at, piece| Part { trace: id.clone(), key, at, piece };
        let about = Piece::About {
            depth: 0,
            agent: Some(self.agent),
            problem: Some(self.problem),
            task: self.task,
            system: self.system,
            user: self.user,
            context: Some(self.context).filter(|context| !context.is_empty()),
            lessons: self.lessons,
            trials: self.trials,
        };
        let mut parts = vec![piece("about".to_owned(), started_at, about)];
        let mut latest = started_at;
        for (at, step) in steps.into_iter().enumerate() {
            // Clocks may have gone backwards; the order is what counts.
            latest = latest.max(step.at().unwrap_or(latest));
            parts.push(piece(format!("step/{at:09}"), latest, Piece::Did { step }));
        }
        if ended_at.is_some() || ground_truth.is_some() || !metrics.is_empty() {
            if left_out > 0 {
                metrics.insert(Symbol::of(LEFT_OUT), left_out as f64);
            }
            let end = Piece::End { depth: 0, outcome, ground_truth, metrics };
            parts.push(piece("end".to_owned(), ended_at.unwrap_or(latest).max(started_at), end));
        } else if let Some(outcome) = outcome {
            parts.push(piece("label".to_owned(), latest, Piece::Label { outcome }));
        }
        parts
    }
}

impl Step {
    /// When it was, where that is known.
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Step::Call { at, .. } | Step::Said { at, .. } | Step::Thought { at, .. } | Step::Model { at, .. } => *at,
        }
    }
}

fn hear(trace: &mut Trace, part: &Part) {
    match &part.piece {
        Piece::About { agent, problem, task, system, user, context, lessons, trials, .. } => {
            let set = |place: &mut Symbol, said: &Option<Symbol>| {
                if let Some(said) = said {
                    place.clone_from(said);
                }
            };
            set(&mut trace.agent, agent);
            set(&mut trace.problem, problem);
            trace.task = task.clone().or(trace.task.take());
            trace.system = system.clone().or(trace.system.take());
            trace.user = user.clone().or(trace.user.take());
            if let Some(context) = context {
                trace.context.clone_from(context);
            }
            trace
                .lessons
                .extend(lessons.iter().filter(|lesson| !trace.lessons.contains(lesson)).cloned().collect::<Vec<_>>());
            trace
                .trials
                .extend(trials.iter().filter(|trial| !trace.trials.contains(trial)).cloned().collect::<Vec<_>>());
        }
        Piece::End { outcome, ground_truth, metrics, .. } => {
            // An end before the beginning is a clock's mistake; that it ended is true all the same.
            trace.ended_at = Some(part.at.max(trace.started_at));
            // That an agent within failed is not to say that the whole did.
            trace.outcome.clone_from(outcome);
            trace.ground_truth = ground_truth.clone().or(trace.ground_truth.take());
            trace.metrics.extend(metrics.iter().map(|(name, value)| (name.clone(), *value)));
        }
        Piece::Label { outcome } => trace.outcome = Some(outcome.clone()),
        Piece::Did { .. } => {}
    }
}

/// Leaves out what is too much, in the middle. Says how much that was.
pub(super) fn shorten<T>(steps: &mut Vec<T>) -> u64 {
    let over = steps.len().saturating_sub(MOST_STEPS);
    if over > 0 {
        steps.drain(MOST_STEPS / 2..MOST_STEPS / 2 + over);
    }
    over as u64
}
