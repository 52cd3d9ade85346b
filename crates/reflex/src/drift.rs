//! Watches whether fast answers still keep their promise, at every moment and not only at the end.
//!
//! A bettor stakes money on each answer being wrong more often than promised. While the promise holds, the bettor's
//! wealth grows beyond 1/δ with probability at most δ, however long it is watched; so wealth beyond that is reason to
//! withdraw.

use serde::{Deserialize, Serialize};

/// Stakes played side by side: shares of the most that could be staked.
const STAKES: [f64; 5] = [0.02, 0.06, 0.15, 0.35, 0.7];

/// The state of the watch, which is all there is to keep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    alpha: f64,
    delta: f64,
    /// Logarithm of the wealth of each stake.
    wealth: [f64; STAKES.len()],
    seen: u64,
    wrong: u64,
    withdrawn: bool,
}

impl Drift {
    /// Watches the promise that at most a share `alpha` is wrong, with false alarms in at most a share `delta` of all
    /// watches. Both are kept between 0.0001 and 0.9999.
    pub fn new(alpha: f64, delta: f64) -> Self {
        let between = |share: f64| if share.is_finite() { share.clamp(1e-4, 1.0 - 1e-4) } else { 0.05 };
        let wealth = [0.0; STAKES.len()];
        Drift { alpha: between(alpha), delta: between(delta), wealth, seen: 0, wrong: 0, withdrawn: false }
    }

    /// Takes note of an outcome: whether a fast answer turned out wrong.
    pub fn observe(&mut self, wrong: bool) {
        self.seen += 1;
        self.wrong += u64::from(wrong);
        let outcome = f64::from(u8::from(wrong)) - self.alpha;
        for (wealth, stake) in self.wealth.iter_mut().zip(STAKES) {
            *wealth += (1.0 + stake / self.alpha * outcome).ln();
        }
        self.withdrawn |= self.evidence() >= 1.0 / self.delta;
    }

    /// Whether the promise was ever broken beyond chance; only a new watch forgets it.
    pub fn withdrawn(&self) -> bool {
        self.withdrawn
    }

    /// The bettor's wealth now, starting from 1: how many times likelier the outcomes are if the promise is broken.
    pub fn evidence(&self) -> f64 {
        self.wealth.iter().map(|wealth| wealth.min(600.0).exp()).sum::<f64>() / STAKES.len() as f64
    }

    /// How many outcomes were seen, and how many of them were wrong.
    pub fn counts(&self) -> (u64, u64) {
        (self.seen, self.wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between 0 and 1 that look random.
    fn dice(mut seed: u64) -> impl FnMut() -> f64 {
        move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 11) as f64) / (1_u64 << 53) as f64
        }
    }

    fn withdrawn_within(rate: f64, steps: usize, watches: u64) -> usize {
        let watch = |seed| {
            let (mut roll, mut drift) = (dice(seed * 7919 + 1), Drift::new(0.02, 0.05));
            (0..steps).for_each(|_| drift.observe(roll() < rate));
            drift.withdrawn()
        };
        (0..watches).filter(|seed| watch(*seed)).count()
    }

    #[test]
    fn false_alarms_are_as_rare_as_promised() {
        let alarms = withdrawn_within(0.02, 3000, 1000);
        assert!(alarms <= 60, "{alarms} of 1000 watches cried wolf");
    }

    #[test]
    fn a_broken_promise_is_noticed() {
        let alarms = withdrawn_within(0.10, 300, 200);
        assert!(alarms >= 190, "{alarms} of 200");
    }

    #[test]
    fn it_survives_being_stored_and_stays_withdrawn() {
        let mut drift = Drift::new(0.02, 0.05);
        (0..20).for_each(|_| drift.observe(true));
        let text = serde_json::to_string(&drift).expect("plain data");
        let mut again: Drift = serde_json::from_str(&text).expect("what was just written");
        (0..5000).for_each(|_| again.observe(false));
        assert!(again.withdrawn());
        assert_eq!(again.counts(), (5020, 20));
    }
}
