//! Numbers that look random and are the same for the same seed.

use std::sync::atomic::{AtomicU64, Ordering};

/// A splitmix64 generator that may be shared.
#[derive(Debug)]
pub(crate) struct Chance(AtomicU64);

impl Chance {
    /// The sequence of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// The next number, from 0 up to but not including 1.
    pub(crate) fn next(&self) -> f64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut bits = self.0.fetch_add(STEP, Ordering::Relaxed).wrapping_add(STEP);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (bits >> 11) as f64 / (1u64 << 53) as f64
    }
}
