//! Confidence that means what it says: maps fitted on answers whose correctness is known, and how far off they are.

use serde::{Deserialize, Serialize};

/// An answer that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// How sure the answer was, 0 to 1.
    pub confidence: f32,
    /// Whether it was right.
    pub right: bool,
    /// How often such requests come in use, beside how often they come here.
    pub weight: f32,
}

/// A monotone map from raw to honest confidence: straight lines between knots.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Curve {
    knots: Vec<(f32, f32)>,
}

impl Curve {
    /// A curve through these points, put in order; values that would fall are raised.
    pub fn through(mut knots: Vec<(f32, f32)>) -> Self {
        knots.retain(|(x, y)| x.is_finite() && y.is_finite());
        knots.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut least = 0.0_f32;
        for (_, y) in &mut knots {
            least = least.max(y.clamp(0.0, 1.0));
            *y = least;
        }
        Curve { knots }
    }

    /// The best monotone fit, by pooling neighbours that are out of order, each pool at least `smallest` heavy.
    pub fn fit(samples: &[Checked], smallest: f32) -> Self {
        let mut sorted: Vec<&Checked> = samples.iter().filter(|s| s.confidence.is_finite() && s.weight > 0.0).collect();
        sorted.sort_by(|a, b| a.confidence.total_cmp(&b.confidence));
        let mut pools: Vec<Pool> = Vec::new();
        for alike in sorted.chunk_by(|a, b| a.confidence == b.confidence) {
            pools.push(alike.iter().map(|sample| Pool::of(sample)).fold(Pool::default(), Pool::join));
            while let [.., before, last] = pools.as_slice() {
                let small = before.weight < f64::from(smallest);
                if !small && before.rate() <= last.rate() {
                    break;
                }
                let (before, last) = (*before, *last);
                pools.truncate(pools.len() - 2);
                pools.push(before.join(last));
            }
        }
        if let [.., before, last] = pools.as_slice()
            && last.weight < f64::from(smallest)
        {
            let (before, last) = (*before, *last);
            pools.truncate(pools.len() - 2);
            pools.push(before.join(last));
        }
        Curve::through(pools.iter().map(|pool| ((pool.confidence / pool.weight) as f32, pool.rate() as f32)).collect())
    }

    /// What a raw confidence is worth; unchanged where nothing was fitted.
    pub fn apply(&self, confidence: f32) -> f32 {
        let after = self.knots.partition_point(|(x, _)| *x < confidence);
        match (after.checked_sub(1).and_then(|before| self.knots.get(before)), self.knots.get(after)) {
            (Some((x0, y0)), Some((x1, y1))) => y0 + (y1 - y0) * (confidence - x0) / (x1 - x0).max(1e-9),
            (Some((_, y)), None) | (None, Some((_, y))) => *y,
            (None, None) => confidence,
        }
    }

    /// The points it goes through.
    pub fn knots(&self) -> &[(f32, f32)] {
        &self.knots
    }
}

#[derive(Clone, Copy, Default)]
struct Pool {
    weight: f64,
    confidence: f64,
    right: f64,
}

impl Pool {
    fn of(sample: &Checked) -> Self {
        let weight = f64::from(sample.weight);
        let right = if sample.right { weight } else { 0.0 };
        Pool { weight, confidence: f64::from(sample.confidence) * weight, right }
    }

    /// With a little doubt, so that no pool claims to be always right.
    fn rate(&self) -> f64 {
        (self.right + 0.1) / (self.weight + 0.2)
    }

    fn join(self, other: Pool) -> Pool {
        Pool {
            weight: self.weight + other.weight,
            confidence: self.confidence + other.confidence,
            right: self.right + other.right,
        }
    }
}

/// Expected calibration error: how far confidence and share of right answers are apart, over equal bins.
pub fn error(samples: &[Checked], bins: usize) -> f64 {
    let bins = bins.max(1);
    let mut sums = vec![(0.0_f64, 0.0_f64); bins];
    let mut total = 0.0;
    for sample in samples {
        let bin = ((sample.confidence.clamp(0.0, 1.0) * bins as f32) as usize).min(bins - 1);
        let weight = f64::from(sample.weight);
        sums[bin].0 += weight * f64::from(sample.confidence);
        sums[bin].1 += if sample.right { weight } else { 0.0 };
        total += weight;
    }
    if total > 0.0 { sums.iter().map(|(said, right)| (said - right).abs()).sum::<f64>() / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn checked(confidence: f32, right: bool) -> Checked {
        Checked { confidence, right, weight: 1.0 }
    }

    #[test]
    fn overconfidence_is_taken_back() {
        let samples: Vec<Checked> =
            (0..1000).map(|n| checked(0.9 + (n % 10) as f32 / 1000.0, (n / 10) % 4 != 0)).collect();
        assert!(error(&samples, 15) > 0.1);
        let curve = Curve::fit(&samples, 100.0);
        let honest: Vec<Checked> =
            samples.iter().map(|s| Checked { confidence: curve.apply(s.confidence), ..*s }).collect();
        assert!(error(&honest, 15) < 0.02, "{}", error(&honest, 15));
    }

    #[test]
    fn nothing_fitted_changes_nothing() {
        assert_eq!(Curve::default().apply(0.37), 0.37);
        assert_eq!(error(&[], 15), 0.0);
    }

    proptest! {
        #[test]
        fn a_fitted_curve_never_falls(samples in proptest::collection::vec((0.0_f32..1.0, any::<bool>()), 0..60), smallest in 0.0_f32..10.0) {
            let samples: Vec<Checked> = samples.into_iter().map(|(confidence, right)| checked(confidence, right)).collect();
            let curve = Curve::fit(&samples, smallest);
            let values: Vec<f32> = (0..=50).map(|n| curve.apply(n as f32 / 50.0)).collect();
            prop_assert!(values.windows(2).all(|pair| pair[0] <= pair[1] + 1e-6), "{values:?}");
            prop_assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
        }
    }
}
