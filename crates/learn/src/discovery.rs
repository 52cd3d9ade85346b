//! How many of the things found among many are expected to be chance.
//!
//! Marks depend on each other in every way there is: a sequence on its parts, a trait on its opposite. Benjamini and
//! Yekutieli's bound holds however they do; the less strict one of Benjamini and Hochberg does not promise that.

use std::collections::BTreeMap;

/// One thing that was looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Looked<G> {
    /// The chance of so much by accident.
    pub p: f64,
    /// What it is one of. Each group has the same share of the errors that are allowed, so that a few hundred thousand
    /// sequences do not drown a dozen tools.
    pub group: G,
}

/// For each thing, the share of chance among everything found up to it, at most.
pub fn expected_chance<G: Ord + Copy>(looked: &[Looked<G>]) -> Vec<f64> {
    let mut sizes: BTreeMap<G, usize> = BTreeMap::new();
    looked.iter().for_each(|one| *sizes.entry(one.group).or_default() += 1);
    let groups = sizes.len() as f64;
    // By how much a thing counts: more than once in a small group, less in a large one, once on average.
    let count = looked.len() as f64;
    let weighed = |one: &Looked<G>| one.p * groups * sizes[&one.group] as f64 / count;
    let mut order: Vec<usize> = (0..looked.len()).collect();
    order.sort_by(|a, b| weighed(&looked[*a]).total_cmp(&weighed(&looked[*b])));
    let dependence: f64 = (1..=looked.len()).map(|k| 1.0 / k as f64).sum();
    let mut shares = vec![1.0; looked.len()];
    let mut lowest: f64 = 1.0;
    for (rank, at) in order.into_iter().enumerate().rev() {
        lowest = lowest.min(weighed(&looked[at]) * count * dependence / (rank + 1) as f64);
        shares[at] = lowest;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(ps: &[f64]) -> Vec<f64> {
        expected_chance(&ps.iter().map(|p| Looked { p: *p, group: 0 }).collect::<Vec<_>>())
    }

    #[test]
    fn the_more_is_looked_at_the_less_is_found() {
        assert_eq!(alike(&[0.01]), [0.01]);
        let shares = alike(&[0.01, 0.9]);
        assert!((shares[0] - 0.03).abs() < 1e-12 && shares[1] == 1.0, "{shares:?}");
        assert!(alike(&[]).is_empty());
    }

    #[test]
    fn something_less_probable_is_never_less_sure() {
        let shares = alike(&[0.04, 0.001, 0.02, 0.5]);
        assert!(shares[1] <= shares[2] && shares[2] <= shares[0] && shares[0] <= shares[3]);
    }

    #[test]
    fn a_small_group_does_not_pay_for_a_large_one() {
        let mut looked = vec![Looked { p: 1e-4, group: 'a' }];
        looked.extend((0..999).map(|_| Looked { p: 0.6, group: 'b' }));
        let apart = expected_chance(&looked)[0];
        looked.iter_mut().for_each(|one| one.group = 'a');
        assert!(apart < 0.01 && expected_chance(&looked)[0] > 0.5);
    }
}
