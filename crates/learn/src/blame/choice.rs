//! One out of many: the weights under which what was taken is the likeliest to be taken.

/// How many steps are made: weights have come to rest long before.
const STEPS: i32 = 400;
/// How far a weight moves in a step at first.
const STRIDE: f64 = 0.03;
/// How much of the last directions and sizes is kept.
const KEPT: (f64, f64) = (0.9, 0.99);

/// Options, each told by the places of its signs, and which of them was taken.
pub(super) struct Choice {
    pub(super) options: Vec<Vec<usize>>,
    pub(super) taken: usize,
}

/// The weights of so many signs, each held near nothing.
pub(super) fn learn(choices: &[Choice], signs: usize, caution: f64) -> Vec<f64> {
    let mut weights = vec![0.0; signs];
    let (mut direction, mut size) = (vec![0.0; signs], vec![0.0; signs]);
    for step in 1..=STEPS {
        let slope = slope(choices, &weights, caution);
        let (fresh, sized) = (1.0 - KEPT.0.powi(step), 1.0 - KEPT.1.powi(step));
        for at in 0..signs {
            direction[at] = KEPT.0 * direction[at] + (1.0 - KEPT.0) * slope[at];
            size[at] = KEPT.1 * size[at] + (1.0 - KEPT.1) * slope[at] * slope[at];
            weights[at] -= STRIDE * (direction[at] / fresh) / ((size[at] / sized).sqrt() + 1e-8);
        }
    }
    weights
}

fn slope(choices: &[Choice], weights: &[f64], caution: f64) -> Vec<f64> {
    let mut slope: Vec<f64> = weights.iter().map(|weight| caution * weight).collect();
    for choice in choices {
        let leanings: Vec<f64> =
            choice.options.iter().map(|signs| signs.iter().map(|sign| weights[*sign]).sum()).collect();
        for (at, (signs, share)) in choice.options.iter().zip(shares(&leanings)).enumerate() {
            let off = share - f64::from(u8::from(at == choice.taken));
            signs.iter().for_each(|sign| slope[*sign] += off);
        }
    }
    slope
}

/// How likely each is to be taken, by how much speaks for it.
pub(super) fn shares(leanings: &[f64]) -> Vec<f64> {
    let most = leanings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let grown: Vec<f64> = leanings.iter().map(|leaning| (leaning - most).exp()).collect();
    let all: f64 = grown.iter().sum();
    grown.into_iter().map(|one| one / all).collect()
}
