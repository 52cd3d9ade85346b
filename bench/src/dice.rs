//! Chance that can be repeated: the same seed, the same throws.

/// Splitmix64.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice that fall as this seed says.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number that could be any.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound; 0 for a bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.any() % bound }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_falls_the_same_way() {
        let throws = |seed| {
            let mut dice = Dice::new(seed);
            [dice.below(100), dice.below(100), dice.below(100)]
        };
        assert_eq!(throws(7), throws(7));
        assert_ne!(throws(7), throws(8));
    }
}
