//! Fits the weights: logistic regression by stochastic gradient, one step size a feature.

use reflex::split::features::{SHAPES, features};
use reflex::split::{seams, words};

use super::compose::Example;
use super::dice::Dice;

const BUCKETS: u32 = 1 << 17;
const ROUNDS: usize = 6;
const RATE: f32 = 0.12;
const DECAY: f32 = 2e-6;

/// How often, in percent, the words outside the closed classes are hidden, so that shapes have to carry what is learned.
const HIDDEN: usize = 50;

struct Seen {
    features: Vec<u32>,
    parts: bool,
}

/// Learns from requests whose seams are known.
pub(super) fn fit(examples: &[Example], dice: &mut Dice) -> Vec<f32> {
    let mut seen: Vec<Seen> = examples.iter().flat_map(see).collect();
    let parts = seen.iter().filter(|seen| seen.parts).count();
    println!("{} seams, {parts} of them part requests", seen.len());
    let mut weights = vec![0.0_f32; BUCKETS as usize];
    let mut squares = vec![1e-3_f32; BUCKETS as usize];
    for round in 0..ROUNDS {
        dice.shuffle(&mut seen);
        let mut loss = 0.0;
        for seen in &seen {
            let hide = dice.chance(HIDDEN);
            let visible = if hide { &seen.features[..SHAPES] } else { &seen.features[..] };
            let score: f32 = visible.iter().map(|at| weights[*at as usize]).sum();
            let likely = 1.0 / (1.0 + (-score).exp());
            let error = likely - f32::from(u8::from(seen.parts));
            loss -= (1.0 - error.abs()).max(1e-6).ln();
            for at in visible {
                let at = *at as usize;
                let step = error + DECAY * weights[at];
                squares[at] += step * step;
                weights[at] = (weights[at] - RATE * step / squares[at].sqrt()).clamp(-2.5, 2.5);
            }
        }
        println!("round {round}: loss {:.4}", loss / seen.len() as f32);
    }
    weights
}

/// Where the score of the best seam parts single from composite requests with few single ones torn, and how steep the odds are.
pub(super) fn calibrate(weights: &[f32], examples: &[Example]) -> (f32, f32) {
    let mut single = Vec::new();
    let mut several = Vec::new();
    for example in examples {
        let scores =
            see(example).into_iter().map(|seen| seen.features.iter().map(|at| weights[*at as usize]).sum::<f32>());
        let Some(best) = scores.max_by(f32::total_cmp) else { continue };
        if example.seams.is_empty() { single.push(best) } else { several.push(best) }
    }
    single.sort_by(|a, b| b.total_cmp(a));
    for torn in [0.002, 0.005, 0.01, 0.02, 0.05] {
        let threshold = single[(single.len() as f32 * torn) as usize];
        let found = several.iter().filter(|score| **score > threshold).count();
        println!(
            "{:.1} % of singles torn: threshold {threshold:.2}, {:.3} found",
            torn * 100.0,
            found as f32 / several.len() as f32
        );
    }
    let threshold = single[(single.len() as f32 * TORN) as usize];
    (threshold, 1.0)
}

const TORN: f32 = 0.01;

fn see(example: &Example) -> Vec<Seen> {
    let words = words::read(&example.text);
    let found = seams::find(&words);
    let mut left = 0;
    let mut all = Vec::with_capacity(found.len());
    for (at, seam) in found.iter().enumerate() {
        let joint = words[seam.start - 1].span.end..words[seam.end].span.start;
        let parts = example.seams.iter().any(|byte| joint.contains(byte));
        let until = found.get(at + 1).map_or(words.len(), |next| next.start);
        let mut seen = Seen { features: Vec::with_capacity(48), parts };
        features(&words, seam, left, until, BUCKETS, &mut seen.features);
        all.push(seen);
        if parts {
            left = seam.end;
        }
    }
    all
}
