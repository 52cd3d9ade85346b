//! How it was thought: before which call, how sure, and whether the plan had to change.

use std::collections::BTreeSet;

use domain::pattern::{Family, Mark};
use domain::trace::{Move, Sketch};

use super::{at_least, whole};

/// Below this something was unsure or poor.
const LOW: f64 = 0.5;
/// From here on it was sure or good.
const HIGH: f64 = 0.8;

pub(super) fn thinking(sketch: &Sketch, marks: &mut BTreeSet<Mark>) {
    let say = |name: &str| whole(Family::Thinking, name);
    let mut thoughts = 0;
    let mut called = false;
    for step in &sketch.moves {
        let (what, confidence) = match step {
            Move::Call { .. } => {
                called = true;
                continue;
            }
            Move::Thought { what, confidence, .. } => (what.as_str(), confidence.map(|sure| sure.get())),
            Move::Said { .. } | Move::Model { .. } => continue,
        };
        thoughts += 1;
        match what {
            "plan" | "thought" if !called => _ = marks.insert(say("thinks_first")),
            "replan" => _ = marks.insert(say("plans_anew")),
            "refused" => _ = marks.insert(say("plan_refused")),
            _ => {}
        }
        let (low, high) = match what {
            "critique" => ("critique_low", "critique_high"),
            "assess" => ("answer_poor", "answer_good"),
            _ => ("unsure", "sure"),
        };
        match confidence {
            Some(sure) if sure < LOW => _ = marks.insert(say(low)),
            Some(sure) if sure >= HIGH => _ = marks.insert(say(high)),
            _ => {}
        }
    }
    marks.extend(at_least(Family::Thinking, "thoughts", thoughts));
}
