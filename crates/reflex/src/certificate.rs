//! Promises about fast answers: above a threshold, at most a share α of a role's answers is wrong, except with a
//! probability of δ that the promise itself is.
//!
//! Thresholds are tried from a strict one down, each by an exact binomial bound, and the first that fails ends it. So no
//! correction for trying many is needed (fixed-sequence testing, "learn then test"), only one for trying from a few
//! starts: a single error among the very surest answers must not end everything.

use serde::{Deserialize, Serialize};

use crate::model::{Artefact, Bytes};

/// What a promise about all roles is called.
pub const TOGETHER: &str = "all";

/// Fewest answers that a promise can rest on.
const FEWEST: usize = 20;
/// Where to start: shares of the answers that are above the first threshold.
const STARTS: [f64; 4] = [0.0, 0.25, 0.5, 0.75];
/// Thresholds that are tried from the strictest start.
const STEPS: usize = 60;

/// A fast answer whose correctness is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The role that was answered.
    pub role: String,
    /// How sure it was.
    pub confidence: f32,
    /// Whether the role was right.
    pub right: bool,
    /// How often such requests come in use, beside how often they come here. All 1 unless some kind is known to be
    /// rarer here than it will be.
    pub weight: f32,
}

/// A promise that holds with probability 1 − δ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// Whose answers.
    pub role: String,
    /// Answers at least this sure are fast.
    pub threshold: f32,
    /// Highest share of wrong fast answers.
    pub alpha: f64,
    /// Probability that the promise is wrong.
    pub delta: f64,
    /// Samples of this role that it rests on.
    pub calibrated_on: usize,
    /// Wrong answers above the threshold among them.
    pub errors: usize,
    /// Share of the role's samples that are above the threshold.
    pub coverage: f64,
    /// What the share of wrong answers is below, at confidence 1 − δ.
    pub bound: f64,
}

/// A promise that cannot be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// Whose answers.
    pub role: String,
    /// What would be needed, as a sentence.
    pub why: String,
}

/// What can be promised for a role.
pub type Verdict = Result<Certificate, Refused>;

/// A verdict for each role among the samples, in the order of their names.
pub fn certify(samples: &[Sample], alpha: f64, delta: f64) -> Vec<Verdict> {
    let mut roles: Vec<&str> = samples.iter().map(|sample| sample.role.as_str()).collect();
    roles.sort_unstable();
    roles.dedup();
    roles.into_iter().map(|role| certify_role(samples, role, alpha, delta)).collect()
}

/// A verdict for each role: its own, or, where its samples are too few for that, the one about all roles together.
pub fn certify_best(samples: &[Sample], alpha: f64, delta: f64) -> Vec<Verdict> {
    let together = certify_together(samples, alpha, delta);
    let best = |verdict: Verdict| match (verdict, &together) {
        (Err(refused), Ok(all)) => Ok(Certificate { role: refused.role, ..all.clone() }),
        (verdict, _) => verdict,
    };
    certify(samples, alpha, delta).into_iter().map(best).collect()
}

/// The verdict for one role.
pub fn certify_role(samples: &[Sample], role: &str, alpha: f64, delta: f64) -> Verdict {
    promise(samples.iter().filter(|sample| sample.role == role).collect(), role, alpha, delta)
}

/// One verdict for all answers together, under the name [`TOGETHER`]: what roles with few samples can rest on. It
/// promises their average, not each of them.
pub fn certify_together(samples: &[Sample], alpha: f64, delta: f64) -> Verdict {
    promise(samples.iter().collect(), TOGETHER, alpha, delta)
}

/// The samples that the shipped classifier was calibrated on, so that promises can be made for any α and δ.
pub fn shipped_samples() -> Vec<Sample> {
    Artefact::shipped().section("samples").and_then(parse).unwrap_or_default()
}

