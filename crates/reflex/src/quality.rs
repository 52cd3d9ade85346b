//! How good fast answers are, as plots show it: how often each degree of confidence is right, and how many answers each
//! threshold leaves at which risk.

use serde::Serialize;

use crate::certificate::{Sample, weighted_bound};

/// Answers of about the same confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// Their mean confidence.
    pub confidence: f64,
    /// The share that is right.
    pub right: f64,
    /// How many there are.
    pub count: usize,
}

/// What a threshold would mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Choice {
    /// Answers at least this sure are given.
    pub threshold: f64,
    /// Their share of all.
    pub coverage: f64,
    /// The share of them that is wrong.
    pub risk: f64,
    /// What that share is below, except with probability δ, for this threshold alone.
    pub bound: f64,
}

/// Confidence beside correctness, in bins of equal width; empty ones are left out.
pub fn reliability(samples: &[Sample], bins: usize) -> Vec<Bin> {
    let mut sums = vec![(0.0, 0.0, 0.0, 0_usize); bins];
    for sample in samples {
        let weight = f64::from(sample.weight);
        let confidence = f64::from(sample.confidence);
        let at = ((confidence * bins as f64) as usize).min(bins.saturating_sub(1));
        let Some((total, sure, right, count)) = sums.get_mut(at) else { continue };
        *total += weight;
        *sure += weight * confidence;
        *right += weight * f64::from(u8::from(sample.right));
        *count += 1;
    }
    let filled = sums.into_iter().filter(|(total, ..)| *total > 0.0);
    filled.map(|(total, sure, right, count)| Bin { confidence: sure / total, right: right / total, count }).collect()
}

/// Coverage and risk of about so many thresholds, the strictest first.
pub fn risk_coverage(samples: &[Sample], delta: f64, choices: usize) -> Vec<Choice> {
    let mut sorted: Vec<&Sample> = samples.iter().collect();
    sorted.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let mut found: Vec<Choice> = Vec::new();
    let (mut total, mut wrong) = (0.0, 0.0);
    for (at, sample) in sorted.iter().enumerate() {
        total += f64::from(sample.weight);
        if !sample.right {
            wrong += f64::from(sample.weight);
        }
        let count = at + 1;
        // Answers that are equally sure are above a threshold together.
        let last_of_its_kind = sorted.get(count).is_none_or(|next| next.confidence < sample.confidence);
        let due = count * choices >= (found.len() + 1) * sorted.len();
        if last_of_its_kind && due && total > 0.0 {
            let coverage = count as f64 / sorted.len() as f64;
            let bound = weighted_bound(&sorted[..count], delta);
            found.push(Choice { threshold: f64::from(sample.confidence), coverage, risk: wrong / total, bound });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(confidence: f32, right: bool) -> Sample {
        Sample { role: "timer".into(), confidence, right, weight: 1.0 }
    }

    #[test]
    fn confidence_stands_beside_the_share_that_is_right() {
        let samples = [sample(0.91, true), sample(0.93, true), sample(0.98, false), sample(0.15, false)];
        let bins = reliability(&samples, 10);
        assert_eq!(bins.len(), 2, "{bins:?}");
        assert_eq!((bins[0].right, bins[0].count), (0.0, 1));
        assert!((bins[1].right - 2.0 / 3.0).abs() < 1e-9 && bins[1].count == 3, "{bins:?}");
    }

    #[test]
    fn a_lower_threshold_covers_more_at_a_higher_risk() {
        let samples: Vec<Sample> = (0..100).map(|n| sample(n as f32 / 100.0, n >= 50)).collect();
        let choices = risk_coverage(&samples, 0.05, 20);
        assert_eq!(choices.len(), 20);
        assert!(choices.windows(2).all(|pair| pair[0].coverage < pair[1].coverage && pair[0].risk <= pair[1].risk));
        assert_eq!(choices.last().map(|it| (it.coverage, it.risk)), Some((1.0, 0.5)));
        assert!(choices.iter().all(|it| it.bound >= it.risk));
    }
}
