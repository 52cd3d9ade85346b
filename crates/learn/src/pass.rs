//! How often requests go as they should when they are rehearsed, and what another way of carrying them out changes.

use serde::Serialize;

use crate::interval::{NINETY_FIVE, wilson};

/// A number that was estimated.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely one.
    pub value: f64,
    /// Where it probably lies, nineteen times in twenty.
    pub interval: (f64, f64),
}

/// The share that passes, from the share of each request's rehearsals that did.
///
/// The requests are what was sampled. Rehearsing one again and again makes its own share clearer and the interval no
/// narrower than that many requests allow.
pub fn pass_rate(shares: &[f64]) -> Estimate {
    let (passed, cases) = (shares.iter().sum::<f64>(), shares.len() as f64);
    Estimate { value: passed / cases.max(1.0), interval: wilson(passed, cases, NINETY_FIVE) }
}

/// How much more passes than with something else, from the difference of each request's shares.
///
/// The interval is that of Bonett and Price for paired shares: one case is added on either side, so that it does not
/// shrink to nothing where few requests differ.
pub fn gained(differences: &[f64]) -> Estimate {
    let cases = differences.len() as f64;
    let (sum, squares) = differences.iter().fold((0.0, 0.0), |(sum, squares), it| (sum + it, squares + it * it));
    let centre = sum / (cases + 2.0);
    let variance = ((squares + 2.0) / (cases + 2.0) - centre * centre) / (cases + 2.0);
    let half = NINETY_FIVE * variance.max(0.0).sqrt();
    Estimate { value: sum / cases.max(1.0), interval: ((centre - half).max(-1.0), (centre + half).min(1.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_few_is_not_always() {
        let estimate = pass_rate(&[1.0; 10]);
        assert_eq!(estimate.value, 1.0);
        assert!((0.70..0.75).contains(&estimate.interval.0) && estimate.interval.1 > 0.999, "{estimate:?}");
        assert_eq!(pass_rate(&[]), Estimate { value: 0.0, interval: (0.0, 1.0) });
        assert_eq!(pass_rate(&[0.5, 0.5]).value, 0.5, "a request that passes every other time is half a success");
    }

    #[test]
    fn a_difference_counts_where_it_shows_in_enough_requests() {
        let better = |by: usize, of: usize| gained(&[vec![1.0; by], vec![0.0; of - by]].concat());
        assert!(better(2, 20).interval.0 < 0.0, "two of twenty may be chance");
        assert!(better(8, 20).interval.0 > 0.0);
        let same = gained(&[0.0; 20]);
        assert!(same.value == 0.0 && same.interval.0 < 0.0 && same.interval.1 > 0.0);
        assert!(gained(&[]).interval == (-1.0, 1.0));
    }

    proptest::proptest! {
        #[test]
        fn an_interval_holds_what_was_seen_and_stays_within_bounds(
            differences in proptest::collection::vec(-1.0..=1.0_f64, 1..40)
        ) {
            let gained = gained(&differences);
            let (low, high) = gained.interval;
            proptest::prop_assert!((-1.0..=1.0).contains(&low) && low <= high && high <= 1.0);
            let other: Vec<f64> = differences.iter().map(|it| -it).collect();
            proptest::prop_assert!((super::gained(&other).value + gained.value).abs() < 1e-9);
        }
    }
}
