//! Heads for other sets of labels, on the same encoder: what a whole new set of labels costs and reaches.
//!
//! Two small models are fitted by plain descent and multiplied: one on what the encoder makes of a text, one on its
//! words, pairs of words and pieces of words as they stand.

use std::collections::HashMap;

use reflex::embed::Encoder;
use reflex::{features, tokens};

/// Slots that words and pieces are hashed into.
const SLOTS: u32 = 1 << 18;
const ROUNDS: usize = 14;

/// A fitted head.
#[derive(Debug, Clone)]
pub struct Head {
    names: Vec<String>,
    dense: Model,
    literal: Model,
    rarity: HashMap<u32, f32>,
}

/// Features of a text as places and values.
type Point = Vec<(u32, f32)>;

impl Head {
    /// Fits a head on texts and their labels.
    pub fn fit(encoder: &Encoder, examples: &[(&str, &str)]) -> Self {
        let mut names: Vec<String> = examples.iter().map(|(_, label)| (*label).to_owned()).collect();
        names.sort_unstable();
        names.dedup();
        let place = |label: &str| names.binary_search_by(|name| name.as_str().cmp(label)).unwrap_or_default();
        let wanted: Vec<usize> = examples.iter().map(|(_, label)| place(label)).collect();
        let mut counts: HashMap<u32, f32> = HashMap::new();
        let raw: Vec<Point> = examples.iter().map(|(text, _)| literal(text)).collect();
        raw.iter().flatten().for_each(|(slot, _)| *counts.entry(*slot).or_default() += 1.0);
        let rarity = counts.into_iter().map(|(slot, n)| (slot, 1.0 + (examples.len() as f32 / n).ln())).collect();
        let points: Vec<Point> = raw.into_iter().map(|point| scaled(point, &rarity)).collect();
        let literal = Model::fit(&points, &wanted, names.len(), SLOTS as usize, 0.15, 0.0);
        let points: Vec<Point> = examples.iter().map(|(text, _)| dense(encoder, text)).collect();
        let width = points.iter().flatten().map(|(at, _)| *at as usize + 1).max().unwrap_or_default();
        let dense = Model::fit(&points, &wanted, names.len(), width, 0.25, 1e-5);
        Head { names, dense, literal, rarity }
    }

    /// The likeliest label.
    pub fn say(&self, encoder: &Encoder, text: &str) -> &str {
        let mut sums = self.dense.logarithms(&dense(encoder, text));
        let literal = self.literal.logarithms(&scaled(literal(text), &self.rarity));
        sums.iter_mut().zip(literal).for_each(|(sum, more)| *sum += more);
        let best = (0..sums.len()).max_by(|a, b| sums[*a].total_cmp(&sums[*b]));
        best.map_or("", |at| self.names[at].as_str())
    }
}

/// Linear, with a probability for each label; weights of a feature lie side by side.
#[derive(Debug, Clone)]
struct Model {
    classes: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Model {
    /// Descent with a step per weight that shrinks as the weight is moved (AdaGrad).
    fn fit(points: &[Point], wanted: &[usize], classes: usize, width: usize, speed: f32, hold: f32) -> Self {
        let mut model = Model { classes, weights: vec![0.0; width * classes], bias: vec![0.0; classes] };
        let mut moved = vec![1e-3_f32; width * classes];
        let mut order: Vec<usize> = (0..points.len()).collect();
        let mut dice = 0x9e37_79b9_7f4a_7c15_u64;
        for round in 0..ROUNDS {
            let speed = speed * (1.0 - round as f32 / ROUNDS as f32);
            for at in (1..order.len()).rev() {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                order.swap(at, (dice >> 33) as usize % (at + 1));
            }
            for example in &order {
                let mut push = model.logarithms(&points[*example]);
                push.iter_mut().for_each(|value| *value = -value.exp());
                push[wanted[*example]] += 1.0;
                for (at, value) in &points[*example] {
                    let run = *at as usize * classes..(*at as usize + 1) * classes;
                    let weights = model.weights[run.clone()].iter_mut().zip(&mut moved[run]);
                    for ((weight, moved), push) in weights.zip(&push) {
                        let by = push * value - hold * *weight;
                        *moved += by * by;
                        *weight += speed * by / moved.sqrt();
                    }
                }
                model.bias.iter_mut().zip(&push).for_each(|(bias, push)| *bias += 0.01 * speed * push);
            }
        }
        model
    }

    fn logarithms(&self, point: &Point) -> Vec<f32> {
        let mut sums = self.bias.clone();
        for (at, value) in point {
            let Some(run) = self.weights.get(*at as usize * self.classes..(*at as usize + 1) * self.classes) else {
                continue;
            };
            sums.iter_mut().zip(run).for_each(|(sum, weight)| *sum += value * weight);
        }
        let most = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total = sums.iter().map(|sum| (sum - most).exp()).sum::<f32>().ln() + most;
        sums.iter_mut().for_each(|sum| *sum -= total);
        sums
    }
}

/// What the encoder makes of a text, each part of length one.
fn dense(encoder: &Encoder, text: &str) -> Point {
    let encoded = encoder.features(text);
    let length = encoded.features.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6);
    let meaning = encoded.features.iter().map(|x| 3.0 * x / length);
    let values = meaning.chain(encoded.place.iter().copied()).enumerate();
    values.filter(|(_, value)| *value != 0.0).map(|(at, value)| (at as u32, value)).collect()
}

/// Words, pairs of words, and pieces of words.
fn literal(text: &str) -> Point {
    let words = tokens::words(text);
    let hashes: Vec<u32> = words.iter().map(|word| features::hash(word.text.bytes())).collect();
    let mut counts: HashMap<u32, f32> = HashMap::new();
    let pairs = hashes.windows(2).map(|pair| pair[0].rotate_left(9) ^ pair[1]);
    hashes.iter().copied().chain(pairs).for_each(|hash| *counts.entry(hash % (SLOTS / 2)).or_default() += 1.0);
    for word in &words {
        for piece in features::pieces(&word.text, SLOTS / 2) {
            *counts.entry(SLOTS / 2 + piece).or_default() += 1.0;
        }
    }
    let mut point: Point = counts.into_iter().map(|(slot, count)| (slot, 1.0 + count.ln())).collect();
    point.sort_unstable_by_key(|(slot, _)| *slot);
    point
}

/// Rare features weigh more; words and pieces have length one each.
fn scaled(mut point: Point, rarity: &HashMap<u32, f32>) -> Point {
    point.iter_mut().for_each(|(slot, value)| *value *= rarity.get(slot).copied().unwrap_or(0.0));
    let cut = point.partition_point(|(slot, _)| *slot < SLOTS / 2);
    let (words, pieces) = point.split_at_mut(cut);
    for part in [words, pieces] {
        let length = part.iter().map(|(_, value)| value * value).sum::<f32>().sqrt().max(1e-6);
        part.iter_mut().for_each(|(_, value)| *value /= length);
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_learns_labels_it_was_shown() {
        let encoder = Encoder::shipped();
        let examples = [
            ("turn on the lights", "on"),
            ("switch the lamp on please", "on"),
            ("turn off the lights", "off"),
            ("switch the lamp off please", "off"),
        ];
        let head = Head::fit(encoder, &examples);
        assert!(examples.iter().all(|(text, label)| head.say(encoder, text) == *label));
        assert_eq!(head.say(encoder, "please turn the lights off"), "off");
    }
}
