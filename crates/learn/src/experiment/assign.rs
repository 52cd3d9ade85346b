//! Who gets what in an experiment: thrown once, by hash, and never again.

use domain::guideline::{Arm, ExperimentId};
use domain::hash::Hash;

/// What somebody gets: always the same for the same experiment and unit, and in other experiments independent of it.
///
/// A unit is what must not be told one thing now and another later: a run, a session. The fewer runs a unit has the
/// better, because all of them get the same.
pub fn assign(experiment: &ExperimentId, unit: &str, share: f64) -> Arm {
    let hash = Hash::of_written(&("arm", experiment, unit));
    let mut first = [0u8; 8];
    first.copy_from_slice(&hash.bytes()[..8]);
    // 53 bits are what a number from 0 to 1 can hold exactly.
    let thrown = (u64::from_be_bytes(first) >> 11) as f64 / (1u64 << 53) as f64;
    if thrown < share { Arm::Candidate } else { Arm::Control }
}
