//! Fits the weights: logistic regression by stochastic gradient, one step size a feature.

use reflex::split::features::{CROSSED, PLAIN, PLAIN_SHAPES, SHAPES, Sight, features};
use reflex::split::{Learned, UNITS, seams, words};

use super::compose::Example;
use super::dice::Dice;


/// How often, in percent, the words outside the closed classes are hidden, so that shapes have to carry what is learned.
fn env(k: &str, d: f32) -> f32 { std::env::var(k).ok().and_then(|v| v.parse().ok()).unwrap_or(d) }

struct Seen {
    sight: Sight,
    parts: bool,
    weight: f32,
}

/// Learns from requests whose seams are known.
pub(super) fn fit(examples: &[Example], dice: &mut Dice) -> Learned {
    let mut seen: Vec<Seen> = examples.iter().flat_map(see).collect();
    let parts = seen.iter().filter(|seen| seen.parts).count();
    println!("{} seams, {parts} of them part requests", seen.len());
    let (buckets, plain) = (CROSSED as usize, PLAIN as usize);
    let mut model = Learned { linear: vec![0.0; buckets], hidden: vec![[0.0; UNITS]; plain], ..Learned::default() };
    let deep = env("DEEP", 1.0); let init = env("INIT", 0.05); let hrate = env("HRATE", 0.03);
    for unit in model.hidden.as_flattened_mut() {
        *unit = (dice.below(2001) as f32 / 1000.0 - 1.0) * init * deep;
    }
    for (at, out) in model.out.iter_mut().enumerate() { *out = if at % 2 == 0 { deep } else { -deep }; }
    let mut squares = vec![1e-3_f32; buckets];
    let mut hidden_squares = vec![[1e-3_f32; UNITS]; plain];
    let mut mean = Learned { linear: vec![0.0; buckets], hidden: vec![[0.0; UNITS]; plain], out: model.out, ..Learned::default() };
    let rounds = env("ROUNDS", 6.0) as usize; let rate0 = env("RATE", 0.12); let decay = env("DECAY", 2e-6); let hide_often = env("HIDDEN", 50.0) as usize;
    for round in 0..rounds {
        let rate = rate0 * (1.0 - round as f32 / rounds as f32);
        let hrate = hrate * (1.0 - round as f32 / rounds as f32);
        dice.shuffle(&mut seen);
        let mut loss = 0.0;
        for seen in &seen {
            let hide = dice.chance(hide_often);
            let (crossed, plain) = if hide { (&seen.sight.crossed[..SHAPES], &seen.sight.plain[..PLAIN_SHAPES]) } else { (&seen.sight.crossed[..], &seen.sight.plain[..]) };
            let (score, units) = score(&model, crossed, plain);
            let likely = 1.0 / (1.0 + (-score).exp());
            let error = likely - f32::from(u8::from(seen.parts));
            loss -= (1.0 - error.abs()).max(1e-6).ln();
            let error = error * seen.weight;
            for at in crossed {
                let at = *at as usize;
                let step = error + decay * model.linear[at];
                squares[at] += step * step;
                model.linear[at] = (model.linear[at] - rate * step / squares[at].sqrt()).clamp(-2.5, 2.5);
            }
            if deep > 0.0 {
                for at in plain {
                    let at = *at as usize;
                    for unit in 0..UNITS {
                        if units[unit] > 0.0 {
                            let step = error * model.out[unit] + decay * model.hidden[at][unit];
                            hidden_squares[at][unit] += step * step;
                            model.hidden[at][unit] = (model.hidden[at][unit] - hrate * step / hidden_squares[at][unit].sqrt()).clamp(-1.5, 1.5);
                        }
                    }
                }
            }
        }
        if round * 2 >= rounds {
            let n = (rounds - rounds.div_ceil(2)) as f32;
            for (mean, weight) in mean.linear.iter_mut().zip(&model.linear) { *mean += weight / n; }
            for (mean, weight) in mean.hidden.as_flattened_mut().iter_mut().zip(model.hidden.as_flattened()) { *mean += weight / n; }
        }
        println!("round {round}: loss {:.4}", loss / seen.len() as f32);
    }
    mean
}

fn score(model: &Learned, crossed: &[u32], plain: &[u32]) -> (f32, [f32; UNITS]) {
    let score: f32 = crossed.iter().map(|at| model.linear[*at as usize]).sum();
    let mut units = [0.0; UNITS];
    for at in plain {
        for (unit, weight) in units.iter_mut().zip(&model.hidden[*at as usize]) {
            *unit += weight;
        }
    }
    (score + units.iter().zip(&model.out).map(|(unit, out)| unit.max(0.0) * out).sum::<f32>(), units)
}

/// Where the score of the best seam parts single from composite requests with few single ones torn, and how steep the odds are.
pub(super) fn calibrate(model: &mut Learned, examples: &[Example]) {
    let mut single = Vec::new();
    let mut several = Vec::new();
    for example in examples {
        let scores = see(example).into_iter().map(|seen| score(model, &seen.sight.crossed, &seen.sight.plain).0);
        let Some(best) = scores.max_by(f32::total_cmp) else { continue };
        if example.real {
            single.push(best);
        } else if !example.seams.is_empty() {
            several.push(best);
        }
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
    model.threshold = single[(single.len() as f32 * TORN) as usize];
    model.slope = 1.0;
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
        let weight = if parts || !example.real { 1.0 } else { if seam.joint & 64 == 0 { env("NEGC", 1.0)} else {env("NEGA",1.0)} };
        let mut seen = Seen { sight: Sight::default(), parts, weight };
        features(&words, seam, left, found.get(at + 1), &mut seen.sight);
        all.push(seen);
        if parts {
            left = seam.end;
        }
    }
    all
}
