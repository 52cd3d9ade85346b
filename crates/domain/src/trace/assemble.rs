//! Puts a trace together from the pieces that have arrived.

use super::{MOST_STEPS, Part, Piece, Source, Trace};
use crate::id::TraceId;
use crate::symbol::Symbol;

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
    trace.left_out = shorten(&mut trace.steps);
    Some(trace)
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
