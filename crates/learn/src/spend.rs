//! How much each of many experiments may err, so that what is promoted over the years is rarely useless.
//!
//! The t-th experiment gets α·γ(t)·(D + 1): γ is a share that falls with t and sums to one, D how many were promoted
//! before it began. If each promotion needs evidence of one over that, at most a share α of all promotions is false on average,
//! at any time, however the experiments depend on each other and on what came before: a false one has evidence e ≥
//! 1/(α·γ·(D + 1)), there are at least D + 1 promotions then, so its share of them is at most α·γ·e, and e is 1 at most on
//! average. The method is known as e-LOND. Those that are under way count as not promoted, which only makes it stricter.

use domain::guideline::ExperimentStatus;

/// How fast the share falls: slowly, because evidence grows with the logarithm of what is asked for.
const FALL: f64 = 1.2;
/// The sum of `t^-1.2` over all t, rounded up.
const SUM: f64 = 5.591_583;

/// The α of the next experiment, after all that were begun before it.
pub fn allot(past: &[ExperimentStatus], total: f64) -> f64 {
    let promoted = past.iter().filter(|status| **status == ExperimentStatus::Promoted).count();
    let turn = past.len() as f64 + 1.0;
    (total.clamp(0.0, 1.0) * turn.powf(-FALL) / SUM * (promoted as f64 + 1.0)).min(1.0)
}
