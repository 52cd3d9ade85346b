//! Where a share probably lies, after so many counted cases.

/// Eight in ten of a normal distribution lie within so many standard deviations.
pub(crate) const EIGHTY: f64 = 1.281_552;
/// The same for ninety-five in a hundred.
pub(crate) const NINETY_FIVE: f64 = 1.959_964;

/// Wilson's interval for a share: never outside 0 to 1, and all of it where nothing was counted.
pub(crate) fn wilson(hits: f64, cases: f64, deviations: f64) -> (f64, f64) {
    if cases <= 0.0 {
        return (0.0, 1.0);
    }
    let share = (hits / cases).clamp(0.0, 1.0);
    let square = deviations * deviations;
    let centre = (share + square / (2.0 * cases)) / (1.0 + square / cases);
    let spread = share * (1.0 - share) / cases + square / (4.0 * cases * cases);
    let half = deviations / (1.0 + square / cases) * spread.sqrt();
    ((centre - half).clamp(0.0, 1.0), (centre + half).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_known_better_the_more_was_counted() {
        let rounded = |(low, high): (f64, f64)| ((low * 1000.0).round(), (high * 1000.0).round());
        assert_eq!(rounded(wilson(8.0, 10.0, NINETY_FIVE)), (490.0, 943.0));
        assert_eq!(rounded(wilson(800.0, 1000.0, NINETY_FIVE)), (774.0, 824.0));
        assert_eq!(wilson(0.0, 0.0, EIGHTY), (0.0, 1.0));
        assert!(wilson(0.0, 5.0, EIGHTY).0 < 1e-12);
    }
}
