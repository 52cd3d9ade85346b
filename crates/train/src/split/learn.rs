//! Fits the weights: logistic regression with a small hidden layer beside it, by stochastic gradient, one step size a
//! weight. Several are fitted, each to its own composites, and what they say is averaged.

use reflex::split::features::{CROSSED, PLAIN, PLAIN_SHAPES, SHAPES, Sight, features};
use reflex::split::{Learned, UNITS, seams, words};

use super::compose::Example;
use super::dice::Dice;

/// How many are averaged.
pub(super) const MEMBERS: usize = 3;

const MEMBER_UNITS: usize = UNITS / MEMBERS;
const ROUNDS: usize = 6;
/// The rounds at the end whose weights are averaged.
const SETTLED: usize = 3;
const RATE: f32 = 0.05;
const HIDDEN_RATE: f32 = 0.1;
const START: f32 = 0.05;

/// How often, in percent, the words outside the closed classes are hidden, so that shapes have to carry what is learned.
const BLIND: usize = 30;

/// How much more a seam weighs that parts nothing: to tear a request is worse than to leave two together.
const WHOLE: f32 = 2.0;

/// One seam of an example.
struct Seen {
    sight: Sight,
    parts: bool,
}

/// One of those that are averaged.
struct Member {
    linear: Vec<f32>,
    hidden: Vec<[f32; MEMBER_UNITS]>,
}

/// What one member makes of one seam.
struct Judged {
    score: f32,
    units: [f32; MEMBER_UNITS],
}

/// Learns from requests whose seams are known: each of `lessons` makes one member.
pub(super) fn fit(lessons: &[Vec<Example>], dice: &mut Dice) -> Learned {
    let mut learned = Learned::nothing();
    let share = 1.0 / lessons.len() as f32;
    for (member, lesson) in lessons.iter().take(MEMBERS).enumerate() {
        let fitted = fit_member(lesson, dice);
        let units = member * MEMBER_UNITS..(member + 1) * MEMBER_UNITS;
        for (unit, out) in learned.out[units.clone()].iter_mut().enumerate() {
            *out = direction(unit) * share;
        }
        for (sum, weight) in learned.linear.iter_mut().zip(&fitted.linear) {
            *sum += weight * share;
        }
        for (all, own) in learned.hidden.iter_mut().zip(&fitted.hidden) {
            all[units.clone()].copy_from_slice(own);
        }
    }
    learned
}

fn fit_member(examples: &[Example], dice: &mut Dice) -> Member {
    let mut seen: Vec<Seen> = examples.iter().flat_map(see).collect();
    let mut member = Member { linear: vec![0.0; CROSSED as usize], hidden: vec![[0.0; MEMBER_UNITS]; PLAIN as usize] };
    for weight in member.hidden.as_flattened_mut() {
        *weight = (dice.below(2001) as f32 / 1000.0 - 1.0) * START;
    }
    let mut mean = Member { linear: vec![0.0; CROSSED as usize], hidden: vec![[0.0; MEMBER_UNITS]; PLAIN as usize] };
    let mut squares = vec![1e-3; CROSSED as usize];
    let mut hidden_squares = vec![[1e-3; MEMBER_UNITS]; PLAIN as usize];
    for round in 0..ROUNDS {
        let slower = 1.0 - round as f32 / ROUNDS as f32;
        dice.shuffle(&mut seen);
        for seen in &seen {
            let (crossed, plain) = if dice.chance(BLIND) {
                (&seen.sight.crossed[..SHAPES], &seen.sight.plain[..PLAIN_SHAPES])
            } else {
                (&seen.sight.crossed[..], &seen.sight.plain[..])
            };
            let judged = judge(&member, crossed, plain);
            let error = 1.0 / (1.0 + (-judged.score).exp()) - f32::from(u8::from(seen.parts));
            let error = if seen.parts { error } else { error * WHOLE };
            for at in crossed.iter().map(|at| *at as usize) {
                step(&mut member.linear[at], &mut squares[at], error, RATE * slower);
            }
            for at in plain.iter().map(|at| *at as usize) {
                let weights = member.hidden[at].iter_mut().zip(&mut hidden_squares[at]);
                for (unit, (weight, square)) in weights.enumerate().filter(|(unit, _)| judged.units[*unit] > 0.0) {
                    step(weight, square, error * direction(unit), HIDDEN_RATE * slower);
                }
            }
        }
        if round + SETTLED >= ROUNDS {
            add(&mut mean.linear, &member.linear);
            add(mean.hidden.as_flattened_mut(), member.hidden.as_flattened());
        }
    }
    mean
}

/// Half of the units speak for a seam, half against.
fn direction(unit: usize) -> f32 {
    if unit.is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn step(weight: &mut f32, square: &mut f32, slope: f32, rate: f32) {
    *square += slope * slope;
    *weight = (*weight - rate * slope / square.sqrt()).clamp(-2.0, 2.0);
}

fn add(mean: &mut [f32], weights: &[f32]) {
    for (mean, weight) in mean.iter_mut().zip(weights) {
        *mean += weight / SETTLED as f32;
    }
}

fn judge(member: &Member, crossed: &[u32], plain: &[u32]) -> Judged {
    let linear: f32 = crossed.iter().map(|at| member.linear[*at as usize]).sum();
    let mut units = [0.0; MEMBER_UNITS];
    for at in plain {
        for (unit, weight) in units.iter_mut().zip(&member.hidden[*at as usize]) {
            *unit += weight;
        }
    }
    let hidden: f32 = units.iter().enumerate().map(|(unit, sum)| sum.max(0.0) * direction(unit)).sum();
    Judged { score: linear + hidden, units }
}

fn see(example: &Example) -> Vec<Seen> {
    let words = words::read(&example.text);
    let found = seams::find(&words);
    let mut left = 0;
    let mut all = Vec::with_capacity(found.len());
    for (at, seam) in found.iter().enumerate() {
        let joint = words[seam.start - 1].span.end..words[seam.end].span.start;
        let parts = example.seams.iter().any(|byte| joint.contains(byte));
        let mut sight = Sight::default();
        features(&words, seam, left, [at.checked_sub(1).map(|at| &found[at]), found.get(at + 1)], &mut sight);
        all.push(Seen { sight, parts });
        if parts {
            left = seam.end;
        }
    }
    all
}
