//! What another pass of thinking is worth, so that it can be set against what it costs.
//!
//! Runs whose plan went back reported a confidence for the first plan and one for the last. The share of the gap to
//! certainty that closed between them, on average, is what the next pass is expected to close, mixed with [`TRUST`] runs
//! that closed [`CLOSED`]. Reports are cheap, though: that is discounted by how much a point of reported confidence was worth
//! in outcomes (the slope of outcomes on reports of all finished runs, from 0 to 1). Until
//! [`EVIDENCE`] runs of both outcomes are known, a point counts as a point.
//!
//! Assumed is that plans sent back next are like those sent back before, and that a point of confidence gained by
//! thinking is worth as much as a point that one run has over another. A model that talks itself into confidence breaks
//! the second: the gain is then overrated until enough such runs have failed.

use domain::forecast::Hindsight;
use domain::score::Score;
use serde::Serialize;

use crate::calibrate::EVIDENCE;
use crate::window::{newest, reports};

/// The share of the gap that a pass is taken to close before any is known.
pub const CLOSED: f64 = 0.3;
/// How many runs that is worth.
pub const TRUST: f64 = 10.0;
/// What a point counting as a point is worth: as ten runs whose reports are 0.2 from their mean.
const POINT: f64 = TRUST * 0.2 * 0.2;

/// What another pass of thinking is expected to bring.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gain {
    /// By how much the chance of success is expected to rise.
    pub expected: f64,
    /// How many runs that went back it rests on.
    pub evidence: u32,
    /// What it rests on, in a sentence.
    pub explanation: String,
}

/// What another pass is expected to bring to a plan whose calibrated confidence is `now`.
pub fn gain(history: &[Hindsight], now: Score) -> Gain {
    let closed = newest(history, |run| closed(*run.reported.get("first")?, *run.reported.get("overall")?));
    let share = (closed.iter().sum::<f64>() + TRUST * CLOSED) / (closed.len() as f64 + TRUST);
    let worth = worth(&reports(history, "overall"));
    let gap = 1.0 - now.get();
    let seen = match closed.len() {
        0 => format!("no finished run went back; {share:.2} of the gap is taken to close"),
        runs => format!("{runs} finished runs went back; {share:.2} of the gap is expected to close"),
    };
    Gain {
        expected: (gap * share * worth).clamp(0.0, gap),
        evidence: closed.len() as u32,
        explanation: format!("{seen}, and a point of confidence is worth {worth:.2} points of success"),
    }
}

/// The share of the gap that closed; below 0 where it opened. There was none where the first plan was certain.
fn closed(first: Score, last: Score) -> Option<f64> {
    let gap = 1.0 - first.get();
    (gap > 0.0).then(|| ((last.get() - first.get()) / gap).clamp(-1.0, 1.0))
}

fn worth(known: &[(f64, bool)]) -> f64 {
    let runs = known.len() as f64;
    let succeeded = known.iter().filter(|(_, good)| *good).count();
    if known.len() < EVIDENCE || succeeded == 0 || succeeded == known.len() {
        return 1.0;
    }
    let (mean, share) = (known.iter().map(|(reported, _)| reported).sum::<f64>() / runs, succeeded as f64 / runs);
    let (together, spread) = known.iter().fold((0.0, 0.0), |(together, spread), (reported, good)| {
        let off = reported - mean;
        (together + off * (f64::from(u8::from(*good)) - share), spread + off * off)
    });
    ((together + POINT) / (spread + POINT)).clamp(0.0, 1.0)
}