/// The bytes that are shipped: names of roles, then eight bytes per sample.
pub fn write(samples: &[Sample]) -> Vec<u8> {
    let mut roles: Vec<&str> = samples.iter().map(|sample| sample.role.as_str()).collect();
    roles.sort_unstable();
    roles.dedup();
    let mut bytes = (roles.len() as u32).to_le_bytes().to_vec();
    for role in &roles {
        bytes.extend((role.len() as u32).to_le_bytes());
        bytes.extend(role.as_bytes());
    }
    bytes.extend((samples.len() as u32).to_le_bytes());
    for sample in samples {
        let role = roles.iter().position(|role| *role == sample.role).unwrap_or_default();
        bytes.extend([role as u8, u8::from(sample.right)]);
        bytes.extend(((sample.confidence.clamp(0.0, 1.0) * 65535.0) as u16).to_le_bytes());
        bytes.extend(sample.weight.to_le_bytes());
    }
    bytes
}

fn parse(bytes: &[u8]) -> Option<Vec<Sample>> {
    let mut bytes = Bytes(bytes);
    let count = bytes.number()?;
    let roles = (0..count).map(|_| bytes.text()).collect::<Option<Vec<&str>>>()?;
    let count = bytes.number()?;
    let mut sample = || {
        let eight = bytes.take(8)?;
        Some(Sample {
            role: (*roles.get(usize::from(eight[0]))?).to_owned(),
            right: eight[1] != 0,
            confidence: f32::from(u16::from_le_bytes([eight[2], eight[3]])) / 65535.0,
            weight: f32::from_le_bytes([eight[4], eight[5], eight[6], eight[7]]),
        })
    };
    (0..count).map(|_| sample()).collect()
}

fn promise(mut own: Vec<&Sample>, role: &str, alpha: f64, delta: f64) -> Verdict {
    own.retain(|sample| sample.confidence.is_finite() && sample.weight.is_finite() && sample.weight > 0.0);
    own.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let refuse = |why: String| Err(Refused { role: role.to_owned(), why });
    let each = delta / STARTS.len() as f64;
    let needed = fewest(alpha, each).max(FEWEST);
    if own.len() < needed {
        return refuse(format!("needs {needed} answers to learn from, has {}", own.len()));
    }
    let mut best: Option<Certificate> = None;
    for start in STARTS {
        for step in (start * STEPS as f64) as usize..STEPS {
            let last = needed + (own.len() - needed) * step / (STEPS - 1);
            // Answers that are equally sure are above the threshold together.
            let count = own.partition_point(|sample| sample.confidence >= own[last - 1].confidence);
            let (above, threshold) = (&own[..count], own[count - 1].confidence);
            let bound = weighted_bound(above, each);
            if bound > alpha {
                break;
            }
            if best.as_ref().is_none_or(|best| threshold < best.threshold) {
                let errors = above.iter().filter(|sample| !sample.right).count();
                let (calibrated_on, coverage) = (own.len(), count as f64 / own.len() as f64);
                let role = role.to_owned();
                best = Some(Certificate { role, threshold, alpha, delta, calibrated_on, errors, coverage, bound });
            }
        }
    }
    match best {
        Some(certificate) => Ok(certificate),
        None => refuse("its surest answers are wrong too often".to_owned()),
    }
}

