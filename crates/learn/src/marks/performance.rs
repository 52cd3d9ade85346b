//! How long, how much, how often: in steps that double or more, so that few traces already say something.

use std::collections::BTreeSet;

use domain::pattern::{Family, Mark};
use domain::trace::{CallEnd, Cue, Move, Sketch};

use super::{about, at_least, whole};

/// Seconds, in steps that say a moment, a while, minutes, an hour.
const SECONDS: [(f64, &str); 6] = [
    (1.0, "seconds_1_or_more"),
    (5.0, "seconds_5_or_more"),
    (20.0, "seconds_20_or_more"),
    (60.0, "seconds_60_or_more"),
    (300.0, "seconds_300_or_more"),
    (3_600.0, "seconds_3600_or_more"),
];
/// Dollars, from a hundredth of a cent on.
const DOLLARS: [(f64, &str); 5] = [
    (0.000_1, "usd_0.0001_or_more"),
    (0.001, "usd_0.001_or_more"),
    (0.01, "usd_0.01_or_more"),
    (0.1, "usd_0.1_or_more"),
    (1.0, "usd_1_or_more"),
];

pub(super) fn performance(sketch: &Sketch, marks: &mut BTreeSet<Mark>) {
    let (mut calls, mut failed, mut repeated, mut asked) = (0, 0, 0, 0);
    for step in &sketch.moves {
        match step {
            Move::Call { tool, ended, cues, .. } => {
                calls += 1;
                failed += usize::from(matches!(ended, CallEnd::Failed(_)));
                if cues.contains(&Cue::Again) {
                    repeated += 1;
                    marks.insert(about(Family::Performance, "repeats", tool));
                }
            }
            Move::Model { .. } => asked += 1,
            Move::Said { .. } | Move::Thought { .. } => {}
        }
    }
    if calls == 0 {
        marks.insert(whole(Family::Performance, "no_calls"));
    }
    for (name, count) in
        [("calls", calls), ("failed_calls", failed), ("repeated_calls", repeated), ("model_calls", asked)]
    {
        marks.extend(at_least(Family::Performance, name, count));
    }
    for (took, steps) in [(sketch.seconds, &SECONDS[..]), (sketch.usd, &DOLLARS[..])] {
        let Some(took) = took else { continue };
        let reached = steps.iter().filter(|(least, _)| took >= *least);
        marks.extend(reached.map(|(_, name)| whole(Family::Performance, name)));
    }
}