/// The highest share of wrong answers that goes with `errors` of `count`, except with probability `delta`
/// (Clopper–Pearson, one-sided).
pub fn upper_bound(errors: usize, count: usize, delta: f64) -> f64 {
    if errors >= count {
        return 1.0;
    }
    let (mut low, mut high) = (errors as f64 / count as f64, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if at_most(errors, count, middle) > delta {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// How many answers without an error it takes to promise `alpha`.
fn fewest(alpha: f64, delta: f64) -> usize {
    let needed = delta.clamp(1e-9, 0.5).ln() / (1.0 - alpha.clamp(1e-4, 0.9999)).ln();
    // A bound that is met exactly may miss by rounding.
    needed.ceil() as usize + 1
}

/// Answers of weight one are bounded exactly. Heavier wrong ones count as so many errors, among as many answers as all
/// weigh together: a request that is rarer here than in use must not look harmless.
pub(crate) fn weighted_bound(above: &[&Sample], delta: f64) -> f64 {
    let total: f64 = above.iter().map(|sample| f64::from(sample.weight)).sum();
    let wrong: f64 = above.iter().filter(|sample| !sample.right).map(|sample| f64::from(sample.weight)).sum();
    // Rounded against us, and never as if more answers had been seen than were.
    let count = (total.floor() as usize).min(above.len()).max(1);
    let errors = (wrong * count as f64 / total.max(1e-9) - 1e-6).ceil().max(0.0) as usize;
    upper_bound(errors, count, delta)
}

/// Probability of at most `errors` in `count` draws that are each wrong with probability `rate`.
fn at_most(errors: usize, count: usize, rate: f64) -> f64 {
    if rate <= 0.0 {
        return 1.0;
    }
    if rate >= 1.0 {
        return if errors >= count { 1.0 } else { 0.0 };
    }
    let (right, odds) = ((1.0 - rate).ln(), rate.ln() - (1.0 - rate).ln());
    let mut term = count as f64 * right;
    let mut sum = term.exp();
    for wrong in 1..=errors.min(count) {
        term += ((count - wrong + 1) as f64 / wrong as f64).ln() + odds;
        sum += term.exp();
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample(confidence: f32, right: bool) -> Sample {
        Sample { role: "timer".into(), confidence, right, weight: 1.0 }
    }

    #[test]
    fn bounds_are_those_of_the_tables() {
        assert!((upper_bound(0, 100, 0.05) - 0.0295).abs() < 1e-4);
        assert!((upper_bound(5, 100, 0.05) - 0.1022).abs() < 1e-4);
        assert_eq!(upper_bound(3, 3, 0.05), 1.0);
    }

    #[test]
    fn too_few_answers_promise_nothing() {
        let few: Vec<Sample> = (0..30).map(|_| sample(0.9, true)).collect();
        let refused = certify_role(&few, "timer", 0.02, 0.05).expect_err("30 are too few for 2 %");
        assert_eq!(refused.why, "needs 218 answers to learn from, has 30");
    }

    #[test]
    fn wrong_answers_end_up_below_the_threshold() {
        let mixed: Vec<Sample> = (0..1000).map(|n| sample(n as f32 / 1000.0, n > 300 || n % 2 == 0)).collect();
        let promise = certify_role(&mixed, "timer", 0.02, 0.05).expect("700 right answers");
        assert!(promise.threshold > 0.25 && promise.threshold < 0.4, "{promise:?}");
        assert!(promise.bound <= 0.02);
    }

    #[test]
    fn samples_survive_being_shipped() {
        let samples = [sample(0.5, true), Sample { role: "weather".into(), weight: 7.5, ..sample(1.0, false) }];
        let read = parse(&write(&samples)).expect("just written");
        assert_eq!(
            read.iter().map(|s| (s.role.as_str(), s.right, s.weight)).collect::<Vec<_>>(),
            [("timer", true, 1.0), ("weather", false, 7.5)]
        );
        assert!(read.iter().zip(&samples).all(|(a, b)| (a.confidence - b.confidence).abs() < 1e-4));
    }

    #[test]
    fn a_heavy_error_counts_for_many() {
        let mut samples: Vec<Sample> = (0..1000).map(|n| sample(0.5 + n as f32 / 2000.0, true)).collect();
        let light = certify_role(&samples, "timer", 0.02, 0.05).expect("all right");
        samples[500] = Sample { weight: 40.0, right: false, ..samples[500].clone() };
        let heavy = certify_role(&samples, "timer", 0.02, 0.05).expect("most right");
        assert!(heavy.threshold > light.threshold);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn promises_hold_as_often_as_they_say(seed in any::<u32>(), slope in 0.05_f64..0.6) {
            let mut state = u64::from(seed) | 1;
            let mut roll = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((state >> 11) as f64) / (1_u64 << 53) as f64
            };
            let mut broken = 0;
            for _ in 0..100 {
                let samples: Vec<Sample> = (0..600)
                    .map(|_| { let sure = roll(); sample(sure as f32, roll() > slope * (1.0 - sure)) })
                    .collect();
                if let Ok(promise) = certify_role(&samples, "timer", 0.05, 0.1) {
                    // Above a threshold t the share of wrong answers is slope · (1 − t) / 2.
                    broken += usize::from(slope * (1.0 - f64::from(promise.threshold)) / 2.0 > 0.05);
                }
            }
            prop_assert!(broken <= 22, "{broken} of 100 promises were broken at a probability of 0.1");
        }
    }
}
